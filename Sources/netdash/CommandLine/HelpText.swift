import Dashboard

/// The texts of `--help` and `help COMMAND`.
enum HelpText {
    /// The help for a command with its options, or for all; ends in a line break.
    static func text(_ command: ProgramCommand?) -> String {
        guard let command else {
            return usage + "\n" + table(of: CommandLineOption.allCases) + "\n" + closing
        }
        let examples = command.examples.flatMap { ["  " + $0.line, "      " + $0.meaning] }
        return [
            command.synopsis + "\n", wrapped(command.explanation), table(of: command.options),
            "Examples\n" + examples.joined(separator: "\n") + "\n",
        ].joined(separator: "\n")
    }

    // MARK: - Searching

    static func finds(_ word: String) -> Bool { !results(for: word, keys: .standard).isEmpty }

    /// The commands, options and keys with a word in their names or their help; ends in a line break.
    static func search(_ word: String, keys: KeyBindings) -> String {
        results(for: word, keys: keys).joined(separator: "\n")
    }

    private static func results(for word: String, keys: KeyBindings) -> [String] {
        let word = word.lowercased()
        func has(_ texts: String...) -> Bool { texts.contains { $0.lowercased().contains(word) } }
        let commands = ProgramCommand.allCases.filter { has($0.rawValue, $0.summary, $0.explanation) }
        let named = ForeignOption.names(having: word)
        let options = CommandLineOption.allCases.filter {
            has($0.longName, $0.summary) || named.contains($0.longName)
        }
        let lines = KeyReference.lines(matching: word, keys: keys)
        return [
            commands.isEmpty
                ? nil : "Commands\n" + columns(commands.map { (left: "  " + $0.synopsis, right: $0.summary) }),
            options.isEmpty ? nil : table(of: options),
            lines.isEmpty ? nil : "Keys\n" + lines.joined(separator: "\n") + "\n",
        ].compactMap(\.self)
    }

    private static var usage: String {
        let open = (left: "netdash [OPTIONS]", right: "open the dashboard")
        let commands = ProgramCommand.allCases.map { (left: $0.synopsis, right: $0.summary) }
        return "netdash: a dashboard for HTTP transfers that can be paused\n\n" + columns([open] + commands) + "\n"
            + wrapped("On a terminal the dashboard opens; into a pipe or a file lines are printed.")
    }

    private static let closing = """
        Settings for every run are in $XDG_CONFIG_HOME/netdash/config (~/.config/netdash/config): long options as
        name = value, # comments, and keys as key.pause = p F7 (--help-keys has the names). The command line wins.

        Exit codes: 0 everything completed, 1 a task failed or was left undone, 2 usage error, 3 disk full or read-only,
        4 no server reached, 5 checksum or certificate wrong, 6 session in use, 7 response not as --assert or --until
        expects it, 129, 130, 131 and 143 ended by a signal.

        """

    private static func table(of options: [CommandLineOption]) -> String {
        "Options\n" + columns(options.map { (left: "  " + synopsis(of: $0), right: $0.summary) })
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
