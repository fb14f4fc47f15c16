import CLinux
import Foundation
import SessionCore
import SessionSupport

/// Lets rows become other tasks.
///
/// A row that runs or waits is stopped first, and becomes the other task when that has ended. A refusal changes
/// nothing. What is still to be done is known to the service alone, so that it survives the windows that asked for it.
extension LocalService {
    /// How far a change has come.
    enum ChangeProgress: Equatable {
        /// It is made; the bytes of a partial file that moved along.
        case isMade(keptBytes: Int64)
        /// It is made once the row has been stopped.
        case follows

        /// The bytes of the partial file; nil for a change that follows.
        var keptBytes: Int64? { if case .isMade(let count) = self { count } else { nil } }
    }

    /// Milliseconds for which the end of the program waits for changes that have begun.
    private static let patience: Int64 = 2_000

    /// Replaces a row by another task, for a client that has edited the job `base`; nil for any.
    func replace(_ id: UInt64, by job: Job, over base: Job?) -> CommandReply {
        guard row(id) != nil, let current = jobToBe(of: id), let shown = jobs(of: [id]).first else {
            return CommandReply()
        }
        func refused(_ message: String) -> CommandReply {
            CommandReply(refusals: [.init(id: id, reason: SafeText(untrusted: message))])
        }
        if let base, !Self.isSame(base, shown) { return refused(ServiceErrors.editedByAnother) }
        switch change(id, to: RowChange(job: job, subject: .settings), over: base == nil ? nil : current) {
        case .success: return CommandReply(added: [id])
        case .failure(let failure):
            // An ended row that runs again by another's change cannot be replaced.
            let isLate = base != nil && jobToBe(of: id) != current
            return refused(isLate ? ServiceErrors.editedByAnother : failure.message)
        }
    }

    /// Compares what a client knows of jobs.
    private static func isSame(_ job: Job, _ other: Job) -> Bool {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return job == other || (try? encoder.encode(job)) == (try? encoder.encode(other))
    }

    /// Lets a row become another task, at once or when it has been stopped.
    ///
    /// - Parameter known: the job from which the change was made, which another client may have changed since; nil for
    ///   any.
    func change(
        _ id: UInt64, to wanted: RowChange, over known: Job? = nil
    ) -> Result<ChangeProgress, TransferFailure> {
        guard let row = row(id) else { return Self.refusal(ServiceErrors.taskGone) }
        var change = wanted
        change.job = prepared(change.job)
        change.wasPaused = isPaused(id)
        if change.subject == .settings, change.job.url != row.job.url { change.leavesPart = true }
        if let problem = problem(with: change.job, of: row) { return Self.refusal(problem) }
        if change.subject == .settings, let problem = folderProblem(with: change.job, of: row) {
            return .failure(problem)
        }
        stay([id])
        let start = state.withLock { $0.begin(change, of: id, over: known, at: cl_monotonic_milliseconds()) }
        switch start {
        case .isRefused: return Self.refusal(ServiceErrors.taskGone)
        case .isOvertaken: return Self.refusal(ServiceErrors.editedByAnother)
        case .isOver: return become(row, change).map { .isMade(keptBytes: $0) }
        case .isWithoutTask:
            tellQueue()
            // A task that is being made for it in this moment is refused by then.
            manager.operationQueue.addOperation { [self] in carryOutChange(of: id) }
        case .stops(let row): stop(row)
        case .isStopping: break
        }
        observers.receive(.changed(id))
        return .success(.follows)
    }

    /// The job that a row has, or is about to have.
    func jobToBe(of id: UInt64) -> Job? {
        state.withLock { $0.jobToBe(of: id) }
    }

    /// Whether a row waits for its user, now or once it has been stopped.
    func isPaused(_ id: UInt64) -> Bool {
        state.withLock { state in
            if let change = state.successions[id]?.change { return change.job.startsPaused }
            return state.rows.figures(of: id, retryLimit: retries)?.state.isPaused == true
        }
    }

