import Dashboard
import SessionSupport

/// Reads the arguments of aria2c, as scripts have them.
enum AriaCommandLine {
    /// Translates arguments; throws for one that aria2c would refuse too.
    ///
    /// - Parameters:
    ///   - home: what `${HOME}` in a path stands for.
    ///   - contents: reads the configuration file that `--conf-path` names, or the usual one; what is on the command
    ///     line counts more.
    static func read(
        _ arguments: [String], home: String? = nil,
        contents: (String?) throws(UsageError) -> String = { (_) throws(UsageError) in "" }
    ) throws(UsageError) -> AriaCommand {
        var command = try read(arguments, home)
        if command.readsFile, command.question == nil {
            let lines = lines(of: try contents(command.configurationFile))
            let known = lines.filter { isKnown($0.name) }
            if !known.isEmpty { command = try read(known.map(\.argument) + arguments, home) }
            for line in lines where !isKnown(line.name) {
                command.notes.append(AriaLines.unknownSetting(line.shownName))
            }
        }
        try command.expandPatterns()
        return command
    }

    /// A line of a configuration file.
    private struct Line {
        let name: String
        let argument: String

        /// As in aria2c, blanks around the name and the value count nothing, and a line without a name is none.
        ///
        /// A line without a value has none: what follows it is not its value.
        init?(_ text: String) {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map { ByteText.trimmed($0) }
            name = parts[0]
            guard !name.isEmpty, !name.hasPrefix("#") else { return nil }
            let value = parts.count == 2 ? parts[1] : ""
            let known = AriaArgument.named(name)
            let takesValue = known.map { $0.operand == .required } ?? AriaCommandLine.takesValue(name)
            argument = "--" + name + (takesValue || !value.isEmpty ? "=" + value : "")
        }

        /// The beginning that can be a name: where the equals sign is missing, the rest is a value, perhaps a secret.
        var shownName: String {
            let start = name.prefix { $0.isASCII && ($0.isLetter || $0.isNumber) || $0 == "-" || $0 == "_" }
            return String(start.isEmpty ? name.prefix(1) : start)
        }
    }

    /// The lines of a configuration file; comments begin with a number sign.
    private static func lines(of text: String) -> [Line] {
        text.split(whereSeparator: \.isNewline).compactMap { Line(String($0)) }
    }

    /// Whether a setting has a meaning; aria2c warns of any other one in a file, and goes on.
    ///
    /// Its name is complete there: only the command line takes the beginning of one.
    private static func isKnown(_ name: String) -> Bool {
        AriaArgument.named(name) != nil || AriaArgument.isOfAria(name) || isPassed(name)
    }

    /// Whether our scanner knows a name of aria2's.
    private static func isPassed(_ name: String) -> Bool {
        switch ForeignOption.named("--" + name)?.outcome {
        case .same, .several, .tries, .usual, .choice: true
        case .operand, .refused, nil: CommandLineOption.named(name) != nil
        }
    }

    /// Whether an argument that our scanner knows under aria2's name has a value behind it.
    private static func takesValue(_ name: String) -> Bool {
        if let option = CommandLineOption.named(name) { return option.valueName != nil }
        return switch ForeignOption.named("--" + name)?.outcome {
        case .choice: false
        case .usual(let hasValue): hasValue
        case .same(let name, let value): value == nil && CommandLineOption.named(name)?.valueName != nil
        case .several, .tries, .operand, .refused, nil: true
        }
    }

