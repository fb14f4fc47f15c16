import CLinux
import Foundation
import SessionCore
import SessionSupport

extension LocalService {
    /// A command of this process.
    @discardableResult
    package func send(_ command: TransferCommand) -> CommandReply { send(command, from: 0) }

    /// Carries out a command, and refuses it for the rows that do not exist.
    func carryOutForRows(_ command: TransferCommand) -> CommandReply {
        let refusals = refusals(of: command)
        var reply = carryOut(command)
        reply.refusals += refusals
        return reply
    }

    /// One refusal for each named row that does not exist.
    private func refusals(of command: TransferCommand) -> [CommandReply.Refusal] {
        let ids = command.rows
        guard !ids.isEmpty else { return [] }
        let missing = state.withLock { state in ids.filter { !state.rows.has($0) && !state.removed.has($0) } }
        return missing.map { CommandReply.Refusal(id: $0, reason: ServiceErrors.noTask($0)) }
    }

    private func carryOut(_ command: TransferCommand) -> CommandReply {
        switch command {
        case .add(let jobs): return add(jobs)
        case .replace(let id, let job, let base): return replace(id, by: job, over: base)
        case .amend(let ids, let amendment): return amend(ids, by: amendment)
        case .addFailed(let url, let message): return CommandReply(added: [addFailed(url: url, message: message)])
        case .pause(let ids):
            keepPaused(ids)
            pause(ids)
        case .resume(let ids):
            resumeOutsideHours(ids)
            resume(ids)
        case .cancel(let ids, let deletingParts): cancel(ids, deletingParts: deletingParts)
        case .remove(let ids, let deletingParts): remove(ids, deletingParts: deletingParts)
        case .restore(let ids): return restore(ids)
        case .clear(let ids): clear(ids)
        case .startNow(let ids):
            freeFromHours(ids)
            freeFromPredecessors(ids)
            startNow(ids)
        case .settle(let ids, let policy): settle(ids, policy)
        case .fetchAgain(let ids): fetchAgain(ids)
        case .setLimits(let limits):
            setLimits(limits.all, perHost: limits.perHost)
            configure { $0.limits = limits }
        case .setRates(let plan):
            setRates(plan)
            configure { $0.plan = plan }
        case .setDownloadRate(let rate):
            setDownloadRate(rate)
            configure { $0.plan.download = rate }
        case .limitTasks(let ids, let rates): limit(ids, to: rates)
        case .limitDownloads(let ids, let rate): limitDownloads(ids, to: rate)
        case .prioritise(let ids, let steps): prioritise(ids, by: steps)
        case .moveInQueue(let ids, let steps): moveInQueue(ids, by: steps)
        case .placeInQueue(let id, let place): placeInQueue(id, at: place)
        case .repeatRequest(let id, let seconds): repeatRequest(id, every: seconds)
        case .forgetEnds(let entries): history?.forget(entries)
        case .undo(let step): return carryOut(step)
        }
        return CommandReply()
    }

    /// Pauses what runs or waits, and the repetition of repeated requests; starts nothing that waits.
    func pause(_ ids: [UInt64]) {
        let time = Timestamp.now()
        let changing = state.withLock { $0.ask(.pause, of: ids) }
        save(.paused, of: Array(changing))
        let ids = inStoppingOrder(ids)
        // Rows without tasks are paused in one step, and saved in one.
        let paused = state.withLock { state in
            let paused = ids.filter { state.rows.hold($0) }
            for id in paused { state.dequeue(id) }
            return paused
        }
        tellQueue()
        save(.paused, of: paused)
        var next = paused[...]
        for id in ids {
            setRepetition(of: id, paused: true)
            if next.first == id {
                next = next.dropFirst()
                report(id, at: time, .paused)
            } else if !changing.contains(id), !pauseUnresumed(id, at: time) {
                steer(id) { $0.pause() }
            }
        }
    }

    /// Resumes paused transfers, and retries failed or cancelled ones and completed data requests.
    func resume(_ ids: [UInt64]) {
        let time = Timestamp.now()
        stay(ids)
        let changing = state.withLock { $0.ask(.resume, of: ids) }
        save(.running, of: Array(changing))
        let released = releaseWaiting(ids)
        var next = released[...]
        for id in ids {
            setRepetition(of: id, paused: false)
            if next.first == id {
                next = next.dropFirst()
                report(id, at: time, .resumed)
                continue
            }
            guard !changing.contains(id), let row = row(id) else { continue }
            switch row.run.result {
            case nil where row.run.task?.state == .canceling: resumeAtEnd(id)
            case nil: if !waitsForHours(row) { resumePaused(row) }
            case .failed, .cancelled:
                state.withLock { $0.forgetQuestions(about: id) }
                retry(row)
            case .completed: if row.job.kind == .data { retry(row) }
            case .unfinished: break
            }
        }
        tellQueue()
    }

