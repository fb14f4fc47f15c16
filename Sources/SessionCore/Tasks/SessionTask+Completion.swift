/// The end of a task, and waiting for it.
extension SessionTask {
    /// Waits until the task has ended and its body is serialized.
    ///
    /// It never throws and never starts the task; cancelling the waiting Swift task does not cancel this one.
    public func completion() async -> TaskCompletion {
        await withCheckedContinuation { continuation in
            let completion = mutable.withLock { state -> TaskCompletion? in
                if state.completion == nil { state.waiters.append(continuation) }
                return state.completion
            }
            if let completion { continuation.resume(returning: completion) }
        }
    }

    /// Takes the transitions that were not announced, in order.
    ///
    /// Called on the delegate queue.
    func takeTransitions() -> [TaskTransition] {
        mutable.withLock { state in
            guard !state.unannounced.isEmpty else { return [] }
            defer { state.unannounced = [] }
            return state.unannounced
        }
    }

    /// Moves to completed; true exactly once.
    func markCompleted(_ outcome: TransferOutcome) -> Bool {
        mutable.withLock { state in
            guard state.lifecycle.complete() else { return false }
            if let head = outcome.head { state.head = head }
            state.error = outcome.error
            return true
        }
    }

    /// Records the result before anybody is told, then wakes those who wait.
    func record(_ completion: TaskCompletion) {
        let waiters = mutable.withLock { state in
            state.completion = completion
            state.error = completion.error
            state.handler = nil
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume(returning: completion) }
    }

    /// Takes those who asked for resume data.
    func takeResumeDataHandlers() -> [@Sendable (ResumeData?) -> Void] {
        mutable.withLock { state in
            defer { state.resumeDataHandlers = [] }
            return state.resumeDataHandlers
        }
    }
}

extension SessionTask {
    /// How the task ended, if it has.
    var completionIfDone: TaskCompletion? { mutable.withLock { $0.completion } }

    /// Whether the task was ever resumed.
    var wasResumed: Bool { mutable.withLock { $0.lifecycle.isStarted } }
}
