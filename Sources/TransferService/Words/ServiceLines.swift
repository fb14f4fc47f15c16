import SessionSupport

/// Lines about a run and what it has left.
package enum ServiceLines {
    package static let noLeftovers: SafeText = "No leftovers"
    package static func leftovers(_ count: Int, _ bytes: Int64) -> SafeText {
        "\(count, "file", "files"), \(SizeText.long(bytes))"
    }
    package static func removed(_ leftovers: SafeText) -> SafeText { "Removed \(leftovers)" }
    package static let leftoversKept: SafeText = "Nothing removed: an unreadable session may need these files"
    package static func leftoverInUse(_ path: SafeText) -> SafeText { "In use or already deleted: \(path)" }

    // MARK: - Notices

    package static func restored(_ count: Int, from folder: String) -> String {
        "\(count, "download", "downloads") restored from partial files in \(folder), paused"
    }
    package static func noneRestored(from folder: String) -> String {
        "No downloads restored from partial files in \(folder)"
    }
    package static func unrestored(from folder: String, _ reason: String) -> String {
        "Cannot restore downloads from partial files in \(folder): \(reason)"
    }
    package static func noResponse(_ seconds: Int) -> String { "No response for \(seconds) s" }
    package static func awaitsReader(of path: String) -> String { "Waits for a reader of \(path)" }
    package static func partNotReused(_ reason: String) -> String { "Partial file not reused: \(reason)" }
    package static func unknownCoding(_ name: String) -> String {
        "Unknown Content-Encoding: \(name); body kept as received"
    }
    package static func savedEncoded(_ codings: String) -> String {
        "Content-Encoding \(codings) was not asked for; body kept as received"
    }
    static func fetchedAgain(_ size: String, _ url: String, _ reason: String) -> String {
        "\(size) fetched again, wrong bytes from \(url): \(reason)"
    }
    package static func leftFields(_ names: String, _ server: String) -> String {
        "Not sent to the other server \(server): \(names)"
    }
    package static func leftFieldsBack(_ names: String) -> String {
        "Not sent after a redirect to another server and back: \(names)"
    }
    package static let answered = "Answered: what becomes of the existing file"
    package static let edited = "Edited: stopped, then begun again"
    package static let editedPaused = "Edited: begins again when resumed"
    package static func newURL(_ url: String) -> String { "New URL: \(url)" }
    package static func newPath(_ path: String) -> String { "New path: \(path)" }
    package static let changeDropped = "Cancelled: the change that waited for its end is dropped"
    package static func about(_ name: SafeText, _ sentence: SafeText) -> SafeText { "\(name): \(sentence)" }
    package static func inThisRunOnly(_ reason: String) -> String { "Task ends with the program: \(reason)" }
    package static let sentAgainUnjudged = "Sent again: the program ended before the response was checked"
    package static let linkExpired = "Link refused: asking the --on-expired command"
    package static let secretRefused = "Secret refused: asking its command again"
    package static let plainHTTP = "Server speaks plain HTTP: trying http://"
    package static func passwordsReadable(_ path: SafeText) -> SafeText {
        "\(path) has passwords and is readable by others; chmod 600"
    }
    package static func unreadableHosts(_ path: SafeText, _ count: Int) -> SafeText {
        "\(path): \(count, "line names", "lines name") no host; write HOST \"20301231 23:59:59\""
    }
    package static func noCookies(_ path: SafeText) -> SafeText {
        "No cookies found in \(path); lines need seven fields with tabs between them, as of curl and wget"
    }
    package static func unreadableCookies(_ count: Int, _ path: SafeText) -> SafeText {
        "\(count, "line", "lines") of \(path) unreadable as a cookie"
    }

    // MARK: - The run in figures

    package static func completed(_ count: Int) -> SafeText { "\(count) completed" }
    package static func failed(_ count: Int) -> SafeText { "\(count) failed" }
    package static func cancelled(_ count: Int) -> SafeText { "\(count) cancelled" }
    package static func unfinished(_ count: Int) -> SafeText { "\(count) unfinished" }
    package static func sum(_ bytes: Int64, _ time: SafeText) -> SafeText { "\(SizeText.long(bytes)) in \(time)" }
    package static func failed(_ name: SafeText, _ reason: SafeText) -> SafeText { "failed: \(name), \(reason)" }
    package static let noReason: SafeText = "no reason given"
    package static func more(_ count: Int) -> SafeText { "and \(count) more" }
    package static func kept(_ name: SafeText, _ share: SafeText) -> SafeText { "kept: \(name), \(share)" }

    // MARK: - Lists of failed tasks

    package static func leftOut(_ url: String) -> String { "# Left out, URL has a secret: \(url)" }
    package static func leftOutUpload(_ url: String) -> String { "# Left out, upload of standard input: \(url)" }
    package static func unwritable(_ names: [String], _ url: String) -> String {
        "# Left out, a list cannot have its \(names.joined(separator: ", ")): \(url)"
    }
    package static func unwritten(_ names: String) -> String { "# Left out: \(names)" }
}