    /// Cancels what has not ended.
    ///
    /// Partial files stay unless `deletingParts`, which also deletes the ones of transfers that have ended.
    func cancel(_ ids: [UInt64], deletingParts: Bool) {
        dropChanges(of: ids)
        for id in inStoppingOrder(ids) {
            guard let row = row(id) else { continue }
            endRepetition(of: id)
            if row.isFinal {
                if deletingParts, row.run.result != .completed { discardKeptPart(of: row) }
            } else if cancelReading(of: id) {
                continue
            } else if let task = row.run.task {
                state.withLock { $0.rows.slot(of: id)?.row.run.discardsPart = deletingParts }
                if row.run.isPausedInQueue { enterPausedInQueue(id) }
                // The library learns which rows of this command have left the queue before a slot is free for them.
                tellQueue()
                // An end that keeps the parts could come before the wish to delete them.
                if deletingParts { manager.discardPart(of: task) }
                progress(of: id)?.cancel()
            } else {
                cancelWaiting(row, deletingParts: deletingParts)
            }
        }
        tellQueue()
    }

    package func close(leaving rest: [Job]) -> RunEnd {
        if isSaved { waitForChanges() }
        removeEnded()
        let (results, undone) = (results, undone)
        let unfinished = failedPath == nil || isSaved ? [] : unfinishedRows.map(\.job)
        state.withLock { $0.isClosing = true }
        finder.close()
        if isSaved {
            leaveSession()
        } else {
            manager.invalidate(cancellingTasks: true, resettingSession: false)
            // A task that does not end within two seconds leaves its partial file as a crash would.
            running.wait(seconds: 2)
        }
        endReports.wait()
        archive?.finish()
        history?.close()
        factory.identity.saveFiles()
        if let failedPath {
            let problem = FailedList.write(
                failedRows.map(\.job) + unfinished + rest, to: failedPath, keepingSecrets: keepsSecrets)
            state.withLock { $0.failedListProblem = problem }
        }
        return end(of: results, undone)
    }

    private func end(of results: [TransferResult], _ undone: [RunEnd.Undone]) -> RunEnd {
        var end = RunEnd()
        end.results = results
        end.summary = summary(of: results)
        end.undone = undone
        end.complaints = complaints
        end.unsaved = unsaved
        end.losses = [notice == nil, unwrittenBody == nil].count { !$0 }
        if observers.interest.showsRows { end.closing = closing(results, end.summary) }
        return end
    }

    /// Remembers limits and reports them to every client.
    func configure(_ change: (inout Configured) -> Void) {
        let now = configured.withLock { configured in
            change(&configured)
            return configured
        }
        observers.receive(.configured(now.limits, now.plan))
    }

    /// The limits as they were last set.
    struct Configured: Sendable {
        var limits: TransferLimits
        var plan: RatePlan
    }

    /// Cancels a task whose row then fails.
    func cancelForBody(_ id: UInt64) {
        cancelKeepingWish(id)
    }

    /// Cancels a task for the program's own purpose, which the saved session does not learn: a kill before the purpose is
    /// reached would leave a row that is cancelled by no user.
    func cancelKeepingWish(_ id: UInt64) {
        keepWish(of: id)
        progress(of: id)?.cancel()
    }

    // MARK: - Helpers

    /// Sorts rows for stopping: rows without a task first, then queued tasks, then the others.
    ///
    /// A stopped running task gives its slot to the next queued one, so it comes last.
    func inStoppingOrder(_ ids: [UInt64]) -> [UInt64] {
        guard ids.count > 1 else { return ids }
        let tasks = state.withLock { state in ids.map { state.rows.source(of: $0)?.task } }
        var waiting: [UInt64] = []
        var queued: [UInt64] = []
        var others: [UInt64] = []
        for (id, task) in zip(ids, tasks) {
            guard let task else {
                waiting.append(id)
                continue
            }
            if task.status.phase == .queued { queued.append(id) } else { others.append(id) }
        }
        return waiting + queued + others
    }

