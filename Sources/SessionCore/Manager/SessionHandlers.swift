public import Foundation

/// The closures of a session manager; nil means the default of the system, not a pass-through.
///
/// The manager offers each of them as a property of its own: `manager.onRedirect = { … }`. A closure is read when its
/// event happens (those of a task's end are read together), so that one that is set while tasks run is called for them
/// too. It is called on the delegate queue after the task's own handler has seen the event, and may call back into the
/// manager.
///
/// ```swift
/// var handlers = SessionHandlers()
/// handlers.onComplete = { task, error in print(task.id, error == nil ? "ended" : "failed") }
/// let listening = SessionManager(handlers: handlers)
/// ```
public struct SessionHandlers: Sendable {
    /// Hears of everything that happens to every task.
    public var onTaskEvent: (@Sendable (SessionTask, SessionTaskEvent) -> Void)?
    /// The session became invalid; the error is nil when it was asked to.
    ///
    /// Called when the completion handler of its last task has returned.
    public var onInvalidate: (@Sendable (Session, (any Error)?) -> Void)?
    /// Hosts are held or released: all that are held now; see ``HostBackoff``.
    package var onHostBackoffs: (@Sendable ([HostBackoff]) -> Void)?
    /// Hosts get fewer transfers at once than the limits allow, or again as many: all that get fewer now; see
    /// ``LimitedHost``.
    package var onLimitedHosts: (@Sendable ([LimitedHost]) -> Void)?
    /// Decides about a redirect: the request to follow, or nil to take the redirect as the answer, with which a download
    /// fails.
    ///
    /// Without it redirects are followed, except from https to http, and except with a body to another origin: those fail
    /// with ``SessionError/Code/redirectRefused``. The closure is asked about them too, and returning the request allows
    /// them, so one that only looks on should return nil where `request.url` gives up https. Fields that say something
    /// about the sender are gone from a request to another origin already.
    public var onRedirect: (@Sendable (SessionTask, ResponseHead, TransferRequest) -> TransferRequest?)?
    /// Decides about a response before its body is read.
    ///
    /// Without it every response is allowed.
    public var onResponse: (@Sendable (SessionTask, ResponseHead) -> ResponseDisposition)?
    /// Decides whether a server is trusted; when it is there it alone decides, and the security policy is not asked.
    ///
    /// To ask, the connection is broken off before anything is sent. ``ChallengeResponse/trust`` and
    /// ``ChallengeResponse/performDefault`` then hold for every task of the session that meets the same chain at the same
    /// origin, until this closure, ``onTaskChallenge`` or ``SessionManager/securityPolicy`` is set; tasks that meet it while
    /// the closure is thinking wait for its answer. The other answers are the task's own.
    /// A server that wants a certificate of this side is asked about here first, and with ``ChallengeResponse/performDefault``
    /// as the answer in ``onTaskChallenge``.
    public var onSessionChallenge: (@Sendable (AuthenticationChallenge) async -> ChallengeResponse)?
    /// Answers every challenge that ``onSessionChallenge`` does not: of servers, and of proxies of HTTP.
    ///
    /// After three refused answers it is not asked again. What a proxy is shown, and a certificate of this side, count for
    /// the session until they are refused. About a server's trust it is asked as ``onSessionChallenge`` is: once
    /// for a chain, not for each task.
    public var onTaskChallenge: (@Sendable (SessionTask, AuthenticationChallenge) async -> ChallengeResponse)?
    /// Makes a body that has to be sent again; nil leaves it to the task's ``BodyProvider``.
    public var onNeedNewBody: (@Sendable (SessionTask) -> BodySpecification?)?
    /// Decides what is stored in ``SessionManager/responseCache``: the response, a changed one, or nil for nothing.
    public var onWillCacheResponse: (@Sendable (SessionTask, CachedResponse) -> CachedResponse?)?
    /// A data task became a download; it is still the same task.
    public var onBecomeDownload: (@Sendable (SessionTask) -> Void)?
    /// A chunk of a data or upload task's body arrived.
    ///
    /// The body is collected all the same. The task's progress has the chunk's bytes already. Set in the middle of a body
    /// it gets the rest. A request whose body somebody has seen a part of is not repeated when its connection breaks.
    public var onData: (@Sendable (SessionTask, Data) -> Void)?
    /// Body bytes were sent.
    public var onSendBody: (@Sendable (SessionTask, ByteCounts) -> Void)?
    /// A download's bytes were written.
    ///
    /// ``ByteCounts/sinceLast`` never counts what an earlier run left; ``ByteCounts/total`` does. Since the last
    /// ``onResumeAtOffset``, or since the start or a restart from zero, the first numbers and the offset add up to the
    /// second.
    public var onWriteData: (@Sendable (SessionTask, ByteCounts) -> Void)?
    /// A download goes on at an offset.
    ///
    /// It is called before ``onWriteData`` tells of a byte behind the offset.
    public var onResumeAtOffset: (@Sendable (SessionTask, ResumedOffset) -> Void)?
    /// A download with a destination closure is at this temporary place.
    ///
    /// A returned URL is where it goes, and the task's own closure is not asked; nil leaves it to that closure.
    public var onDownloadFinished: (@Sendable (SessionTask, URL) -> URL?)?
    /// The figures of the last attempt; always before ``onComplete``.
    public var onMetrics: (@Sendable (SessionTask, TransferMetrics) -> Void)?
    /// The task ended, with the error its completion handler will get.
    ///
    /// Called before that handler.
    public var onComplete: (@Sendable (SessionTask, (any Error)?) -> Void)?

