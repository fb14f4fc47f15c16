import SessionSupport

extension Model {
    /// Shows a line above the footer, and in the event log.
    ///
    /// The hint after it names a key for the present moment, which means nothing in a log.
    mutating func notify(
        _ text: SafeText, hint: SafeText = .empty, isError: Bool = false, isAnswer: Bool = false,
        duration: Int64? = nil
    ) {
        toasts.show(
            text, hints: hint.isEmpty ? [] : [hint], isError: isError, isAnswer: isAnswer,
            duration: duration ?? (isError ? Toast.errorDuration : Toast.duration), now: now, logged: text)
        keepLogPosition(past: [LogEntry(time: now, id: nil, name: .empty, text: text, isError: isError)])
    }

    /// Words for the affected tasks that are marked but not visible.
    func unseen(among ids: [UInt64]) -> SafeText {
        guard details.fullScreenID == nil, !list.marks.isEmpty, rows.shownCount < rows.count else { return "" }
        let count = ids.count { !rows.isShown($0) }
        return count > 0 ? TaskToasts.hiddenHit(count) : ""
    }

    /// Reports a pause; repetitions that only wait for their next run are not counted as paused tasks.
    mutating func reportPause(of ids: [UInt64], skipped: Int, hidden: Int = 0) {
        let areRepetitions = !ids.isEmpty && ids.allSatisfy { rows.figures(of: $0)?.isBetweenRuns == true }
        let unsure = ids.count { id in
            rows.figures(of: id).map { $0.state == .running && $0.keepsConnectionOpen } ?? false
        }
        report(
            areRepetitions ? TaskToasts.repetitionsPaused(ids.count) : TaskToasts.paused(ids.count),
            unseen(among: ids), skipped: skipped, hidden: hidden,
            remark: unsure > 0 ? TaskToasts.connectionsKept(unsure) : "", offersUndo: !ids.isEmpty)
    }

    /// Reports the number of tasks a key affected, and the number it skipped.
    ///
    /// `hidden` counts the tasks it would have affected if the tab and the filter showed them.
    package mutating func report(
        _ done: SafeText, _ more: SafeText = "", skipped: Int = 0, hidden: Int = 0, remark: SafeText = "",
        offersUndo: Bool = false
    ) {
        let parts = [
            done, more, skipped > 0 ? TaskToasts.skipped(skipped) : "",
            hidden > 0 ? TaskToasts.hiddenKept(hidden) : "", remark,
        ]
        notify(
            parts.joined(by: ", "), hint: offersUndo ? ToastHints.undo(keys.key(of: .undo)) : "",
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
        let cause = row.error ?? TaskErrors.unknownCause
        // The event log has it as the transfer's own event.
        toasts.show(
            TaskErrors.failed(row.name, cause), hints: nextStep(afterFailureOf: row.id), isError: true,
            duration: Toast.errorDuration, now: now, logged: nil, about: row.id)
    }

    /// Drops messages about failures that no longer matter: the row runs again, or it has left the list.
    mutating func dropMootToasts() {
        guard frozen == nil else { return }
        toasts.drop { rows.figures(of: $0)?.state != .failed }
    }

    /// The keys to press: the selected task's keys act on the failed one only if that is selected.
    private func nextStep(afterFailureOf id: UInt64) -> [SafeText] {
        let retry = ToastHints.retry(keys.key(of: .resume))
        let next = keys.key(of: .nextFailed)
        if details.fullScreenID == id { return [retry] }
        if details.fullScreenID != nil { return [ToastHints.backAndSelect(keys.key(of: .back), next)] }
        if list.cursor == id { return [retry, ToastHints.details(keys.key(of: .details))] }
        return [ToastHints.select(next), ToastHints.thenRetry(keys.key(of: .resume))]
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
            row.statusCode.map { SafeText($0) } ?? TaskErrors.noStatus, SizeText.long(row.received, units: units),
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

    /// Records that requests were sent by hand, if they are few.
    mutating func awaitAnswers(to ids: [UInt64]) {
        let requests = ids.filter { rows.figures(of: $0)?.kind == .data }
        if requests.count <= Self.toldAnswers { sentByHand.formUnion(requests) }
    }
}

/// Commands without an answer.
extension Model {
    /// Tells that the service has given no answer to a command, and takes back what was shown as done.
    mutating func accept(silenceAbout command: TransferCommand) {
        switch command {
        case .add(let jobs):
            awaited = nil
            _ = toasts.takeBack(TaskToasts.added(jobs.count))
            reopen(jobs, of: 0, because: TaskToasts.additionUnanswered)
        case .replace(let id, let job, _):
            reopen([job], of: id, because: TaskToasts.editUnanswered)
        case .remove(let ids, _):
            for id in ids { endPlans[id] = nil }
            _ = rows.bringBack(ids, rates: rates, now: now)
            rates.sum(rows: rows, now: now)
            notify(TaskToasts.unanswered, isError: true)
        case .cancel(let ids, _):
            for id in ids where endPlans[id] == .ends { endPlans[id] = nil }
            notify(TaskToasts.unanswered, isError: true)
        case .restore(let ids):
            // Without it the rows would be forgotten with the connection, which the service may still bring back.
            _ = undo.add(.removed(ids, StoppedTasks()))
            notify(TaskToasts.unanswered, isError: true)
        // Rows show what has become of the others.
        default: notify(TaskToasts.unanswered, isError: true)
        }
    }

    /// Opens the form of a task again, unless the user has gone on to something else, or there are several.
    private mutating func reopen(_ jobs: [Job], of id: UInt64, because sentence: SafeText) {
        // A form that opens by itself must not take the keys that are meant for the list.
        let isAtRest = keyedAt.map { now - $0 >= Question.rest } ?? true
        if overlay == nil, isAtRest, jobs.count == 1, let job = jobs.first {
            return edit(job, of: id, problem: sentence)
        }
        undo.takeBack(id == 0 ? reasonAfterAdding : reasonAfterEditing)
        for saved in TaskToasts.allSaved { toasts.withdraw(saved) }
        notify(sentence, isError: true)
        guard case .addForm(var form) = overlay, form.added != nil else { return }
        (form.added, form.problem, form.problemField) = (nil, sentence, nil)
        overlay = .addForm(form)
    }
}
