import SessionSupport

/// One request option with everything that any part of the program knows of it.
///
/// The command line, the configuration file, input lists, the add form, saved sessions, curl commands, aria2's lists,
/// the help, the completions and the manual page read the records of ``allCases``; a new option is one record in a
/// table.
package final class JobOption: Sendable {
    /// The tasks that an option applies to.
    package enum Subject: Sendable, Equatable {
        case requests
        /// Only downloads.
        case downloads
        case uploads
        /// The body of a data request.
        case body
        /// The response to a data request.
        case answers
    }

    /// The requests that an option of the command line applies to.
    package enum Reach: Sendable, Equatable {
        /// Requests of the URLs beside it.
        case request
        /// The same, but in a server's list only URLs of that server: the option contains credentials.
        case server
        /// All requests of the run, and of the rows of an earlier run.
        case run
    }

    /// Whether a value outlives its run.
    package enum Memory: Sendable, Equatable {
        /// The configuration file may set it, and a saved session keeps it.
        case kept
        /// It belongs to one task: the configuration file cannot set it for all.
        case ofTask
        /// The user must give it each time: neither the configuration file nor a saved session contains it.
        case none
    }

    /// Applies a parsed value to the terms of a request.
    package typealias Setter = @Sendable (inout RequestTerms) -> Void

    /// The long name, which lists, the form and the configuration file use too.
    package let name: String
    /// The letter of its short form on the command line.
    package let letter: Character?
    /// The help text.
    package let summary: String
    package let subject: Subject
    package let reach: Reach
    package let memory: Memory
    /// Whether it may be repeated.
    package let isRepeatable: Bool
    /// The setting that it decides: among options with the same one the last counts.
    package let matter: String
    /// Whether it does not work with a download to standard output.
    package let needsFile: Bool
    /// Its names in a curl command, of which the first is written; empty where curl has no such option.
    package let curlNames: [String]
    /// Its names in aria2's lists, where the value means the same.
    package let ariaNames: [String]
    package let style: OptionStyle
    /// The switch that "no" selects; nil where "no" undoes this one.
    package let opposite: String?
    /// What a switch sets that is off, where a session's options have it on.
    private let undo: Setter?
    /// Parses a value once; the setter is applied to each request.
    private let read: @Sendable (String) throws(OptionProblem) -> Setter

    /// An option with a value.
    ///
    /// - Parameter curl: nil where curl has the same name.
    package init<Value: Sendable>(
        _ name: String, _ kind: OptionKind<Value>, _ summary: String, letter: Character? = nil,
        of subject: Subject = .requests, reach: Reach = .request, memory: Memory = .kept, isRepeatable: Bool = false,
        matter: String? = nil, needsFile: Bool = false, curl: [String]? = nil, aria: [String] = [],
        opposite: String? = nil, undo: Setter? = nil,
        set: @escaping @Sendable (inout RequestTerms, Value) -> Void
    ) {
        (self.name, self.letter, self.summary, style) = (name, letter, summary, kind.style)
        (self.subject, self.reach, self.memory) = (subject, reach, memory)
        (self.isRepeatable, self.matter, self.needsFile) = (isRepeatable, matter ?? name, needsFile)
        (curlNames, ariaNames) = (curl ?? ["--" + name], aria)
        (self.opposite, self.undo) = (opposite, undo)
        let parse = kind.parse
        read = { text throws(OptionProblem) in
            let value = try parse(text)
            return { terms in set(&terms, value) }
        }
    }

    /// An option without a value.
    package convenience init(
        _ name: String, _ summary: String, letter: Character? = nil, of subject: Subject = .requests,
        reach: Reach = .request, memory: Memory = .kept, matter: String? = nil, needsFile: Bool = false,
        curl: [String]? = nil, opposite: String? = nil, undo: Setter? = nil,
        set: @escaping @Sendable (inout RequestTerms) -> Void
    ) {
        self.init(
            name, .flag, summary, letter: letter, of: subject, reach: reach, memory: memory, matter: matter,
            needsFile: needsFile, curl: curl, opposite: opposite, undo: undo
        ) { terms, _ in set(&terms) }
    }

    /// The most bytes of a value; no real value is longer.
    private static let byteLimit = 1 << 20

    package func reading(_ text: String) throws(OptionProblem) -> Setter {
        guard isSwitch || text.utf8.count <= Self.byteLimit else {
            throw OptionProblem(OptionUsage.tooLong)
        }
        guard isBody || isSwitch || text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw OptionProblem(OptionUsage.controlCharacter)
        }
        if isSwitch, text == Self.off { return undo ?? { _ in } }
        return try read(text)
    }

    /// The text of a switch that is off.
    fileprivate static let off = "no"

    /// The problem with a value, as a phrase that follows the option's name; nil without one.
    package func problem(with text: String) -> String? {
        do throws(OptionProblem) {
            _ = try reading(text)
            return nil
        } catch {
            return error.sentence
        }
    }
}

extension JobOption {
    /// The word for its value; nil for a switch.
    package var valueName: String? { style.valueName }
    package var operand: OptionStyle.Operand { style.operand }
    /// Whether it is on or off and has no value.
    package var isSwitch: Bool { operand == .none }
    /// Whether it is the body of a request.
    package var isBody: Bool { subject == .body }
    /// Whether its values are joined by `&` to one body, with the other option of that kind.
    package var isFormPart: Bool { self == .urlEncoded || self == .dataPart }
    /// What it is with yes or no.
    package func value(isOn: Bool) -> Value {
        if let opposite, !isOn { return Value(.record(opposite)) }
        return Value(self, isOn ? "" : Self.off)
    }
    /// Whether its value may refer to a secret: `@env:NAME`, `@file:PATH` or `@cmd:COMMAND`.
    package var isSecret: Bool { style.secrecy != .none }
}

