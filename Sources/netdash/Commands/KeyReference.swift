/// The key table as text, for `--help-keys` and the documentation.
enum KeyReference {
    /// One line per command, grouped by screen; commands of every screen come last.
    static func text() -> String {
        var lines: [String] = []
        for screen in Screen.allCases {
            lines.append(screen.title.string)
            lines += section(KeyTable.commands(on: screen).filter { !isGlobal($0) }, on: screen)
            lines.append("")
        }
        lines.append("Everywhere")
        lines += section(KeyTable.commands.filter(isGlobal), on: .list)
        return lines.joined(separator: "\n") + "\n"
    }

    /// Whether a command has a key on every screen.
    static func isGlobal(_ command: Command) -> Bool {
        Screen.allCases.allSatisfy { !command.keys(on: $0).isEmpty }
    }

    private static func section(_ commands: [Command], on screen: Screen) -> [String] {
        let names = commands.map { KeyName.text($0.keys(on: screen)).string }
        let width = names.map(\.count).max() ?? 0
        return zip(names, commands).map { name, command in
            "  " + name + String(repeating: " ", count: width - name.count + 2) + command.help.string
        }
    }
}
