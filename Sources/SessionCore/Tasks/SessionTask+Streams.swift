import SessionSupport

/// A task's life as streams. Any number of them may be open; each has its own buffer.
extension SessionTask {
    /// What is called for everything that happens to a task.
    struct Observer: Sendable {
        let number: Int
        let receive: @Sendable (SessionTaskEvent) -> Void
        let finish: @Sendable () -> Void
    }

    /// Everything that happens from here on, in order; ends after ``SessionTaskEvent/completed(_:)``.
    ///
    /// It begins with the current status, so that a reader who comes late does not start at zero; of a task that has
    /// completed it holds only the end. Nothing is dropped: a reader who stops reading should let go of the stream.
    public var events: AsyncStream<SessionTaskEvent> {
        AsyncStream { continuation in
            observe(continuation, status: { .status($0) }, map: { $0 })
        }
    }

    /// The status at every change, newest only: a slow reader skips what is outdated.
    ///
    /// Ends with the task.
    public var statuses: AsyncStream<TaskStatus> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            observe(continuation, status: { $0 }) { event in
                switch event {
                case .status(let status): status
                case .completed(let completion): completion.status
                case .resumed, .suspended, .response, .restarted, .retrying, .source, .resumedAtOffset, .data,
                    .moved, .moveFailed:
                    nil
                }
            }
        }
    }

    /// Hands an event to the open streams, then to the task's own handler; called on the delegate queue.
    func broadcast(_ event: SessionTaskEvent) {
        let listeners = mutable.withLock { state in
            state.observers.isEmpty && state.handler == nil ? nil : (state.observers, state.handler)
        }
        guard let (observers, handler) = listeners else { return }
        for observer in observers { observer.receive(event) }
        handler?.task(self, didReceive: event)
    }

    /// Follows a task that nothing has happened to yet, for a part of the library, beside ``handler``.
    func observe(_ receive: @escaping @Sendable (SessionTaskEvent) -> Void) {
        mutable.withLock { state in
            state.lastObserver += 1
            state.observers.append(Observer(number: state.lastObserver, receive: receive, finish: {}))
        }
    }

    private func observe<Element: Sendable>(
        _ continuation: AsyncStream<Element>.Continuation, status: (TaskStatus) -> Element,
        map: @escaping @Sendable (SessionTaskEvent) -> Element?
    ) {
        let number = mutable.withLock { state in
            state.lastObserver += 1
            return state.lastObserver
        }
        continuation.onTermination = { [weak self] _ in
            self?.mutable.withLock { state in state.observers.removeAll { $0.number == number } }
        }
        let observer = Observer(
            number: number, receive: { event in map(event).map { _ = continuation.yield($0) } },
            finish: { continuation.finish() })
        let completion = mutable.withLock { state -> TaskCompletion? in
            guard state.completion == nil else { return state.completion }
            // Under the lock: what is announced from here on comes after this status, and what was before is in it. Nobody
            // can be waiting for the stream yet.
            continuation.yield(status(self.status))
            state.observers.append(observer)
            return nil
        }
        if let completion {
            observer.receive(.completed(completion))
            observer.finish()
        }
    }
}
