import Dashboard

/// The texts of `--help` and `help COMMAND`.
enum HelpText {
    /// The help for a command with its options, or for all; ends in a line break.
    static func text(_ command: ProgramCommand?) -> String {
        guard let command else {
            return usage + "\n" + table(of: CommandLineOption.allCases) + "\n" + ProgramHelp.closing
        }
        let examples = command.examples.flatMap { ["  " + $0.line, "      " + $0.meaning] }
        return [
            command.synopsis + "\n", wrapped(command.explanation), table(of: command.options),
            ProgramHelp.examples + "\n" + examples.joined(separator: "\n") + "\n",
        ].joined(separator: "\n")
    }

    // MARK: - Searching

    static func finds(_ word: String) -> Bool { !results(for: word, keys: .standard).isEmpty }

    /// The commands, options and keys with a word in their names, their help or their synonyms; ends in a line break.
    static func search(_ word: String, keys: KeyBindings) -> String {
        results(for: word, keys: keys).joined(separator: "\n")
    }

    private static func results(for word: String, keys: KeyBindings) -> [String] {
        let word = word.lowercased()
        func has(_ texts: String...) -> Bool { texts.contains { $0.lowercased().contains(word) } }
        let commands = ProgramCommand.allCases.filter { has($0.rawValue, $0.summary, $0.explanation) }
        let named = ForeignOption.names(having: word).union(OptionSynonyms.names(for: word))
        let options = CommandLineOption.allCases.filter {
            has($0.longName, $0.summary) || named.contains($0.longName)
        }
        let lines = KeyReference.lines(matching: word, keys: keys)
        return [
            commands.isEmpty
                ? nil
                : ProgramHelp.commands + "\n" + columns(commands.map { (left: "  " + $0.synopsis, right: $0.summary) }),
            options.isEmpty ? nil : table(of: options),
            lines.isEmpty ? nil : ProgramHelp.keys + "\n" + lines.joined(separator: "\n") + "\n",
        ].compactMap(\.self)
    }

    private static var usage: String {
        let open = (left: "netdash [OPTIONS]", right: ProgramHelp.opensDashboard)
        let commands = ProgramCommand.allCases.map { (left: $0.synopsis, right: $0.summary) }
        return ProgramHelp.title + "\n\n" + columns([open] + commands) + "\n" + wrapped(ProgramHelp.output)
    }

    private static func table(of options: [CommandLineOption]) -> String {
        ProgramHelp.options + "\n" + columns(options.map { (left: "  " + synopsis(of: $0), right: $0.summary) })
    }

    private static func synopsis(of option: CommandLineOption) -> String {
        let short = option.shortName.map { "-\($0), " } ?? "    "
        return short + option.spelling + (option.valueName.map { " \($0)" } ?? "")
    }

    /// Lines of two aligned columns.
    private static func columns(_ rows: [(left: String, right: String)]) -> String {
        let width = rows.map(\.left.count).max() ?? 0
        return rows.map { row in
            row.left + String(repeating: " ", count: width - row.left.count + 2) + row.right + "\n"
        }.joined()
    }

    /// A paragraph in lines of at most 100 characters.
    private static func wrapped(_ text: String) -> String {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let last = lines.last, last.count + word.count < 100 {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
