import SessionSupport

/// A task's end, and waiting for it.
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
        // ThreadSanitizer does not see the ordering of a continuation resumed before it is awaited, but it sees the
        // lock.
        return mutable.withLock { $0.completion } ?? completion
    }

    /// Removes and returns the unannounced transitions, in order.
    ///
    /// Called on the delegate queue.
    func takeTransitions() -> UnannouncedTransitions {
        mutable.withLock { state in
            defer { state.unannounced = UnannouncedTransitions() }
            return state.unannounced
        }
    }

    /// Admits an event for immediate delivery and returns the transitions to announce before it; nil once the task's
    /// end was recorded, after which nothing is delivered.
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

    /// Admits a status for immediate delivery, as ``admit(_:)`` does.
    func admitStatus() -> UnannouncedTransitions? {
        mutable.withLock { state in
            guard state.completion == nil else { return nil }
            defer { state.unannounced = UnannouncedTransitions() }
            return state.unannounced
        }
    }

    /// Records the current request; a transfer that starts over begins with its own one.
    func changeRequest(to current: TransferRequest) {
        let isElsewhere = (try? Origin(current.url)) != (try? Origin(request.url))
        mutable.withLock { state in
            state.hasLeftOrigin = isElsewhere || state.hasLeftOrigin && current.url != request.url
            state.currentRequest = current
        }
    }

    /// Moves to completed and returns the last unannounced transitions; nil if the task has already completed.
    func markCompleted(_ outcome: TransferOutcome) -> UnannouncedTransitions? {
        mutable.withLock { state in
            guard state.lifecycle.complete() else { return nil }
            state.outcome = outcome
            defer { state.unannounced = UnannouncedTransitions() }
            return state.unannounced
        }
    }

    /// Records the result first, then calls the task's observers, its own handler last.
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
    /// Ends a suspended task that is being released: it can no longer be resumed, and its thread and connection would
    /// wait forever.
    ///
    /// Its partial file is kept, and a persistent session has it in its next run.
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
    /// The receivers of a task's end.
    fileprivate struct Followers {
        let waiters: [CheckedContinuation<TaskCompletion, Never>]
        let observers: [SessionTask.Observer]
        let resumeDataHandlers: [@Sendable (ResumeData?) -> Void]
        let handler: (any TaskHandler)?
    }

    /// Removes all receivers, so that none is called twice or kept alive; nil if there are none.
    fileprivate mutating func takeFollowers() -> Followers? {
        if waiters.isEmpty, observers.isEmpty, resumeDataHandlers.isEmpty, handler == nil { return nil }
        defer { (waiters, observers, resumeDataHandlers, handler) = ([], [], [], nil) }
        return Followers(
            waiters: waiters, observers: observers, resumeDataHandlers: resumeDataHandlers, handler: handler)
    }
}

extension SessionTask {
    var completionIfDone: TaskCompletion? { mutable.withLock { $0.completion } }

    /// Releases the server's response, for a caller that keeps an ended task and has read the response.
    package func dropBody() {
        let dropped = mutable.withLock { state -> TaskCompletion? in
            guard let completion = state.completion, completion.mayKeepBody else { return nil }
            state.completion = TaskCompletion(withoutBodyOf: completion)
            return completion
        }
        withExtendedLifetime(dropped) {}
    }

    var hasEnded: Bool { mutable.withLock { $0.completion != nil } }

    var wasResumed: Bool { mutable.withLock { $0.lifecycle.isStarted } }
}

/// Tasks by number, as a session and its manager keep them.
extension [TransferID: SessionTask] {
    /// Removes a task; does nothing if another task has taken its number.
    mutating func remove(_ task: SessionTask) {
        guard let index = index(forKey: task.id), values[index] === task else { return }
        remove(at: index)
    }
}
