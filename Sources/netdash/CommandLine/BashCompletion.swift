import Dashboard

/// Generates the completions for bash, which need no other package.
enum BashCompletion {
    static func script() -> String {
        Completions.headline(for: .bash) + helpers + main
    }

    /// Shell functions that add completions.
    private static let helpers = #"""

        # Offers the words that begin with what is typed.
        _netdash_words() {
            local word
            for word in "${@:2}"; do
                if [[ $word == "$1"* ]]; then COMPREPLY+=("$word"); fi
            done
        }

        # Offers paths: compgen's letter for the kind, what is typed.
        _netdash_paths() {
            local path
            compopt -o filenames 2>/dev/null
            while IFS= read -r path; do COMPREPLY+=("$path"); done < <(compgen "$1" -- "$2")
        }

        # Offers files behind an @.
        _netdash_files_behind_at() {
            local path
            [[ $1 == @* ]] || return 0
            while IFS= read -r path; do
                if [[ -d $path ]]; then
                    path+=/
                    compopt -o nospace 2>/dev/null
                fi
                COMPREPLY+=("@$path")
            done < <(compgen -f -- "${1#@}")
        }

        # Offers the names of the saved sessions.
        _netdash_sessions() {
            local path name
            for path in "${XDG_STATE_HOME:-$HOME/.local/state}"/netdash/*.sqlite; do
                name=${path##*/}
                if [[ -e $path ]]; then _netdash_words "$1" "${name%.sqlite}"; fi
            done
        }

        """#

    private static var main: String {
        #"""

        # Offers values of an option: its name, what is typed.
        _netdash_values() {
            case $1 in
        \#(values)    esac
        }

        # Offers the options of a command: its name, what is typed.
        _netdash_options() {
            local options
            case $1 in
        \#(options)    esac
            # The options are words without blanks.
            # shellcheck disable=SC2086
            _netdash_words "$2" $options
        }

        _netdash() {
            local line=${COMP_LINE:0:COMP_POINT} word='' option='' command='' rest='' prefix='' index
            local -a words=() operands=()
            COMPREPLY=()
            # bash ends words at = : and @ too. What stands together on the line belongs together.
            for ((index = 0; index <= COMP_CWORD; index++)); do
                word=${COMP_WORDS[index]}
                if ((index == 0)) || [[ $line == [[:blank:]]* ]]; then
                    line=${line#"${line%%[![:blank:]]*}"}
                    words+=("$word")
                else
                    words[${#words[@]} - 1]+=$word
                fi
                line=${line#"$word"}
            done
            local typed=${words[${#words[@]} - 1]}
            for ((index = 1; index < ${#words[@]} - 1; index++)); do
                word=${words[index]}
                if [[ -n $option ]]; then
                    option=
                elif [[ -z $rest && $word == -- ]]; then
                    rest=1
                elif [[ -z $rest && $word == -?* ]]; then
                    case $word in
                        \#(spellings)) option=$word ;;
                        *) if [[ $word =~ ^-[\#(flags)]+([\#(letters)])$ ]]; then option=-${BASH_REMATCH[1]}; fi ;;
                    esac
                else
                    operands+=("$word")
                fi
            done
            command=${operands[0]-}
            if [[ -n $option ]]; then
                _netdash_values "$option" "$typed"
            elif [[ -z $rest && $typed == --*=* ]]; then
                prefix=${typed%%=*}=
                _netdash_values "${typed%%=*}" "${typed#*=}"
                COMPREPLY=("${COMPREPLY[@]/#/$prefix}")
            elif [[ -z $rest && $typed == -* ]]; then
                _netdash_options "$command" "$typed"
            else
                case $command:${#operands[@]} in
        \#(operands)        esac
            fi
            # bash replaces only what stands behind the last of its ends of words, or begins with an @.
            prefix=
            for ((index = 0; index < ${#typed}; index++)); do
                word=${typed:index:1}
                [[ $COMP_WORDBREAKS == *"$word"* ]] || continue
                case $word in
                    = | :) prefix=${typed:0:index + 1} ;;
                    @) prefix=${typed:0:index} ;;
                esac
            done
            COMPREPLY=("${COMPREPLY[@]#"$prefix"}")
        }
        complete -F _netdash netdash

        """#
    }

    // MARK: - From the tables

    private static var values: String {
        CommandLineOption.allCases.compactMap { option in
            action(option.hint).map { "        \(option.spellings.joined(separator: " | "))) \($0) ;;\n" }
        }.joined()
    }

    private static func action(_ hint: ValueHint) -> String? {
        switch hint {
        case .none: nil
        case .words(let words): "_netdash_words \"$2\" \(words.joined(separator: " "))"
        case .stems(let words):
            "compopt -o nospace 2>/dev/null; _netdash_words \"$2\" \(words.joined(separator: " "))"
        case .file: "_netdash_paths -f \"$2\""
        case .folder: "_netdash_paths -d \"$2\""
        case .fileBehindAt: "_netdash_files_behind_at \"$2\""
        case .session: "_netdash_sessions \"$2\""
        }
    }

    private static var options: String {
        func line(_ pattern: String, _ options: [CommandLineOption]) -> String {
            "        \(pattern)) options='\(options.flatMap(\.spellings).joined(separator: " "))' ;;\n"
        }
        let commands = ProgramCommand.allCases.map { line($0.rawValue, $0.options) }
        return commands.joined() + line("*", Completions.optionsWithoutCommand)
    }

    private static var operands: String {
        let commands = ProgramCommand.allCases.map(\.rawValue).joined(separator: " ")
        return [
            ":0) _netdash_words \"$typed\" \(commands)",
            "upload:1) _netdash_paths -f \"$typed\"",
            "request:1) _netdash_words \"$typed\" \(CommandLineOption.commonMethods.joined(separator: " "))",
            "completions:1) _netdash_words \"$typed\" \(Shell.allCases.map(\.rawValue).joined(separator: " "))",
            "parts:*) _netdash_paths -d \"$typed\"",
            "help:1) _netdash_words \"$typed\" \(commands)",
        ].map { "            \($0) ;;\n" }.joined()
    }

    private static var spellings: String { Completions.spellingsWithValue.joined(separator: " | ") }
    private static var flags: String { Completions.letters(withValue: false) }
    private static var letters: String { Completions.letters(withValue: true) }
}