    /// A request of Foundation's has set a property that nothing here answers to; called once for each property, on the
    /// thread that makes the task.
    ///
    /// Without it a line on standard error says so, once in a process.
    public var onIgnoredProperty: (@Sendable (IgnoredRequestProperty) -> Void)?

    /// A persistent session has delivered everything that was left from its earlier run: every task that ran then has
    /// ended or was suspended.
    ///
    /// Called once, also when nothing was left. It has to be among the closures given to the manager's initializer.
    public var onDidFinishEvents: (@Sendable (Session) -> Void)?

    /// A persistent session has found these transfers of its earlier run and is still reading the others: unfinished
    /// ones first, those that go first at the front, a hundred at most.
    ///
    /// For whoever shows a list: it need not wait for thousands. Called once, on a thread of the store's, before the
    /// manager's initializer returns; nothing can be asked of the manager then. It has to be among the closures given to
    /// that initializer.
    package var onStoredTransfersFound: (@Sendable ([StoredTransfer]) -> Void)?

    /// No closures.
    public init() {}
}

/// The bytes of a body that have moved.
///
/// ```swift
/// manager.onWriteData = { _, counts in print("\(counts.total) of \(counts.expected ?? -1) bytes") }
/// ```
public struct ByteCounts: Sendable, Hashable {
    /// Since the closure was called last.
    public var sinceLast: Int64
    /// Altogether.
    public var total: Int64
    /// How many there will be; nil while nobody knows.
    public var expected: Int64?

    /// Counts from their parts.
    package init(sinceLast: Int64, total: Int64, expected: Int64?) {
        (self.sinceLast, self.total, self.expected) = (sinceLast, total, expected)
    }
}

/// The offset at which a download goes on.
///
/// ```swift
/// manager.onResumeAtOffset = { _, resumed in print("goes on behind \(resumed.offset) bytes") }
/// ```
public struct ResumedOffset: Sendable, Hashable {
    /// The bytes that are there.
    public var offset: Int64
    /// The whole length; nil while nobody knows.
    public var expectedTotal: Int64?

    /// An offset of a whole length.
    package init(offset: Int64, expectedTotal: Int64?) { (self.offset, self.expectedTotal) = (offset, expectedTotal) }
}
