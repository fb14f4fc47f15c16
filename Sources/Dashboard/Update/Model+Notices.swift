import SessionSupport

extension Model {
    /// Shows a line above the footer, and in the event log.
    ///
    /// The hint after it names a key for the present moment, which means nothing in a log.
    mutating func notify(
        _ text: SafeText, hint: SafeText = .empty, isError: Bool = false, duration: Int64? = nil
    ) {
        toasts.show(
            text, hints: hint.isEmpty ? [] : [hint], isError: isError,
            duration: duration ?? (isError ? Toast.errorDuration : Toast.duration), now: now, logged: text)
        keepLogPosition(past: [LogEntry(time: now, id: nil, name: .empty, text: text, isError: isError)])
    }

    /// Reports the number of tasks a key affected, and the number it skipped.
    ///
    /// `hidden` counts the tasks it would have affected if the tab and the filter showed them.
    package mutating func report(
        _ verb: SafeText, hit: Int, skipped: Int, hidden: Int = 0, offersUndo: Bool = false
    ) {
        report(verb + " " + SafeText.tasks(hit), skipped: skipped, hidden: hidden, offersUndo: offersUndo)
    }

    /// Words for the affected tasks that are marked but not visible.
    func unseen(among ids: [UInt64]) -> SafeText {
        guard details.fullScreenID == nil, !list.marks.isEmpty, rows.shownCount < rows.count else { return "" }
        let count = ids.count { !rows.isShown($0) }
        return count > 0 ? ", " + SafeText(count) + " of them hidden" : ""
    }

    /// Reports a pause: tasks that only wait in the queue are paused there.
    mutating func reportPause(of ids: [UInt64], skipped: Int, hidden: Int = 0) {
        let held = ids.count { rows.figures(of: $0)?.state == .queued }
        let between = ids.count { rows.figures(of: $0)?.isBetweenRuns == true }
        let moving = ids.count - held - between
        let heldText = SafeText(held) + (moving > 0 ? " held in the queue" : held == 1 ? " task" : " tasks")
        let text: SafeText =
            moving > 0
            ? "Pausing " + SafeText.tasks(moving) + (held > 0 ? ", " + heldText : "")
            : held > 0
                ? "Holding " + heldText + " in the queue"
                : between > 0 ? "Pausing the repetition" : "Pausing " + SafeText.tasks(0)
        let others: SafeText = between > 0 && moving + held > 0 ? ", " + SafeText(between) + " not repeated" : ""
        let unsure = ids.count { id in rows.figures(of: id).map { $0.state == .running && $0.isHeldOpen } ?? false }
        let remark: SafeText =
            unsure == 0
            ? ""
            : " · " + (moving == 1 ? "connection" : SafeText(unsure) + (unsure == 1 ? " connection" : " connections"))
                + " kept: the server may not resume"
        report(
            text + others + unseen(among: ids), skipped: skipped, hidden: hidden, offersUndo: !ids.isEmpty,
            remark: remark)
    }

    mutating func report(
        _ sentence: SafeText, skipped: Int, hidden: Int = 0, offersUndo: Bool = false, remark: SafeText = ""
    ) {
        var text = sentence
        if skipped > 0 { text += ", " + SafeText(skipped) + " skipped" }
        if hidden > 0 { text += ", " + SafeText(hidden) + " hidden left alone" }
        notify(
            text + remark, hint: offersUndo ? " (" + keys.key(of: .undo) + " undo)" : "",
            duration: offersUndo ? Toast.undoDuration : nil)
    }

    /// Reports a row's end: a failure with its cause and the keys that help, or the response to a request sent by hand.
    mutating func announceEnd(of row: RowSnapshot) {
        let hasEnded =
            rows.figures(of: row.id).map { row.figures.hasEnded(since: $0) }
            ?? (row.state.isFinal && sentByHand.contains(row.id))
        guard hasEnded else { return }
        let isAwaited = sentByHand.remove(row.id) != nil
        if row.state == .done, isAwaited { notify(AnswerText(row: row, units: units).sentence) }
        guard row.state == .failed else { return }
        let cause = row.error ?? "no reason was given"
        // The event log has it as the transfer's own event.
        toasts.show(
            row.name + " failed: " + cause, hints: nextStep(afterFailureOf: row.id), isError: true,
            duration: Toast.errorDuration, now: now, logged: nil, about: row.id)
    }

