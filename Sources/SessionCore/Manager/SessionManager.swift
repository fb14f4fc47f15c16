// The modules that the library's declarations name are re-exported, so that a program imports only `SessionCore`.
@_exported public import Dispatch
@_exported public import Foundation
@_exported public import FoundationNetworking
import SessionSupport

/// A manager of transfers, which makes the three kinds of task, observes them and calls closures about them.
///
/// Create one and keep it; any thread may use it. Closures are called on the serial ``operationQueue``, completion
/// handlers on ``completionQueue`` inside ``completionGroup``. A closure may read ``tasks`` and call any method. A
/// manager released while tasks run lives until they have completed; nothing else keeps it. A class because it has an
/// identity that tasks and closures refer to.
///
/// ```swift
/// let manager = SessionManager()
/// let completion = try await manager.data(for: URLRequest(url: url))
/// print(completion.data.count)
/// ```
@dynamicMemberLookup
public final class SessionManager: Sendable {
    /// Called with the live progress on the delegate queue: at most once per drain, and only after a change.
    public typealias ProgressBlock = @Sendable (Progress) -> Void
    /// Called once, on the completion queue, with the response, the serialized object and the error.
    ///
    /// Both an object and an error may be present. Foundation's response is made on demand:
    /// ``ResponseHead/httpURLResponse``.
    public typealias CompletionHandler = @Sendable (ResponseHead?, (any Sendable)?, (any Error)?) -> Void

    /// The mutable state.
    ///
    /// Task records read it even after the manager is gone; by then it is reset.
    struct State {
        var session: Session?
        /// Every task that has not completed or whose end is being announced.
        var registry: [TransferID: SessionTask] = [:]
        /// The serializer that was set for all tasks; nil until one is set.
        var serializer: (any ResponseSerializer)?
        var reachability: ReachabilityManager? = .shared
        /// The queue of completion handlers; nil for the main queue.
        var completionLane: CompletionLane<DueCompletion>?
        var completionGroup: DispatchGroup?
        var notificationQueue: DispatchQueue?
        var postsNotifications = true
        var handlers = SessionHandlers()
        var responseCache: (any ResponseCache)?
        /// The ignored properties already reported.
        var toldProperties: Set<IgnoredRequestProperty> = []
        var interceptors: [any RequestInterceptor] = []
        var monitors: [any SessionMonitor] = []
        /// The store of the latest session, for the session that replaces it.
        var store: TaskStoreWriter?
        var restoration = RestorationState()
        var onEntriesAdmitted: (@Sendable ([TransferID]) -> Void)?
        var trust: TrustSettings?

        /// The part that outlives the manager.
        var withoutManager: State {
            var rest = State()
            (rest.completionLane, rest.completionGroup) = (completionLane, completionGroup)
            (rest.notificationQueue, rest.postsNotifications) = (notificationQueue, postsNotifications)
            (rest.trust, rest.responseCache) = (trust, responseCache.map { LeftCache(cache: $0) })
            return rest
        }
    }

    /// The configuration of this manager's sessions.
    public let configuration: SessionConfiguration
    /// The serial queue every closure is called on, completion handlers excepted.
    ///
    /// Suspending it suspends all closures, and no event is lost until it is resumed. It stays serial whatever width it
    /// is set to, and cancelling its operations cancels only operations added by others: the library's deliveries
    /// report events that have already happened. Waiting in a closure until its operations are finished waits forever,
    /// because the closure is one of them.
    public let operationQueue: OperationQueue
    /// Header fields of every task created from here on, unless its request sets them.
    public let requestHeaders = RequestHeaderStore()
    let state = Locked(State())
    let trust: TrustSettings
    /// The factories' serializer until another one is set, as in AFNetworking.
    static let defaultSerializer: any ResponseSerializer = JSONResponseSerializer()
    private let makeEngine: @Sendable (SessionConfiguration) -> any TransferEngine
    /// Locked while a session is made, which may read from the disk: concurrent callers get the same session.
    private let creation = Locked(())

