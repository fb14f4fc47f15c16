public import Foundation
import SessionSupport

/// A session, which creates tasks, owns the engine that moves their bytes, and can be invalidated; the counterpart of
/// `URLSession`.
///
/// A class because it owns a thread and a queue. Once invalid it stays so; a ``SessionManager`` can replace it. While
/// tasks run, the session retains itself and its owner; otherwise the engine ends when the last owner releases the
/// session.
///
/// ```swift
/// let session = manager.session
/// print(session.configuration.maximumConcurrentTransfers, session.isInvalidated)
/// ```
public final class Session: TaskSession, Sendable {
    /// The mutable state: items that wait for delivery and the tasks the engine knows.
    struct State {
        var inbox: [SessionInboxItem] = []
        var isDrainPending = false
        /// Tasks that were resumed and have not ended, except the suspended ones.
        var active: [TransferID: SessionTask] = [:]
        /// Suspended tasks, retained only by their callers.
        var suspended: [TransferID: WeakTask] = [:]
        var isInvalidated = false
        var hasEngineEnded = false
        var didReportInvalidation = false
        weak var owner: (any SessionOwner)?
        var lifeline: Lifeline?
        var holdsStore = false
    }

    /// A deliberate retain cycle while deliveries are pending; the last delivery breaks it.
    struct Lifeline: Sendable {
        let session: Session
        let owner: (any SessionOwner)?
    }

    /// The session's configuration.
    public let configuration: SessionConfiguration
    /// The serial queue on which every closure of the session's tasks is called, completion handlers excepted.
    public let delegateQueue: OperationQueue
    /// The store of a persistent session, or why it could not be opened; nil for any other session.
    let persistence: Result<TaskStoreWriter, SessionError>?
    let store: TaskStoreWriter?
    let state = Locked(State())
    /// What closures have answered to servers, until the session is invalidated.
    let credentials = Locked(SessionCredentials())
    /// Completion handlers and the session's own end, which is announced after them.
    let closing = Locked(SessionClosing())
    private let engine: any TransferEngine

    /// A session with its own engine.
    package convenience init(configuration: SessionConfiguration = .default) {
        self.init(configuration: configuration, engine: Self.makeEngine(configuration))
    }

    /// Opens the store of a persistent session, unless it takes over the store of the session it replaces.
    init(
        configuration: SessionConfiguration, engine: any TransferEngine, delegateQueue: OperationQueue? = nil,
        replacing earlier: TaskStoreWriter? = nil, found: TaskStore.Found? = nil
    ) {
        persistence = Self.openStore(configuration, replacing: earlier, found: found)
        store = try? persistence?.get()
        self.configuration = configuration
        self.engine = engine
        self.delegateQueue = delegateQueue ?? DelegateQueue()
        engine.setClient(self)
        state.withLock { $0.holdsStore = true }
    }

    deinit {
        if !state.withLock({ $0.isInvalidated }) { engine.submit(.invalidate(cancelling: true)) }
        releaseStore()
    }

    func recordBackoffs(_ hosts: [HostBackoff]) { state.withLock { $0.owner }?.session(self, holds: hosts) }

    func tellLimited(_ hosts: [LimitedHost]) { state.withLock { $0.owner }?.session(self, limits: hosts) }

    func tellAdmitted(_ entries: [TransferID]) { state.withLock { $0.owner }?.session(self, admits: entries) }

    /// Whether tasks can no longer be created or started.
    public var isInvalidated: Bool { state.withLock { $0.isInvalidated } }

    /// Ends the session: at once, cancelling running tasks, or when every running task has ended.
    ///
    /// Returns immediately; calling it again does nothing, except that cancelling still cancels running tasks.
    ///
    /// A task that was never resumed cannot start afterwards: resuming it completes it with
    /// ``SessionError/Code/sessionInvalidated``.
    public func invalidate(cancellingTasks: Bool) {
        let (isFirst, running) = state.withLock { state -> (Bool, [SessionTask]) in
            let isFirst = !state.isInvalidated
            state.isInvalidated = true
            // After the report nothing would release it again.
            if !state.didReportInvalidation { keepAlive(&state) }
            return (isFirst, cancellingTasks ? state.tasks : [])
        }
        credentials.withLock { $0.close() }
        if cancellingTasks { startNone() }
        for task in running { task.cancel() }
        if isFirst { engine.submit(.invalidate(cancelling: cancellingTasks)) }
    }

    /// Stops new transfers from starting: otherwise each cancelled one would give its slot to the next.
    func startNone() { engine.submit(.setLimits(0, perHost: 1)) }