    private static func read(_ arguments: [String], _ home: String?) throws(UsageError) -> AriaCommand {
        var command = AriaCommand()
        command.home = home
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == "--" {
                for text in rest { try take(text, &command) }
                break
            }
            if argument.hasPrefix("--") {
                try readLong(argument, &rest, &command)
            } else if argument.hasPrefix("-"), argument != "-" {
                try readShort(argument, &rest, &command)
            } else {
                try take(argument, &command)
            }
        }
        return command
    }

    /// Takes a URL, or the file of a Metalink; a word without a scheme may be a command of netdash.
    private static func take(_ text: String, _ command: inout AriaCommand) throws(UsageError) {
        if text.contains("://") { return command.urls.append(text) }
        let small = ByteText.lowercased(text[...])
        if small.hasPrefix("magnet:") || small.hasSuffix(".torrent") {
            throw UsageError(argument: text, CommandLineUsage.noTorrents)
        }
        guard [".metalink", ".meta4"].contains(where: { small.hasSuffix($0) }) else {
            throw UsageError(argument: text, CommandLineUsage.noAriaURL)
        }
        command.words.append("--input=" + text)
    }

    private static func readLong(
        _ argument: String, _ rest: inout ArraySlice<String>, _ command: inout AriaCommand
    ) throws(UsageError) {
        let parts = argument.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = AriaArgument.completed(String(parts[0]))
        let attached = parts.count == 2 ? String(parts[1]) : nil
        guard let known = AriaArgument.named(name) else { return try pass(name, attached, &rest, &command) }
        try apply(known, attached, &rest, &command)
    }

    private static func readShort(
        _ argument: String, _ rest: inout ArraySlice<String>, _ command: inout AriaCommand
    ) throws(UsageError) {
        var letters = argument.dropFirst()
        while let letter = letters.popFirst() {
            guard let known = AriaArgument.named(letter) else {
                throw UsageError(argument: "-\(letter)", CommandLineUsage.unknownOption)
            }
            guard known.operand == .flag else {
                return try apply(known, letters.isEmpty ? nil : String(letters), &rest, &command)
            }
            // As in aria2c, a value is attached; the equals sign is a habit of its users.
            let value = letters.hasPrefix("=") ? letters.dropFirst() : letters
            guard letters.hasPrefix("=") || ["true", "false"].contains(value) else {
                try change(known, "true", &command)
                continue
            }
            return try apply(known, String(value), &rest, &command)
        }
    }

    private static func apply(
        _ known: AriaArgument, _ attached: String?, _ rest: inout ArraySlice<String>, _ command: inout AriaCommand
    ) throws(UsageError) {
        switch known.operand {
        case .flag:
            let value = attached ?? "true"
            guard ["true", "false"].contains(value) else {
                throw UsageError(argument: "--" + known.name, CommandLineUsage.notTrueOrFalse(value))
            }
            try change(known, value, &command)
        case .optional: try change(known, attached ?? "", &command)
        case .required:
            guard let value = attached ?? rest.popFirst() else {
                throw UsageError(argument: "--" + known.name, CommandLineUsage.needsValue("--" + known.name, "VALUE"))
            }
            try change(known, value, &command)
        }
    }

    private static func change(
        _ known: AriaArgument, _ value: String, _ command: inout AriaCommand
    ) throws(UsageError) {
        let value = command.expanded(value, of: known.name)
        try known.change(&command, value)
        try AriaArgument.check(value, of: known.name)
        command.keep(known.name, value)
    }

    /// An argument under aria2's own name: one that our scanner knows, or one without a meaning here.
    private static func pass(
        _ name: String, _ attached: String?, _ rest: inout ArraySlice<String>, _ command: inout AriaCommand
    ) throws(UsageError) {
        guard isPassed(name) else {
            guard !AriaArgument.isOfAria(name) else { return command.ignore(name) }
            let near = AriaArgument.nearest(to: name)
            throw UsageError(
                argument: "--" + name,
                near.map { CommandLineUsage.unknownOption(near: $0) } ?? CommandLineUsage.unknownOption)
        }
        let given = attached ?? (takesValue(name) && rest.first?.hasPrefix("-") == false ? rest.popFirst() : nil)
        let value = given.map { command.expanded($0, of: name) }
        if let value { try AriaArgument.check(value, of: name) }
        command.words.append("--" + name + (value.map { "=" + $0 } ?? ""))
        command.keep(name, value ?? "true")
    }
}
