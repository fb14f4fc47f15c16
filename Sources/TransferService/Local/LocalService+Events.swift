import CLinux
import SessionCore
import SessionSupport

/// Translates the library's task events into transfer events; no other code knows both vocabularies.
///
/// Called on the delegate queue, in order for each task.
extension LocalService {
    /// Handles one event of a task; drops events of tasks that a retry has replaced.
    func handle(_ event: SessionTaskEvent, of task: SessionTask) {
        switch event {
        case .resumed: recordResume(task)
        case .suspended: recordPause(task)
        case .status(let status): recordStatus(status, task)
        case .response(let head): recordResponse(head, task)
        case .restarted(let reason):
            if let id = withRow(of: task, { $1.id }) { report(id, .restarted(reason: reason)) }
        case .source(let change):
            if let id = withRow(of: task, { $1.id }) { report(id, Self.event(of: change)) }
        case .retrying(let attempt, let milliseconds, let reason):
            recordRetry(attempt, milliseconds, reason, task)
        case .completed(let completion):
            let row = withRow(of: task) { $1.ending }
            guard row?.output != nil || row?.terms != nil else { return end(row, task, completion, [:]) }
            afterBody(of: row, task, completion) { service in
                service.runPrograms(of: row, task, completion) { [weak service] outcomes in
                    service?.end(task, completion, outcomes, of: row)
                }
            }
        case .data, .moved, .moveFailed, .resumedAtOffset: break
        }
    }

    /// Reads or changes the row of a task with one lookup under the lock; nil when the task has no row any more.
    func withRow<Result>(of task: SessionTask, _ body: (inout State, RowSlot) -> Result) -> Result? {
        state.withLock { state in
            // A task that was refused may have the number of the row's current one.
            guard let slot = state.slotOfTask[task.id], slot.row.run.task === task else { return nil }
            return body(&state, slot)
        }
    }

    private static func event(of change: SourceEvent) -> TransferEvent.What {
        switch change {
        case .dropped(let url, let reason): .mirrorDropped(url: url, reason: reason)
        case .switched(let url, let earlier, let reason): .mirrorSwitched(url: url, from: earlier, reason: reason)
        case .tookBack(let url, let bytes, let reason):
            .notice(ServiceLines.fetchedAgain(SizeText.long(bytes).string, Redaction.url(url), reason))
        }
    }

    private func recordResume(_ task: SessionTask) {
        let news = withRow(of: task) { state, slot in
            (id: slot.id, isFirst: slot.row.run.recordResume(at: cl_monotonic_milliseconds()))
        }
        if let news, !news.isFirst { report(news.id, .resumed) }
    }

    private func recordPause(_ task: SessionTask) {
        let id = withRow(of: task) { state, slot in
            slot.row.run.recordPause(at: cl_monotonic_milliseconds())
            return slot.id
        }
        guard let id else { return }
        report(id, .paused)
    }

    private func recordRetry(_ attempt: Int, _ milliseconds: Int64, _ reason: String, _ task: SessionTask) {
        let news = withRow(of: task) { state, slot in
            slot.row.run.retryReason = reason
            // The retry of an attempt that ended at once may be reported before its status.
            return (id: slot.id, isStart: state.recordStart(slot))
        }
        guard let news else { return }
        if news.isStart { tellStart(news.id) }
        keepWait(milliseconds, after: task.status.statusCode, of: news.id)
        // The library does not count attempts that made progress, so its number may be zero.
        report(
            news.id, .retrying(attempt: max(attempt, 1), afterSeconds: Double(milliseconds) / 1000, reason: reason))
    }

