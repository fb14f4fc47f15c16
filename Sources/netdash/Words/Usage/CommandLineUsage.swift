import Dashboard

/// Errors in the words of a command line, as phrases that follow the argument.
enum CommandLineUsage {
    // MARK: - Commands

    static let demoTakesNoOperands = "takes no URL or input list; write netdash demo"
    static let demoHasNoSession = "cannot be combined with demo"
    static func onlyFor(command: String, option: String) -> String { "only for: netdash \(command) \(option)" }

    static func helpTakesOneWord(_ name: String) -> String { "takes one word; write netdash help \(name)" }

    static func completionsNeedShell(_ shells: String) -> String {
        "needs a shell; write netdash completions \(shells)"
    }

    static func foundNowhere(_ word: String, hint: String) -> String { "no name or help has \"\(word)\"; \(hint)" }

    static func unknownCommand(_ word: String, hint: String) -> String {
        "unknown command; \(hint) (for a host: http://\(word)/)"
    }

    static func didYouMean(_ near: String) -> String { "did you mean \(near)?" }

    static func commandsAre(_ names: String) -> String { "commands: \(names)" }

    // MARK: - Options

    static let unknownOption = "unknown option; see netdash --help"
    static let bodyTwice = "given twice; a request has one body"
    static let ariaFirst = "needs arguments of aria2c behind it; write netdash aria2c ARGUMENT..."
    static let givenTwice = "given twice"
    static let jsonAndQuiet = "--json and --quiet cannot be combined"
    static let twoSessions = "a run has one session; use either --session NAME or --ephemeral"
    static let printsJSON = "means JSON output; for a JSON body use --json-body"
    static let quietHasNoNumber = "means --quiet; for several connections use -x N"
    static let needsURL = "needs a URL"

    static let noAriaURL = "is no URL of http or https; write a list behind -i"
    static let notSecure = "use netdash serve --rpc --rpc-cert FILE, which has TLS"
    static let noTorrents = "BitTorrent is not supported; write a URL of http or https"
    static let noAriaDaemon =
        "stays in the foreground; write & behind the command, or use netdash serve --rpc with systemd"
    static let noAriaFiles = "no files are shown before a download; write netdash --dry-run -i FILE"
    static let ariaOut = "expected a file name below -d, without .. in it"
    static let noNames = "clients have one token instead; use --rpc-secret"
    static func unknownOption(near: String) -> String { "unknown option; did you mean --\(near)?" }

    static func ambiguous(_ names: String) -> String { "ambiguous; use one of \(names)" }

    static let formItems = "a form takes -F NAME=VALUE for each field, as in netdash POST URL -F a=b"
    static func excludes(_ other: String) -> String { "cannot be combined with \(other)" }

    static func noEffect(on command: String) -> String { "no effect on \(command); see netdash help \(command)" }

    static func wrongValue(_ value: String, expected: String) -> String { "expects \(expected), got \"\(value)\"" }

    static func notTrueOrFalse(_ value: String) -> String { "expects true or false, got \"\(value)\"" }

    static func needsValue(_ option: String, _ value: String) -> String { "needs a value; write \(option) \(value)" }

    static func needsValueOrNone(_ option: String, _ value: String) -> String {
        "empty; write \(option) alone, or \(option) \(value)"
    }

    static func needsValueBeforeURL(hint: String) -> String { "needs a value before the URL; \(hint)" }

    static func writeValueBeforeURL(_ option: String, _ value: String) -> String { "write \(option) \(value) URL" }

    static let oneStream: SafeText = "Over HTTP/2 each download has one connection; -x needs HTTP/1.1, without --http2"
    static func problem(_ problem: String, hint: String) -> String { "\(problem); \(hint)" }
}

/// Names of what a command line has.
enum CommandLineLabels {
    static func ignored(_ names: [String]) -> SafeText {
        "without effect: \(names.map { SafeText(untrusted: "--" + $0) }.joined(by: ", "))"
    }
    static let serversOfList: SafeText = "the servers of the list"
}

/// What a command line of aria2c asks for and does not get.
enum AriaLines {
    static let continuedBeside: SafeText =
        "--continue: a file that the server does not confirm stays, and is downloaded whole under a new name"
    static let continuedNot: SafeText =
        "--continue: a file that the server does not confirm stays, and its download fails"
    static func unreadable(_ option: String, _ path: String) -> SafeText {
        "\(SafeText(untrusted: option)): leaves out \(SafeText(untrusted: path)), which cannot be read"
    }
    static func openNetrc(_ path: String) -> SafeText {
        "leaves out \(SafeText(untrusted: path)), which others can read or write; use chmod 600"
    }
    static func unknownSetting(_ name: String) -> SafeText {
        "leaves out \(SafeText(untrusted: name)): aria2c has no such option"
    }
    static let continuedOver: SafeText = "--continue: a file that the server does not confirm is downloaded whole again"
}
