/// The words before a fact in the details, and facts of few words.
package enum DetailsLabels {
    package static func savedAs(_ coding: SafeText) -> SafeText { "saved as \(coding)" }
    package static let failed: SafeText = "Failed"
    package static let error: SafeText = "Error"
    package static let tried: SafeText = "Tried"
    package static let next: SafeText = "Next"
    package static let state: SafeText = "State"
    package static let status: SafeText = "Status"
    package static let file: SafeText = "File"
    /// Behind the path of a download while others of that name run.
    package static let nameSettledAtEnd: SafeText = "or with a number, settled at the end"
    package static let progress: SafeText = "Progress"
    package static let took: SafeText = "Took"
    package static let resume: SafeText = "Resume"
    package static let peer: SafeText = "Peer"
    package static let limit: SafeText = "Limit"
    package static let verify: SafeText = "Verify"
    package static let repeats: SafeText = "Repeat"
    package static let latency: SafeText = "Latency"
    package static let retries: SafeText = "Retries"
    package static let log: SafeText = "Log"

    // MARK: Messages

    package static let request: SafeText = "Request"
    package static let response: SafeText = "Response"
    package static let responseBefore: SafeText = "Response (previous run)"
    package static let earlierResponse: SafeText = "Previous response"
    package static let noResponse: SafeText = "No response yet"
    package static func requestBody(_ summary: SafeText) -> SafeText { "Request body: \(summary)" }
    package static func host(_ host: SafeText) -> SafeText { "Host: \(host)" }
    package static func header(_ name: SafeText, _ value: SafeText) -> SafeText { "\(name): \(value)" }
    package static func from(_ path: SafeText) -> SafeText { "from \(path)" }
    package static func to(_ path: SafeText) -> SafeText { "→ \(path)" }
    package static func status(_ status: SafeText, from url: SafeText) -> SafeText { "\(status) from \(url)" }
    package static func moreLines(_ count: Int) -> SafeText { "… \(count) more lines" }
    package static func secret(_ key: SafeText) -> SafeText { "•••  (\(key) shows it)" }

    // MARK: The connection

    package static let local: SafeText = "Local"
    package static let hostName: SafeText = "Host"
    package static let version: SafeText = "Protocol"
    package static let tls: SafeText = "TLS"
    package static let reused: SafeText = "Reused"
    package static let redirects: SafeText = "Redirects"
    package static let before: SafeText = "Before"
    package static let yes: SafeText = "yes"
    package static let no: SafeText = "no"
    package static let plainHTTP: SafeText = "no: plain http"
    package static let notConnected: SafeText = "not connected yet"
    package static let reusedConnection: SafeText = "reused"

    // MARK: What can be resumed

    package static let resumable: SafeText = "Resumable"
    package static let reason: SafeText = "Reason"
    package static let secrets: SafeText = "Secrets"
    package static let ranges: SafeText = "Ranges"
    package static let validator: SafeText = "Validator"
    package static let kept: SafeText = "Kept"
    package static let resumed: SafeText = "Resumed"
    package static let arrived: SafeText = "Arrived"
    package static let offset: SafeText = "Offset"
    package static let body: SafeText = "Body"
    package static let sendAgain: SafeText = "Send again"
    package static let notResumable: SafeText = "no, restarts from zero"
    package static let notNeeded: SafeText = "not needed, file complete"
    package static let accepted: SafeText = "accepted"
    package static let notAccepted: SafeText = "not accepted"
    package static let unknown: SafeText = "unknown"
    package static let unknownBeforeResponse: SafeText = "unknown before a response"
    package static let unknownWhilePaused: SafeText = "unknown: pause keeps the connection"
    package static func confirmed(_ size: SafeText) -> SafeText { "\(size), server confirmed" }
    package static let noOffset: SafeText = "none reported by the server"
    package static let rangesWork: SafeText = "ranges ok"
    package static let rangesFail: SafeText = "no ranges"
    package static func resumedAt(_ size: SafeText) -> SafeText { "resumed at \(size)" }

    // MARK: Numbers

    package static func part(_ size: SafeText, of total: SafeText) -> SafeText { "\(size) of \(total)" }
    package static func range(_ start: SafeText, _ end: SafeText) -> SafeText { "\(start) to \(end)" }
    package static func average(_ rate: SafeText) -> SafeText { "average \(rate)" }
    package static func retries(_ count: Int32, of limit: Int32) -> SafeText { "\(count) of \(limit)" }
    package static func priority(_ word: SafeText) -> SafeText { "priority \(word)" }
    package static func perSecond(_ size: SafeText) -> SafeText { "\(size)/s" }
    package static let off: SafeText = "off"
    package static func every(_ seconds: Int, _ key: SafeText) -> SafeText { "every \(seconds) s (\(key) to change)" }
    package static func everyPaused(_ seconds: Int, _ key: SafeText) -> SafeText {
        "every \(seconds) s, paused, \(key) to change"
    }
    package static func latency(_ last: Int, least: Int, most: Int, runs: Int) -> SafeText {
        "\(last) ms, \(least) to \(most), \(runs) runs"
    }

    // MARK: Times

    package static let noTiming: SafeText = "No response yet"
    package static let phases: SafeText = "Phase timing (ms)"
    package static let attempts: SafeText = "Attempts (ms)"
    package static func attempt(_ number: Int) -> SafeText { "attempt \(number)" }
    package static let total: SafeText = "total"
    package static let queue: SafeText = "queue"
    package static let dns: SafeText = "dns"
    package static let connect: SafeText = "connect"
    package static let secure: SafeText = "tls"
    package static let sending: SafeText = "request"
    package static let wait: SafeText = "wait"
    package static let receiving: SafeText = "body"
    package static func step(_ name: SafeText, _ milliseconds: Int) -> SafeText { "\(name) \(milliseconds)" }
    package static func milliseconds(_ steps: SafeText) -> SafeText { "\(steps) ms" }

    // MARK: Connections and mirrors

    package static func numbered(_ number: Int) -> SafeText { "\(number):" }
    package static func mirrors(_ count: Int) -> SafeText { "\(count) mirrors" }
    package static func dropped(_ reason: SafeText) -> SafeText { "dropped: \(reason)" }
    package static let notVerified: SafeText = "not verified yet"
    package static let verifying: SafeText = "verifying"
    package static let ready: SafeText = "ready"
    package static let noConnection: SafeText = "No connection now"
    package static func connections(_ count: Int) -> SafeText { "\(count, "connection", "connections")" }
    package static func mirror(_ number: Int) -> SafeText { "mirror \(number)" }
    package static func unassigned(_ size: SafeText) -> SafeText { "\(size) unassigned" }
}

