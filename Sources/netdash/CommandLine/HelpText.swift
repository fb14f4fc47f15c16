import Dashboard

/// The texts that `--help` and `help COMMAND` print.
enum HelpText {
    /// The text, ending in a line break.
    static func text(_ topic: HelpTopic) -> String {
        switch topic {
        case .general: usage + "\n" + optionTable + "\n" + closing
        case .download: "netdash [download] [OPTIONS] URL...\n\n" + download + "\n" + optionTable
        case .upload: "netdash upload [OPTIONS] FILE URL\n\n" + upload + "\n" + optionTable
        case .request: "netdash request [OPTIONS] [METHOD] URL\n\n" + request + "\n" + optionTable
        case .demo: "netdash demo [OPTIONS]\n\n" + demo
        case .help: "netdash help [COMMAND]\n\nPrints what a command does.\n"
        }
    }

    private static let usage = """
        netdash: a dashboard for HTTP transfers that can be paused

        netdash [OPTIONS]                          open the dashboard
        netdash [download] [OPTIONS] URL...        download files
        netdash upload [OPTIONS] FILE URL          upload a file; - reads standard input
        netdash request [OPTIONS] [METHOD] URL     send a request, print the response's body
        netdash demo [OPTIONS]                     show every kind of task, without a network
        netdash help [COMMAND]

        On a terminal the dashboard opens; into a pipe or a file lines are printed.

        """

    private static let download = """
        Downloads files into the current folder or DIR. A download that was cut goes on where it stopped when it is asked
        for again. A URL without a scheme gets https://. Nothing partial ever stands under the final name.

        """

    private static let upload = """
        Uploads a file with PUT; - reads standard input. A URL ending in / gets the file's name appended.

        """

    private static let request = """
        Sends a request. The body of the response, also that of an error status, goes to standard output, or to the file of
        -o; a terminal gets it as harmless text, and opens the dashboard without --plain. An error status exits 1. With -b
        the method is POST and the body a form, or JSON where it is that, unless something else is named.

        """

    private static let demo = """
        Starts a server on this machine and shows a dozen tasks of all three kinds on it. Downloads go to a temporary
        folder that is removed at the end; nothing is saved.

        """

    private static let closing = """
        Settings for every run are in $XDG_CONFIG_HOME/netdash/config (~/.config/netdash/config): long options as
        name = value, # comments, and keys as key.pause = p F7 (--help-keys has the names). The command line wins.

        Exit codes: 0 everything completed, 1 a task failed, 2 usage error, 3 disk full or read-only, 4 network
        unreachable, 5 checksum or certificate wrong, 129, 130, 131 and 143 ended by a signal.

        """

    private static var optionTable: String {
        let rows = CommandLineOption.allCases.map { (left: synopsis(of: $0), right: $0.summary) }
        let width = rows.map(\.left.count).max() ?? 0
        let lines = rows.map { row in
            "  " + row.left + String(repeating: " ", count: width - row.left.count + 2) + row.right
        }
        return "Options\n" + lines.joined(separator: "\n") + "\n"
    }

    private static func synopsis(of option: CommandLineOption) -> String {
        let short = option.shortName.map { "-\($0), " } ?? "    "
        return short + option.spelling + (option.valueName.map { " \($0)" } ?? "")
    }
}

extension CommandLineOption {
    /// The manual page's section on options, in the language of man pages.
    static func manual() -> String {
        let lines = allCases.flatMap { option in [".TP", option.manualTag, ManualText.escaped(option.summary)] }
        return lines.joined(separator: "\n") + "\n"
    }

    private var manualTag: String {
        let names = [shortName.map { "-\($0)" }, spelling].compactMap(\.self)
        let tags = names.map { "\\fB\(ManualText.escaped($0))\\fR" }.joined(separator: ", ")
        return valueName.map { tags + " \\fI\(ManualText.escaped($0))\\fR" } ?? tags
    }
}
