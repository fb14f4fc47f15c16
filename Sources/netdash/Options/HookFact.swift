/// One fact for a hook command: an environment variable, and a member of the JSON object on its standard input.
///
/// The manual page reads this table too.
enum HookFact: String, Sendable, CaseIterable {
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
        case .time: "the moment, as RFC 3339 has it"
        case .id: "the number of the task in this run"
        case .kind: "data, upload or download"
        case .method: "the method of the request"
        case .name: "the name in the dashboard's list, made fit for a screen; the file itself is the path"
        case .url: "the URL, with stars for its secrets"
        case .httpStatus: "the status code of the latest answer"
        case .path: "the whole path of the file that was written, or that was uploaded"
        case .bytes: "bytes of the body; of all bodies at the end of all"
        case .seconds: "how long it took"
        case .sha256: "the digest, when it was asked for and matches"
        case .skipped: "1 (true) when the file was there already and nothing was transferred"
        case .error: "one sentence on what went wrong"
        case .errorKind: "the same as one word, such as timedOut"
        case .part: "the whole path of the part that was kept"
        case .completed: "at the end of all: tasks that were completed"
        case .failed: "at the end of all: tasks that failed"
        case .cancelled: "at the end of all: tasks that were cancelled"
        case .paused: "at the end of all: tasks that have not ended, such as those paused since an earlier run"
        }
    }
}
