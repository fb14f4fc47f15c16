public import Foundation

/// The closures of a session manager; nil means the default behavior, not a pass-through.
///
/// The manager offers each closure as a property: `manager.onRedirect = { … }`. A closure is read when its event
/// happens (the closures of a task's end are read together), so one that is set while tasks run is called for them too.
/// It is called on the delegate queue after the task's own handler has received the event, and may call back into the
/// manager.
///
/// ```swift
/// var handlers = SessionHandlers()
/// handlers.onComplete = { task, error in print(task.id, error == nil ? "ended" : "failed") }
/// let listening = SessionManager(handlers: handlers)
/// ```
public struct SessionHandlers: Sendable {
    /// Receives every event of every task.
    public var onTaskEvent: (@Sendable (SessionTask, SessionTaskEvent) -> Void)?
    /// The session became invalid; the error is nil if invalidation was requested.
    ///
    /// Called when the completion handler of the last task that was resumed has returned. A task that never was ends
    /// when it is resumed or cancelled, which may be later.
    public var onInvalidate: (@Sendable (Session, (any Error)?) -> Void)?
    /// Hosts were paused or released: gets all that are paused now; see ``HostBackoff``.
    package var onHostBackoffs: (@Sendable ([HostBackoff]) -> Void)?
    /// The concurrency of hosts was reduced below the limits, or restored: gets all reduced hosts; see ``LimitedHost``.
    package var onLimitedHosts: (@Sendable ([LimitedHost]) -> Void)?
    /// Decides about a redirect: returns the request to follow, or nil to end with the redirect as the response, which
    /// fails a download.
    ///
    /// The redirect then goes the way of every response: ``onResponse``, its chunks, its body. A request whose URL cannot
    /// be requested fails the task.
    ///
    /// Without it redirects are followed, except from https to http and except with a body to another origin: these two
    /// fail with ``SessionError/Code/redirectRefused``. The closure is called for them too, and returning the request
    /// allows them, so a closure that only observes should return nil if `request.url` gives up https. It is also called
    /// for a redirect in a circle, for one too many and for one whose body cannot be read again: returning the request
    /// as it is fails the task as without the closure. Fields that identify the sender are already removed from a
    /// request to another origin.
    public var onRedirect: (@Sendable (SessionTask, ResponseHead, TransferRequest) -> TransferRequest?)?
    /// Decides about a response before its body is read.
    ///
    /// Without it every response is allowed.
    public var onResponse: (@Sendable (SessionTask, ResponseHead) -> ResponseDisposition)?
    /// Decides whether a server is trusted; if set, it alone decides, and the security policy is not asked.
    ///
    /// To ask, the connection is broken off before anything is sent. ``ChallengeResponse/trust`` and
    /// ``ChallengeResponse/performDefault`` then apply to every task of the session that meets the same chain at the
    /// same origin, until this closure, ``onTaskChallenge`` or ``SessionManager/securityPolicy`` is set; tasks that
    /// meet the chain before the closure has answered wait for its answer. The other answers apply to the task alone. A
    /// server's request for a client certificate comes here first, and to ``onTaskChallenge`` if the answer is
    /// ``ChallengeResponse/performDefault``.
    public var onSessionChallenge: (@Sendable (AuthenticationChallenge) async -> ChallengeResponse)?
    /// Answers every challenge that ``onSessionChallenge`` does not: from servers and from HTTP proxies.
    ///
    /// After three refused answers it is not asked again. Proxy credentials and a client certificate count for the
    /// session until they are refused. Server trust is asked as in ``onSessionChallenge``: once per chain, not per
    /// task.
    public var onTaskChallenge: (@Sendable (SessionTask, AuthenticationChallenge) async -> ChallengeResponse)?
    /// Makes a body that has to be sent again after a redirect, a challenge or a lost connection; nil leaves that to the
    /// task's ``BodyProvider``.
    ///
    /// Called for a body that was read from a stream or a descriptor, for a throttled form, and for one that a provider
    /// makes. Data, files and other forms of both are sent again without a call. The new body may be a stream too.
    public var onNeedNewBody: (@Sendable (SessionTask) -> BodySpecification?)?
    /// Decides what is stored in ``SessionManager/responseCache``: the response, a changed one, or nil for nothing.
    public var onWillCacheResponse: (@Sendable (SessionTask, CachedResponse) -> CachedResponse?)?
    /// A data task became a download; it is still the same task.
    public var onBecomeDownload: (@Sendable (SessionTask) -> Void)?
    /// A chunk of a data or upload task's body arrived.
    ///
    /// The body is still collected. The task's progress already includes the chunk's bytes. Set in the middle of a
    /// body, the closure gets the rest. A request is not repeated after a broken connection if part of its body was
    /// delivered here.
    public var onData: (@Sendable (SessionTask, Data) -> Void)?
    /// Body bytes were sent.
    public var onSendBody: (@Sendable (SessionTask, ByteCounts) -> Void)?
    /// A download's bytes were written.
    ///
    /// ``ByteCounts/sinceLast`` never includes bytes left by an earlier run; ``ByteCounts/total`` does. Since the last
    /// ``onResumeAtOffset``, or since the start or a restart from zero, the offset plus all `sinceLast` values equals
    /// `total`.
    public var onWriteData: (@Sendable (SessionTask, ByteCounts) -> Void)?
    /// A download resumes at an offset.
    ///
    /// Called before ``onWriteData`` reports a byte after the offset.
    public var onResumeAtOffset: (@Sendable (SessionTask, ResumedOffset) -> Void)?
    /// A download with a destination closure has this temporary file.
    ///
    /// A returned URL is its destination, and the task's own closure is not asked; nil leaves the decision to that
    /// closure.
    public var onDownloadFinished: (@Sendable (SessionTask, URL) -> URL?)?
    /// The metrics of the last attempt; always before ``onComplete``.
    public var onMetrics: (@Sendable (SessionTask, TransferMetrics) -> Void)?
    /// The task ended, with the error its completion handler will get.
    ///
    /// Called before that handler.
    public var onComplete: (@Sendable (SessionTask, (any Error)?) -> Void)?

