import Dashboard

/// Generates the completions for fish: a list of `complete` commands.
enum FishCompletion {
    static func script() -> String {
        let operands = ProgramCommand.allCases.compactMap { operand(of: $0) }
        return Completions.headline(for: .fish) + functions
            + (["complete -c netdash -f"] + commandLines + operands + optionLines).map { $0 + "\n" }.joined()
    }

    private static var functions: String {
        #"""

        function __netdash_command -d 'Prints the command of the line: none before the first operand, download for a URL'
            set -l words (commandline -opc)
            set -l taken 0
            for word in $words[2..-1]
                if test $taken = 1
                    set taken 0
                    continue
                end
                switch $word
                    case \#(spellings)
                        set taken 1
                    case --
                    case '-?*'
                        if string match -qr -- '^-[\#(flags)]+[\#(letters)]$' $word
                            set taken 1
                        end
                    case \#(names)
                        echo $word
                        return
                    case '*'
                        echo download
                        return
                end
            end
            echo none
        end

        function __netdash_is -d 'Whether the line has one of these commands'
            contains -- (__netdash_command) $argv
        end

        function __netdash_body -d 'Prints files behind an @'
            set -l typed (string replace -r -- '^(--body=|-b)' '' (commandline -ct))
            if string match -q -- '@*' $typed
                for path in (__fish_complete_path (string sub -s 2 -- $typed))
                    echo @$path
                end
            end
        end

        function __netdash_sessions -d 'Prints the names of the saved sessions'
            set -l folder $XDG_STATE_HOME
            if test -z "$folder"
                set folder ~/.local/state
            end
            for path in $folder/netdash/*.sqlite
                string replace -r '^.*/(.*)\.sqlite$' '$1' -- $path
            end
        end


        """#
    }

    // MARK: - From the tables

    private static var commandLines: [String] {
        ProgramCommand.allCases.map { command in
            "complete -c netdash -n '__netdash_is none' -a \(command.rawValue) -d \(quoted(command.summary))"
        }
    }

    /// The line for a command's operands.
    private static func operand(of command: ProgramCommand) -> String? {
        let start = "complete -c netdash -n '__netdash_is \(command.rawValue)' "
        switch command {
        case .upload: return start + "-F"
        case .request: return start + "-a " + quoted(CommandLineOption.commonMethods.joined(separator: " "))
        case .completions: return start + "-a " + quoted(Shell.allCases.map(\.rawValue).joined(separator: " "))
        case .help: return start + "-a " + quoted(names)
        case .parts: return start + "-x -a '(__fish_complete_directories (commandline -ct))'"
        case .download, .doctor, .demo, .aria2c: return nil
        case .serve, .add, .status, .pause, .resume, .cancel, .retry, .limit, .wait, .stop, .events, .history:
            return nil
        }
    }

    private static var optionLines: [String] {
        Completions.groups.flatMap { group in
            group.options.map { option in
                // A line without a command is a download, or a question about the program.
                let isFirst = option.isQuestion || group.commands.contains(.download)
                let commands = (isFirst ? ["none"] : []) + group.commands.map(\.rawValue)
                let words = [
                    "complete -c netdash -n '__netdash_is \(commands.joined(separator: " "))'",
                    option.shortName.map { "-s \($0)" }, "-l \(option.longName)", action(option),
                    "-d \(quoted(option.summary))",
                ]
                return words.compactMap(\.self).joined(separator: " ")
            }
        }
    }

    private static func action(_ option: CommandLineOption) -> String? {
        guard option.valueName != nil else { return nil }
        switch option.hint {
        case .none: return "-x"
        case .words(let words), .stems(let words): return "-x -a \(quoted(words.joined(separator: " ")))"
        case .file: return "-r -F"
        case .folder: return "-x -a '(__fish_complete_directories (commandline -ct))'"
        case .fileBehindAt: return "-x -a '(__netdash_body)'"
        case .session: return "-x -a '(__netdash_sessions)'"
        }
    }

    private static func quoted(_ text: String) -> String { Completions.quoted(text, in: .fish) }

    private static var spellings: String { Completions.spellingsWithValue.joined(separator: " ") }
    private static var flags: String { Completions.letters(withValue: false) }
    private static var letters: String { Completions.letters(withValue: true) }
    private static var names: String { ProgramCommand.allCases.map(\.rawValue).joined(separator: " ") }
}
