import Dashboard
import TransferService

/// The answers to typed commands: words instead of symbols, one fact after the other, most important first.
enum InteractiveText {
    static let help: [SafeText] = [
        "list: every task with its number, state and progress",
        "pause NUMBER, resume NUMBER: several numbers or all may follow; resume also tries failed tasks again",
        "cancel NUMBER: end a task and keep its bytes for a later resume",
        "delete NUMBER: end a task and delete its bytes",
        "add URL: download something",
        "upload FILE URL: send a file; method=POST and other keys of input lists may follow",
        "request URL: send a request; method=POST, body=TEXT, header='Name: value' and other keys may follow",
        "body NUMBER: print the body that a request has brought",
        "edit NUMBER KEY=VALUE: change a task, as with url=, out=, checksum= or header=; it starts again",
        "limit RATE: limit downloads, as with 2M or off; limit RATE RATE: uploads too; limit: how they are limited",
        "limit task NUMBER RATE: limit one task; without a rate it goes as the others",
        "undo: take the last step back, then the one before",
        "status: how everything stands; status NUMBER: one task",
        "clear: remove the tasks that have ended from the list; files stay",
        "quit: leave; bytes are kept",
    ]

    static func line(of row: RowSnapshot) -> SafeText {
        var parts: [SafeText] = [SafeText(row.id), row.kind.word, state(row)]
        if row.state != .done, row.moved > 0 || row.expected != nil { parts.append(progress(row)) }
        return parts.joined(by: ", ") + ": " + row.url
    }

    /// Describes one task in the lines that are worth hearing.
    static func details(of row: RowSnapshot) -> [SafeText] {
        var lines = [line(of: row)]
        if let error = row.error { lines.append("  reason: " + error) }
        if let path = row.path { lines.append("  file: " + path) }
        if let status = row.statusCode { lines.append("  response: " + SafeText(status)) }
        if !row.state.isFinal {
            let prospect: SafeText =
                switch row.continuation {
                case .yes: "  can be continued after a stop"
                case .unknown: "  may start again after a stop: the server does not say that it continues files"
                case .no: "  would start again after a stop"
                }
            lines.append(prospect)
        }
        return lines
    }

    /// The number of tasks in each state.
    static func status(of rows: [RowSnapshot]) -> SafeText {
        guard !rows.isEmpty else { return "There is no task; add URL adds one" }
        let counts = RowState.allCases.compactMap { state -> SafeText? in
            let count = rows.count { $0.state == state }
            return count > 0 ? SafeText(count) + " " + word(state) : nil
        }
        let moved = rows.reduce(Int64(0)) { $0 + $1.moved }
        return counts.joined(by: ", ") + "; " + SizeText.long(moved) + " so far"
    }

    /// The body of a task's response below a heading, or why it has none.
    static func body(of row: RowSnapshot, _ details: RowDetails) -> [SafeText] {
        let task = "task " + SafeText(row.id)
        if !details.body.lines.isEmpty {
            return ["Body of " + task + ", " + details.body.summary] + details.body.lines + ["End of the body"]
        }
        if details.bodyWasDropped { return ["The body of " + task + " was discarded to make room for newer ones"] }
        if row.kind == .download { return ["Task " + SafeText(row.id) + " is a download; its body is a file"] }
        if row.kind == .data, let path = row.path { return ["The body of " + task + " is in " + path] }
        return ["There is no body of " + task + (row.state.isFinal ? "" : " yet")]
    }

    /// The rate limits in force.
    static func limits(_ plan: RatePlan) -> SafeText {
        "Downloads: " + SafeText(untrusted: plan.download.words) + ". Uploads: "
            + SafeText(untrusted: plan.upload.words)
    }

    static func limits(_ rates: TaskRates?) -> SafeText {
        guard let rates, rates != TaskRates() else { return "limited as the others" }
        func words(_ own: OwnRate?) -> SafeText {
            guard let own else { return " as the others" }
            return own.rate.map { " at most " + SafeText(untrusted: RateSchedule.words(of: $0)) } ?? " without a limit"
        }
        return "receives" + words(rates.download) + ", sends" + words(rates.upload)
    }

    // MARK: - Words

    private static func progress(_ row: RowSnapshot) -> SafeText {
        guard let expected = row.expected else { return SizeText.long(row.moved) }
        let amount = SizeText.long(row.moved) + " of " + SizeText.long(expected)
        return PercentText.whole(row.moved, of: expected).map { $0 + ", " + amount } ?? amount
    }

    private static func state(_ row: RowSnapshot) -> SafeText {
        guard row.state == .failed, let status = row.statusCode, status >= 400 else { return word(row.state) }
        return word(row.state) + " with " + SafeText(status)
    }

    private static func word(_ state: RowState) -> SafeText {
        switch state {
        case .running: "running"
        case .retrying: "waiting to try again"
        case .queued: "waiting"
        case .pausing: "pausing"
        case .paused: "paused"
        case .verifying: "checking"
        case .saving: "saving"
        case .failed: "failed"
        case .done: "completed"
        case .cancelled: "cancelled"
        }
    }
}