    /// Why a row cannot become another task; nil where it can.
    private func problem(with job: Job, of row: TransferRow) -> String? {
        if let secrets = job.maskedSecrets(of: row) { return secrets }
        if state.withLock({ $0.hasOther(for: job, than: row.id) }) { return ServiceErrors.pathTaken }
        guard job.body != row.job.body else { return nil }
        switch job.body {
        case .file(let path), .formFile(let path): return LocalEndpoints.problem(withReading: path)
        case .none, .text, .standardInput: return nil
        }
    }

    /// Why files cannot be made in a download's new folder, which is made for that; nil where they can.
    private func folderProblem(with job: Job, of row: TransferRow) -> TransferFailure? {
        guard job.kind == .download, job.output != .standardOutput else { return nil }
        let target = factory.target(of: job)
        guard row.job.kind != .download || factory.target(of: row.job).folder != target.folder else { return nil }
        do throws(SessionError) {
            try target.prepareFolder()
            return nil
        } catch {
            return TransferFailure(error)
        }
    }

    private func stop(_ row: TransferRow) {
        if row.run.isPausedInQueue { enterPausedInQueue(row.id) }
        tellQueue()
        cancelKeepingWish(row.id)
    }

    /// Retries a row once it has been cancelled, unless that has happened by now.
    func resumeAtEnd(_ id: UInt64) {
        let isOver = state.withLock { state in
            guard state.rows.result(of: id) == nil else { return true }
            state.successions[id] = Succession.after(.resume, state.successions[id])
            return false
        }
        if !isOver {
            keepWish(of: id)
            save(.running, of: [id])
        }
        if isOver, let row = row(id), row.run.result != .completed { retry(row) }
    }

    /// Leaves cancelled rows as they are, whatever they were to become.
    func dropChanges(of ids: [UInt64]) {
        let dropped = state.withLock { state -> [UInt64] in
            let dropped = ids.filter { state.successions[$0]?.change != nil }
            _ = state.ask(.cancel, of: ids)
            return dropped
        }
        followWishes(of: ids)
        guard !dropped.isEmpty else { return }
        changesEnded.change { $0 += 1 }
        for id in dropped { report(id, .notice(ServiceLines.changeDropped)) }
    }

    // MARK: - Ends

    /// Ends the run of a row that becomes another task: the row goes on, so no end is reported.
    func endForChange(_ row: RowEnding, _ completion: TaskCompletion, _ task: SessionTask) {
        row.output?.perform { $0.discard() }
        let now = cl_monotonic_milliseconds()
        state.withLock { state in
            state.slotOfTask[task.id] = nil
            guard let slot = state.rows.slot(of: row.id) else { return }
            slot.row.end(.cancelled, completion, nil, path: nil, at: now, keepingDetails: false)
            if row.discardsPart {
                slot.row.run.lastStatus.received = 0
                slot.row.run.lastStatus.resumability = .no
            }
            state.clearForChange(slot, at: now)
        }
        if row.discardsPart { manager.discardPart(of: task) }
        task.dropBody()
        carryOutChange(of: row.id)
    }

    /// Carries out what was asked for while a run was being stopped.
    ///
    /// Called on the delegate queue after each end of a run.
    func followEnd(of id: UInt64) {
        let outcome = state.withLock { $0.takeOutcome(of: id) }
        switch outcome {
        case .ends: return
        case .resumes(isPaused: false): resume([id])
        case .resumes(isPaused: true):
            if let row = row(id) { retry(row, isPausedInQueue: true) }
            tellQueue()
        // It was asked for when the end was already on its way.
        case .becomes(let change):
            if case .failure(let failure) = self.change(id, to: change) { complain(id, failure.message) }
        case .isTooLate(let change): explain(change, of: id)
        }
        changesEnded.change { $0 += 1 }
    }

    /// Tells every client that a task was completed before it could be changed; its file moves all the same.
    private func explain(_ change: RowChange, of id: UInt64) {
        switch change.subject {
        case .settings: complain(id, ServiceErrors.doneNotEdited)
        case .answer: break
        case .url: complain(id, ServiceErrors.doneURLKept)
        case .path(let path):
            changeQueue.async { [self] in
                if case .failure(let failure) = move(id, to: path) { complain(id, failure.message) }
            }
        }
    }

