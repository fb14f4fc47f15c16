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
        var drain = Drain(of: items)
        for item in items { apply(item, &drain) }
        recordProgress(drain.latest)
        for task in drain.changed {
            guard let status = drain.latest[task.id], !task.hasEnded else { continue }
            task.delegate.task(task, didReceive: .status(status))
        }
        forget(drain.ended)
        runDueCompletions()
    }

    /// What one drain leaves for its end.
    private struct Drain {
        /// The statuses that are still to be delivered.
        var latest: [TransferID: TaskStatus] = [:]
        /// Whose they are, in the order in which they came first.
        var changed: [SessionTask] = []
        /// Tasks whose end was announced: forgotten together, because the thread that starts tasks wants the lock too.
        var ended: [SessionTask] = []

        /// With room for the events of some items.
        init(of items: [SessionInboxItem]) {
            let count = items.reduce(0) { count, item in
                if case .engine(let events) = item { count + events.count } else { count }
            }
            latest.reserveCapacity(count)
            changed.reserveCapacity(count)
        }
    }

    /// Has a completion handler run when this drain is over: handed over one by one, each would wake its queue's thread.
    ///
    /// Called on the delegate queue.
    func runAfterDrain(_ completion: DueCompletion) {
        dueCompletions.withLock { $0.append(completion) }
    }

    private func runDueCompletions() {
        let due = dueCompletions.withLock { due in
            defer { due = [] }
            return due
        }
        CompletionDelivery.run(due)
    }

    private func apply(_ item: SessionInboxItem, _ drain: inout Drain) {
        switch item {
        case .transitions(let task):
            announce(task.takeTransitions(), of: task)
        case .unstarted(let task, let outcome):
            finish(task, outcome, &drain)
        case .serialized(let task, let completion):
            task.delegate.task(task, didReceive: .serialized(completion))
            noteEnd(of: task, &drain)
        case .recorded(let task, let completion):
            task.delegate.task(task, didReceive: .recorded(completion))
            noteEnd(of: task, &drain)
        case .engine(let events):
            for (event, task) in zip(events, activeTasks(of: events)) { apply(event, of: task, &drain) }
        }
    }

    /// The tasks of a batch's events, found together; nil for one that the session has forgotten.
    private func activeTasks(of events: [EngineEvent]) -> [SessionTask?] {
        state.withLock { state in
            events.map { event in event.id.flatMap { state.active[$0] } }
        }
    }

    /// Delivers an event; a status is kept back until everything else has been delivered.
    private func apply(_ event: EngineEvent, of task: SessionTask?, _ drain: inout Drain) {
        guard let task else {
            if case .invalidated = event { engineDidEnd() }
            return
        }
        switch event {
        case .status(let id, let status):
            if drain.latest.updateValue(status, forKey: id) == nil { drain.changed.append(task) }
        case .finished(let id, let outcome):
            drain.latest[id] = nil
            finish(task, outcome, &drain)
        case .response, .redirect, .challenge, .needsBody, .data, .resumedAtOffset, .restarted, .retrying, .invalidated:
            guard let signal = event.signal, let transitions = task.note(signal) else { return }
            announce(transitions, of: task)
            task.delegate.task(task, didReceive: signal)
        }
    }

    private func announce(_ transitions: UnannouncedTransitions, of task: SessionTask) {
        guard !transitions.isEmpty else { return }
        record(transitions.last, of: task)
        for transition in transitions { task.delegate.task(task, didReceive: .transition(transition)) }
    }

    private func finish(_ task: SessionTask, _ outcome: SharedValue<TransferOutcome>, _ drain: inout Drain) {
        announce(task.takeTransitions(), of: task)
        if task.markCompleted(outcome) {
            task.delegate.task(task, didReceive: .finished(outcome))
        }
        noteEnd(of: task, &drain)
    }

    /// A task whose body is being serialized, or whose end is being stored, stays until its end was announced.
    private func noteEnd(of task: SessionTask, _ drain: inout Drain) {
        if task.hasEnded { drain.ended.append(task) }
    }
}

extension EngineEvent {
    /// Whose event it is; nil for the engine's own.
    fileprivate var id: TransferID? {
        switch self {
        case .status(let id, _), .response(let id, _, _), .redirect(let id, _, _), .challenge(let id, _, _),
            .needsBody(let id, _), .data(let id, _), .resumedAtOffset(let id, _, _), .restarted(let id, _),
            .retrying(let id, _, _, _), .finished(let id, _):
            id
        case .invalidated:
            nil
        }
    }

    /// What a task's delegate is told at once; nil for what is not told as it comes.
    fileprivate var signal: TaskSignal? {
        switch self {
        case .response(_, let head, let awaits): .response(head, awaitsDisposition: awaits)
        case .redirect(_, let head, let request): .redirect(head, to: request)
        case .challenge(_, let challenge, let reply): .challenge(challenge, reply: reply)
        case .needsBody(_, let reply): .needsBody(reply: reply)
        case .data(_, let bytes): .data(bytes)
        case .resumedAtOffset(_, let offset, let total): .resumedAtOffset(offset, expectedTotal: total)
        case .restarted(_, let reason): .restarted(reason: reason)
        case .retrying(_, let attempt, let delay, let reason):
            .retrying(attempt: attempt, afterMilliseconds: delay, reason: reason)
        case .status, .finished, .invalidated: nil
        }
    }
}
