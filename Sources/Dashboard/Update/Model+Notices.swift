import SessionSupport

extension Model {
    /// Shows a line above the footer, and in the event log.
    ///
    /// The hint behind it names a key of this moment, which means nothing in a log.
    mutating func notify(
        _ text: SafeText, hint: SafeText = .empty, isError: Bool = false, duration: Int64? = nil
    ) {
        toasts.show(
            text, hints: hint.isEmpty ? [] : [hint], isError: isError,
            duration: duration ?? (isError ? Toast.errorDuration : Toast.duration), now: now, logged: text)
        keepLogPosition(past: [LogEntry(time: now, id: nil, name: .empty, text: text, isError: isError)])
    }

    /// Words for those of the tasks that a key hits which are marked and that the view does not show.
    func unseen(among ids: [UInt64]) -> SafeText {
        guard details.fullScreenID == nil, !list.marks.isEmpty, rows.shownCount < rows.count else { return "" }
        let count = ids.count { !rows.isShown($0) }
        return count > 0 ? TaskToasts.hiddenHit(count) : ""
    }

    /// Says what a pause does: repetitions that only wait for their next run are no tasks that stop.
    mutating func reportPause(of ids: [UInt64], skipped: Int, hidden: Int = 0) {
        let areRepetitions = !ids.isEmpty && ids.allSatisfy { rows.figures(of: $0)?.isBetweenRuns == true }
        let unsure = ids.count { id in rows.figures(of: id).map { $0.state == .running && $0.isHeldOpen } ?? false }
        report(
            areRepetitions ? TaskToasts.repetitionsPaused(ids.count) : TaskToasts.paused(ids.count),
            unseen(among: ids), skipped: skipped, hidden: hidden,
            remark: unsure > 0 ? TaskToasts.connectionsKept(unsure) : "", offersUndo: !ids.isEmpty)
    }

    /// Says what a key has done to how many tasks, and how many it passed over.
    ///
    /// `hidden` are those that it would have hit if the tab and the filter showed them.
    package mutating func report(
        _ done: SafeText, _ more: SafeText = "", skipped: Int = 0, hidden: Int = 0, remark: SafeText = "",
        offersUndo: Bool = false
    ) {
        let facts = [
            done, more, skipped > 0 ? TaskToasts.skipped(skipped) : "",
            hidden > 0 ? TaskToasts.hiddenKept(hidden) : "", remark,
        ]
        notify(
            facts.joined(by: ", "), hint: offersUndo ? ToastHints.undo(keys.key(of: .undo)) : "",
            duration: offersUndo ? Toast.undoDuration : nil)
    }

    /// Says what became of a row that has ended: that it failed, why, and what can be done about it, or what the answer to
    /// a request was that somebody has sent by hand.
    mutating func announceEnd(of row: RowSnapshot) {
        let hasEnded =
            rows.figures(of: row.id).map { row.figures.hasEnded(since: $0) }
            ?? (row.state.isFinal && sentByHand.contains(row.id))
        guard hasEnded else { return }
        let isAwaited = sentByHand.remove(row.id) != nil
        if row.state == .done, isAwaited { notify(AnswerText(row: row, units: units).sentence) }
        guard row.state == .failed else { return }
        let cause = row.error ?? TaskErrors.unknownCause
        // The event log has it as the transfer's own event.
        toasts.show(
            TaskErrors.failed(row.name, cause), hints: nextStep(afterFailureOf: row.id), isError: true,
            duration: Toast.errorDuration, now: now, logged: nil, about: row.id)
    }

    /// Drops what was said about failures that are over: the row runs again, or it has left the list.
    mutating func dropMootToasts() {
        guard frozen == nil else { return }
        toasts.drop { rows.figures(of: $0)?.state != .failed }
    }

    /// The keys to press: those of the selected task act on the failed one only when that is selected.
    private func nextStep(afterFailureOf id: UInt64) -> [SafeText] {
        let retry = ToastHints.retry(keys.key(of: .resume))
        let next = keys.key(of: .nextFailed)
        if details.fullScreenID == id { return [retry] }
        if details.fullScreenID != nil { return [ToastHints.backAndSelect(keys.key(of: .back), next)] }
        if list.cursor == id { return [retry, ToastHints.details(keys.key(of: .details))] }
        return [ToastHints.select(next), ToastHints.thenRetry(keys.key(of: .resume))]
    }
}

/// The answer to a data request in one line: `200 · 1.2 KiB · 0.18s · GET api.example/x`.
struct AnswerText {
    let row: RowSnapshot
    let units: Units

    var sentence: SafeText {
        let start = row.startedAt.flatMap { start in row.endedAt.map { $0 - start } }
        let url = row.url.string
        let address = URLScan(url).host.map { url[$0.lowerBound...] } ?? url[...]
        return [
            row.statusCode.map { SafeText($0) } ?? TaskErrors.noStatus, SizeText.long(row.received, units: units),
            start.map { DurationText.elapsed(milliseconds: $0) } ?? .empty,
            row.method + " " + SafeText(untrusted: String(address)),
        ].joined(by: " · ")
    }
}

/// What happens to rows that somebody waits for: a new one is selected, and an answer is told.
extension Model {
    /// Requests sent with one key whose answers are told; of more, each would hide the one before.
    private static let toldAnswers = 8

    /// The new row that the form's task has got, which is remembered as sent by hand.
    mutating func awaitedID(among snapshots: [RowSnapshot]) -> UInt64? {
        guard let awaited,
            let row = snapshots.first(where: { awaited.isMet(by: $0) && rows.figures(of: $0.id) == nil })
        else { return nil }
        self.awaited = nil
        if row.kind == .data { sentByHand.insert(row.id) }
        return row.id
    }

    /// Selects a row that was added here; of one that the view does not show it is said that it is there.
    mutating func selectNew(_ id: UInt64) {
        guard let position = rows.position(of: id) else { return tellHidden(id) }
        list.wasMoved = true
        moveCursor(to: position)
    }

    /// Says that a new row is there although the view hides it, and which key shows it.
    private mutating func tellHidden(_ id: UInt64) {
        guard let row = rows.figures(of: id) else { return }
        let query = rows.query
        if let kind = query.tab.kind, kind != row.kind {
            return notify(
                ViewToasts.addedBehindTab(query.tab.title), hint: ToastHints.showAll(keys.key(of: .all)))
        }
        if query.isFiltering {
            let clearing = ToastHints.clearFilter(keys.key(of: .filter), keys.key(of: .stepBack))
            return notify(
                ViewToasts.addedBehindFilter,
                hint: query.filter.isEmpty ? ToastHints.states(keys.key(of: .states)) : clearing)
        }
        notify(ViewToasts.addedInFoldedGroup, hint: ToastHints.unfoldAll(keys.key(of: .foldAll)))
    }

    /// Remembers that requests are sent by hand, as long as they are few.
    mutating func awaitAnswers(to ids: [UInt64]) {
        let requests = ids.filter { rows.figures(of: $0)?.kind == .data }
        if requests.count <= Self.toldAnswers { sentByHand.formUnion(requests) }
    }
}
