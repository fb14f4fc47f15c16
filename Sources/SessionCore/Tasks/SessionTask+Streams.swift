import SessionSupport

/// A task's events as streams; any number may be open, each with its own buffer.
extension SessionTask {
    /// A closure called for every event of a task.
    struct Observer: Sendable {
        let number: Int
        let receive: @Sendable (SessionTaskEvent) -> Void
        let finish: @Sendable () -> Void
    }

    /// All events from here on, in order; ends after ``SessionTaskEvent/completed(_:)``.
    ///
    /// It begins with the current status, so that a late reader does not start at zero; for a completed task it
    /// contains only the end. Nothing is dropped: a reader that stops reading should release the stream.
    public var events: AsyncStream<SessionTaskEvent> {
        AsyncStream { continuation in
            observe(continuation, status: { .status($0) }, map: { $0 })
        }
    }

    /// The status at every change, newest only: a slow reader skips outdated ones.
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

    /// Sends an event to the open streams, then to the task's own handler; called on the delegate queue.
    func broadcast(_ event: SessionTaskEvent) {
        let listeners = mutable.withLock { state in
            state.observers.isEmpty && state.handler == nil ? nil : (state.observers, state.handler)
        }
        guard let (observers, handler) = listeners else { return }
        for observer in observers { observer.receive(event) }
        handler?.task(self, didReceive: event)
    }

    /// Observes a task that has had no event yet, for a part of the library, independently of ``handler``.
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
            // Under the lock, later events follow this status and earlier ones are included in it; no reader waits for
            // the stream yet.
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
