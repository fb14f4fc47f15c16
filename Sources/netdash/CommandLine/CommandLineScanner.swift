import Dashboard

/// Splits arguments into options and operands the way `getopt_long` does, without its global state.
///
/// `--name=value`, `--name value`, `-dDIR`, `-d DIR`, bundled flags, unambiguous abbreviations of long names, options
/// after operands, and `--` as the end of options. A lone `-` is an operand.
struct CommandLineScanner {
    /// One part of the command line.
    enum Item: Sendable, Equatable {
        /// An option with its value; the spelling is what the user wrote, for messages.
        case option(CommandLineOption, value: String, spelling: String)
        case operand(String)

        /// The option, if it is one.
        var option: CommandLineOption? {
            if case .option(let option, _, _) = self { option } else { nil }
        }

        /// The operand, if it is one.
        var operand: String? {
            if case .operand(let text) = self { text } else { nil }
        }
    }

    private var rest: ArraySlice<String>
    private var items: [Item] = []

    private init(_ arguments: [String]) {
        rest = arguments[...]
    }

    /// Reads the arguments without the program's name.
    static func scan(_ arguments: [String]) throws(UsageError) -> [Item] {
        var scanner = CommandLineScanner(arguments)
        while let argument = scanner.rest.popFirst() {
            if argument == "--" {
                scanner.items += scanner.rest.map { .operand($0) }
                break
            }
            if argument.hasPrefix("--") {
                try scanner.readLong(argument)
            } else if argument.hasPrefix("-"), argument != "-" {
                try scanner.readShort(argument)
            } else {
                scanner.items.append(.operand(argument))
            }
        }
        return scanner.items
    }

    private mutating func readLong(_ argument: String) throws(UsageError) {
        let text = argument.dropFirst(2)
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        let option = try Self.option(longName: name)
        let attached = parts.count == 2 ? String(parts[1]) : nil
        if option.valueName == nil {
            if let attached {
                throw UsageError(argument: option.spelling, "takes no value, but \"\(attached)\" was given")
            }
            items.append(.option(option, value: "", spelling: option.spelling))
            return
        }
        let value: String
        if let attached { value = attached } else { value = try nextValue(of: option, spelling: option.spelling) }
        items.append(.option(option, value: value, spelling: option.spelling))
    }

    private mutating func readShort(_ argument: String) throws(UsageError) {
        var letters = argument.dropFirst()
        while let letter = letters.popFirst() {
            let spelling = "-\(letter)"
            guard let option = CommandLineOption.named(letter) else {
                throw UsageError(argument: spelling, "unknown option; netdash --help lists the options")
            }
            if option.valueName == nil {
                items.append(.option(option, value: "", spelling: spelling))
                continue
            }
            let value = letters.isEmpty ? try nextValue(of: option, spelling: spelling) : String(letters)
            items.append(.option(option, value: value, spelling: spelling))
            return
        }
    }

    private mutating func nextValue(
        of option: CommandLineOption, spelling: String
    ) throws(UsageError) -> String {
        guard let value = rest.popFirst() else {
            throw UsageError(argument: spelling, "needs a value; write \(spelling) \(option.valueName ?? "VALUE")")
        }
        return value
    }

    /// The option of a full or abbreviated long name.
    static func option(longName name: String) throws(UsageError) -> CommandLineOption {
        if let exact = CommandLineOption.named(name) { return exact }
        let matches = name.isEmpty ? [] : CommandLineOption.allCases.filter { $0.longName.hasPrefix(name) }
        if let only = matches.first, matches.count == 1 { return only }
        if matches.count > 1 {
            let names = matches.map(\.spelling).joined(separator: ", ")
            throw UsageError(argument: "--\(name)", "is ambiguous; write one of \(names)")
        }
        let names = CommandLineOption.allCases.map(\.longName)
        if let near = Suggestion.nearest(to: name, among: names) {
            throw UsageError(argument: "--\(name)", "unknown option; did you mean --\(near)?")
        }
        throw UsageError(argument: "--\(name)", "unknown option; netdash --help lists the options")
    }
}
