import Foundation
import SessionSupport

/// The delivery of events to the delegate queue: collected on any thread, applied in order by at most one pending
/// drain.
extension Session: EngineClient {
    package func engineDidPublish(_ events: [EngineEvent]) {
        if state.withLock({ $0.leave(.engine(events)) }) { delegateQueue.deliver(drain) }
    }

    func announceTransitions(of task: SessionTask) {
        enqueue(.transitions(task))
    }

    /// Enqueues an item, which is delivered after everything enqueued before it.
    func enqueue(_ item: SessionInboxItem) {
        if state.withLock({ $0.leave(item) }) { delegateQueue.deliver(drain) }
    }

    /// Runs work on the delegate queue after everything enqueued before has been applied.
    ///
    /// An operation of the queue is no substitute: the thread that has to schedule the pending drain may not have done
    /// so.
    func afterInbox(_ work: @escaping @Sendable () -> Void) { enqueue(.work(work)) }

    /// Applies everything that has arrived; delivered by the caller of `leave` that has left the first item since the
    /// last drain began.
    ///
    /// Statuses come last and once per task, except that a task's end carries its own, and that a body chunk comes
    /// after the status that counts it; so a progress block is called once per changed task and drain.
    func drain() {
        let (items, tasks) = state.withLock { state in
            state.isDrainPending = false
            defer { state.inbox = [] }
            var tasks: [[SessionTask?]] = []
            for index in state.inbox.indices { tasks.append(state.tasks(of: index)) }
            return (state.inbox, tasks)
        }
        var drain = Drain()
        for (item, tasks) in zip(items, tasks) {
            if case .engine(let events) = item { drain.statuses.keep(events, of: tasks) }
        }
        for index in items.indices { apply(items[index], of: tasks[index], &drain) }
        recordProgress(drain.statuses)
        for (task, status) in drain.statuses.untold where !task.hasEnded {
            task.delegate.task(task, didReach: status)
        }
        forget(drain.ended)
        runDueCompletions()
        for work in drain.work { work() }
    }

    /// The work that one drain defers to its end.
    private struct Drain {
        var statuses = PendingStatuses()
        /// Tasks whose end was announced: forgotten together, because the thread that starts tasks competes for the
        /// lock.
        var ended: [SessionTask] = []
        /// Work that follows everything enqueued before it.
        var work: [@Sendable () -> Void] = []
    }

    /// Runs a completion handler after this drain: submitted one by one, each would wake its queue's thread.
    ///
    /// Called on the delegate queue.
    func runAfterDrain(_ completion: DueCompletion) {
        closing.withLock { $0.due.append(completion) }
    }

    private func runDueCompletions() {
        CompletionDelivery.run(closing.withLock { $0.takeDue() })
    }

    private func apply(_ item: SessionInboxItem, of tasks: [SessionTask?], _ drain: inout Drain) {
        switch item {
        case .transitions(let task):
            announce(task.takeTransitions(), of: task)
        case .unstarted(let task, let outcome, let body):
            // Otherwise the engine would wait for the entry's transfer and admit fewer others.
            if let entry = task.delegate.entry(of: task) { submit(.queue([.leave(entry)])) }
            end(task, outcome, body, &drain)
        case .serialized(let task, let completion):
            task.delegate.task(task, didSerialize: completion)
            collectIfEnded(of: task, &drain)
        case .recorded(let task, let completion):
            task.delegate.task(task, didStore: completion)
            collectIfEnded(of: task, &drain)
        case .work(let work):
            drain.work.append(work)
        case .engine(let events):
            for index in events.indices { apply(events[index], of: tasks[index], &drain) }
        }
    }

    /// Delivers an event; a status is deferred until everything else has been delivered.
    private func apply(_ event: EngineEvent, of task: SessionTask?, _ drain: inout Drain) {
        guard let task else {
            if case .backoffs(let hosts) = event { recordBackoffs(hosts) }
            if case .limited(let hosts) = event { tellLimited(hosts) }
            if case .admitted(let entries) = event { tellAdmitted(entries) }
            if case .invalidated = event { engineDidEnd() }
            return
        }
        switch event {
        case .status:
            break
        case .finished(_, let outcome, let body):
            drain.statuses.drop(task)
            end(task, outcome, Data(body), &drain)
        case .hop(_, let request):
            task.changeRequest(to: request)
        case .uploadPlaced(_, let location):
            recordUploadLocation(location, of: task)
        case .data:
            if let status = drain.statuses.takeEarly(task) { deliver(status, to: task) }
            deliver(event, to: task)
        case .resumedAtOffset, .restarted:
            // The next event resets the counts.
            if let status = drain.statuses.takeSetApart(task) { deliver(status, to: task) }
            deliver(event, to: task)
        case .response, .redirect, .challenge, .needsBody, .retrying, .source:
            deliver(event, to: task)
        case .backoffs, .limited, .admitted, .invalidated:
            break
        }
    }

