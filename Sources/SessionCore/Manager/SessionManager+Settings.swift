public import Foundation
import SessionSupport

/// The settings that any thread can change at any time.
extension SessionManager {
    /// Makes an object from a response's body; the default is JSON, except for `async` methods, which return bodies
    /// unchanged until a serializer is set.
    ///
    /// A task keeps the serializer set when it was created, unless it gets its own: ``SessionTask/responseSerializer``.
    public var responseSerializer: any ResponseSerializer {
        get { state.withLock { $0.serializer } ?? Self.defaultSerializer }
        set { state.replace(\.serializer, with: newValue) }
    }

    /// The serializer that was set; nil for the default.
    package var chosenSerializer: (any ResponseSerializer)? {
        get { state.withLock { $0.serializer } }
        set { state.replace(\.serializer, with: newValue) }
    }

    /// Changes the number of transfers that run at once, in total and per host, from now on; each is at least one.
    ///
    /// With more slots, waiting transfers start at once. With fewer, running transfers continue, and the next one
    /// starts when enough have ended.
    public func setLimits(concurrentTransfers: Int, perHost: Int) {
        session.submit(.setLimits(max(concurrentTransfers, 1), perHost: max(perHost, 1)))
    }

    /// Changes the maximum transfer rate from now on; running transfers are slowed down, or released, at once.
    ///
    /// Over any ten seconds the bytes moved are within 3 percent of the limit if the network supplies that many. The
    /// first bytes of a connection that had no limit before may be as many as the system's buffers hold.
    public func setRateLimits(_ limits: RateLimits) { session.submit(.setRateLimits(limits)) }

    /// The requirements for a server's identity.
    ///
    /// Read for every connection: a connection made under another policy is not used again.
    public var securityPolicy: SecurityPolicy {
        get { trust.policy }
        set { trust.policy = newValue }
    }

    /// Policies of single hosts, which replace ``securityPolicy`` for them, also after a redirect.
    ///
    /// None by default. Read for every connection, as ``securityPolicy`` is.
    public var hostSecurityPolicies: HostSecurityPolicies {
        get { trust.hosts }
        set { trust.hosts = newValue }
    }

    /// Kept for the manager's user: the manager never starts or asks it.
    ///
    /// By default the process's own.
    public var reachabilityManager: ReachabilityManager? {
        get { state.withLock { $0.reachability } }
        set { state.replace(\.reachability, with: newValue) }
    }

    /// The queue of completion handlers; nil for the main queue, which a program without a main run loop never serves.
    ///
    /// Read when a task completes.
    public var completionQueue: DispatchQueue? {
        get { state.withLock { $0.completionLane?.queue } }
        set {
            let lane = newValue.map { CompletionLane<DueCompletion>($0) }
            state.replace(\.completionLane, with: lane)
        }
    }

    /// The queue on which completion handlers run now.
    package var deliveryQueue: DispatchQueue { completionQueue ?? CompletionDelivery.defaultQueue }

    /// The group that spans a completion handler's run; nil for a group shared by the process.
    ///
    /// Entered right before a task reports completion, not when the task is created; to wait for tasks and their
    /// handlers use ``waitForAll()`` and then the group. Read when a task completes.
    public var completionGroup: DispatchGroup? {
        get { state.withLock { $0.completionGroup } }
        set { state.replace(\.completionGroup, with: newValue) }
    }

    /// The queue on which task notifications are posted; nil for the main queue.
    public var notificationQueue: DispatchQueue? {
        get { state.withLock { $0.notificationQueue } }
        set { state.replace(\.notificationQueue, with: newValue) }
    }

    /// Whether task notifications are posted.
    ///
    /// A program whose main queue never runs should set this to false or set a queue: a notification that waits keeps its
    /// task and the task's body.
    public var postsNotifications: Bool {
        get { state.withLock { $0.postsNotifications } }
        set { state.withLock { $0.postsNotifications = newValue } }
    }

    /// The store for bodies of data tasks; none by default.
    public var responseCache: (any ResponseCache)? {
        get { state.withLock { $0.responseCache } }
        set { state.replace(\.responseCache, with: newValue) }
    }

    /// All closures at once.
    ///
    /// Each is also a property of the manager.
    public var handlers: SessionHandlers {
        get { state.withLock { $0.handlers } }
        set {
            change { $0 = newValue }
            trust.closuresChanged()
        }
    }

    /// Each closure of ``SessionHandlers``, read and set individually.
    public subscript<Closure>(dynamicMember path: any WritableKeyPath<SessionHandlers, Closure> & Sendable) -> Closure {
        get { state.withLock { $0.handlers[keyPath: path] } }
        set {
            change { $0[keyPath: path] = newValue }
            let challenges: [AnyKeyPath] = [\SessionHandlers.onSessionChallenge, \SessionHandlers.onTaskChallenge]
            if challenges.contains(path) { trust.closuresChanged() }
        }
    }

    /// Sets handlers; most are read when their event happens, but the loop is notified of a chunk handler because it
    /// does not check for one at each chunk.
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

    func handler<Closure>(_ path: KeyPath<SessionHandlers, Closure>) -> Closure { state.handler(path) }
}

extension Locked<SessionManager.State> {
    func handler<Closure>(_ path: KeyPath<SessionHandlers, Closure>) -> Closure {
        withLock { $0.handlers[keyPath: path] }
    }
}
