import Dashboard

/// The answers to commands by line: whole words, one fact after the other, most important first.
enum InteractiveText {
    /// The list of the commands.
    static let help: [SafeText] = [
        "list: every task with its number, state and progress",
        "pause NUMBER, resume NUMBER: several numbers or all may follow; resume also tries failed tasks again",
        "cancel NUMBER: end a task and keep its bytes for a later resume",
        "delete NUMBER: end a task and delete its bytes",
        "add URL: download something",
        "status: how everything stands; status NUMBER: one task",
        "clear: remove the tasks that have ended from the list; files stay",
        "quit: leave; bytes are kept",
    ]

    /// One line of the list.
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
