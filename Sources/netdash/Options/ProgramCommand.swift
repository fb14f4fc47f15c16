import Dashboard

/// The commands, each of which comes first on a command line.
///
/// The parser, the help, the manual page and the shells' completions read this table.
enum ProgramCommand: String, Sendable, CaseIterable {
    case download, upload, request
    case serve, add, status, pause, resume, cancel, retry, limit, wait, stop, events, history
    case aria2c
    case parts, doctor, demo, completions, help

    /// An example command line, as typed into a shell.
    struct Example: Sendable {
        var line: String
        /// One sentence about its effect.
        var meaning: String
    }

    /// The words after the command's name; empty for none.
    var operands: String {
        switch self {
        case .download: "URL..."
        case .upload: "FILE... URL"
        case .request: "[METHOD] URL [ITEM...]"
        case .parts: "[FOLDER...]"
        case .doctor: "[URL...]"
        case .demo: ""
        case .completions: Shell.allCases.map(\.rawValue).joined(separator: "|")
        case .help: "[WORD]"
        case .aria2c: "ARGUMENT..."
        case .serve, .add, .status, .pause, .resume, .cancel, .retry, .limit, .wait, .stop, .events, .history:
            serviceRecord.operands
        }
    }

    /// The complete command line, with optional parts in brackets.
    var synopsis: String {
        let name = self == .download ? "[\(rawValue)]" : rawValue
        let hasOptions = !options.allSatisfy(\.isQuestion)
        return ["netdash", name, hasOptions ? "[OPTIONS]" : "", operands].filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// The command in a few words.
    var summary: String {
        switch self {
        case .download: "download files"
        case .upload: "upload files and folders; - reads standard input"
        case .request: "send a request, print the response body"
        case .parts: "list or delete leftover partial files"
        case .doctor: "check this machine, and the connection to URL"
        case .demo: "show every kind of task, without a network"
        case .completions: "print a shell completion script"
        case .help: "explain a command, or search the help for a word"
        case .aria2c: "do what a command line of aria2c means"
        case .serve, .add, .status, .pause, .resume, .cancel, .retry, .limit, .wait, .stop, .events, .history:
            serviceRecord.summary
        }
    }

    /// The command in complete sentences.
    var explanation: String {
        switch self {
        case .download:
            """
            Downloads files into the current folder or DIR. Repeating the command resumes an interrupted download. A \
            URL without a scheme gets https://. A file gets its final name only when it is complete.
            """
        case .upload:
            """
            Uploads files with PUT; - reads standard input. A URL that ends in / gets the name of each file \
            appended. The files of a folder go below the name of the folder. Missing collections of a WebDAV server \
            are made. With -b the body replaces FILE. The response body goes to standard output or to the file of -o.
            """
        case .request:
            """
            Sends a request and writes the response body to standard output or to the file of -o. An error status \
            exits 1, after the body is written. On a terminal control characters are escaped; without --plain the \
            dashboard opens. --include prints status and headers before the body, or adds them to the events of \
            --json. With -b the method is POST unless another is named. The body is sent as JSON if it is JSON, else \
            as a form, unless a header names its type. An ITEM name=value or name:=JSON is a member of a JSON body. \
            An ITEM name==value is a field of the URL, Header:value a header. The word request is optional: netdash \
            POST URL does the same.
            """
        case .parts:
            """
            Lists leftover partial files in the current folder or in FOLDER. Each is shown with size, age, URL, and \
            whether a download of the URL resumes from it. Files in use by a running download or a saved session are \
            not listed. --remove deletes the listed files.
            """
        case .doctor:
            """
            Checks the terminal, locale, certificates, proxies, name servers, clock, disk, limits, settings and \
            libraries. Each check reports ok, warn or ERROR, the last two with a fix. For each URL a HEAD request tests the connection; \
            passwords are masked. Range requests then show whether downloads resume. \
            Samples over 1, 2, 4 and 8 connections measure the speed, with at most 56 MiB in 9 seconds. Nothing is changed. The exit code is 1 if something is \
            wrong.
            """
        case .demo:
            """
            Starts a server on this machine and shows a dozen tasks of all three kinds. In the dashboard more tasks \
            follow, a few at a time, and F3 starts a tour of the keys. Downloads go to a temporary folder that is \
            deleted at the end. Nothing is saved.
            """
        case .completions:
            """
            Prints a script that completes commands, options and values in bash, zsh or fish. The examples show \
            where each shell reads such scripts.
            """
        case .aria2c:
            """
            Takes the arguments of aria2c, for scripts that call it. Several URLs are mirrors of one file, and with -Z \
            downloads of their own. With --enable-rpc it answers aria2's JSON-RPC until it is stopped, and saves \
            nothing. Arguments without a meaning here are named once and ignored.
            """
        case .help:
            """
            Prints all commands and options. With a command it prints what the command does, and its options. With \
            another word it lists the commands, options and keys that mention the word.
            """
        case .serve, .add, .status, .pause, .resume, .cancel, .retry, .limit, .wait, .stop, .events, .history:
            serviceRecord.explanation
        }
    }

    /// The command's options, in the order of their table.
    var options: [CommandLineOption] { CommandLineOption.allCases.filter { $0.isTaken(by: self) } }

    var examples: [Example] {
        switch self {
        case .download: Self.downloads
        case .upload:
            [
                Example(
                    line: "netdash upload photo.jpg https://example.com/incoming/",
                    meaning: "Uploads a file as /incoming/photo.jpg."),
                Example(
                    line: "netdash upload *.jpg photos https://dav.example.com/incoming/",
                    meaning: "Uploads files, and a folder as /incoming/photos/..."),
                Example(
                    line: "tar c photos | netdash upload - https://example.com/photos.tar",
                    meaning: "Uploads the output of another command."),
            ]
        case .request:
            [
                Example(
                    line: "netdash request --plain https://example.com/items",
                    meaning: "Prints the response body."),
                Example(
                    line: "netdash request --plain -b '{\"name\": \"tea\"}' https://example.com/items",
                    meaning: "Sends JSON with POST."),
                Example(
                    line: "netdash request HEAD --include https://example.com/disk.iso",
                    meaning: "Prints status and headers of the response."),
                Example(
                    line: "netdash request PUT --plain -b @order.json https://example.com/orders/7",
                    meaning: "Sends a file as the body."),
                Example(
                    line: "netdash GET --assert status=2xx --assert 'time<2s' https://example.com/",
                    meaning: "Exits 7 when the response is not as expected."),
                Example(
                    line: "netdash GET --until json:.state=done https://example.com/jobs/7",
                    meaning: "Repeats a request until its response is as expected."),
                Example(
                    line: "netdash GET --paginate --plain https://example.com/items",
                    meaning: "Prints the bodies of all pages."),
                Example(
                    line: "netdash request calls.http#login",
                    meaning: "Sends a request of a file that editors write; without #login all, in order."),
            ]
        case .parts:
            [
                Example(line: "netdash parts ~/Downloads", meaning: "Lists leftover partial files."),
                Example(
                    line: "netdash parts --remove", meaning: "Lists and deletes leftover files of the current folder."),
            ]
        case .doctor:
            [
                Example(line: "netdash doctor", meaning: "Checks this machine."),
                Example(
                    line: "netdash doctor https://example.com/", meaning: "Checks the connection to a server as well."),
            ]
        case .demo: [Example(line: "netdash demo", meaning: "Shows the dashboard at work, without a network.")]
        case .completions:
            [
                Example(
                    line: "source <(netdash completions bash)",
                    meaning: "Completes in this bash; as a line of ~/.bashrc, in every bash."),
                Example(
                    line: "netdash completions zsh >~/.zfunc/_netdash",
                    meaning: "Completes in every zsh if fpath has ~/.zfunc before compinit runs."),
                Example(
                    line: "netdash completions fish >~/.config/fish/completions/netdash.fish",
                    meaning: "Completes in every fish."),
            ]
        case .aria2c:
            [
                Example(
                    line: "netdash aria2c -x 8 -s 8 -d ~/Downloads https://example.com/disk.iso",
                    meaning: "Downloads a file over eight connections."),
                Example(
                    line: "netdash aria2c --enable-rpc --rpc-secret=TOKEN -d ~/Downloads",
                    meaning: "Answers aria2's clients on port 6800 of this machine."),
            ]
        case .help:
            [
                Example(
                    line: "netdash help upload", meaning: "Explains upload and lists its options."),
                Example(
                    line: "netdash help proxy", meaning: "Lists options and keys about proxies."),
            ]
        case .serve, .add, .status, .pause, .resume, .cancel, .retry, .limit, .wait, .stop, .events, .history:
            serviceRecord.examples
        }
    }

    private static let downloads = [
        Example(
            line: "netdash https://example.com/disk.iso",
            meaning: "Downloads a file; repeating the command resumes an interrupted download."),
        Example(
            line: "netdash -d ~/Downloads -j 8 -i list.txt",
            meaning: "Downloads the URLs of a list into a folder, eight files at a time."),
        Example(
            line: "netdash --mirror https://mirror.example/a.iso https://example.com/a.iso",
            meaning: "Downloads one file from two mirrors, if length, date, first and last block agree."),
        Example(
            line: "netdash -i https://example.com/disk.iso.meta4",
            meaning: "Downloads the files of a Metalink from mirrors, and verifies checksums."),
        Example(
            line: "netdash -o - https://example.com/table.csv | sort",
            meaning: "Pipes a file to another command."),
        Example(
            line: "netdash -x 8 -o - https://example.com/a.tar | tar x",
            meaning: "The same over eight connections, in order."),
        Example(
            line: "find-urls | netdash --json -i - >events.jsonl",
            meaning: "Downloads each URL as it arrives, and saves the events."),
        Example(
            line: "netdash --plain --session nightly --if-exists skip -i list.txt",
            meaning: "Runs a saved session without a screen: failed tasks are retried, existing files skipped."),
    ]
}

/// A shell with completions.
enum Shell: String, Sendable, CaseIterable {
    case bash, zsh, fish
}
