import SessionSupport

/// The end of a task, and waiting for it.
extension SessionTask {
    /// Waits until the task has ended and its body is serialized.
    ///
    /// It never throws and never starts the task; cancelling the waiting Swift task does not cancel this one.
    public func completion() async -> TaskCompletion {
        let completion = await withCheckedContinuation { continuation in
            let completion = mutable.withLock { state -> TaskCompletion? in
                if state.completion == nil { state.waiters.append(continuation) }
                return state.completion
            }
            if let completion { continuation.resume(returning: completion) }
        }
        // ThreadSanitizer does not see what orders a continuation that is resumed before it is awaited; it sees the lock.
        return mutable.withLock { $0.completion } ?? completion
    }

    /// Removes and returns the transitions that were not announced, in order.
    ///
    /// Called on the delegate queue.
    func takeTransitions() -> UnannouncedTransitions {
        mutable.withLock { state in
            defer { state.unannounced = UnannouncedTransitions() }
            return state.unannounced
        }
    }

    /// Admits an event that is told at once, and returns the transitions that come before it; nil when the task's end
    /// was recorded, after which nothing is told.
    ///
    /// Called on the delegate queue.
    func admit(_ event: EngineEvent) -> UnannouncedTransitions? {
        mutable.withLock { state in
            guard state.completion == nil else { return nil }
            if case .response(_, let head, _) = event { state.head = head }
            defer { state.unannounced = UnannouncedTransitions() }
            return state.unannounced
        }
    }

    /// Admits a status that is told at once, as ``admit(_:)`` does.
    func admitStatus() -> UnannouncedTransitions? {
        mutable.withLock { state in
            guard state.completion == nil else { return nil }
            defer { state.unannounced = UnannouncedTransitions() }
            return state.unannounced
        }
    }

    /// Changes the request that is sent from here on.
    func changeRequest(to request: TransferRequest) { mutable.withLock { $0.currentRequest = request } }

    /// Moves to completed, and returns the transitions that were not announced, after which there are no others; nil when
    /// it has completed already.
    func markCompleted(_ outcome: TransferOutcome) -> UnannouncedTransitions? {
        mutable.withLock { state in
            guard state.lifecycle.complete() else { return nil }
            state.outcome = outcome
            defer { state.unannounced = UnannouncedTransitions() }
            return state.unannounced
        }
    }

    /// Records the result before anybody is told, then tells those who follow this task, its own handler last.
    ///
    /// Called once, on the delegate queue.
    func end(_ completion: TaskCompletion) {
        let followers = mutable.withLock { state in
            state.completion = completion
            return state.takeFollowers()
        }
        guard let followers else { return }
        for waiter in followers.waiters { waiter.resume(returning: completion) }
        for observer in followers.observers {
            observer.receive(.completed(completion))
            observer.finish()
        }
        for receiver in followers.resumeDataHandlers { receiver(completion.resumeData) }
        followers.handler?.task(self, didReceive: .completed(completion))
    }
}

extension SessionTask {
    /// Ends a task that is going: it was suspended, nobody can resume it any more, and its thread and connection would
    /// wait for ever.
    ///
    /// Its part is kept, and a persistent session has it in its next run.
    ///
    /// Called by the deinitializer.
    func endForsaken() {
        let isForsaken = mutable.withLock { $0.lifecycle.isStarted && $0.lifecycle.state != .completed }
        guard isForsaken else { return }
        control.setIntent(.cancelled(keepsPart: true))
        session.submit(.reconcile(id))
        session.forgetForsaken(id)
        let error = SessionError(.cancelled, TaskErrors.forsaken, failingURL: request.url)
        var status = control.status
        status.phase = .cancelled
        let completion = delegate.taskWasForsaken(TransferOutcome(error: error, status: status))
        guard let followers = mutable.withLock({ $0.takeFollowers() }) else { return }
        for waiter in followers.waiters { waiter.resume(returning: completion) }
        for observer in followers.observers {
            observer.receive(.completed(completion))
            observer.finish()
        }
        for receiver in followers.resumeDataHandlers { session.delegateQueue.deliver { receiver(nil) } }
    }
}

extension SessionTask.Mutable {
    /// Everybody who is told of a task's end.
    fileprivate struct Followers {
        let waiters: [CheckedContinuation<TaskCompletion, Never>]
        let observers: [SessionTask.Observer]
        let resumeDataHandlers: [@Sendable (ResumeData?) -> Void]
        let handler: (any TaskHandler)?
    }

    /// Lets go of everybody, so that nobody is told twice and nothing is kept alive; nil when there is nobody.
    fileprivate mutating func takeFollowers() -> Followers? {
        if waiters.isEmpty, observers.isEmpty, resumeDataHandlers.isEmpty, handler == nil { return nil }
        defer { (waiters, observers, resumeDataHandlers, handler) = ([], [], [], nil) }
        return Followers(
            waiters: waiters, observers: observers, resumeDataHandlers: resumeDataHandlers, handler: handler)
    }
}

extension SessionTask {
    /// How the task ended, if it has.
    var completionIfDone: TaskCompletion? { mutable.withLock { $0.completion } }

    /// Forgets what the server sent, for whoever keeps a task that has ended and has taken what it wants of that.
    package func dropBody() {
        let dropped = mutable.withLock { state -> TaskCompletion? in
            guard let completion = state.completion else { return nil }
            state.completion = TaskCompletion(withoutBodyOf: completion)
            return completion
        }
        withExtendedLifetime(dropped) {}
    }

    /// Whether the task's end was recorded.
    var hasEnded: Bool { mutable.withLock { $0.completion != nil } }

    /// Whether the task was ever resumed.
    var wasResumed: Bool { mutable.withLock { $0.lifecycle.isStarted } }
}

/// Tasks by their numbers, as a session and its manager keep them.
extension [TransferID: SessionTask] {
    /// Removes a task; does nothing when its number was given to another task meanwhile.
    mutating func remove(_ task: SessionTask) {
        guard let index = index(forKey: task.id), values[index] === task else { return }
        remove(at: index)
    }
}