    func setOwner(_ owner: any SessionOwner) { state.withLock { $0.owner = owner } }

    // MARK: Tasks

    func submit(_ command: EngineCommand) { engine.submit(command) }

    /// Submits a task to the engine and announces its transitions; once the session is invalid the task ends instead.
    func start(_ task: SessionTask) {
        let (isAccepted, schedules) = state.withLock { state -> (Bool, Bool) in
            let schedules = state.leave(.transitions(task))
            guard !state.isInvalidated else { return (false, schedules) }
            state.active[task.id] = task
            keepAlive(&state)
            return (true, schedules)
        }
        if schedules { delegateQueue.deliver(drain) }
        guard isAccepted else {
            let error = SessionError(.sessionInvalidated, TaskErrors.invalidated, failingURL: task.request.url)
            return endUnstarted(task, error)
        }
        var conditions = HeaderFields()
        switch task.delegate.cacheAnswer(of: task) {
        case nil: break
        case .outcome(let outcome, let body):
            task.control.publish(outcome.status)
            return enqueue(.unstarted(task, outcome, body: body))
        case .question(let fields): conditions = fields
        }
        var arrangement = task.delegate.arrangement(of: task)
        arrangement.conditions = conditions
        engine.submit(
            .add(
                TransferDescription(
                    id: task.id, kind: task.kind, request: task.request,
                    sink: task.delegate.sink(of: task) ?? .memory(limit: configuration.dataLimit),
                    resumeData: task.resumeData, control: task.control,
                    arrangement: arrangement)))
        engine.submit(.reconcile(task.id))
    }

    /// Ends a task that was never submitted to the engine.
    func endUnstarted(_ task: SessionTask, _ error: SessionError) {
        // A task of an earlier run has counts before it starts.
        var status = task.control.status
        status.phase = error.code == .cancelled ? .cancelled : .failed
        task.control.publish(status)
        enqueue(.unstarted(task, TransferOutcome(error: error, status: status), body: Data()))
    }

    /// Releases tasks whose end was announced, and the session and its owner when nothing is left to deliver.
    func forget(_ tasks: [SessionTask]) {
        guard !tasks.isEmpty else { return }
        let (owner, reports, released) = state.withLock { state in
            for task in tasks { state.remove(task) }
            return (state.owner, claimReport(&state), releaseIfIdle(&state))
        }
        owner?.session(self, didForget: tasks)
        if reports { reportInvalidation() }
        withExtendedLifetime(released) {}
    }

    /// Notifies the owner, exactly once, that the engine has ended, after the last task's end was announced.
    func engineDidEnd() {
        let (reports, released) = state.withLock { state in
            state.isInvalidated = true
            state.hasEngineEnded = true
            return (claimReport(&state), releaseIfIdle(&state))
        }
        if reports { reportInvalidation() }
        withExtendedLifetime(released) {}
    }

    /// Closes the store, and notifies the owner when the last completion handler has returned.
    func reportInvalidation() {
        releaseStore()
        guard let owner = state.withLock({ $0.owner }) else { return }
        if closing.withLock({ $0.isTime(for: owner) }) { owner.sessionDidBecomeInvalid(self) }
    }

    /// Called on the completion queue.
    func completionHandlerReturned() {
        guard let owner = closing.withLock({ $0.handlerReturned() }) else { return }
        delegateQueue.deliver { owner.sessionDidBecomeInvalid(self) }
    }

    func claimReport(_ state: inout State) -> Bool {
        guard state.hasEngineEnded, state.active.isEmpty, state.suspended.isEmpty, !state.didReportInvalidation else {
            return false
        }
        state.didReportInvalidation = true
        return true
    }
}

/// The owner of a session, which is notified of its end.
///
/// The session holds it weakly, and strongly while tasks run.
protocol SessionOwner: AnyObject, Sendable {
    /// Called once on the delegate queue when the engine has ended and the last completion handler has returned.
    func sessionDidBecomeInvalid(_ session: Session)
    /// Called on the delegate queue when hosts are paused or released.
    func session(_ session: Session, holds hosts: [HostBackoff])
    /// Called on the delegate queue when the concurrency of hosts drops below the limits or changes again.
    func session(_ session: Session, limits hosts: [LimitedHost])
    /// Called on the delegate queue when tasks are to be made for queue entries.
    func session(_ session: Session, admits entries: [TransferID])
    /// Called on the delegate queue when the ends of tasks were announced, before their completion handlers run.
    func session(_ session: Session, didForget tasks: [SessionTask])
}