extension JobOption: Hashable {
    package static func == (left: JobOption, right: JobOption) -> Bool { left === right }
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension JobOption: CustomStringConvertible {
    package var description: String { name }
}

extension JobOption {
    /// One option with its value, which is empty for a switch.
    package struct Value: Sendable, Equatable {
        package let option: JobOption
        /// The value as it was written.
        package let text: String
        /// Parsed once; nil for an invalid text, such as one with only a mask left.
        private let set: Setter?

        package init(_ option: JobOption, _ text: String = "") {
            (self.option, self.text) = (option, text)
            set = try? option.reading(text)
        }

        /// Throws for an invalid value.
        package init(checking option: JobOption, _ text: String) throws(OptionProblem) {
            (self.option, self.text) = (option, text)
            set = try option.reading(text)
        }

        /// Whether it is a switch that is off, which undoes the same one of a place farther from the request.
        package var isOff: Bool { text == JobOption.off && option.isSwitch }

        package func apply(to terms: inout RequestTerms) { set?(&terms) }

        package static func == (left: Value, right: Value) -> Bool {
            left.option == right.option && left.text == right.text
        }
    }
}

extension JobOption.Value: Codable {
    private enum CodingKeys: String, CodingKey {
        case name, text
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let name = try container.decode(String.self, forKey: .name)
        guard let option = JobOption.named(name) else {
            throw DecodingError.dataCorruptedError(
                forKey: .name, in: container, debugDescription: "There is no option \(name)")
        }
        self.init(option, try container.decode(String.self, forKey: .text))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(option.name, forKey: .name)
        try container.encode(text, forKey: .text)
    }
}

extension JobOption.Value {
    /// The printable value: stars replace a secret, but not a reference to one.
    package var shownText: String { option.style.shown(text, .masked) }

    /// The storable value: like the printable one, but random values stay unless their names mark them as secrets.
    package var storable: JobOption.Value {
        let stored = option.style.shown(text, .removed)
        return stored == text ? self : JobOption.Value(option, stored)
    }

    /// Whether only a mask is left of the value.
    package var isHidden: Bool { text.contains(Redaction.mask) && text == shownText }

    /// The option in a line of options: `name=value`, or the name alone.
    package var line: String { option.isSwitch && !isOff ? option.name : option.name + "=" + shownText }

    /// The same value with a secret of the environment read, for a process with another environment.
    package func withSecret(from environment: [String: String]) -> JobOption.Value {
        guard let reference = option.style.environmentReference(text), let secret = environment[reference.name] else {
            return self
        }
        return JobOption.Value(option, reference.prefix + secret)
    }

    /// The variable that has its secret and that is not among these; nil for any other value.
    package func missingVariable(among names: Set<String>) -> String? {
        option.style.environmentReference(text).flatMap { names.contains($0.name) ? nil : $0.name }
    }

    /// The command whose output is its secret; nil without one.
    package var command: String? {
        guard text.contains(SecretText.commandPrefix), case .command(let command) = reference else { return nil }
        return command
    }

    /// The variable, the file or the command that has its secret, or a part of it; nil for a secret written out.
    package var reference: SecretText? {
        guard option.isSecret else { return nil }
        let whole = SecretText(text)
        if whole.isReference { return whole }
        guard option.style.secrecy == .behindName, let colon = text.firstIndex(of: ":") else { return nil }
        let part = SecretText(String(text[text.index(after: colon)...].drop { $0 == " " }))
        return part.isReference ? part : nil
    }

    /// The same value with a relative path made absolute.
    package func withPath(_ absolute: (String) -> String) -> JobOption.Value {
        guard let prefix = option.style.pathPrefix(text), text.hasPrefix(prefix), text.count > prefix.count else {
            return self
        }
        let path = String(text.dropFirst(prefix.count))
        return path.hasPrefix("~") ? self : JobOption.Value(option, prefix + absolute(path))
    }
}

extension [JobOption.Value] {
    /// Adds an option; an unrepeatable one replaces the earlier one.
    package mutating func set(_ value: JobOption.Value) {
        if value.isOff {
            removeAll { $0.option == value.option }
        } else if !value.option.isRepeatable {
            removeAll { $0.option.matter == value.option.matter }
        }
        append(value)
    }

    package func contains(_ option: JobOption) -> Bool { contains { $0.option == option && !$0.isOff } }

    /// The value of an option, the last one of several.
    package func text(of option: JobOption) -> String? { last { $0.option == option }?.text }

    /// The kinds of bodies, each once, in their order; the parts of a form are one kind.
    package var bodyOptions: [JobOption] {
        reduce(into: []) { kinds, value in
            let option = value.option
            let joins = option.isFormPart && kinds.contains { $0.isFormPart }
            if option.isBody, !joins, !kinds.contains(option) { kinds.append(option) }
        }
    }

    /// The combined settings.
    package var terms: RequestTerms {
        var terms = RequestTerms()
        for value in self { value.apply(to: &terms) }
        return terms
    }
}