    /// A Foundation request has set a property that has no effect here; called once for each property, on the thread
    /// that makes the task.
    ///
    /// Without it a line on standard error reports it, once in a process.
    public var onIgnoredProperty: (@Sendable (IgnoredRequestProperty) -> Void)?

    /// A persistent session has delivered everything that was left from its earlier run: every task that ran then has
    /// ended or was suspended.
    ///
    /// Called once, also when nothing was left. It has to be among the closures given to the manager's initializer.
    public var onDidFinishEvents: (@Sendable (Session) -> Void)?

    /// A persistent session has found these transfers of its earlier run and is still reading the others: unfinished
    /// ones first, in queue order, a hundred at most.
    ///
    /// Lets a list appear without waiting for thousands of transfers. Called once, on the store's thread, before the
    /// manager's initializer returns; the manager can answer nothing then. It has to be among the closures given to
    /// that initializer.
    package var onStoredTransfersFound: (@Sendable ([StoredTransfer]) -> Void)?

    /// No closures.
    public init() {}
}

/// The number of a body's bytes that have moved.
///
/// ```swift
/// manager.onWriteData = { _, counts in print("\(counts.total) of \(counts.expected ?? -1) bytes") }
/// ```
public struct ByteCounts: Sendable, Hashable {
    /// Bytes since the closure's last call.
    public var sinceLast: Int64
    /// Bytes in total.
    public var total: Int64
    /// The expected total in bytes; nil if unknown.
    public var expected: Int64?

    /// Counts from their parts.
    package init(sinceLast: Int64, total: Int64, expected: Int64?) {
        (self.sinceLast, self.total, self.expected) = (sinceLast, total, expected)
    }
}

/// The offset at which a download resumes.
///
/// ```swift
/// manager.onResumeAtOffset = { _, resumed in print("goes on behind \(resumed.offset) bytes") }
/// ```
public struct ResumedOffset: Sendable, Hashable {
    /// The bytes that are present.
    public var offset: Int64
    /// The full length in bytes; nil if unknown.
    public var expectedTotal: Int64?

    package init(offset: Int64, expectedTotal: Int64?) { (self.offset, self.expectedTotal) = (offset, expectedTotal) }
}