    /// A manager with its own session, which is created on first use.
    ///
    /// The session of a persistent configuration is created here, which reads from the disk: when this returns,
    /// ``tasks`` has every unfinished task of the earlier run, and the ones that ran then run again. Pass here what
    /// must be set before they do: the closures that receive their events, the policies of their connections, and the
    /// serializer, nil for the default one. ``SessionStore/error`` says why the session could not be opened; then
    /// every factory throws that error.
    public convenience init(
        configuration: SessionConfiguration = .default, handlers: SessionHandlers = SessionHandlers(),
        securityPolicy: SecurityPolicy = .default, hostSecurityPolicies: HostSecurityPolicies = [:],
        responseSerializer: (any ResponseSerializer)? = nil
    ) {
        self.init(
            configuration: configuration, handlers: handlers, securityPolicy: securityPolicy,
            hostSecurityPolicies: hostSecurityPolicies, responseSerializer: responseSerializer,
            makeEngine: Session.makeEngine)
    }

    /// A manager whose sessions use another engine, such as one that answers by itself.
    package convenience init(
        configuration: SessionConfiguration, handlers: SessionHandlers,
        engine: @escaping @Sendable (SessionConfiguration) -> any TransferEngine
    ) {
        self.init(configuration: configuration, handlers: handlers, makeEngine: engine)
    }

    /// - Parameter store: keeps the transfers of a persistent session; nil for the file that the configuration names.
    init(
        configuration: SessionConfiguration, handlers: SessionHandlers = SessionHandlers(),
        securityPolicy: SecurityPolicy = .default, hostSecurityPolicies: HostSecurityPolicies = [:],
        responseSerializer: (any ResponseSerializer)? = nil, store: TaskStoreWriter? = nil,
        makeEngine: @escaping @Sendable (SessionConfiguration) -> any TransferEngine
    ) {
        self.configuration = configuration
        self.makeEngine = makeEngine
        operationQueue = DelegateQueue()
        let trust = TrustSettings()
        self.trust = trust
        // Everything is set before the first restored task may connect.
        (trust.policy, trust.hosts) = (securityPolicy, hostSecurityPolicies)
        state.withLock { state in
            (state.handlers, state.trust, state.store) = (handlers, trust, store)
            state.serializer = responseSerializer
        }
        if configuration.identifier != nil { restoreTasks() }
    }

    /// Releases everything except the completion handlers of idle tasks that callers still retain, which run on the
    /// queue set here.
    deinit {
        let last = state.withLock { state in
            defer { state = state.withoutManager }
            return state
        }
        withExtendedLifetime(last) {}
    }

    // MARK: Session

    /// The session, created on first use and again after an invalidation that resets it.
    public var session: Session { state.withLock { $0.session } ?? makeSession() }

    /// The values a new task needs, read at once.
    var sessionAndSerializer: (Session, any ResponseSerializer) {
        let (session, serializer) = state.withLock { ($0.session, $0.serializer) }
        return (session ?? makeSession(), serializer ?? Self.defaultSerializer)
    }

    private func makeSession() -> Session {
        creation.withLock { _ in
            let (session, store) = state.withLock { ($0.session, $0.store) }
            if let session { return session }
            let fresh = Session(
                configuration: configuration, engine: makeEngine(configuration), delegateQueue: operationQueue,
                replacing: store, found: handler(\.onStoredTransfersFound))
            fresh.setOwner(self)
            state.withLock { ($0.session, $0.store) = (fresh, fresh.store) }
            return fresh
        }
    }

    /// Ends the session: at once, cancelling every task, or when every running task has ended.
    ///
    /// With `resettingSession` the next task gets a new session; otherwise creating one throws
    /// ``SessionError/Code/sessionInvalidated``. Returns immediately and may be called again.
    public func invalidate(cancellingTasks: Bool, resettingSession: Bool = false) {
        let (session, tasks) = state.withLock { state in
            let session = state.session
            let tasks = state.registry.values.filter { $0.session === session }
            if resettingSession { state.session = nil }
            return (session, tasks)
        }
        guard let session = session ?? (resettingSession ? nil : self.session) else { return }
        if cancellingTasks {
            session.startNone()
            for task in tasks { task.cancel() }
        }
        session.invalidate(cancellingTasks: cancellingTasks)
    }