    /// Calls a task's delegate at once, unless the task's end was recorded.
    private func deliver(_ event: EngineEvent, to task: SessionTask) {
        guard let transitions = task.admit(event) else { return }
        announce(transitions, of: task)
        task.delegate.task(task, didReceive: event)
    }

    /// Calls a task's delegate at once, unless the task's end was recorded.
    private func deliver(_ status: TaskStatus, to task: SessionTask) {
        guard let transitions = task.admitStatus() else { return }
        announce(transitions, of: task)
        task.delegate.task(task, didReach: status)
    }

    private func announce(_ transitions: UnannouncedTransitions, of task: SessionTask) {
        guard !transitions.isEmpty else { return }
        record(transitions.last, of: task)
        if transitions.last == .suspended { letGoOfSuspended(task) }
        for transition in transitions { task.delegate.task(task, didMake: transition) }
    }

    private func end(_ task: SessionTask, _ outcome: TransferOutcome, _ body: Data, _ drain: inout Drain) {
        announce(task.takeTransitions(), of: task)
        // Only the following lines, on this queue, complete the task.
        if task.state != .completed { task.delegate.taskWillComplete(task) }
        if let transitions = task.markCompleted(outcome) {
            // These transitions were made while the earlier ones were announced.
            announce(transitions, of: task)
            task.delegate.task(task, didEnd: outcome, body: body)
        }
        collectIfEnded(of: task, &drain)
    }

    /// Collects an ended task; one whose body is being serialized or whose end is being stored stays until its end was
    /// announced.
    private func collectIfEnded(of task: SessionTask, _ drain: inout Drain) {
        if task.hasEnded { drain.ended.append(task) }
    }
}

extension Session.State {
    /// Returns the tasks of a batch's events in order, nil for an event without one and for a task the session has
    /// forgotten; a method, because a closure would copy the state for each event.
    fileprivate func tasks(of index: Int) -> [SessionTask?] {
        guard case .engine(let events) = inbox[index] else { return [] }
        var tasks: [SessionTask?] = []
        tasks.reserveCapacity(events.count)
        // Iterating over the elements would copy each event, so this uses the indices.
        for index in events.indices {
            guard let id = events[index].id else {
                tasks.append(nil)
                continue
            }
            tasks.append(task(id))
        }
        return tasks
    }

    /// Adds an item for the delegate queue; returns true if that needs a drain.
    mutating func leave(_ item: SessionInboxItem) -> Bool {
        inbox.append(item)
        defer { isDrainPending = true }
        return !isDrainPending
    }
}

extension EngineEvent {
    /// The event's transfer; nil for an event of the engine itself.
    fileprivate var id: TransferID? {
        switch self {
        case .status(let id, _), .response(let id, _, _), .redirect(let id, _, _, _), .hop(let id, _),
            .challenge(let id, _, _), .needsBody(let id, _), .data(let id, _), .resumedAtOffset(let id, _, _),
            .restarted(let id, _), .uploadPlaced(let id, _), .source(let id, _),
            .retrying(let id, _, _, _), .finished(let id, _, _):
            id
        case .backoffs, .limited, .admitted, .invalidated:
            nil
        }
    }
}

/// An item that waits for the delegate queue.
enum SessionInboxItem: Sendable {
    case engine([EngineEvent])
    /// A task has transitions to announce.
    case transitions(SessionTask)
    /// A task ended without the engine.
    case unstarted(SessionTask, TransferOutcome, body: Data)
    case serialized(SessionTask, TaskCompletion)
    case recorded(SessionTask, TaskCompletion)
    /// Work that follows everything enqueued before it.
    case work(@Sendable () -> Void)
}
