# Completes netdash in bash; made from the program's tables by: netdash completions bash

# Offers those of the words that begin with what is typed.
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

# Offers values of an option: its name, what is typed.
_netdash_values() {
    case $1 in
        -d | --dir) _netdash_paths -d "$2" ;;
        -o | --out) _netdash_paths -f "$2" ;;
        -i | --input) _netdash_paths -f "$2" ;;
        --if-exists) _netdash_words "$2" rename skip overwrite refresh fail ;;
        --checksum) compopt -o nospace 2>/dev/null; _netdash_words "$2" sha-256= sha-512= sha-1= md5= ;;
        --checksums) _netdash_paths -f "$2" ;;
        -X | --method) _netdash_words "$2" GET HEAD POST PUT PATCH DELETE OPTIONS ;;
        -b | --body) _netdash_files_behind_at "$2" ;;
        --cacert) _netdash_paths -f "$2" ;;
        --capath) _netdash_paths -d "$2" ;;
        --cert) _netdash_paths -f "$2" ;;
        --key) _netdash_paths -f "$2" ;;
        --netrc-file) _netdash_paths -f "$2" ;;
        --cookie-jar) _netdash_paths -f "$2" ;;
        --unix-socket) _netdash_paths -f "$2" ;;
        --json-body) _netdash_files_behind_at "$2" ;;
        --failed-to) _netdash_paths -f "$2" ;;
        --session) _netdash_sessions "$2" ;;
        --log) _netdash_paths -f "$2" ;;
        --log-level) _netdash_words "$2" error warning info debug ;;
        --bell) _netdash_words "$2" complete error all-done never ;;
        --notify) _netdash_words "$2" complete error all-done never ;;
        --color) _netdash_words "$2" auto always never ;;
        --glyphs) _netdash_words "$2" blocks ascii braille console ;;
    esac
}

