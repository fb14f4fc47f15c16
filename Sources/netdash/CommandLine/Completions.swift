import Dashboard

/// Generates the shells' completion scripts from the tables of commands and options.
enum Completions {
    static func script(for shell: Shell) -> String {
        switch shell {
        case .bash: BashCompletion.script()
        case .zsh: ZshCompletion.script()
        case .fish: FishCompletion.script()
        }
    }

    /// The script's path in the repository.
    static func path(of shell: Shell) -> String {
        switch shell {
        case .bash: "docs/completions/netdash.bash"
        case .zsh: "docs/completions/_netdash"
        case .fish: "docs/completions/netdash.fish"
        }
    }

    /// The first line of a script after the shell's own header.
    static func headline(for shell: Shell) -> String {
        ProgramHelp.completionHeadline(shell.rawValue) + "\n"
    }

    /// Options with the same commands.
    struct Group {
        var commands: [ProgramCommand]
        var options: [CommandLineOption]
    }

    /// The options in groups, in the order of the table.
    static var groups: [Group] {
        var groups: [Group] = []
        for option in CommandLineOption.allCases {
            let commands = ProgramCommand.allCases.filter(option.isTaken)
            if let index = groups.firstIndex(where: { $0.commands == commands }) {
                groups[index].options.append(option)
            } else {
                groups.append(Group(commands: commands, options: [option]))
            }
        }
        return groups
    }

    /// The options of a line without a command, which is a download.
    static var optionsWithoutCommand: [CommandLineOption] {
        CommandLineOption.allCases.filter { $0.commands.contains(.download) || $0.isQuestion }
    }

    /// The spellings of all options with a value.
    static var spellingsWithValue: [String] {
        CommandLineOption.allCases.filter { $0.valueName != nil }.flatMap(\.spellings)
    }

    /// The letters of short options with a value, or without one.
    static func letters(withValue: Bool) -> String {
        String(CommandLineOption.allCases.filter { ($0.valueName != nil) == withValue }.compactMap(\.shortName))
    }

    /// Text in single quotes, escaped for the shell.
    static func quoted(_ text: String, in shell: Shell) -> String {
        switch shell {
        case .bash, .zsh: "'" + text.replacing("'", with: "'\\''") + "'"
        case .fish: "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
        }
    }
}