    func row(_ id: UInt64) -> TransferRow? { state.withLock { $0.rows[id] } }

    /// The progress of the direction that a row shows.
    func progress(of id: UInt64) -> Progress? {
        guard let row = row(id), !row.isFinal, let task = row.run.task else { return nil }
        return row.job.kind == .upload ? manager.uploadProgress(for: task) : manager.downloadProgress(for: task)
    }

    func resumePaused(_ row: TransferRow) {
        guard row.run.task != nil else { return }
        if row.run.isPausedInQueue { enterPausedInQueue(row.id) }
        steer(row.id) { $0.resume() }
    }

    /// Lets paused rows without tasks wait again and saves that in one step; returns these rows.
    private func releaseWaiting(_ ids: [UInt64]) -> [UInt64] {
        let released = state.withLock { state in
            let now = cl_monotonic_milliseconds()
            return ids.filter { id in
                guard state.rows.release(id, at: now) else { return false }
                state.parked.remove(id)
                state.enqueue(id)
                return true
            }
        }
        save(.running, of: released)
        return released
    }

    private func cancelWaiting(_ row: TransferRow, deletingParts: Bool) {
        let ended: EndedRow? = state.withLock { state in
            guard let slot = state.rows.slot(of: row.id), !slot.row.isFinal, slot.row.run.task == nil else {
                return nil
            }
            state.parked.remove(row.id)
            state.dequeue(row.id)
            // The answer comes too late.
            if slot.row.run.question != nil { state.forgetQuestions(about: row.id) }
            return slot.end(.cancelled, at: cl_monotonic_milliseconds())
        }
        guard let ended else { return }
        if row.run.question != nil { row.run.output?.perform { $0.discard() } }
        save(row.id)
        if deletingParts { discardPart(of: row) }
        reportEnd(row.id, .cancelled, of: ended)
    }

    /// Deletes the partial file of a row that has ended, which then cannot resume.
    private func discardKeptPart(of row: TransferRow) {
        discardPart(of: row)
        state.withLock { state in
            guard let slot = state.rows.slot(of: row.id), slot.row.isFinal else { return }
            slot.row.run.lastStatus.received = 0
            slot.row.run.lastStatus.resumability = .no
        }
        observers.receive(.changed(row.id))
    }

    /// Deletes the partial file of a row; one without bytes has none.
    private func discardPart(of row: TransferRow) {
        if let task = row.run.task { return manager.discardPart(of: task) }
        guard row.job.kind == .download, row.run.lastStatus.received > 0 else { return }
        factory.target(of: row.job).discardPart(of: row.job.url, at: row.partPath)
    }

    func steer(_ id: UInt64, _ body: (Progress) -> Void) {
        guard let progress = progress(of: id) else { return }
        body(progress)
        state.withLock { $0.rows.slot(of: id)?.row.run.isSteered = true }
    }

    /// Counts a paused task as running from now on.
    func enterPausedInQueue(_ id: UInt64) {
        let task = state.withLock { state in
            defer { state.rows[id]?.run.release(at: cl_monotonic_milliseconds()) }
            state.parked.remove(id)
            return state.rows[id]?.run.isPausedInQueue == true ? state.rows[id]?.run.task : nil
        }
        if let task { running.enter(task) }
    }

    /// Requeues a row whose latest run has ended, or leaves it paused.
    func retry(_ row: TransferRow, isPausedInQueue: Bool = false) {
        let isFirst = state.withLock { state in
            guard let slot = state.rows.slot(of: row.id), slot.row.isFinal else { return false }
            if let task = slot.row.run.task { state.slotOfTask[task.id] = nil }
            let kept = slot.row.keptStatus
            state.polls[row.id] = nil
            slot.row.run = TransferRow.Run(
                isRetry: true, decision: slot.row.unfinishedDecision, queuedAt: cl_monotonic_milliseconds())
            slot.row.run.lastStatus = kept
            slot.row.run.isPausedInQueue = isPausedInQueue
            state.liveCount += 1
            return true
        }
        guard isFirst else { return }
        save(row.id)
        guard !isPausedInQueue else {
            report(row.id, .paused)
            return observers.receive(.changed(row.id))
        }
        report(row.id, .resumed)
        state.withLock { $0.enqueue(row.id) }
    }
}
