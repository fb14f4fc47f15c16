import Foundation
import SessionCore
import SessionSupport

/// Tasks that run in some hours only: they wait outside of the library's queue, and pause at the end of their hours.
extension LocalService {
    /// Reports the tasks that have begun to wait, and plans the next check.
    func planHours() {
        let news = state.withLock { state in state.hours.isEmpty ? [] : state.hours.takeNews() }
        // Rows show it where there are any.
        if !observers.interest.showsRows {
            for id in news { reportWait(id) }
        }
        planHoursCheck()
    }

    private func planHoursCheck() {
        let now = Timestamp.now().milliseconds
        guard let next = state.withLock({ $0.isClosing ? nil : $0.hours.nextCheck(at: now) }) else { return }
        let wait = DispatchTimeInterval.milliseconds(Int(next.delay))
        // As for timetables of rates: one deadline counts time asleep, the other survives a clock that is set back.
        repeatQueue.asyncAfter(wallDeadline: .now() + wait) { [weak self] in self?.checkHours(next.number) }
        repeatQueue.asyncAfter(deadline: .now() + wait) { [weak self] in self?.checkHours(next.number) }
    }

    private func checkHours(_ number: Int) {
        guard state.withLock({ $0.hours.plan == number && !$0.isClosing }) else { return }
        keepHours()
    }

    /// Starts the tasks whose hours have begun, and pauses the ones whose hours are over.
    func keepHours() {
        let (opened, closed, stopped) = state.withLock { state in
            let (opened, closed) = state.hours.changes()
            for id in opened { state.enqueue(id) }
            for id in closed where state.rows.wantsTask(id) { state.dequeue(id) }
            return (opened, closed, state.hours.takeStopped(opened))
        }
        for id in inStoppingOrder(closed) { stopForHours(id) }
        followWishes(of: stopped)
        for id in stopped {
            if let row = row(id), !row.isFinal { resumePaused(row) }
        }
        for id in opened + closed { observers.receive(.changed(id)) }
        planHoursCheck()
        tellQueue()
    }

    /// Pauses a running task; a task that its user has paused stays so.
    private func stopForHours(_ id: UInt64) {
        guard let row = row(id), !row.isFinal, row.run.task != nil, !row.hasStopped else { return }
        state.withLock { $0.hours.stop(id) }
        // It resumes by itself, in the next run too.
        keepWish(of: id)
        steer(id) { $0.pause() }
        if !observers.interest.showsRows { reportWait(id) }
    }

    private func reportWait(_ id: UInt64) {
        let text = state.withLock { state in
            state.opening(of: id).map { HoursText.text(ofNext: $0, state.hours.clock) }
        }
        if let text { report(id, .notice(QueueLines.waits(until: text))) }
    }

    /// Lets the tasks that wait for their hours run, because their user has resumed them; one that its user has paused, or
    /// that has ended, comes back to its hours.
    func resumeOutsideHours(_ ids: [UInt64]) {
        let waiting = state.withLock { state in ids.filter { state.opening(of: $0) != nil } }
        if !waiting.isEmpty { freeFromHours(waiting) }
    }

    /// Leaves a row that was paused while it ran to the beginning of its hours; returns whether it waits for them.
    func waitsForHours(_ row: TransferRow) -> Bool {
        guard let own = row.hours else { return false }
        let isHeld = state.withLock { state in
            guard !state.hours.enter(row.id, own) else { return false }
            state.hours.stop(row.id)
            return true
        }
        guard isHeld else { return false }
        // It resumes by itself, in the next run too.
        save(.running, of: [row.id])
        observers.receive(.changed(row.id))
        return true
    }

    /// Lets tasks run outside of their hours, because their user has said so.
    func freeFromHours(_ ids: [UInt64]) {
        let stopped = state.withLock { state in
            let stopped = ids.filter(state.hours.isStopped)
            for id in ids where state.rows.hours(of: id).map(state.hours.isClosed) == true {
                state.hours.free(id)
                state.enqueue(id)
            }
            return stopped
        }
        followWishes(of: stopped)
        forgetWaits(of: ids)
    }

    /// Pauses a row of an earlier run that waits for its hours; returns false for any other.
    ///
    /// The library made its task suspended, so that no pause of it is reported.
    func pauseUnresumed(_ id: UInt64, at time: Timestamp) -> Bool {
        guard let task = state.withLock({ $0.opening(of: id) == nil ? nil : $0.rows.slot(of: id)?.row.run.task }),
            task.state == .suspended
        else { return false }
        let isPaused = state.withLock { state in
            guard let slot = state.rows.slot(of: id), slot.row.run.task === task else { return false }
            slot.row.run.isPausedInQueue = true
            return true
        }
        guard isPaused else { return false }
        save(.paused, of: [id])
        report(id, at: time, .paused)
        return true
    }

    /// Records that a user has paused tasks, which then do not resume by themselves.
    func keepPaused(_ ids: [UInt64]) {
        let stopped = state.withLock { state -> [UInt64] in
            guard !state.hours.isEmpty else { return [] }
            let stopped = ids.filter(state.hours.isStopped)
            for id in stopped { state.hours.keepPaused(id) }
            return stopped
        }
        followWishes(of: stopped)
        save(.paused, of: stopped)
        // The library has paused them before, so that no pause of theirs follows.
        for id in stopped { report(id, .paused) }
    }
}

extension LocalService.State {
    /// The moment from which a row that waits for its hours may run; nil for any other row.
    func opening(of id: UInt64) -> Int64? {
        guard !hours.isEmpty, let own = rows.hours(of: id) else { return nil }
        return hours.opening(of: id, own, isPaused: rows.hasStopped(id))
    }

    /// Adds to the figures of a row what it waits for beside its turn: other tasks, or when its hours begin.
    func completed(_ figures: RowFigures) -> RowFigures {
        if !precedence.isEmpty, figures.state == .queued, precedence.awaited(by: figures.id) != nil {
            var figures = figures
            figures.opening = .afterOthers
            return figures
        }
        guard !hours.isEmpty, figures.state == .queued || figures.state == .paused,
            let moment = opening(of: figures.id)
        else { return figures }
        var figures = figures
        figures.opening = WaitMoment(moment, hours.clock)
        return figures
    }
}
