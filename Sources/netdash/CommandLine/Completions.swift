import Dashboard

/// The scripts by which shells complete the command line, made from the tables of commands and options.
enum Completions {
    /// The script of a shell.
    static func script(for shell: Shell) -> String {
        switch shell {
        case .bash: BashCompletion.script()
        case .zsh: ZshCompletion.script()
        case .fish: FishCompletion.script()
        }
    }

    /// The place of the script in the repository.
    static func path(of shell: Shell) -> String {
        switch shell {
        case .bash: "docs/completions/netdash.bash"
        case .zsh: "docs/completions/_netdash"
        case .fish: "docs/completions/netdash.fish"
        }
    }

    /// The first line of a script, behind what its shell wants there.
    static func headline(for shell: Shell) -> String {
        ProgramHelp.completionHeadline(shell.rawValue) + "\n"
    }

    /// A group of options that the same commands take.
    struct Group {
        var commands: [ProgramCommand]
        var options: [CommandLineOption]
    }

    /// The options in groups, those first that come first in the table.
    static var groups: [Group] {
        var groups: [Group] = []
        for option in CommandLineOption.allCases {
            let commands = ProgramCommand.allCases.filter(option.commands.contains)
            if let index = groups.firstIndex(where: { $0.commands == commands }) {
                groups[index].options.append(option)
            } else {
                groups.append(Group(commands: commands, options: [option]))
            }
        }
        return groups
    }

    /// The options of a line that has no command, which is a download.
    static var optionsWithoutCommand: [CommandLineOption] {
        CommandLineOption.allCases.filter { $0.commands.contains(.download) || $0.isQuestion }
    }

    /// The spellings of all options behind which a value stands.
    static var spellingsWithValue: [String] {
        CommandLineOption.allCases.filter { $0.valueName != nil }.flatMap(\.spellings)
    }

    /// The letters of short options with a value, or without one.
    static func letters(withValue: Bool) -> String {
        String(CommandLineOption.allCases.filter { ($0.valueName != nil) == withValue }.compactMap(\.shortName))
    }

    /// Text between single quotes, as each of the three shells reads it.
    static func quoted(_ text: String, in shell: Shell) -> String {
        switch shell {
        case .bash, .zsh: "'" + text.replacing("'", with: "'\\''") + "'"
        case .fish: "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
        }
    }
}
