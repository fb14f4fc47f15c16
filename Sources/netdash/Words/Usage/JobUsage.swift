import Dashboard
import SessionSupport

/// Errors in the jobs of a command line, in words that follow the argument.
enum JobUsage {
    static let downloadNeedsURL = "needs a URL; write netdash download URL"
    static let uploadNeedsURL = "needs a file and a URL; write netdash upload FILE... URL"
    static let requestNeedsURL = "needs a URL; write netdash request [METHOD] URL [ITEM...]"

    // MARK: - Options of other commands

    static let onlyForDownloads = "only for downloads"
    static let onlyForUploads = "only for uploads"
    static let onlyForRequests = "only for request"
    static let onlyForRequestsAndUploads = "only for request and upload"
    static let bodyAsFolder = "names a folder, and this is JSON; for a body write netdash POST -b BODY URL"
    static let bodyOfDownload = "only for request and upload; for a cookie use --cookie"
    static let inputListOfRequest = "only for downloads; to print status and headers use --include"

    static func onlyForDownloads(hint: String) -> String { "only for downloads; \(hint)" }

    static func directoryOfRequest(_ command: String) -> String {
        "only for downloads; with \(command) use -o for the response, -b for the body"
    }

    // MARK: - Several jobs

    static let outOfSeveral =
        "only for a single download; for several use -d DIR, or a template such as -o '{host}/{name}'"
    static let askNeedsDashboard =
        "ask needs the dashboard; for lines use rename, skip, same, overwrite, refresh or fail"
    static let outOfSeveralUploads = "only for a single file"
    static let lengthOfSeveral = "only for a single download"
    static let lengthInList = "only for a single download; in a list write length="
    static let checksumInList = "only for a single download; in a list write checksum= below each URL"
    static let mirrorsInList = "only for a single download; in a list put the URLs on one line with tabs between"

    static func patternOfRequest(_ count: Int, _ command: String, kind: String) -> String {
        "expands to \(count) URLs, but \(command) takes one; use a list with kind=\(kind), or --globoff"
    }

    // MARK: - Standard input and output

    static let standardOutputIsJSON = "- cannot be combined with --json; name a file"
    static let needsFile = "cannot be combined with -o -; name a file"
    static let standardInputAmongFiles = "standard input (-) must be the only file"

    // MARK: - Uploads

    static let bodyAndFiles = "-b replaces the files; write netdash upload -b BODY URL"
    static let resumedInput = "needs a file: standard input can be sent once only"
    static let digestOfInput = "needs a file: standard input is read only while it is sent"
    static func leftOut(_ count: Int) -> SafeText { "left out \(count, "partial file", "partial files") of downloads" }
    static let emptyFolder = "this folder contains no file"
    static let unnamedFolder = "this folder contains only entries with names that are not UTF-8"
    static let unreadableFolder = "cannot read this folder"
    static func skipped(_ paths: [String]) -> SafeText {
        "skipped \(paths.count, "entry", "entries"), only files are sent: \(listed(paths))"
    }

    static func unnamed(_ paths: [String]) -> SafeText {
        "left out \(paths.count, "entry", "entries") with names that are not UTF-8: \(listed(paths))"
    }

    private static func listed(_ paths: [String]) -> SafeText {
        let (named, further) = (paths.prefix(3), paths.count - 3)
        let names = named.map { SafeText(untrusted: $0) } + (further > 0 ? ["\(further) more"] : [])
        return names.joined(by: ", ")
    }

    static func noMatch(_ pattern: String) -> String { "no file matches \"\(pattern)\"" }
    static let openQuote = "a quote is not closed"

    static func filesNeedFolder(_ count: Int) -> String {
        "must end in / to take \(count, "file", "files"), each under its own name"
    }

    static func sameTarget(_ url: String) -> String { "two files have the target \(url); rename one" }

    // MARK: - Requests

    static let bodyAndItems = "name=value cannot be combined with -b or --form"
    static let emptyCookieAsBody = "sends an empty body; to accept cookies use --cookie '', for an empty body --body ''"
    static let cookieAsBody = "sends a POST body; for a cookie use --cookie, for a body --body"
    static let notAnItem = "expected name=value, name:=JSON, name==value or Header:value"
    static let secondURL = "request takes one URL; for several downloads write netdash URL..."
    static let itemNotJSON = "the value after := is not JSON; for text use name=value"

    static func twoMethods(_ option: String, _ operand: String) -> String {
        "\(option) contradicts the method \(operand); give one of them"
    }

    static func itemOfFile(_ name: String, _ value: String) -> String { "for a file in a form use -F \(name)=\(value)" }
}
