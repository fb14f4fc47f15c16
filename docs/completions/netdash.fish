# Completes netdash in fish; made from the program's tables by: netdash completions fish

function __netdash_command -d 'Prints the command of the line: none before the first operand, download for a URL'
    set -l words (commandline -opc)
    set -l taken 0
    for word in $words[2..-1]
        if test $taken = 1
            set taken 0
            continue
        end
        switch $word
            case -d --dir -o --out -i --input -j --max-concurrent --max-per-host --if-exists --checksum --checksums -H --header -X --method -b --body --proxy --noproxy --proxy-user --cacert --capath --cert --key --pass --pin -u --user --aws-sigv4 --bearer --netrc-file -A --user-agent -e --referer --cookie --cookie-jar --resolve --connect-to --interface --unix-socket --max-time --answer-timeout --retry-on --max-filesize --speed-limit --speed-time -x --connections -k --min-split --mirror --length --resumable -F --form --data-urlencode --json-body --assert --until --poll --poll-max-time --then-download --paginate-json --max-pages --limit-rate --limit-upload --limit-rate-per-host --limit-rate-per-task --retries --retry-max-time --connect-timeout --stall-timeout --failed-to --session --log --log-level --bell --notify --on-complete --on-error --on-all-done --fps --color --glyphs
                set taken 1
            case --
            case '-?*'
                if string match -qr -- '^-[cg46Rh]+[doijHXbuAexkF]$' $word
                    set taken 1
                end
            case download upload request parts doctor demo completions help
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