    /// Drops messages about failures that no longer matter: the row runs again, or it has left the list.
    mutating func dropMootToasts() {
        guard frozen == nil else { return }
        toasts.drop { rows.figures(of: $0)?.state != .failed }
    }

    /// The keys to press: the selected task's keys act on the failed one only if that is selected.
    private func nextStep(afterFailureOf id: UInt64) -> [SafeText] {
        let retry = keys.key(of: .resume) + " retry"
        if details.fullScreenID == id { return [" — " + retry] }
        if details.fullScreenID != nil { return [" — " + keys.key(of: .nextFailed) + " in the list goes there"] }
        if list.cursor == id { return [" — " + retry, ", " + keys.key(of: .details) + " details"] }
        return [" — " + keys.key(of: .nextFailed) + " goes there", ", " + retry]
    }
}

/// The response to a data request in one line: `200 · 1.2 KiB · 0.18s · GET api.example/x`.
struct AnswerText {
    let row: RowSnapshot
    let units: Units

    var sentence: SafeText {
        let start = row.startedAt.flatMap { start in row.endedAt.map { $0 - start } }
        let url = row.url.string
        let address = URLScan(url).host.map { url[$0.lowerBound...] } ?? url[...]
        return [
            row.statusCode.map { SafeText($0) } ?? "no status", SizeText.long(row.received, units: units),
            start.map { DurationText.elapsed(milliseconds: $0) } ?? .empty,
            row.method + " " + SafeText(untrusted: String(address)),
        ].joined(by: " · ")
    }
}

/// Rows the user waits for: a new one is selected, and a response is reported.
extension Model {
    /// The maximum number of requests sent with one key whose responses are reported; of more, each would hide the one
    /// before.
    private static let toldAnswers = 8

    /// The new row of the form's task, which is recorded as sent by hand.
    mutating func awaitedID(among snapshots: [RowSnapshot]) -> UInt64? {
        guard let awaited,
            let row = snapshots.first(where: { awaited.isMet(by: $0) && rows.figures(of: $0.id) == nil })
        else { return nil }
        self.awaited = nil
        if row.kind == .data { sentByHand.insert(row.id) }
        return row.id
    }

    /// Selects a row that was added here, or reports it if the view hides it.
    mutating func selectNew(_ id: UInt64) {
        guard let position = rows.position(of: id) else { return tellHidden(id) }
        list.wasMoved = true
        moveCursor(to: position)
    }

    /// Reports that the view hides a new row, and which key shows it.
    private mutating func tellHidden(_ id: UInt64) {
        guard let row = rows.figures(of: id) else { return }
        let query = rows.query
        if let kind = query.tab.kind, kind != row.kind {
            return notify(
                "Added, and hidden: the tab " + query.tab.title + " does not show it",
                hint: "; " + keys.key(of: .all) + " shows all")
        }
        if query.isFiltering {
            let clearing = keys.key(of: .filter) + " " + keys.key(of: .stepBack) + " clears it"
            return notify(
                "Added, and hidden: the filter does not show it",
                hint: "; " + (query.filter.isEmpty ? keys.key(of: .states) + " shows more" : clearing))
        }
        notify("Added, and hidden: its group is folded", hint: "; " + keys.key(of: .foldAll) + " unfolds all")
    }

    /// Records that requests were sent by hand, if they are few.
    mutating func awaitAnswers(to ids: [UInt64]) {
        let requests = ids.filter { rows.figures(of: $0)?.kind == .data }
        if requests.count <= Self.toldAnswers { sentByHand.formUnion(requests) }
    }
}
