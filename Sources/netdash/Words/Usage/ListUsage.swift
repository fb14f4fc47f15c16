import Dashboard
import SessionSupport

/// Errors in a list of jobs, in words that follow the file and the line.
enum ListUsage {
    static let standardInput = "standard input"

    static func notToTheEnd(_ name: String, _ reason: String) -> String { "cannot read \(name) to the end: \(reason)" }

    static func indented(_ line: String) -> String { "\"\(line)\" is indented, but no URL is above it" }

    static func notKey(_ line: String) -> String { "\"\(line)\" is not key=value" }

    static func unknownKey(_ name: String, hint: String) -> String { "unknown key \"\(name)\"; \(hint)" }

    static let seeKeys = "the keys are in netdash(1), INPUT LISTS"

    static func unknownFormat(_ line: String) -> String { "unknown list format, which begins with \"\(line)\"" }

    static func otherProgram(_ name: String) -> String {
        "commands of \(name) are not read; write URLs or curl commands"
    }

    static let page = "an HTML page"
    static let metalink = "a Metalink"
    static let har = "a HAR file"
    static let commands = "a list of curl commands"
    static let configuration = "a configuration of curl"

    static func needsFile(_ format: String) -> String { "\(format) cannot be read while it arrives; use -i FILE" }

    static let choiceNeedsList = "only for links of an HTML page or a HAR file; add -i FILE or -i URL"

    static let noObject = "not a JSON object with a url and keys of lists"
    static let objectURL = "url: expected one text"
    static func objectValue(of key: String) -> String {
        "\(key): expected a text, a number, true, false, null or a list of them"
    }

    static func otherColumns(_ count: Int) -> String {
        "the header has \(count, "column", "columns"), this row has not"
    }

    // MARK: - What a job has

    static let bodyOfDownload = "method and body need kind=data or kind=upload"
    static let uploadNeedsBody = "an upload needs body-file=FILE or body=TEXT"
    static let dryRun = "only for a command line; in a list the file would be downloaded"
    static let checksumOfRequest = "checksum is only for downloads"
    static let mirrorsWithoutFile = "mirrors cannot be combined with out=-; name a file"

    static func bodyOfRequest(_ key: String) -> String { "\(key) needs kind=data and no other body" }

    static func excludes(_ other: String) -> String { "cannot be combined with \(other)" }

    // MARK: - Lists of servers

    static func keyOfServer(_ key: String, known: String) -> String {
        "\(key) is refused in a list from a server (allowed: \(known)); save and read the list, then use -i FILE"
    }

    static func pathOfServer(_ path: String) -> String {
        "\"\(path)\" is refused in a list from a server, which names files below the download folder"
    }

    static func notFetched(_ url: String, _ reason: String) -> String { "cannot fetch \"\(url)\": \(reason)" }

    static let noData = "no data"
}

/// Errors in a Metalink, in words that follow the file and the line.
enum MetalinkUsage {
    static let noFile = "contains no file"

    static func notMetalink(_ reason: String) -> String { "not a Metalink: \(reason)" }

    static func root(_ name: String) -> String { "not a Metalink: the outermost element is <\(name)>" }

    static let otherVersion = "unsupported version of Metalink; versions 3 and 4 are supported"

    static func version(_ version: String) -> String {
        "unsupported version \(version) of Metalink; versions 3 and 4 are supported"
    }

    static func tooManyFiles(_ limit: Int) -> String { "contains more than \(limit, "file", "files")" }

    static func twice(_ name: String) -> String { "contains \"\(name)\" twice" }

    static func unsafeName(_ name: String) -> String {
        "the file name \"\(name)\" leaves the download folder or begins with a dot"
    }

    static func noURL(_ name: String) -> String { "no http or https URL for \"\(name)\"" }

    static func size(_ text: String, of name: String) -> String { "invalid size \"\(text)\" of \"\(name)\"" }

    static func digest(_ kind: String, of name: String) -> String { "invalid \(kind) digest of \"\(name)\"" }
}

/// Errors in a page or a HAR file, in words that follow its name.
enum PageUsage {
    static let noBase = "the page has only relative links and no <base>; give its URL with -i"
    static let noLink = "the page has no links to files of its server; --accept takes others"

    static func noMatch(_ count: Int) -> String { "--accept and --reject leave none of \(count, "link", "links")" }

    static let notHAR = "not a HAR file: expected JSON with log, entries and requests"
    static let noRequest = "the HAR file has no GET request that was answered and is accepted"

    static func leftOut(
        _ name: SafeText, otherMethods: Int = 0, unanswered: Int = 0, otherSchemes: Int = 0, unchosen: Int = 0
    ) -> SafeText? {
        let counts: [(Int, SafeText)] = [
            (otherMethods, "\(otherMethods, "request", "requests") other than GET"),
            (unanswered, "\(unanswered, "request", "requests") without a file in the response"),
            (otherSchemes, "\(otherSchemes, "request", "requests") without http or https"),
            (unchosen, "\(unchosen, "request", "requests") not accepted"),
        ]
        let parts = counts.filter { $0.0 > 0 }.map(\.1)
        return parts.isEmpty ? nil : "\(name): left out \(parts.joined(by: ", "))"
    }
}

/// Errors in commands and configurations of curl, in words that follow the file and the line.
enum CurlUsage {
    static let noCommand = "expected a curl command, as in the lines above"
    static let openQuote = "a quote is not closed"
    static let noOption = "expected an option, such as url = \"https://host/file\""
    static let textBehindValue = "text after the value; put values with blanks in quotes"
    static let noURL = "no URL in the curl command or configuration"
    static let ofServer = "curl's options are refused in a list from a server; save and read it, then use -i FILE"

    static func unknown(_ option: String) -> String {
        option.hasPrefix("-")
            ? "curl's \(option) is not supported; remove it" : "not supported in a command of curl: \(option)"
    }

    static func textBehind(_ sign: String) -> String { "only a shell can read what follows \"\(sign)\"; remove it" }

    static let otherBytes = "$'…' with bytes that are no UTF-8; put them into a file and write --data-binary @FILE"

    static func takesNoValue(_ option: String) -> String { "\(option) takes no value; remove what follows it" }

    static func leftOut(_ place: SafeText, _ option: SafeText) -> SafeText {
        "\(place): left out \(option), which has no value, as curl does"
    }

    static func expansion(_ name: String) -> String { "only a shell can fill in \(name); write its value" }
}