complete -c netdash -f
complete -c netdash -n '__netdash_is none' -a download -d 'download files'
complete -c netdash -n '__netdash_is none' -a upload -d 'upload files and folders; - reads standard input'
complete -c netdash -n '__netdash_is none' -a request -d 'send a request, print the body of the response'
complete -c netdash -n '__netdash_is none' -a parts -d 'list what cut downloads have left in folders, and remove it'
complete -c netdash -n '__netdash_is none' -a doctor -d 'look for what is wrong around netdash, and with the way to URL'
complete -c netdash -n '__netdash_is none' -a demo -d 'show every kind of task, without a network'
complete -c netdash -n '__netdash_is none' -a completions -d 'print what lets a shell complete the command line'
complete -c netdash -n '__netdash_is none' -a help -d 'print what a command does, or what has a word in its help'
complete -c netdash -n '__netdash_is upload' -F
complete -c netdash -n '__netdash_is request' -a 'GET HEAD POST PUT PATCH DELETE OPTIONS'
complete -c netdash -n '__netdash_is parts' -x -a '(__fish_complete_directories (commandline -ct))'
complete -c netdash -n '__netdash_is completions' -a 'bash zsh fish'
complete -c netdash -n '__netdash_is help' -a 'download upload request parts doctor demo completions help'
complete -c netdash -n '__netdash_is none download doctor' -s d -l dir -x -a '(__fish_complete_directories (commandline -ct))' -d 'where downloads and a list\'s named bodies go, created if missing (current folder)'
complete -c netdash -n '__netdash_is none download upload request' -s o -l out -r -F -d 'file name of a download or response; - for standard output, not resumed once begun'
complete -c netdash -n '__netdash_is none download upload request' -s g -l globoff -d 'take [1-9] and {a,b} in URLs for what they are, not for several URLs'
complete -c netdash -n '__netdash_is none download upload request' -l failed-to -r -F -d 'write what failed, or was cut short, to FILE, as a list for -i'
complete -c netdash -n '__netdash_is none download upload request' -l session -x -a '(__netdash_sessions)' -d 'the saved session to work on (default for the dashboard, none for lines)'
complete -c netdash -n '__netdash_is none download' -s i -l input -r -F -d 'read jobs from a list, a Metalink or a URL of one; - is standard input, as it arrives'
complete -c netdash -n '__netdash_is none download' -s c -l continue -d 'continue a matching partial file of an earlier run (on)'
complete -c netdash -n '__netdash_is none download' -l no-continue -d 'start over instead of continuing a partial file'
complete -c netdash -n '__netdash_is none download' -l if-exists -x -a 'rename skip overwrite refresh fail' -d 'rename, skip, overwrite, refresh (fetch it if it has changed) or fail (rename)'
complete -c netdash -n '__netdash_is none download' -l checksum -x -a 'sha-256= sha-512= sha-1= md5=' -d 'sha-256, sha-512, sha-1 or md5 of the whole file'
complete -c netdash -n '__netdash_is none download' -l checksums -r -F -d 'check every download against its line in FILE, such as SHA256SUMS'
complete -c netdash -n '__netdash_is none download' -l max-filesize -x -d 'fail where a file has more bytes, such as 500M; what has come is removed'
complete -c netdash -n '__netdash_is none download' -s R -l remote-time -d 'give the file the time of its last change at the server'
complete -c netdash -n '__netdash_is none download' -l find-checksum -d 'look for a checksum beside the file, and say when there is none'
complete -c netdash -n '__netdash_is none download' -s x -l connections -x -d 'connections for a download, 1 to 16; auto for more only while they help (auto)'
complete -c netdash -n '__netdash_is none download' -s k -l min-split -x -d 'the least bytes that a connection is made for (1M)'
complete -c netdash -n '__netdash_is none download' -l mirror -x -d 'another place of the same file, repeatable; all URLs beside it are further ones'
complete -c netdash -n '__netdash_is none download' -l length -x -d 'the bytes that the file has to have; a place with another number is not used'
complete -c netdash -n '__netdash_is none download' -l verify-overlap -d 'go on with a part that nothing vouches for when its last 64 KiB are the server\'s'
complete -c netdash -n '__netdash_is none download' -l retry-failed -d 'try again what has failed in the saved session'
complete -c netdash -n '__netdash_is none download upload request demo' -s j -l max-concurrent -x -d 'files at once, and as many requests beside them (5)'
complete -c netdash -n '__netdash_is none download upload request demo' -l max-per-host -x -d 'files at once of one host, and as many requests (16)'
complete -c netdash -n '__netdash_is none download upload request demo' -l limit-rate -x -d 'bytes a second of all downloads: 512k, 2M, off, or 08:00,512k 18:00,off (off)'
complete -c netdash -n '__netdash_is none download upload request demo' -l limit-upload -x -d 'the same of all that is sent (off)'
complete -c netdash -n '__netdash_is none download upload request demo' -l limit-rate-per-host -x -d 'the same of each host, either way (off)'
complete -c netdash -n '__netdash_is none download upload request demo' -l limit-rate-per-task -x -d 'the same of each task, either way (off)'
complete -c netdash -n '__netdash_is none download upload request demo' -l retries -x -d 'further tries without progress (5; 2 if never reached, 10 minutes if it went away)'
complete -c netdash -n '__netdash_is none download upload request demo' -l retry-max-time -x -d 'no try begins later after a first failure (600 for a server that is away)'
complete -c netdash -n '__netdash_is none download upload request demo' -l stall-timeout -x -d 'limit without a byte of a body that is under way (30)'
complete -c netdash -n '__netdash_is none download upload request demo' -l ephemeral -d 'save nothing'
complete -c netdash -n '__netdash_is none download upload request demo' -l plain -d 'print lines instead of opening the dashboard'
complete -c netdash -n '__netdash_is none download upload request demo' -l json -d 'print one JSON object a line on standard output'
complete -c netdash -n '__netdash_is none download upload request demo' -l quiet -d 'print only errors'
complete -c netdash -n '__netdash_is none download upload request demo' -l log -r -F -d 'append what happened to FILE, without secrets'
complete -c netdash -n '__netdash_is none download upload request demo' -l log-level -x -a 'error warning info debug' -d 'error, warning, info or debug (info)'
complete -c netdash -n '__netdash_is none download upload request demo' -l bell -x -a 'complete error all-done never' -d 'ring the bell at: complete, error, all-done; several between commas (never)'
complete -c netdash -n '__netdash_is none download upload request demo' -l notify -x -a 'complete error all-done never' -d 'have the terminal show a notification at the same moments (never)'
complete -c netdash -n '__netdash_is none download upload request demo' -l on-complete -x -d 'run COMMAND when a task was completed; NETDASH_... tells of it, and JSON on its input'
complete -c netdash -n '__netdash_is none download upload request demo' -l on-error -x -d 'run COMMAND when a task has failed'
complete -c netdash -n '__netdash_is none download upload request demo' -l on-all-done -x -d 'run COMMAND when every task has ended'
complete -c netdash -n '__netdash_is none download upload request demo' -l fps -x -d 'frames a second of the dashboard, 1 to 30 (4, over ssh 2)'
complete -c netdash -n '__netdash_is none download upload request demo' -l color -x -a 'auto always never' -d 'auto, always or never (auto)'
complete -c netdash -n '__netdash_is none download upload request demo' -l glyphs -x -a 'blocks ascii braille console' -d 'blocks, ascii, braille or console (blocks; on the Linux console: console)'
complete -c netdash -n '__netdash_is none download upload request demo' -l mouse -d 'the mouse selects and clicks; hold Shift to select text (off)'
complete -c netdash -n '__netdash_is none download upload request demo' -l exit-when-done -d 'leave the dashboard when nothing is left to do'
complete -c netdash -n '__netdash_is none download upload request doctor' -s H -l header -x -d 'request header, repeatable'
complete -c netdash -n '__netdash_is none download upload request doctor' -l proxy -x -d 'go through a proxy: http, https, socks4, socks4a, socks5 or socks5h; empty for none'
complete -c netdash -n '__netdash_is none download upload request doctor' -l noproxy -x -d 'names, addresses and networks that are reached without a proxy; * for all'
complete -c netdash -n '__netdash_is none download upload request doctor' -l proxy-user -x -d 'name and password for the proxy; see --user for @env: and @file:'
complete -c netdash -n '__netdash_is none download upload request doctor' -l cacert -r -F -d 'believe the authorities of a PEM file, not the system\'s'
complete -c netdash -n '__netdash_is none download upload request doctor' -l capath -x -a '(__fish_complete_directories (commandline -ct))' -d 'believe the authorities of a folder, not the system\'s'
complete -c netdash -n '__netdash_is none download upload request doctor' -l cert -r -F -d 'the certificate shown to servers that ask, PEM'
complete -c netdash -n '__netdash_is none download upload request doctor' -l key -r -F -d 'the private key of --cert, when it is in another file'
complete -c netdash -n '__netdash_is none download upload request doctor' -l pass -x -d 'the password of that key, or its place: @env:NAME or @file:PATH'
complete -c netdash -n '__netdash_is none download upload request doctor' -l pin -x -d 'a public key that the server\'s certificate must have, repeatable'
complete -c netdash -n '__netdash_is none download upload request doctor' -l insecure -d 'believe the servers of the URLs whatever they show; anybody may listen then'
complete -c netdash -n '__netdash_is none download upload request doctor' -s u -l user -x -d 'Basic, or Digest if it asks; the password, or both, may be @env:NAME or @file:PATH'
complete -c netdash -n '__netdash_is none download upload request doctor' -l digest -d 'show the password of --user as Digest only, never in clear'
complete -c netdash -n '__netdash_is none download upload request doctor' -l negotiate -d 'show a Kerberos ticket, which kinit gets, to a server that asks (SPNEGO)'
complete -c netdash -n '__netdash_is none download upload request doctor' -l aws-sigv4 -x -d 'sign with the keys of --user, as Amazon\'s services want it: aws:amz:REGION:SERVICE'
complete -c netdash -n '__netdash_is none download upload request doctor' -l bearer -x -d 'the token for the URL\'s server, or its place: @env:NAME or @file:PATH'
complete -c netdash -n '__netdash_is none download upload request doctor' -l netrc -d 'look for name and password in ~/.netrc'
complete -c netdash -n '__netdash_is none download upload request doctor' -l netrc-file -r -F -d 'look for name and password in FILE'
complete -c netdash -n '__netdash_is none download upload request doctor' -s A -l user-agent -x -d 'the name of the program that servers see (netdash)'
complete -c netdash -n '__netdash_is none download upload request doctor' -s e -l referer -x -d 'the page that the request comes from'
complete -c netdash -n '__netdash_is none download upload request doctor' -l cookie -x -d 'send a cookie, or those of a file, and keep what servers set'
complete -c netdash -n '__netdash_is none download upload request doctor' -l cookie-jar -r -F -d 'keep cookies, and write them to FILE at the end'
complete -c netdash -n '__netdash_is none download upload request doctor' -l resolve -x -d 'take ADDR for the address of a host, repeatable'
complete -c netdash -n '__netdash_is none download upload request doctor' -l connect-to -x -d 'connect to host H2, port P2 in the stead of H1, P1, repeatable'
complete -c netdash -n '__netdash_is none download upload request doctor' -l interface -x -d 'connect from an interface or address of this machine'
complete -c netdash -n '__netdash_is none download upload request doctor' -l unix-socket -r -F -d 'connect to a socket of this machine'
complete -c netdash -n '__netdash_is none download upload request doctor' -s 4 -l ipv4 -d 'connect to IPv4 addresses only'
complete -c netdash -n '__netdash_is none download upload request doctor' -s 6 -l ipv6 -d 'connect to IPv6 addresses only'
complete -c netdash -n '__netdash_is none download upload request doctor' -l max-time -x -d 'the most seconds that a transfer may take, pauses not counted'
complete -c netdash -n '__netdash_is none download upload request doctor' -l answer-timeout -x -d 'the most seconds that a server may think about a whole request (off)'
complete -c netdash -n '__netdash_is none download upload request doctor' -l resend -d 'send a PUT again that the server took whole and did not answer; it may have it twice'
complete -c netdash -n '__netdash_is none download upload request doctor' -l retry-on -x -d 'statuses to try again after too, such as 404,5xx; no POST or PATCH'
complete -c netdash -n '__netdash_is none download upload request doctor' -l speed-limit -x -d 'an attempt that moves less than SIZE a second, such as 1k, has stalled'
complete -c netdash -n '__netdash_is none download upload request doctor' -l speed-time -x -d 'the time over which --speed-limit looks, while a body is under way (30)'
complete -c netdash -n '__netdash_is none download upload request doctor' -l http2 -d 'HTTP/2 for downloads and uploads too'
complete -c netdash -n '__netdash_is upload request' -s X -l method -x -a 'GET HEAD POST PUT PATCH DELETE OPTIONS' -d 'method of request and upload (GET, POST with a body; PUT)'
complete -c netdash -n '__netdash_is upload request' -s b -l body -x -a '(__netdash_body)' -d 'body of request and upload, sent as a form or JSON unless a header names its type'
complete -c netdash -n '__netdash_is upload request' -l include -d 'print status and header fields in front of the body of the response'
complete -c netdash -n '__netdash_is none download upload' -l resumable -x -d 'go on with uploads that are cut: auto, tus, draft or off (off)'
complete -c netdash -n '__netdash_is request' -s F -l form -x -d 'a field of a form, or NAME=@FILE for a file, repeatable'
complete -c netdash -n '__netdash_is request' -l data-urlencode -x -d 'a field of a form in percent signs, or NAME@FILE, repeatable'
complete -c netdash -n '__netdash_is request' -l json-body -x -a '(__netdash_body)' -d 'a body of JSON; the answer is asked for as JSON too'
complete -c netdash -n '__netdash_is request' -l assert -x -d 'expected response, else exit 7: status=2xx, header:A~b, json:.a==1, body~b, time<2s'
complete -c netdash -n '__netdash_is request' -l until -x -d 'send the request again until the response is so; conditions are as for --assert'
complete -c netdash -n '__netdash_is request' -l poll -x -d 'time between two requests: 2s, 500ms, 1m (2s); without --until until status=2xx'
complete -c netdash -n '__netdash_is request' -l poll-max-time -x -d 'time after which --until and --poll give up with exit 7 (10m)'
complete -c netdash -n '__netdash_is request' -l then-download -x -d 'download the URLs at a path of the JSON response, such as .files[].url'
complete -c netdash -n '__netdash_is request' -l paginate -d 'request the next pages too, as Link: rel=next names them; bodies come in order'
complete -c netdash -n '__netdash_is request' -l paginate-json -x -d 'the same, with the next page at a path of the JSON response, such as .next'
complete -c netdash -n '__netdash_is request' -l max-pages -x -d 'the most pages of --paginate (1000)'
complete -c netdash -n '__netdash_is none download upload request doctor demo' -l connect-timeout -x -d 'limit for establishing a connection (15)'
complete -c netdash -n '__netdash_is parts' -l remove -d 'remove the parts that are listed'
complete -c netdash -n '__netdash_is none' -l version -d 'print the version'
complete -c netdash -n '__netdash_is none' -l help-keys -d 'print the dashboard\'s keys'
complete -c netdash -n '__netdash_is none download upload request parts doctor demo completions help' -s h -l help -d 'print this help'
