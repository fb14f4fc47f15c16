/// Lines about tasks that wait, and about the archive.
enum QueueLines {
    static func archiveFailed(_ path: String, reason: String) -> String {
        "cannot use the archive \(path): \(reason)"
    }

    static func waits(until moment: String) -> String { "queued until \(moment)" }

    static func waits(for name: String) -> String { "queued after \(name)" }
    static func waits(forLost name: String) -> String {
        "queued after \(name), which ended with an earlier run; add that again, or start this one now"
    }
}
