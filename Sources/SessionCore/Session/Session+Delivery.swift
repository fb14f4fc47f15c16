import Foundation

/// The way of events to the delegate queue: collected on any thread, applied in order by one pending drain at most.
extension Session {
    /// Takes a batch of the engine's events.
    func receive(_ events: [EngineEvent]) {
        enqueue([.engine(events)])
    }

    /// Has a task's unannounced transitions announced.
    func announceTransitions(of task: SessionTask) {
        enqueue(.transitions(task))
    }

    /// Has one thing delivered after everything that was enqueued before it.
    func enqueue(_ item: SessionInboxItem) {
        enqueue(CollectionOfOne(item))
    }

    private func enqueue(_ items: some Collection<SessionInboxItem>) {
        let schedules = state.withLock { state in
            state.inbox.append(contentsOf: items)
            defer { state.isDrainPending = true }
            return !state.isDrainPending
        }
        if schedules { delegateQueue.addOperation { self.drain() } }
    }

    /// Applies everything that has arrived.
    ///
    /// Statuses come last and once per task, except that a task's end brings its own; so a progress block is called
    /// once per changed task and drain.
    private func drain() {
        let items = state.withLock { state in
            state.isDrainPending = false
            defer { state.inbox = [] }
            return state.inbox
        }
        var latest: [TransferID: TaskStatus] = [:]
        var order: [TransferID] = []
        for item in items {
            switch item {
            case .transitions(let task):
                announce(task)
            case .unstarted(let task, let outcome):
                finish(task, outcome)
            case .serialized(let task, let completion):
                task.delegate.task(task, didReceive: .serialized(completion))
                forgetIfAnnounced(task)
            case .recorded(let task, let completion):
                task.delegate.task(task, didReceive: .recorded(completion))
                forgetIfAnnounced(task)
            case .engine(let events):
                for event in events { apply(event, &latest, &order) }
            }
        }
        recordProgress(latest)
        for id in order {
            guard let status = latest[id], let task = activeTask(id) else { continue }
            task.delegate.task(task, didReceive: .status(status))
        }
        runDueCompletions()
    }

    /// Has a completion handler run when this drain is over: handed over one by one, each would wake its queue's thread.
    ///
    /// Called on the delegate queue.
    func runAfterDrain(on delivery: CompletionDelivery, _ work: @escaping @Sendable () -> Void) {
        state.withLock { $0.completions.append(DueCompletion(delivery: delivery, work: work)) }
    }

    private func runDueCompletions() {
        let due = state.withLock { state in
            defer { state.completions = [] }
            return state.completions
        }
        for completion in due { completion.delivery.run(completion.work) }
    }

    /// Delivers an event; a status is kept back until everything else has been delivered.
    private func apply(_ event: EngineEvent, _ latest: inout [TransferID: TaskStatus], _ order: inout [TransferID]) {
        switch event {
        case .status(let id, let status):
            if latest.updateValue(status, forKey: id) == nil { order.append(id) }
        case .finished(let id, let outcome):
            latest[id] = nil
            if let task = activeTask(id) { finish(task, outcome) }
        case .response, .redirect, .challenge, .needsBody, .data, .resumedAtOffset, .restarted, .retrying, .invalidated:
            deliver(event)
        }
    }

    private func activeTask(_ id: TransferID) -> SessionTask? {
        state.withLock { $0.active[id] }
    }

    private func announce(_ task: SessionTask) {
        let transitions = task.takeTransitions()
        record(transitions.last, of: task)
        for transition in transitions { task.delegate.task(task, didReceive: .transition(transition)) }
    }

    private func finish(_ task: SessionTask, _ outcome: TransferOutcome) {
        announce(task)
        if task.markCompleted(outcome) {
            task.delegate.task(task, didReceive: .finished(outcome))
        }
        forgetIfAnnounced(task)
    }

    /// A task whose body is being serialized, or whose end is being stored, stays until its end was announced.
    private func forgetIfAnnounced(_ task: SessionTask) {
        if task.completionIfDone != nil { forget(task.id) }
    }

    private func deliver(_ event: EngineEvent) {
        switch event {
        case .status, .finished:
            break
        case .response(let id, let head):
            signal(id, .response(head))
        case .redirect(let id, let head, let request):
            signal(id, .redirect(head, to: request))
        case .challenge(let id, let challenge, let reply):
            signal(id, .challenge(challenge, reply: reply))
        case .needsBody(let id, let reply):
            signal(id, .needsBody(reply: reply))
        case .data(let id, let bytes):
            signal(id, .data(bytes))
        case .resumedAtOffset(let id, let offset, let total):
            signal(id, .resumedAtOffset(offset, expectedTotal: total))
        case .restarted(let id, let reason):
            signal(id, .restarted(reason: reason))
        case .retrying(let id, let attempt, let delay, let reason):
            signal(id, .retrying(attempt: attempt, afterMilliseconds: delay, reason: reason))
        case .invalidated:
            engineDidEnd()
        }
    }

    private func signal(_ id: TransferID, _ signal: TaskSignal) {
        guard let task = activeTask(id) else { return }
        if case .response(let head) = signal { task.mutable.withLock { $0.head = head } }
        announce(task)
        task.delegate.task(task, didReceive: signal)
    }
}
