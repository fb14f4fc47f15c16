import Dashboard

/// The commands, each of which comes first on a command line.
///
/// The parser, the help, the manual page and the shells' completions read this table.
enum ProgramCommand: String, Sendable, CaseIterable {
    case download, upload, request, parts, doctor, demo, completions, help

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
        case .request: "send a request, print the body of the response"
        case .parts: "list what cut downloads have left in folders, and remove it"
        case .doctor: "look for what is wrong around netdash, and with the way to URL"
        case .demo: "show every kind of task, without a network"
        case .completions: "print what lets a shell complete the command line"
        case .help: "print what a command does, or what has a word in its help"
        }
    }

    /// The command in complete sentences.
    var explanation: String {
        switch self {
        case .download:
            """
            Downloads files into the current folder or DIR. A download that was cut goes on where it stopped when it is asked \
            for again. A URL without a scheme gets https://. Nothing partial ever stands under the final name.
            """
        case .upload:
            """
            Uploads files with PUT; - reads standard input. A URL ending in / gets each file's name appended, and a folder's \
            files go below its name. With -b there is no FILE: the body is what -b says. The body of the response goes where that of request does.
            """
        case .request:
            """
            Sends a request. The body of the response, also that of an error status, goes to standard output, or to the file \
            of -o; a terminal gets it as harmless text, and opens the dashboard without --plain. An error status exits 1. \
            --include puts status and header fields in front of it, or into the events of --json. With -b the method is \
            POST and the body a form, or JSON where it is that, unless something else is named. An ITEM behind the URL is \
            name=value or name:=JSON for a member of a JSON body, name==value for a field of the URL, or Header:value. \
            Without the word request, netdash POST URL does the same.
            """
        case .parts:
            """
            Lists the parts that downloads have left in the current folder, or in FOLDER: with size and age, whether a download of \
            the same URL goes on with it, and the URL. What a running download holds or a saved session still needs is not \
            listed. With --remove everything that is listed is removed; without, nothing ever is.
            """
        case .doctor:
            """
            Looks at the terminal, the locale, certificates, proxies, name servers, the clock, the disk, limits, settings and \
            libraries, and says of each whether transfers find it as they need it, or what to do about it. For each URL a HEAD \
            request shows how far the way to its server goes; a password in it is not shown. Nothing is changed. It exits 1 \
            when something is wrong.
            """
        case .demo:
            """
            Starts a server on this machine and shows a dozen tasks of all three kinds on it. In the dashboard others follow, a \
            few at a time, until it is left, and ? begins a short tour of the keys. Downloads go to a temporary folder that is \
            removed at the end; nothing is saved.
            """
        case .completions:
            """
            Prints the script that lets bash, zsh or fish complete commands, options and their values. Where a shell looks for \
            such scripts is what the examples show.
            """
        case .help:
            """
            Prints all commands and options, what one command does with the options that it takes, or the commands, options and keys \
            that have another word in their names or their help.
            """
        }
    }

    /// In the order of their table.
    var options: [CommandLineOption] { CommandLineOption.allCases.filter { $0.commands.contains(self) } }

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
                    meaning: "Uploads files, and a folder's as /incoming/photos/..."),
                Example(
                    line: "tar c photos | netdash upload - https://example.com/photos.tar",
                    meaning: "Uploads what another command writes."),
            ]
        case .request:
            [
                Example(
                    line: "netdash request --plain https://example.com/items",
                    meaning: "Prints the body of a response."),
                Example(
                    line: "netdash request --plain -b '{\"name\": \"tea\"}' https://example.com/items",
                    meaning: "Sends JSON with POST."),
                Example(
                    line: "netdash request HEAD --include https://example.com/disk.iso",
                    meaning: "Prints the status and the header fields of a response."),
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
                Example(line: "netdash parts ~/Downloads", meaning: "Lists what is left of downloads that were cut."),
                Example(
                    line: "netdash parts --remove", meaning: "Removes it from the current folder, after naming it."),
            ]
        case .doctor:
            [
                Example(line: "netdash doctor", meaning: "Looks at this machine."),
                Example(
                    line: "netdash doctor https://example.com/", meaning: "Looks at the way to a server as well."),
            ]
        case .demo: [Example(line: "netdash demo", meaning: "Shows the dashboard at work, without a network.")]
        case .completions:
            [
                Example(
                    line: "source <(netdash completions bash)",
                    meaning: "Completes in this bash; as a line of ~/.bashrc, in every one."),
                Example(
                    line: "netdash completions zsh >~/.zfunc/_netdash",
                    meaning: "Completes in every zsh whose fpath has ~/.zfunc before compinit runs."),
                Example(
                    line: "netdash completions fish >~/.config/fish/completions/netdash.fish",
                    meaning: "Completes in every fish."),
            ]
        case .help:
            [
                Example(
                    line: "netdash help upload", meaning: "Prints what upload does, and the options that it takes."),
                Example(
                    line: "netdash help retry", meaning: "Prints the options and keys that have to do with retries."),
            ]
        }
    }

    private static let downloads = [
        Example(
            line: "netdash https://example.com/disk.iso",
            meaning: "Downloads a file; the same line goes on where a download was cut."),
        Example(
            line: "netdash -d ~/Downloads -j 8 -i list.txt",
            meaning: "Downloads what a list names, eight files at a time, into a folder."),
        Example(
            line: "netdash --mirror https://mirror.example/a.iso https://example.com/a.iso",
            meaning: "Downloads one file from two places, if length, date, first and last block are the same."),
        Example(
            line: "netdash -i https://example.com/disk.iso.meta4",
            meaning: "Downloads what a Metalink names, from its mirrors, with its checksum."),
        Example(
            line: "netdash -o - https://example.com/table.csv | sort",
            meaning: "Hands a file to another command."),
        Example(
            line: "netdash -x 8 -o - https://example.com/a.tar | tar x",
            meaning: "The same over eight connections, in order."),
        Example(
            line: "find-urls | netdash --json -i - >events.jsonl",
            meaning: "Downloads each URL as it arrives, and keeps the events."),
        Example(
            line: "netdash --plain --session nightly --if-exists skip -i list.txt",
            meaning: "Works on a saved session without a screen: what failed tonight is tried again tomorrow, what is "
                + "there stays."),
    ]
}

/// A shell with completions.
enum Shell: String, Sendable, CaseIterable {
    case bash, zsh, fish
}
