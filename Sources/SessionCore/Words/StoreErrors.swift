import SessionSupport

/// Saved sessions that cannot be opened or written.
enum StoreErrors {
    static let identifier =
        "Session identifier must be 1 to 64 letters, digits, dots, dashes or underscores, with no dot in front"
    static func notPlain(_ path: String) -> String { "Saved session \(path) is not a regular file of this user" }
    static func tooManyCopies(_ path: String) -> String { "Too many corrupt copies of \(path) in its folder" }
    static let noHome = "No folder for saved sessions: HOME and XDG_STATE_HOME are unset"
    static func onNetwork(_ path: String) -> String {
        "Folder of the saved session is on a network file system; use a local one: \(path)"
    }
    static func link(_ path: String) -> String {
        "Folder of the saved session is a symbolic link; use the folder itself: \(path)"
    }
    static func otherOwner(_ path: String) -> String {
        "Folder of the saved session belongs to another user: \(path)"
    }
    static func open(_ path: String) -> String {
        "Folder of the saved session is open to other users; chmod 700 \(path)"
    }
    static func inUseHere(_ name: String) -> String {
        "Session \(name) is in use by another manager of this process; close that one first"
    }
    static func inUse(_ name: String) -> String { "Session \(name) is in use by another program" }
    static func inUse(_ name: String, process: Int32) -> String {
        "Session \(name) is in use by another program (process \(process))"
    }
    static func unusable(_ path: String, _ reason: String) -> String { "Cannot use saved session \(path): \(reason)" }
    static let closed = "Saved session was closed"
    static func salvaged(_ reason: String, _ result: String, backup: String) -> String {
        "Session file corrupt (\(reason)): \(result); backup in \(backup)"
    }
    static func bodyTooLarge(_ limit: Int) -> String {
        "A body over \(SizeWords.text(Int64(limit))) must come from a file to be saved for a later run"
    }
    static let notReadable = "Invalid URL or file name, which no later run could read"
    static let bodyOfPieces = "A body of several pieces cannot be saved for a later run"
    static let bodyOfStream = "A body from a stream cannot be saved for a later run"
}

/// Errors in the file of a saved session.
enum StoreReasons {
    static let noLog = "folder does not allow a write-ahead log"
    static let otherFile = "not a saved session"
    static let otherVersion = "written by another version of this program"
    static let missing = "file missing"
    static let empty = "file empty"
    static func changesMissing(_ count: Int64) -> String { "last \(count, "change", "changes") missing" }
    static let endsInPage = "file ends inside a page"
    static let headChanged = "file header changed"
    static let noCommits = "count of commits missing"
    static func otherCount(_ count: Int64, expected: Int64) -> String {
        "\(count, "transfer", "transfers"), expected \(expected)"
    }
    static let noResult = "integrity check gave no result"
    static func rowsChanged(_ count: Int) -> String { "\(count, "transfer", "transfers") altered" }
    static func figuresChanged(_ count: Int) -> String { "figures of \(count, "transfer", "transfers") altered" }
    static let noMemory = "out of memory"
    static func unreadableRows(_ count: Int) -> String { "\(count, "transfer", "transfers") cannot be read" }
    static let emptyStatement = "empty statement"
    static let moved = "file moved or removed while open"
    static let closed = "store closed"

    // MARK: - Recovery

    static func restored(_ count: Int) -> String { "\(count, "transfer", "transfers") recovered" }
    static func restored(_ count: Int, lost: [String]) -> String {
        "\(count, "transfer", "transfers") recovered, \(lost.joined(separator: " and ")) lost"
    }
    static func lostRows(_ count: Int) -> String { "\(count, "transfer", "transfers")" }
    static func lostRow(_ id: Int64, _ url: String?) -> String { url.map { "\(id) \($0)" } ?? "\(id)" }
    /// The first of the lost transfers; a line has no room for all.
    static func named(_ rows: [String]) -> String {
        rows.isEmpty ? "" : ": " + (rows.prefix(5) + (rows.count > 5 ? ["…"] : [])).joined(separator: ", ")
    }
    static func lostPages(_ count: Int) -> String { "\(count, "page", "pages") of transfers" }
}