    private func recordStatus(_ status: TaskStatus, _ task: SessionTask) {
        let hasSlot =
            switch status.phase {
            case .connecting, .running, .verifying: true
            // A wait for the host of other tasks is none for a retry.
            case .retrying: status.backoffReason == nil || status.failedAttempts > 0
            case .queued, .paused, .completed, .failed, .cancelled: false
            }
        let showsRows = observers.interest.showsRows
        let patience = stallTimeout
        let news = withRow(of: task) { state, slot in
            let isMark = slot.row.recordBeginning(status)
            slot.row.run.keepTime(in: status.phase, at: cl_monotonic_milliseconds())
            return (
                id: slot.id, isMark: isMark, isStart: hasSlot && state.recordStart(slot),
                isSilent: slot.row.run.recordSilence(status, limit: patience, now: MonotonicClock.milliseconds),
                // Plain lines report nothing of a transfer before its first byte.
                news: showsRows
                    ? slot.row.run.recordStatus(status) : status.received > 0 || status.sent > 0 ? .numbers : .nothing
            )
        }
        guard let news else { return }
        if news.isMark { saveJob(of: news.id) }
        if news.isStart { tellStart(news.id) }
        if news.isSilent { report(news.id, .notice(ServiceLines.noResponse(Int(patience.rounded(.up))))) }
        switch news.news {
        case .nothing: break
        case .numbers: observers.receive(.moved(news.id))
        case .phase: observers.receive(.changed(news.id))
        }
    }

    private func recordResponse(_ head: ResponseHead, _ task: SessionTask) {
        let showsRows = observers.interest.showsRows
        let isEncoded = head.headers["Content-Encoding"] != nil
        let news = withRow(of: task) { state, slot in
            if showsRows { slot.row.record.head = head }
            slot.row.run.wasAnswered = true
            let dropsBody = head.statusCode >= 400 && slot.row.job.kind == .download
            let output = slot.row.run.output
            if let output, mayReplace(refusal: head.statusCode, of: slot.id, state) { output.perform { $0.hold() } }
            return (
                id: slot.id, isStart: state.recordStart(slot), hasWaited: slot.row.run.wait.until != nil,
                output: output, dropsBody: dropsBody, isEncoded: isEncoded,
                codings: isEncoded ? slot.row.job.storedCodings(of: head) : nil
            )
        }
        guard let news else { return }
        if news.isStart { tellStart(news.id) }
        // A further wait is asked for after this.
        if news.hasWaited { forgetWaits(of: [news.id]) }
        news.output?.perform { output in
            output.setHead(head)
            if news.dropsBody { output.dropBody() }
        }
        reportLeftFields(of: task)
        reportAnswer(news.id, head, task)
        if let codings = news.codings { report(news.id, .notice(ServiceLines.savedEncoded(codings))) }
        if news.isEncoded, let word = head.unknownCodings.first {
            report(news.id, .notice(ServiceLines.unknownCoding(word)))
        }
    }

    func reportAnswer(_ id: UInt64, _ head: ResponseHead, _ task: SessionTask) {
        guard observers.interest.hearsMilestones else { return }
        let shown = tellsHeads ? TransferEvent.Head(head, hiding: row(id)?.job.declaredSecrets ?? []) : nil
        report(
            id,
            .response(
                status: head.statusCode, headers: head.headers.count,
                continuation: task.status.resumability, head: shown))
    }
}

extension LocalService.State {
    /// Counts the first sign of a free slot as the start; returns true when this is it.
    func recordStart(
        _ slot: RowSlot, at time: @autoclosure () -> Int64 = cl_monotonic_milliseconds()
    ) -> Bool {
        guard !slot.row.run.wasStarted else { return false }
        return slot.row.run.recordStart(at: time(), addedAt: additionTimes.moment(of: slot.id))
    }
}

extension TransferEvent.Head {
    /// The head of a response with its secrets masked, and with them the fields that its user has declared secret.
    fileprivate init(_ head: ResponseHead, hiding declared: [SecretField]) {
        self.init(
            version: head.version.rawValue, reason: head.reasonPhrase,
            fields: head.headers.map { field in
                let isDeclared = declared.contains { ByteText.isSame($0.name, field.name) }
                return Field(
                    name: field.name,
                    value: isDeclared ? Redaction.mask : Redaction.header(name: field.name, value: field.value))
            })
    }
}
