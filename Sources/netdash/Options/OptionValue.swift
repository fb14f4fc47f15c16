import Dashboard
import SessionSupport

/// A kind of value: its word in the help, its completion in a shell, and its parser.
struct OptionValue<Value: Sendable>: Sendable {
    var name: String
    var hint = ValueHint.none
    /// Parses a text; `label` is the position for messages.
    var parse: @Sendable (_ text: String, _ label: String) throws(UsageError) -> Value
}

extension OptionValue where Value == String {
    static let file = path("FILE", hint: .file)

    static func path(_ name: String, hint: ValueHint) -> Self {
        Self(name: name, hint: hint) { (text, label) throws(UsageError) in try ValueParser.path(text, label: label) }
    }

    /// A command that a shell runs.
    static let command = Self(name: "COMMAND") { (text, label) throws(UsageError) in
        try ValueParser.command(text, label: label)
    }

    /// The name of a section of the configuration.
    static let profile = Self(name: "NAME") { (text, label) throws(UsageError) in
        guard !text.isEmpty else { throw UsageError(argument: label, ValueUsage.noProfile) }
        return text
    }

    static let method = Self(name: "METHOD", hint: .words(CommandLineOption.commonMethods)) {
        (text, label) throws(UsageError) in try ValueParser.method(text, label: label)
    }
}

extension OptionValue where Value == [String] {
    /// Globs between commas, none of which is empty.
    static let globs = Self(name: "GLOB,...") { (text, label) throws(UsageError) in
        let globs = text.split(separator: ",", omittingEmptySubsequences: false).map { ByteText.trimmed($0) }
        guard !globs.contains("") else { throw UsageError(argument: label, ValueUsage.emptyGlob) }
        return globs
    }
}

extension OptionValue where Value == Int {
    static func number(in range: ClosedRange<Int>) -> Self {
        Self(name: "N") { (text, label) throws(UsageError) in
            try ValueParser.number(text, in: range, label: label)
        }
    }
}

extension OptionValue where Value == Double {
    static let seconds = Self(name: "SECONDS") { (text, label) throws(UsageError) in
        try ValueParser.seconds(text, label: label)
    }
}

extension OptionValue where Value == RateSchedule {
    /// Bytes per second, optionally by the time of day.
    static let rate = Self(name: "RATE") { (text, label) throws(UsageError) in
        try ValueParser.rates(text, label: label)
    }
}

extension OptionValue where Value == RequestRate? {
    /// Requests in a time; nil for no limit.
    static let requestRate = Self(name: "N/s") { (text, label) throws(UsageError) in
        if text == RateSchedule.off { return nil }
        guard let rate = RequestRate(text) else { throw UsageError(argument: label, QueueUsage.requestRate(text)) }
        return rate
    }
}

extension OptionValue where Value == Int64? {
    static let start = Self(name: "TIME") { (text, label) throws(UsageError) in
        try ValueParser.value(of: .start, text, label: label)
    }
}

extension OptionValue where Value == [TransferHours.Span] {
    static let hours = Self(name: "HOURS") { (text, label) throws(UsageError) in
        try ValueParser.value(of: .hours, text, label: label)
    }
}

extension OptionValue where Value == TaskPriority {
    static let priority = Self(name: "PRIORITY", hint: .words(TaskPriority.allCases.map(\.word))) {
        (text, label) throws(UsageError) in try ValueParser.value(of: .priority, text, label: label)
    }
}

extension OptionValue where Value == Job.Body {
    static let body = Self(name: "TEXT|@FILE", hint: .fileBehindAt) { (text, label) throws(UsageError) in
        try ValueParser.body(text, label: label)
    }
}

extension OptionValue where Value == HeaderArgument {
    static let header = Self(name: "'Name: value'") { (text, label) throws(UsageError) in
        try HeaderArgument(text, label: label)
    }
}

extension OptionValue where Value == Job.Checksum {
    static let checksum = Self(
        name: "ALGO=HEX", hint: .stems(Job.Checksum.Algorithm.allCases.map { $0.rawValue + "=" })
    ) { (text, label) throws(UsageError) in try ValueParser.checksum(text, label: label) }
}

extension OptionValue where Value == SessionChoice {
    static let session = Self(name: "NAME", hint: .session) { (text, label) throws(UsageError) in
        .named(try ValueParser.session(text, label: label))
    }
}

extension OptionValue where Value == Set<NotificationEvent> {
    /// Moments separated by commas, or the word for none.
    static let moments = Self(
        name: "MOMENTS", hint: .words(NotificationEvent.allCases.map(\.rawValue) + [NotificationSettings.never])
    ) { (text, label) throws(UsageError) in
        Set(try ValueParser.choices(text, none: NotificationSettings.never, of: "moment", label: label))
    }
}

extension OptionValue where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    /// One of the words of an enumeration.
    static func word(_ name: String) -> Self {
        Self(name: name, hint: .words(Value.allCases.map(\.rawValue))) { (text, label) throws(UsageError) in
            try ValueParser.choice(text, label: label)
        }
    }
}
