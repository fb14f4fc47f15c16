import Dashboard

/// Generates the completions for zsh's `_arguments`.
enum ZshCompletion {
    /// The script, which works as a file on the `fpath` and when it is sourced.
    static func script() -> String {
        #"""
        #compdef netdash
        \#(Completions.headline(for: .zsh))
        # Offers the names of the saved sessions.
        _netdash_sessions() {
            local -a sessions=(${XDG_STATE_HOME:-$HOME/.local/state}/netdash/*.sqlite(N:t:r))
            _wanted sessions expl 'saved session' compadd -a sessions
        }

        # Offers files behind an @; other text is itself.
        _netdash_body() {
            if compset -P @; then _files; else _message 'body, or @ and a file'; fi
        }

        _netdash_commands() {
            local -a commands=(
        \#(commands)    )
            _describe -t commands command commands
        }

        _netdash() {
            local word command='' taken='' index
            local -a specs=()
            # The first word that is neither an option nor the value of one is the command.
            for ((index = 2; index < CURRENT; index++)); do
                word=$words[index]
                if [[ -n $taken ]]; then
                    taken=
                    continue
                fi
                case $word in
                    (\#(spellings)) taken=1 ;;
                    (--) ;;
                    (-?*) if [[ $word =~ '^-[\#(flags)]+[\#(letters)]$' ]]; then taken=1; fi ;;
                    (*)
                        command=$word
                        break
                        ;;
                esac
            done
            case $command in
                ('') specs=('1: :_netdash_commands' '*:URL:()') ;;
                (upload) specs=('1: :()' '2:file:_files' '3:URL:()') ;;
                (request) specs=('1: :()' '2:method or URL:(\#(methods))' '3:URL:()') ;;
                (completions) specs=('1: :()' '2:shell:(\#(shells))') ;;
                (help) specs=('1: :()' '2: :_netdash_commands') ;;
                (parts) specs=('1: :()' '*:folder:_files -/') ;;
                (doctor) specs=('1: :()' '*:URL:()') ;;
                (demo) specs=('1: :()') ;;
                (*) specs=('*:URL:()') ;;
            esac
            case $command in
                (\#(names)) ;;
                (*)
                    # Questions about the program need no command.
                    specs+=(
        \#(questions)            )
                    command=download
                    ;;
            esac
        \#(groups)    _arguments -s -S : $specs
        }

        if [[ $funcstack[1] == _netdash ]]; then _netdash "$@"; else compdef _netdash netdash; fi

        """#
    }

    // MARK: - From the tables

    private static var commands: String {
        ProgramCommand.allCases.map { command in
            "        " + Completions.quoted("\(command.rawValue):\(escaped(command.summary))", in: .zsh) + "\n"
        }.joined()
    }

    private static var questions: String {
        let options = CommandLineOption.allCases.filter { $0.isQuestion && $0.commands.isEmpty }
        return specifications(of: options, indent: 16)
    }

    private static var groups: String {
        Completions.groups.filter { !$0.commands.isEmpty }.map { group in
            let pattern = group.commands.map(\.rawValue).joined(separator: "|")
            return "    if [[ $command == (\(pattern)) ]]; then\n        specs+=(\n"
                + specifications(of: group.options, indent: 12) + "        )\n    fi\n"
        }.joined()
    }

    private static func specifications(of options: [CommandLineOption], indent: Int) -> String {
        options.flatMap { option in option.spellings.map { specification(of: option, spelling: $0) } }
            .map { String(repeating: " ", count: indent) + Completions.quoted($0, in: .zsh) + "\n" }.joined()
    }

    /// The specification of one spelling: the spellings it excludes, the name, the text and the values.
    private static func specification(of option: CommandLineOption, spelling: String) -> String {
        let others = option.isQuestion ? "- : *" : option.spellings.joined(separator: " ")
        let before = option.isRepeatable ? "*" : "(\(others))"
        let text = "[" + escaped(option.summary) + "]"
        guard let valueName = option.valueName else { return before + spelling + text }
        // A short option's value is attached or the next word; a long one's follows a "=".
        let name = before + spelling + (spelling.hasPrefix("--") ? "=" : "+")
        return name + text + ":" + escaped(valueName) + ":" + action(option.hint)
    }

    private static func action(_ hint: ValueHint) -> String {
        switch hint {
        case .none: " "
        case .words(let words): "(\(words.joined(separator: " ")))"
        case .stems(let words): "{compadd -S \"\" -- \(words.joined(separator: " "))}"
        case .file: "_files"
        case .folder: "_files -/"
        case .fileBehindAt: "_netdash_body"
        case .session: "_netdash_sessions"
        }
    }

    /// Text with the characters escaped that end a part of a specification.
    private static func escaped(_ text: String) -> String {
        text.map { "\\[]:".contains($0) ? "\\\($0)" : String($0) }.joined()
    }

    private static var spellings: String { Completions.spellingsWithValue.joined(separator: "|") }
    private static var flags: String { Completions.letters(withValue: false) }
    private static var letters: String { Completions.letters(withValue: true) }
    private static var methods: String { CommandLineOption.commonMethods.joined(separator: " ") }
    private static var shells: String { Shell.allCases.map(\.rawValue).joined(separator: " ") }
    private static var names: String { ProgramCommand.allCases.map(\.rawValue).joined(separator: "|") }
}
