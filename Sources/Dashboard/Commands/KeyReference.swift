/// The key table as text, for `--help-keys` and the documentation.
package enum KeyReference {
    /// One line per command, grouped by screen; commands of every screen come last.
    ///
    /// Those whose keys can be changed have their names between.
    package static func text(keys: KeyBindings = .standard) -> String {
        var lines: [String] = []
        for screen in Screen.allCases {
            lines.append(screen.title.string)
            lines += section(keys.commands(on: screen).filter { !isGlobal($0) }, on: screen)
            lines.append("")
        }
        lines.append("Everywhere")
        lines += section(keys.commands.filter(isGlobal), on: .list)
        return lines.joined(separator: "\n") + "\n"
    }

    /// Whether a command has a key on every screen.
    static func isGlobal(_ command: Command) -> Bool {
        Screen.allCases.allSatisfy { !command.keys(on: $0).isEmpty }
    }

    private static func section(_ commands: [Command], on screen: Screen) -> [String] {
        let rows = commands.map { [KeyName.text($0.keys(on: screen)).string, $0.name ?? "", $0.help.string] }
        let widths = [0, 1].map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            zip(row, widths).reduce("") { line, column in
                let (text, width) = column
                return line + (width == 0 ? "" : "  " + text + String(repeating: " ", count: width - text.count))
            } + "  " + row[2]
        }
    }
}
