import Dashboard

/// Lines of a dry run: what would become of each task.
enum PreviewLines {
    static let downloads: SafeText = "download"
    static func resumes(at bytes: SafeText) -> SafeText { "resume at \(bytes)" }
    static let numbers: SafeText = "download under a new name, the file exists"
    static let replaces: SafeText = "replace the file"
    static let refreshes: SafeText = "replace the file if the server has a newer one"
    static let compares: SafeText = "skip if the file is the same, else number"
    static let asks: SafeText = "ask, file already exists"
    static let skips: SafeText = "skip, file already exists"
    static let archived: SafeText = "skip, already in the archive"
    static let repeated: SafeText = "skip, same download as an earlier line"
    static let paused: SafeText = "paused"
    static let uploads: SafeText = "upload"
    static func requests(_ method: SafeText) -> SafeText { "request \(method)" }
    static func fails(_ reason: SafeText) -> SafeText { "fails: \(reason)" }

    static let unknownSize: SafeText = "unknown size"
    static let standardOutput: SafeText = "standard output"

    static func line(_ action: SafeText, _ url: SafeText) -> SafeText { "\(action): \(url)" }
    static func after(_ tasks: SafeText, _ action: SafeText) -> SafeText { "\(action) after \(tasks)" }
    static func to(_ path: SafeText, _ line: SafeText) -> SafeText { "\(line) to \(path)" }
    static func from(_ path: SafeText, _ line: SafeText) -> SafeText { "\(line) from \(path)" }
    static func size(_ size: SafeText, _ line: SafeText) -> SafeText { "\(line), \(size)" }

    // MARK: - The end

    static func transfers(_ count: Int) -> SafeText { "\(count) to transfer" }
    static func sum(_ bytes: Int64) -> SafeText { "\(SizeText.long(bytes))" }
    static func unsized(_ count: Int) -> SafeText { "\(count) of unknown size" }
    static func paused(_ count: Int) -> SafeText { "\(count) paused" }
    static func skipped(_ count: Int) -> SafeText { "\(count) skipped" }
    static func failed(_ count: Int) -> SafeText { "\(count) would fail" }
}
