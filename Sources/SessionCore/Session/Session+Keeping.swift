import SessionSupport

/// The references between session and tasks: the session retains a running task, its holder a suspended one.
extension Session {
    /// Releases a suspended task; its transition is being announced on the delegate queue.
    func letGoOfSuspended(_ task: SessionTask) {
        let released = state.withLock { state -> Lifeline? in
            guard state.active[task.id] === task else { return nil }
            state.active[task.id] = nil
            state.suspended[task.id] = WeakTask(task: task)
            return releaseIfIdle(&state)
        }
        // The task may have been resumed or cancelled before the session released it.
        if task.state != .suspended { holdSuspended(task) }
        withExtendedLifetime(released) {}
    }

    /// Retains a suspended task that is about to run or end; does nothing if the task is already retained.
    ///
    /// Called after the task's own decision, on its caller's thread.
    func holdSuspended(_ task: SessionTask) {
        state.withLock { state in
            guard state.suspended[task.id]?.task === task else { return }
            state.suspended[task.id] = nil
            state.active[task.id] = task
            keepAlive(&state)
        }
    }

    /// Forgets a suspended task that was released; its number may belong to another task by now.
    func forgetForsaken(_ id: TransferID) {
        let (reports, released) = state.withLock { state in
            if let entry = state.suspended[id], entry.task == nil { state.suspended[id] = nil }
            return (claimReport(&state), releaseIfIdle(&state))
        }
        if reports { delegateQueue.deliver { self.reportInvalidation() } }
        withExtendedLifetime(released) {}
    }

    func keepAlive(_ state: inout State) {
        if state.lifeline == nil { state.lifeline = Lifeline(session: self, owner: state.owner) }
    }

    /// Returns the retained objects, so that they are released after the lock.
    ///
    /// Suspended tasks retain nothing, not even to report an end: it does not come until they are resumed.
    func releaseIfIdle(_ state: inout State) -> Lifeline? {
        guard state.active.isEmpty else { return nil }
        guard !state.isInvalidated || state.didReportInvalidation || !state.suspended.isEmpty else { return nil }
        defer { state.lifeline = nil }
        return state.lifeline
    }
}

/// A weak reference to a suspended task, which the session does not retain.
package struct WeakTask: Sendable {
    package weak let task: SessionTask?

    package init(task: SessionTask?) { self.task = task }
}

extension Session.State {
    /// Every task that was resumed and has not ended.
    var tasks: [SessionTask] { Array(active.values) + suspended.values.compactMap(\.task) }

    func task(_ id: TransferID) -> SessionTask? { active[id] ?? suspended[id]?.task }

    mutating func remove(_ task: SessionTask) {
        active.remove(task)
        if suspended[task.id]?.task === task { suspended[task.id] = nil }
    }
}
