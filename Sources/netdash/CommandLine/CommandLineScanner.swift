import Dashboard
import SessionSupport

/// Splits arguments into options and operands like `getopt_long`, without its global state.
///
/// `--name=value`, `--name value`, `-dDIR`, `-d DIR`, bundled flags, unambiguous abbreviations of long names, options
/// after operands, and `--` as the end of options. A lone `-` is an operand. Names from other tools are accepted, see
/// ``ForeignOption``.
struct CommandLineScanner {
    /// One part of the command line.
    enum Item: Sendable, Equatable {
        /// The spelling is the user's, for messages.
        case option(CommandLineOption, value: String, spelling: String)
        case operand(String)

        /// The option with its value, as the configuration has it; nil for an operand.
        var setting: OptionSetting? {
            guard case .option(let option, let value, let spelling) = self else { return nil }
            return OptionSetting(option: option, value: value, label: spelling)
        }

        var option: CommandLineOption? {
            if case .option(let option, _, _) = self { option } else { nil }
        }

        /// The argument for a service that is started for this run; nil for what concerns this run alone.
        var serviceArgument: String? {
            guard case .option(let option, _, _) = self, option.commands.contains(.serve),
                !["session", "quiet", "idle-exit"].contains(option.longName)
            else { return nil }
            return argument
        }

        /// The argument for the tasks of dropped files; nil for any other.
        var watchArgument: String? { option?.isOfDroppedFiles == true ? argument : nil }

        /// The same for an option for all requests.
        var isOfRequests: Bool { option?.job != nil }

        /// The option, spelled for another command line.
        private var argument: String? {
            guard case .option(let option, let value, _) = self else { return nil }
            let isAlone = option.valueName == nil && value.isEmpty || value.isEmpty && option.takes != nil
            return isAlone ? option.spelling : "\(option.spelling)=\(value)"
        }

        var operand: String? {
            if case .operand(let text) = self { text } else { nil }
        }
    }

    private var rest: ArraySlice<String>
    private var items: [Item] = []

    private init(_ arguments: [String]) {
        rest = arguments[...]
    }

    static func scan(_ arguments: [String]) throws(UsageError) -> [Item] {
        var scanner = CommandLineScanner(arguments)
        while let argument = scanner.rest.popFirst() {
            if argument == "--" {
                scanner.items += scanner.rest.map { .operand($0) }
                break
            }
            if argument.hasPrefix("--") {
                try scanner.readLong(argument)
            } else if argument.hasPrefix("-"), argument != "-", !isCondition(argument) {
                try scanner.readShort(argument)
            } else {
                scanner.items.append(.operand(argument))
            }
        }
        return scanner.items
    }

    /// Whether an argument selects tasks by a negated condition, and is no option with its value.
    private static func isCondition(_ argument: String) -> Bool {
        guard FilterExpression.isNegatedCondition(argument), let letter = argument.dropFirst().first else {
            return false
        }
        return letter.isLetter || CommandLineOption.named(letter) == nil
    }

    private mutating func readLong(_ argument: String) throws(UsageError) {
        let text = argument.dropFirst(2)
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        let attached = parts.count == 2 ? String(parts[1]) : nil
        if let foreign = Self.foreign(longName: name) {
            return try take(foreign, spelling: "--" + name, attached: attached)
        }
        let option = try Self.option(longName: name)
        if option.isJSONOutput, Self.isJSONBody(attached ?? rest.first ?? "") {
            throw UsageError(argument: option.spelling, CommandLineUsage.printsJSON)
        }
        if option.valueName == nil, let attached {
            return take(option, isOn: try Self.isOn(attached, option.spelling), spelling: option.spelling)
        }
        try take(option, spelling: option.spelling, attached: attached)
    }

    /// Takes a switch that is on or off.
    private mutating func take(_ option: CommandLineOption, isOn: Bool, spelling: String) {
        let (chosen, text) = option.chosen(isOn)
        add(chosen, text, spelling: spelling)
    }

    private static func isOn(_ text: String, _ spelling: String) throws(UsageError) -> Bool {
        guard let isOn = answer(text) else { throw UsageError(argument: spelling, OptionUsage.notYesOrNo(text)) }
        return isOn
    }

    private mutating func readShort(_ argument: String) throws(UsageError) {
        if argument.count > 2, let foreign = ForeignOption.named(argument) {
            return try take(foreign, spelling: argument, attached: nil)
        }
        var letters = argument.dropFirst()
        while let letter = letters.popFirst() {
            let spelling = "-\(letter)"
            let rest = letters.isEmpty ? nil : String(letters)
            if letter == "s", let number = rest ?? self.rest.first, !number.isEmpty, number.allSatisfy(\.isNumber) {
                throw UsageError(argument: spelling, CommandLineUsage.quietHasNoNumber)
            }
            if let option = Self.option(letter: letter) {
                try take(option, spelling: spelling, attached: option.valueName == nil ? nil : rest)
                if option.valueName != nil { return }
            } else if let foreign = ForeignOption.named(spelling) {
                let hasValue = foreign.operand != .none
                try take(foreign, spelling: spelling, attached: hasValue ? rest : nil)
                if hasValue { return }
            } else {
                throw UsageError(argument: spelling, CommandLineUsage.unknownOption)
            }
        }
    }

    private mutating func add(_ option: CommandLineOption, _ value: String, spelling: String) {
        items.append(.option(option, value: value, spelling: spelling))
    }

