public import Foundation
import SessionSupport

/// What can be set at any time, from any thread.
extension SessionManager {
    /// Makes an object of a response's body; JSON unless set, but for the calls that wait, which leave bodies as they are
    /// until one is set.
    ///
    /// A task keeps the one there was when it was created, unless it is given one of its own:
    /// ``SessionTask/responseSerializer``.
    public var responseSerializer: any ResponseSerializer {
        get { state.withLock { $0.serializer } ?? Self.defaultSerializer }
        set { state.withLock { $0.serializer = newValue } }
    }

    /// The serializer that was set; nil where the default one counts.
    package var chosenSerializer: (any ResponseSerializer)? {
        get { state.withLock { $0.serializer } }
        set { state.withLock { $0.serializer = newValue } }
    }

    /// Changes how many transfers run at once, in all and to each host, from now on; none is less than one.
    ///
    /// Where there are more slots, transfers that wait start at once. Where there are fewer, those that run go on, and the
    /// next one starts when enough have ended.
    public func setLimits(concurrentTransfers: Int, perHost: Int) {
        session.submit(.setLimits(max(concurrentTransfers, 1), perHost: max(perHost, 1)))
    }

    /// Changes how fast bodies may move, from now on; transfers that run are bounded, or let go, at once.
    ///
    /// What moves over any ten seconds is within three hundredths of the limit, as long as there is so much to be had. The
    /// first bytes of a connection that was not bounded before may be as many as the system's buffers hold.
    public func setRateLimits(_ limits: RateLimits) { session.submit(.setRateLimits(limits)) }

    /// How servers have to prove who they are.
    ///
    /// Read at every connection: a connection that was made under another policy is not used again.
    public var securityPolicy: SecurityPolicy {
        get { trust.policy }
        set { trust.policy = newValue }
    }

    /// Policies of single hosts, which count for them in the place of ``securityPolicy``: those to which a redirect leads
    /// too.
    ///
    /// None unless set. Read at every connection, as that is.
    public var hostSecurityPolicies: HostSecurityPolicies {
        get { trust.hosts }
        set { trust.hosts = newValue }
    }

    /// Held for its user: never started and never asked by the manager.
    ///
    /// The process's own unless set.
    public var reachabilityManager: ReachabilityManager? {
        get { state.withLock { $0.reachability } }
        set { state.withLock { $0.reachability = newValue } }
    }

    /// Where completion handlers run; nil for the main queue, which a program without a main run loop never serves.
    ///
    /// Read when a task completes.
    public var completionQueue: DispatchQueue? {
        get { state.withLock { $0.completionLane?.queue } }
        set {
            let lane = newValue.map { CompletionLane<DueCompletion>($0) }
            state.withLock { $0.completionLane = lane }
        }
    }

    /// The queue on which completion handlers run now.
    package var deliveryQueue: DispatchQueue { completionQueue ?? CompletionDelivery.defaultQueue }

    /// The group that spans a completion handler's run; nil for one of the process.
    ///
    /// It is entered right before a task says that it has completed, not when the task is created; to wait for tasks use
    /// ``waitForAll()``. Read when a task completes.
    public var completionGroup: DispatchGroup? {
        get { state.withLock { $0.completionGroup } }
        set { state.withLock { $0.completionGroup = newValue } }
    }

    /// Where task notifications are posted; nil for the main queue.
    public var notificationQueue: DispatchQueue? {
        get { state.withLock { $0.notificationQueue } }
        set { state.withLock { $0.notificationQueue = newValue } }
    }

    /// Whether task notifications are posted.
    ///
    /// A program whose main queue never runs should say no or set a queue.
    public var postsNotifications: Bool {
        get { state.withLock { $0.postsNotifications } }
        set { state.withLock { $0.postsNotifications = newValue } }
    }

    /// Where bodies of data tasks are stored; none unless set.
    public var responseCache: (any ResponseCache)? {
        get { state.withLock { $0.responseCache } }
        set { state.withLock { $0.responseCache = newValue } }
    }

    /// All closures at once.
    ///
    /// Single ones are properties of the manager itself.
    public var handlers: SessionHandlers {
        get { state.withLock { $0.handlers } }
        set {
            change { $0 = newValue }
            trust.closuresChanged()
        }
    }

    /// Each closure of ``SessionHandlers``, read and set on its own.
    public subscript<Closure>(dynamicMember path: any WritableKeyPath<SessionHandlers, Closure> & Sendable) -> Closure {
        get { state.withLock { $0.handlers[keyPath: path] } }
        set {
            change { $0[keyPath: path] = newValue }
            let challenges: [AnyKeyPath] = [\SessionHandlers.onSessionChallenge, \SessionHandlers.onTaskChallenge]
            if challenges.contains(path) { trust.closuresChanged() }
        }
    }

    /// The loop looks for most closures when their event happens; that somebody looks at chunks it has to be told, because
    /// it does not look at each chunk.
    private func change(_ body: (inout SessionHandlers) -> Void) {
        let (before, layout) = state.withLock { state in
            let before = state.handlers
            body(&state.handlers)
            return (before, before.onData == nil && state.handlers.onData != nil)
        }
        withExtendedLifetime(before) {}
        guard layout else { return }
        for task in dataTasks + uploadTasks where task.wasResumed { task.session.submit(.reconcile(task.id)) }
    }

    /// The closure there is now.
    func handler<Closure>(_ path: KeyPath<SessionHandlers, Closure>) -> Closure { state.handler(path) }
}

extension Locked<SessionManager.State> {
    /// The closure there is now.
    func handler<Closure>(_ path: KeyPath<SessionHandlers, Closure>) -> Closure {
        withLock { $0.handlers[keyPath: path] }
    }
}
