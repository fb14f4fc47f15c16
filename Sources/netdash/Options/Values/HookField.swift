/// One fact for a hook command: an environment variable, and a member of the JSON object on its standard input.
///
/// The manual page reads this table too.
enum HookField: String, Sendable, CaseIterable {
    case event, time, id, kind, method, name, url, httpStatus, path, bytes, seconds, sha256, skipped, error, errorKind
    case part, completed, failed, cancelled, paused

    /// `NETDASH_HTTP_STATUS` for `httpStatus`.
    var variable: String {
        rawValue.reduce("NETDASH_") { $0 + ($1.isUppercase ? "_" : "") + $1.uppercased() }
    }

    /// The text of the manual page.
    var meaning: String {
        switch self {
        case .event: "complete, error or all-done"
        case .time: "time of the event (RFC 3339)"
        case .id: "number of the task in this run"
        case .kind: "data, upload or download"
        case .method: "method of the request"
        case .name: "name in the list, made safe for a screen; the file itself is the path"
        case .url: "URL with secrets masked"
        case .httpStatus: "status code of the latest response"
        case .path: "absolute path of the file that was written or uploaded"
        case .bytes: "bytes of the body; for all-done, of all bodies"
        case .seconds: "duration in seconds"
        case .sha256: "digest, if one was requested and matches"
        case .skipped: "1 (true) if the file existed and nothing was transferred"
        case .error: "error message"
        case .errorKind: "kind of the error as one word, such as timedOut"
        case .part: "absolute path of the partial file that was kept"
        case .completed: "for all-done: number of completed tasks"
        case .failed: "for all-done: number of failed tasks"
        case .cancelled: "for all-done: number of cancelled tasks"
        case .paused: "for all-done: number of unfinished tasks, such as tasks paused in an earlier run"
        }
    }
}