    private mutating func take(
        _ option: CommandLineOption, spelling: String, attached: String?
    ) throws(UsageError) {
        guard option.valueName != nil, attached != nil || option.isValue(rest.first) else {
            return add(option, "", spelling: spelling)
        }
        if attached == "", option.takes != nil, let name = option.valueName {
            throw UsageError(argument: spelling, CommandLineUsage.needsValueOrNone(spelling, name))
        }
        add(option, try value(of: option, attached, spelling: spelling), spelling: spelling)
    }

    /// The value after an option; for most options a URL is no value, but was meant to be downloaded.
    private mutating func value(
        of option: CommandLineOption, _ attached: String?, spelling: String
    ) throws(UsageError) -> String {
        if let attached { return attached }
        let value = try nextValue(of: option, spelling: spelling)
        guard ["http://", "https://"].contains(where: { value.hasPrefix($0) }), !option.takesURLs else { return value }
        let hint =
            ForeignOption.hint(for: spelling)
            ?? CommandLineUsage.writeValueBeforeURL(spelling, option.valueName ?? "VALUE")
        throw UsageError(argument: spelling, CommandLineUsage.needsValueBeforeURL(hint: hint))
    }

    /// Returns whether a word is a JSON text or names the file of one, as it follows curl's `--json`; a URL may begin
    /// with the same brackets, but does not end in them.
    private static func isJSONBody(_ word: String) -> Bool {
        word.hasPrefix("@") || word.hasPrefix("{") && word.hasSuffix("}") || word.hasPrefix("[") && word.hasSuffix("]")
    }

    // MARK: - Options of other tools

    private mutating func take(
        _ foreign: ForeignOption, spelling: String, attached: String?
    ) throws(UsageError) {
        switch foreign.outcome {
        case .same(let name, let value):
            let option = CommandLineOption.record(name)
            let isSwitch = value != nil || option.valueName == nil
            let isOn = try isSwitch && attached != nil ? Self.isOn(attached ?? "", spelling) : nil
            if let value {
                if isOn != false { add(option, value, spelling: spelling) }
            } else if let isOn {
                take(option, isOn: isOn, spelling: spelling)
            } else {
                try take(option, spelling: spelling, attached: attached)
            }
        case .several(let names):
            let value = try value(of: CommandLineOption.record(names[0]), attached, spelling: spelling)
            for name in names { add(CommandLineOption.record(name), value, spelling: spelling) }
        case .tries:
            let option = CommandLineOption.record("retries")
            let value = try value(of: option, attached, spelling: spelling)
            // The value's parser reports a text that is no number.
            let retries = ByteText.decimal(value).map { $0 == 0 ? 1_000 : $0 - 1 }
            add(option, retries.map(String.init) ?? value, spelling: spelling)
        case .usual(let hasValue):
            // In front of a method it is HTTPie's form; curl's --fail is usual here.
            if spelling == "-f", let next = rest.first, CommandLineOption.commonMethods.contains(next) {
                throw UsageError(argument: spelling, CommandLineUsage.formItems)
            }
            if hasValue, attached == nil { _ = rest.popFirst() }
        case .choice(let on, let off):
            guard let isOn = Self.answer(attached ?? "true") else {
                throw UsageError(argument: spelling, CommandLineUsage.notTrueOrFalse(attached ?? ""))
            }
            guard let setting = isOn ? on : off else { return }
            add(CommandLineOption.record(setting.name), setting.value, spelling: spelling)
        case .operand:
            guard let url = attached ?? rest.popFirst() else {
                throw UsageError(argument: spelling, CommandLineUsage.needsURL)
            }
            items.append(.operand(url))
        case .refused(let sentence): throw UsageError(argument: spelling, sentence)
        }
    }

    /// Parses a flag's value; nil for another word.
    static func answer(_ text: String) -> Bool? {
        switch text {
        case "true", "yes", "on": true
        case "false", "no", "off": false
        default: nil
        }
    }

    private mutating func nextValue(
        of option: CommandLineOption, spelling: String
    ) throws(UsageError) -> String {
        guard let value = rest.popFirst() else {
            throw UsageError(argument: spelling, CommandLineUsage.needsValue(spelling, option.valueName ?? "VALUE"))
        }
        return value
    }

    /// The option of a letter, which is ours or curl's.
    static func option(letter: Character) -> CommandLineOption? {
        CommandLineOption.named(letter) ?? CurlOptions.option(named: "-\(letter)").map { .job($0) }
    }

    /// Another tool's option of a long name that is none of ours, and wins over an abbreviation of ours.
    static func foreign(longName name: String) -> ForeignOption? {
        CommandLineOption.named(name) == nil ? ForeignOption.named("--" + name) : nil
    }

    /// The option of a full or abbreviated long name.
    static func option(longName name: String) throws(UsageError) -> CommandLineOption {
        if let exact = CommandLineOption.named(name) ?? CurlOptions.option(named: "--" + name).map({ .job($0) }) {
            return exact
        }
        let matches = name.isEmpty ? [] : CommandLineOption.allCases.filter { $0.longName.hasPrefix(name) }
        if let only = matches.first, matches.count == 1 { return only }
        if matches.count > 1 {
            let names = matches.map(\.spelling).joined(separator: ", ")
            throw UsageError(argument: "--\(name)", CommandLineUsage.ambiguous(names))
        }
        let names = CommandLineOption.allCases.map(\.longName)
        if let near = Suggestion.nearest(to: name, among: names) {
            throw UsageError(argument: "--\(name)", CommandLineUsage.unknownOption(near: near))
        }
        throw UsageError(argument: "--\(name)", CommandLineUsage.unknownOption)
    }
}
