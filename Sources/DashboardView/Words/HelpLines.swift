import Dashboard

/// Texts of the help beside the key table.
enum HelpLines {
    static func title(_ screen: SafeText) -> SafeText { "Help: \(screen)" }
    static func title(_ screen: SafeText, _ first: Int, _ last: Int, of count: Int) -> SafeText {
        "Help: \(screen) · \(first)-\(last) of \(count)"
    }
    static func ownKeys(_ screen: SafeText) -> SafeText { "Keys of this screen: \(screen)" }
    static let typeToFilter: SafeText = "type to filter"
    static let filterSyntax: SafeText = "Filter syntax"
    static let signs: SafeText = "Signs"

    // MARK: The signs of the table

    static let barRunning: SafeText = "bar: running"
    static let barWaiting: SafeText = "bar: waiting, paused or cancelled"
    static let barFailed: SafeText = "bar: failed"
    static let barDone: SafeText = "bar: done"
    static let barUnsized: SafeText = "bar: size unknown"
    static let unsaved: SafeText = "header: list is not saved"
    static let cursor: SafeText = "selected task"
    static let mark: SafeText = "marked task"
    static let sorted: SafeText = "sorted by this column; in a frame: more lines"
    static let folded: SafeText = "group: folded, unfolded"
    static let atLeast: SafeText = "sum: at least, some sizes are unknown"
    static let possible: SafeText = "task menu: can run now"
    static let resumes: SafeText = "column RES: can resume"
    static let resumeUnknown: SafeText = "column RES: resume support unknown"
    static let restarts: SafeText = "column RES: cannot resume, restarts from zero"
    static let running: SafeText = "running"
    static let retrying: SafeText = "retrying: waiting for the next attempt"
    static let queued: SafeText = "queued: waits for a slot, its host, hours or another task"
    static let paused: SafeText = "paused, or pausing (data still in flight)"
    static let verifying: SafeText = "verifying: computing checksum"
    static let saving: SafeText = "saving: flushing to disk"
    static let failed: SafeText = "failed"
    static let done: SafeText = "done"
    static let cancelled: SafeText = "cancelled"
    static let request: SafeText = "data request"
    static let upload: SafeText = "upload"
    static let download: SafeText = "download"
}