    /// Tells every client what a row's change has led to.
    private func complain(_ id: UInt64, _ sentence: String) {
        let name = snapshots(of: [id]).first?.name
        let text = SafeText(untrusted: sentence)
        observers.receive(.complaint(name.map { ServiceLines.about($0, text) } ?? text))
    }

    /// Waits a moment for the changes that have begun: a saved session would store their rows as cancelled.
    func waitForChanges() {
        let end = cl_monotonic_milliseconds() + Self.patience
        while true {
            let count = changesEnded.withLock { $0 }
            guard state.withLock({ $0.successions.values.contains { $0.change != nil } }) else { return }
            guard changesEnded.wait(timeoutMilliseconds: end - cl_monotonic_milliseconds(), until: { $0 != count })
            else { return }
        }
    }

    // MARK: - Becoming

    /// Lets a stopped row become what it was stopped for.
    private func carryOutChange(of id: UInt64) {
        guard let (row, change) = state.withLock({ $0.plannedChange(of: id) }) else { return }
        guard movesPart(row, change) else { return finishChange(of: id) }
        // A disk may be slow, and the events of other tasks must not wait for it.
        changeQueue.async { [self] in finishChange(of: id) }
    }

    /// Tries until no client has asked for something else in the meantime.
    func finishChange(of id: UInt64) {
        while let (row, change) = state.withLock({ $0.plannedChange(of: id) }) {
            switch become(row, change, isPlanned: true) {
            case .success: report(id, .notice(change.sentence))
            case .failure(let failure):
                guard state.withLock({ $0.dropChange(change, of: id) }) else { continue }
                save(id)
                report(id, change.wasPaused ? .paused : .resumed)
                observers.receive(.changed(id))
                tellQueue()
                complain(id, ServiceErrors.goesOn(failure.message))
            }
        }
        changesEnded.change { $0 += 1 }
    }

    /// Makes another task of a row that has ended or was stopped for that; returns the bytes that moved along.
    func become(
        _ row: TransferRow, _ change: RowChange, isPlanned: Bool = false
    ) -> Result<Int64, TransferFailure> {
        let planned = isPlanned ? change : nil
        guard movesPart(row, change) else {
            return replaced(row.id, with: change.job, keeping: counts(of: row, change), planned: planned).map { 0 }
        }
        let result = carryOn(row, as: change.job, planned: planned)
        guard change.subject == .settings, case .failure(let failure) = result else { return result }
        return replaced(row.id, with: change.job, planned: planned).map {
            report(row.id, .notice(ServiceLines.partNotReused(failure.message)))
            return 0
        }
    }

    /// Whether a partial file may have to move: for another URL or path, and where only its place is edited.
    private func movesPart(_ row: TransferRow, _ change: RowChange) -> Bool {
        guard !change.leavesPart else { return false }
        guard change.subject == .settings || change.subject == .answer else { return row.job.kind == .download }
        guard row.job.kind == .download, change.job.kind == .download, row.job.url == change.job.url,
            change.job.continues, row.run.result != .completed, row.run.lastStatus.received > 0
        else { return false }
        return !staysInPlace(row, change)
    }

    private func staysInPlace(_ row: TransferRow, _ change: RowChange) -> Bool {
        let (old, new) = (factory.target(of: row.job), factory.target(of: change.job))
        return old.folder == new.folder && old.name == new.name
    }

    /// The figures that a row keeps: the ones of the partial file with which its download goes on in its place.
    private func counts(of row: TransferRow, _ change: RowChange) -> TaskStatus {
        guard row.job.kind == .download, change.job.kind == .download, row.job.url == change.job.url,
            change.job.continues, row.run.result == nil || row.run.result == .cancelled, staysInPlace(row, change)
        else { return TaskStatus() }
        return row.keptStatus
    }

    private func replaced(
        _ id: UInt64, with job: Job, keeping counts: TaskStatus = TaskStatus(), planned: RowChange?
    ) -> Result<Void, TransferFailure> {
        switch place(job, in: id, keeping: counts, planned: planned) {
        case .added: .success(())
        case .isThere, .isAwaited: Self.refusal(ServiceErrors.pathTaken)
        case .refused: Self.refusal(ServiceErrors.running)
        }
    }
}