/// Longer texts of the details.
package enum DetailsLines {
    package static func retrying(_ time: SafeText) -> SafeText { "retrying \(time)" }
    package static let retrying: SafeText = "retrying"
    package static func pausing(_ size: SafeText) -> SafeText { "pausing, \(size) in flight" }
    package static let undecided: SafeText = "paused: file exists"
    package static let pausedUnsure: SafeText = "paused; resume support unknown"
    package static func awaitingResponse(_ seconds: Int64) -> SafeText { "waiting for a response, \(seconds)s" }
    package static func noResponseYet(last: SafeText) -> SafeText { "no response yet · last: \(last)" }

    package static func attempts(_ count: Int) -> SafeText { "\(count, "attempt", "attempts")" }
    package static let notRetried: SafeText = "1 attempt, 4xx is not retried automatically"

    package static let nothingLogged: SafeText = "No events yet"
    package static let noSpeed: SafeText = "No speed data yet"
    package static let noRecentSpeed: SafeText = "No recent speed data"

    // MARK: A body that is not shown

    package static func noFile(_ view: SafeText) -> SafeText { "No file yet; \(view) opens it when complete" }
    package static func fileInPager(_ view: SafeText) -> SafeText { "\(view) opens the file in your pager" }
    package static func bodyDropped(_ resume: SafeText) -> SafeText {
        "Body dropped to save memory · \(resume) repeat the request"
    }
    package static func bodyNotKept(_ resume: SafeText) -> SafeText { "Body not kept · \(resume) repeat the request" }
    package static let noBodyYet: SafeText = "No body yet"
    package static let noResponseBody: SafeText = "The request got no response"
    package static let emptyBody: SafeText = "The response has no body"
    package static func bodySaved(_ path: SafeText) -> SafeText { "Body saved to \(path)" }
}

/// Next steps for a task, by their keys.
package enum DetailsHints {
    package static let retry: SafeText = "retry"
    package static func retry(_ count: SafeText) -> SafeText { "retry \(count)" }
    package static func at(_ retry: SafeText, _ time: SafeText) -> SafeText { "\(retry) \(time)" }
    package static func when(_ host: SafeText) -> SafeText { "when \(host) answers" }
    package static func attemptRunning(_ number: Int32) -> SafeText { "attempt \(number) running" }
    package static let queuedForRetry: SafeText = "queued for retry"
    package static let flushing: SafeText = "flushing to disk, then renamed"
    package static let nothingToDo: SafeText = "nothing to do"

    package static func retry(key: SafeText) -> SafeText { "\(key) retry" }
    package static func retryRefused(_ key: SafeText) -> SafeText { "\(key) retry (the server refused it)" }
    package static func resume(_ key: SafeText) -> SafeText { "\(key) resume" }
    package static func decide(_ key: SafeText) -> SafeText { "\(key) keep both, overwrite or skip" }
    package static func resumeOrRestart(_ key: SafeText) -> SafeText { "\(key) resume if supported, else restart" }
    package static func restart(_ key: SafeText) -> SafeText { "\(key) restart" }
    package static func downloadAgain(_ key: SafeText) -> SafeText { "\(key) download again" }
    package static func sendAgain(_ key: SafeText) -> SafeText { "\(key) send again" }
    package static func newURL(_ key: SafeText) -> SafeText { "\(key) new URL" }
    package static func enterLinkAgain(_ key: SafeText) -> SafeText { "\(key) enter the link again" }
    package static func retypeSecrets(_ key: SafeText) -> SafeText { "\(key) retype the secrets not saved" }
    package static func edit(_ key: SafeText) -> SafeText { "\(key) edit and retry" }
    package static func edit(_ key: SafeText, with option: SafeText) -> SafeText {
        "\(key) edit and retry, e.g. \(option) under Extra"
    }
    package static func editChecksum(_ key: SafeText) -> SafeText {
        "\(key) edit the checksum: the kept file is compared"
    }

    package static func foldJSON(_ key: SafeText) -> SafeText { "\(key) fold" }
    package static func jsonPath(_ key: SafeText) -> SafeText { "\(key) path" }
}
