/// Tasks and sessions that ended, and calls that came too late.
enum TaskErrors {
    static let cancelled = "Transfer cancelled"
    static let callCancelled = "Call cancelled"
    static let forsaken = "Suspended transfer was released by everything that could resume it"
    static let invalidated = "Session was invalidated"
    static let noReason = "Transfer ended without a reason"
    static func notStored(_ id: String) -> String { "Stored transfer \(id) does not exist or already has a task" }
    static let secretsNotStored = "Secrets of the request were not stored; give the full request again"
    static let wrongBody = "Response to a download was taken for another body"
    static func watchedPort(_ text: String) -> String {
        "Host to watch must be a name or an address without a port: \(text)"
    }
    static let watchedHost = "Host name to watch must have up to 253 letters without spaces or slashes"
    static func notAnAddress(_ text: String) -> String { "\(text) is not a numeric address" }
}

/// Lines of a session's log.
enum MonitorLog {
    static func restarted(_ reason: String) -> String { "restarted from zero: \(reason)" }
    static func retrying(_ attempt: Int, milliseconds: Int64, _ reason: String) -> String {
        "retry \(attempt) in \(milliseconds) ms: \(reason)"
    }
    static func tookBack(_ bytes: Int64, _ url: String, _ reason: String) -> String {
        "fetching \(bytes) bytes of \(url) again: \(reason)"
    }
    static func mirrorDropped(_ url: String, _ reason: String) -> String { "dropped mirror \(url): \(reason)" }
    static func mirrorChanged(_ earlier: String, _ reason: String, to url: String) -> String {
        "switched from mirror \(earlier) (\(reason)) to \(url)"
    }
    static func resumed(_ request: String) -> String { "\(request) resumed" }
    static let suspended = "suspended"
    static func answered(_ status: Int, _ url: String) -> String { "response \(status) from \(url)" }
    static func resumedAt(_ offset: Int64) -> String { "resumed at byte \(offset)" }
    static func ended(received: Int64, sent: Int64) -> String { "ended, \(received) bytes received, \(sent) sent" }
    static func failed(received: Int64, sent: Int64, _ reason: String) -> String {
        "failed, \(received) bytes received, \(sent) sent: \(reason)"
    }
}