    /// Returns a new manager with the same configuration and its own session; closures, serializer, policy and queues
    /// are not copied.
    ///
    /// The copy of a persistent manager is not persistent, because only one session of an identifier can be open.
    public func copy() -> SessionManager {
        var configuration = self.configuration
        configuration.identifier = nil
        return SessionManager(configuration: configuration, makeEngine: makeEngine)
    }

    // MARK: Registry

    /// Every task that has not completed, including tasks never resumed: data, then upload, then download tasks, each
    /// in the order of their creation.
    ///
    /// Returns at once, on any thread and inside any closure.
    public var tasks: [SessionTask] { dataTasks + uploadTasks + downloadTasks }
    /// The data tasks of ``tasks``.
    public var dataTasks: [SessionTask] { tasks(of: .data) }
    /// The upload tasks of ``tasks``.
    public var uploadTasks: [SessionTask] { tasks(of: .upload) }
    /// The download tasks of ``tasks``.
    public var downloadTasks: [SessionTask] { tasks(of: .download) }

    /// Returns the task with an identifier, unless it has completed.
    public func task(for id: TransferID) -> SessionTask? {
        guard let task = state.withLock({ $0.registry[id] }), task.state != .completed else { return nil }
        return task
    }

    /// Returns a task's upload progress; nil once it has completed and for a task of another manager.
    ///
    /// It finishes when the task has its response, unless an error status came before the whole body was sent.
    public func uploadProgress(for task: SessionTask) -> Progress? {
        self.task(for: task.id)?.progress(.upload)
    }

    /// Returns a task's download progress; nil once it has completed and for a task of another manager.
    public func downloadProgress(for task: SessionTask) -> Progress? {
        self.task(for: task.id)?.progress(.download)
    }

    func register(_ task: SessionTask) { state.withLock { $0.registry[task.id] = task } }

    private func tasks(of kind: TransferKind) -> [SessionTask] {
        let all = state.withLock { Array($0.registry.values) }
        return all.filter { $0.kind == kind && $0.state != .completed }.sorted { $0.id < $1.id }
    }
}

extension SessionManager: SessionOwner {
    func sessionDidBecomeInvalid(_ session: Session) {
        handler(\.onInvalidate)?(session, nil)
        SessionNotification.postNow(.sessionDidInvalidate, session)
    }

    func session(_ session: Session, holds hosts: [HostBackoff]) { handler(\.onHostBackoffs)?(hosts) }

    func session(_ session: Session, limits hosts: [LimitedHost]) { handler(\.onLimitedHosts)?(hosts) }

    func session(_ session: Session, admits entries: [TransferID]) { state.withLock { $0.onEntriesAdmitted }?(entries) }

    /// Removes completed tasks from the registry; lookups no longer return them.
    func session(_ session: Session, didForget tasks: [SessionTask]) {
        state.withLock { state in
            for task in tasks { state.registry.remove(task) }
        }
    }
}

extension SessionManager: CustomStringConvertible {
    /// The class, its address, its session and its queue.
    public var description: String {
        let session = state.withLock { $0.session }.map { "\(ObjectIdentifier($0))" } ?? "none"
        return "<SessionManager: \(ObjectIdentifier(self)), session: \(session), operationQueue: \(operationQueue)>"
    }
}

/// The unfinished work about the tasks of an earlier run.
struct RestorationState: Sendable {
    /// Tasks that ran then and were neither resumed nor suspended since.
    var waiting: [SessionTask] = []
    /// Tasks with undelivered events.
    var underway: Set<TransferID> = []
    /// Whether the end of the restoration was announced, or none is due.
    var isFinished = true

    /// Removes a task with no more events for now; returns true if it was the last one.
    mutating func remove(_ id: TransferID) -> Bool {
        underway.remove(id)
        guard !isFinished, underway.isEmpty else { return false }
        isFinished = true
        return true
    }
}
