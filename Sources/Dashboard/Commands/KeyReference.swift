/// The key table as text, for `--help-keys` and the documentation.
package enum KeyReference {
    /// One line per command, grouped by screen; commands of every screen come last.
    ///
    /// The names of commands with changeable keys are in the middle column.
    package static func text(keys: KeyBindings = .standard) -> String {
        var lines: [String] = []
        for screen in Screen.allCases {
            lines.append(ScreenLabels.title(of: screen).string)
            lines += section(keys, keys.allCommands(on: screen).filter { !isGlobal($0) }, on: screen)
            lines.append("")
        }
        lines.append("Everywhere")
        lines += section(keys, keys.commands.filter(isGlobal), on: .list)
        return lines.joined(separator: "\n") + "\n"
    }

    /// One line per command with a word in its title, its help or its synonyms.
    package static func lines(matching word: String, keys: KeyBindings = .standard) -> [String] {
        var seen: Set<String> = []
        return Screen.allCases.flatMap { screen in
            let found = keys.allCommands(on: screen).filter { command in
                CommandSearch.finds(word, in: command) && seen.insert(command.id).inserted
            }
            return section(keys, found, on: screen)
        }
    }

    package static func isGlobal(_ command: Command) -> Bool {
        Screen.allCases.allSatisfy { !command.keys(on: $0).isEmpty }
    }

    private static func section(_ keys: KeyBindings, _ commands: [Command], on screen: Screen) -> [String] {
        let rows = commands.map { [keys.text(of: $0, on: screen).string, $0.name ?? "", $0.help.string] }
        let widths = [0, 1].map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            zip(row, widths).reduce("") { line, column in
                let (text, width) = column
                return line + (width == 0 ? "" : "  " + text + String(repeating: " ", count: width - text.count))
            } + "  " + row[2]
        }
    }
}

/// The key table in the formats of the program's documents.
extension KeyReference {
    /// `docs/KEYS.md`.
    static func markdown() -> String {
        var lines = [
            "# Keys", "",
            "Made by `script/keys` from the program's own key table, as are the footer, the help (`?`) and",
            "`netdash --help-keys`. Where text is typed, characters are text and not commands.", "",
            "A command with a name gets other keys by a line of the configuration file, such as `key.pause = p F7`.",
        ]
        for (title, rows) in sections {
            let hasNames = rows.contains { $0.name != nil }
            lines += ["", "## \(title)", ""]
            lines +=
                hasNames
                ? ["| key | name | what it does |", "|---|---|---|"] : ["| key | what it does |", "|---|---|"]
            lines += rows.map { row in
                let name = row.name.map { "`\($0)`" } ?? ""
                return "| " + markdownKeys(row.keys) + (hasNames ? " | " + name : "") + " | " + markdownText(row.help)
                    + " |"
            }
        }
        lines += ["", "## Filter syntax", "", "| written so | what it finds |", "|---|---|"]
        lines += FilterReference.rows.map { row in
            "| " + markdownCode(row.form.string) + " | " + markdownText(row.meaning.string) + " |"
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The manual page's section on filters, in roff.
    package static func filterManual() -> String {
        FilterReference.rows.flatMap { row in
            [".TP", "\\fB\(ManualText.escaped(row.form.string))\\fR", ManualText.escaped(row.meaning.string)]
        }.joined(separator: "\n") + "\n"
    }

    /// The manual page's section on keys, in roff.
    package static func manual() -> String {
        var lines: [String] = []
        for (title, rows) in sections {
            lines.append(".SS \(ManualText.escaped(title))")
            for row in rows {
                let keys = row.keys.map { "\\fB\(ManualText.escaped(KeyName.text($0).string))\\fR" }
                let name = row.name.map { " (\(ManualText.escaped($0)))" } ?? ""
                lines += [".TP", keys.joined(separator: ", ") + name, ManualText.escaped(row.help)]
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    // MARK: - Parts

    private struct Row {
        var keys: [KeyPress]
        /// The command's name in the configuration; nil if its keys cannot be changed there.
        var name: String?
        var help: String

        init(_ command: Command, on screen: Screen) {
            keys = command.keys(on: screen)
            name = command.name
            help = command.help.string
        }
    }

    /// Each screen with its own commands, then the commands of every screen.
    private static var sections: [(title: String, rows: [Row])] {
        let screens = Screen.allCases.map { screen in
            let commands = KeyBindings.standard.commands(on: screen).filter { !isGlobal($0) }
            return (ScreenLabels.title(of: screen).string, commands.map { Row($0, on: screen) })
        }
        let everywhere = KeyBindings.standard.commands.filter(isGlobal)
        return screens + [("Everywhere", everywhere.map { Row($0, on: .list) })]
    }

    private static func markdownKeys(_ keys: [KeyPress]) -> String {
        keys.map { key in
            markdownCode(KeyName.text(key).string)
        }.joined(separator: " ")
    }

    /// A backslash stays unchanged inside code, but a bar would end the cell.
    private static func markdownCode(_ text: String) -> String {
        "`" + text.replacing("|", with: "\\|") + "`"
    }

    private static func markdownText(_ text: String) -> String {
        text.map { "|<>*_`".contains($0) ? "\\\($0)" : String($0) }.joined()
    }
}

/// Text in roff, the language of manual pages.
package enum ManualText {
    package static func escaped(_ text: String) -> String {
        let escaped = text.map(escaped).joined()
        return escaped.hasPrefix(".") ? "\\&" + escaped : escaped
    }

    private static func escaped(_ character: Character) -> String {
        switch character {
        case "\\": "\\e"
        case "-": "\\-"
        case "^": "\\(ha"
        case "'": "\\(aq"
        case "`": "\\(ga"
        case "~": "\\(ti"
        default: String(character)
        }
    }
}