extension LocalService.State {
    /// The job that a row has, or is about to have.
    func jobToBe(of id: UInt64) -> Job? { successions[id]?.change?.job ?? rows.job(of: id) }

    enum ChangeStart {
        /// The row has ended: it can be replaced at once.
        case isOver
        /// It waits, and has left the queue.
        case isWithoutTask
        case stops(TransferRow)
        /// It is being stopped for an earlier change, which this one replaces.
        case isStopping
        /// It is gone, or the program ends.
        case isRefused
        /// Another change has come since.
        case isOvertaken
    }

    fileprivate mutating func begin(
        _ change: RowChange, of id: UInt64, over known: Job?, at time: Int64
    ) -> ChangeStart {
        guard !isClosing, let slot = rows.slot(of: id) else { return .isRefused }
        if let known, jobToBe(of: id) != known { return .isOvertaken }
        // The commands may be asked about the other task too.
        expiries[id] = nil
        secretsRenewed.remove(id)
        guard !slot.row.isFinal else { return .isOver }
        successions[id] = Succession.after(.change(change), successions[id])
        if slot.row.run.isChanging { return .isStopping }
        if slot.row.run.task != nil { return .stops(slot.row) }
        parked.remove(id)
        dequeue(id)
        clearForChange(slot, at: time)
        return .isWithoutTask
    }

    /// Empties a row that was stopped; it has no task, and gets none before it has become another one.
    fileprivate mutating func clearForChange(_ slot: RowSlot, at time: Int64) {
        if let own = slot.row.hours {
            let change = successions[slot.id]?.change
            let keepsHours = slot.row.job.hours != nil && change?.job.hours == slot.row.job.hours
            hours.leave(slot.id, own, keepingFreedom: keepsHours)
        }
        slot.row.beginChange(at: time)
    }

    /// A row that was stopped, and what it is to become now.
    func plannedChange(of id: UInt64) -> (TransferRow, RowChange)? {
        guard let change = successions[id]?.change, let row = rows[id], row.run.isChanging else { return nil }
        return (row, change)
    }

    /// Lets a row go on as it was; false if something else is planned for it by now.
    fileprivate mutating func dropChange(_ change: RowChange, of id: UInt64) -> Bool {
        guard successions[id] == .becomes(change), let slot = rows.slot(of: id), slot.row.run.isChanging else {
            return false
        }
        successions[id] = nil
        slot.row.run.isChanging = false
        slot.row.run.isPausedInQueue = change.wasPaused
        if !change.wasPaused { enqueue(id) }
        return true
    }

    fileprivate mutating func takeOutcome(of id: UInt64) -> Succession.Outcome {
        guard let current = successions[id], rows.slot(of: id)?.row.run.isChanging != true else { return .ends }
        successions[id] = nil
        return isClosing ? .ends : Succession.outcome(of: current, endedWith: rows.result(of: id))
    }

    /// Records what is asked for rows that are being stopped; returns the ones that are.
    mutating func ask(_ request: Succession.Request, of ids: [UInt64]) -> Set<UInt64> {
        guard !successions.isEmpty else { return [] }
        let planned = ids.filter { successions[$0] != nil }
        for id in planned { successions[id] = Succession.after(request, successions[id]) }
        return Set(planned)
    }
}

extension TransferRow {
    /// Begins the wait of a stopped row for the task that it becomes.
    fileprivate mutating func beginChange(at time: Int64) {
        let kept = keptStatus
        run = Run(isRetry: true, decision: unfinishedDecision, queuedAt: time)
        run.lastStatus = kept
        run.isChanging = true
        revision &+= 1
    }
}

extension Job {
    /// Why a job cannot be sent because masks have taken the place of a row's secrets; nil where none have.
    fileprivate func maskedSecrets(of row: TransferRow) -> String? {
        let fields = headers.filter { Redaction.hidesField($0.name) && $0.value == Redaction.mask }.map(\.name)
        let isMasked =
            body == .masked || options.contains(where: \.isHidden) || !fields.isEmpty
            || row.lacksSecrets && url.contains(Redaction.mask)
        return isMasked ? TransferFailure.secretsNotSaved(of: self, fields: fields).message : nil
    }
}