# Offers the options of a command: its name, what is typed.
_netdash_options() {
    local options
    case $1 in
        download) options='-d --dir -o --out -i --input -j --max-concurrent --max-per-host -c --continue --no-continue --if-exists --checksum --checksums -H --header -g --globoff --proxy --noproxy --proxy-user --cacert --capath --cert --key --pass --pin --insecure -u --user --digest --negotiate --aws-sigv4 --bearer --netrc --netrc-file -A --user-agent -e --referer --cookie --cookie-jar --resolve --connect-to --interface --unix-socket -4 --ipv4 -6 --ipv6 --max-time --answer-timeout --resend --retry-on --max-filesize --speed-limit --speed-time -R --remote-time --find-checksum -x --connections -k --min-split --mirror --length --verify-overlap --resumable --limit-rate --limit-upload --limit-rate-per-host --limit-rate-per-task --retries --retry-max-time --connect-timeout --stall-timeout --failed-to --session --retry-failed --ephemeral --plain --json --quiet --http2 --log --log-level --bell --notify --on-complete --on-error --on-all-done --fps --color --glyphs --mouse --exit-when-done -h --help' ;;
        upload) options='-o --out -j --max-concurrent --max-per-host -H --header -X --method -b --body --include -g --globoff --proxy --noproxy --proxy-user --cacert --capath --cert --key --pass --pin --insecure -u --user --digest --negotiate --aws-sigv4 --bearer --netrc --netrc-file -A --user-agent -e --referer --cookie --cookie-jar --resolve --connect-to --interface --unix-socket -4 --ipv4 -6 --ipv6 --max-time --answer-timeout --resend --retry-on --speed-limit --speed-time --resumable --limit-rate --limit-upload --limit-rate-per-host --limit-rate-per-task --retries --retry-max-time --connect-timeout --stall-timeout --failed-to --session --ephemeral --plain --json --quiet --http2 --log --log-level --bell --notify --on-complete --on-error --on-all-done --fps --color --glyphs --mouse --exit-when-done -h --help' ;;
        request) options='-o --out -j --max-concurrent --max-per-host -H --header -X --method -b --body --include -g --globoff --proxy --noproxy --proxy-user --cacert --capath --cert --key --pass --pin --insecure -u --user --digest --negotiate --aws-sigv4 --bearer --netrc --netrc-file -A --user-agent -e --referer --cookie --cookie-jar --resolve --connect-to --interface --unix-socket -4 --ipv4 -6 --ipv6 --max-time --answer-timeout --resend --retry-on --speed-limit --speed-time -F --form --data-urlencode --json-body --assert --until --poll --poll-max-time --then-download --paginate --paginate-json --max-pages --limit-rate --limit-upload --limit-rate-per-host --limit-rate-per-task --retries --retry-max-time --connect-timeout --stall-timeout --failed-to --session --ephemeral --plain --json --quiet --http2 --log --log-level --bell --notify --on-complete --on-error --on-all-done --fps --color --glyphs --mouse --exit-when-done -h --help' ;;
        parts) options='--remove -h --help' ;;
        doctor) options='-d --dir -H --header --proxy --noproxy --proxy-user --cacert --capath --cert --key --pass --pin --insecure -u --user --digest --negotiate --aws-sigv4 --bearer --netrc --netrc-file -A --user-agent -e --referer --cookie --cookie-jar --resolve --connect-to --interface --unix-socket -4 --ipv4 -6 --ipv6 --max-time --answer-timeout --resend --retry-on --speed-limit --speed-time --connect-timeout --http2 -h --help' ;;
        demo) options='-j --max-concurrent --max-per-host --limit-rate --limit-upload --limit-rate-per-host --limit-rate-per-task --retries --retry-max-time --connect-timeout --stall-timeout --ephemeral --plain --json --quiet --log --log-level --bell --notify --on-complete --on-error --on-all-done --fps --color --glyphs --mouse --exit-when-done -h --help' ;;
        completions) options='-h --help' ;;
        help) options='-h --help' ;;
        *) options='-d --dir -o --out -i --input -j --max-concurrent --max-per-host -c --continue --no-continue --if-exists --checksum --checksums -H --header -g --globoff --proxy --noproxy --proxy-user --cacert --capath --cert --key --pass --pin --insecure -u --user --digest --negotiate --aws-sigv4 --bearer --netrc --netrc-file -A --user-agent -e --referer --cookie --cookie-jar --resolve --connect-to --interface --unix-socket -4 --ipv4 -6 --ipv6 --max-time --answer-timeout --resend --retry-on --max-filesize --speed-limit --speed-time -R --remote-time --find-checksum -x --connections -k --min-split --mirror --length --verify-overlap --resumable --limit-rate --limit-upload --limit-rate-per-host --limit-rate-per-task --retries --retry-max-time --connect-timeout --stall-timeout --failed-to --session --retry-failed --ephemeral --plain --json --quiet --http2 --log --log-level --bell --notify --on-complete --on-error --on-all-done --fps --color --glyphs --mouse --exit-when-done --version -h --help --help-keys' ;;
    esac
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
                -d | --dir | -o | --out | -i | --input | -j | --max-concurrent | --max-per-host | --if-exists | --checksum | --checksums | -H | --header | -X | --method | -b | --body | --proxy | --noproxy | --proxy-user | --cacert | --capath | --cert | --key | --pass | --pin | -u | --user | --aws-sigv4 | --bearer | --netrc-file | -A | --user-agent | -e | --referer | --cookie | --cookie-jar | --resolve | --connect-to | --interface | --unix-socket | --max-time | --answer-timeout | --retry-on | --max-filesize | --speed-limit | --speed-time | -x | --connections | -k | --min-split | --mirror | --length | --resumable | -F | --form | --data-urlencode | --json-body | --assert | --until | --poll | --poll-max-time | --then-download | --paginate-json | --max-pages | --limit-rate | --limit-upload | --limit-rate-per-host | --limit-rate-per-task | --retries | --retry-max-time | --connect-timeout | --stall-timeout | --failed-to | --session | --log | --log-level | --bell | --notify | --on-complete | --on-error | --on-all-done | --fps | --color | --glyphs) option=$word ;;
                *) if [[ $word =~ ^-[cg46Rh]+([doijHXbuAexkF])$ ]]; then option=-${BASH_REMATCH[1]}; fi ;;
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
            :0) _netdash_words "$typed" download upload request parts doctor demo completions help ;;
            upload:1) _netdash_paths -f "$typed" ;;
            request:1) _netdash_words "$typed" GET HEAD POST PUT PATCH DELETE OPTIONS ;;
            completions:1) _netdash_words "$typed" bash zsh fish ;;
            parts:*) _netdash_paths -d "$typed" ;;
            help:1) _netdash_words "$typed" download upload request parts doctor demo completions help ;;
        esac
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
