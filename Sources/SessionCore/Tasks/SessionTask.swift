import Foundation
public import FoundationNetworking
import SessionSupport

/// A task: one run of one transfer, as a session manager's factories return it.
///
/// It is one class for all three kinds, and `kind` may change from data to download while it runs: the task keeps its
/// identity, its progress pair and its handlers, which separate classes could not offer. It is a class because it has
/// an identity; everything that can change lies in one lock. Every method may be called from any thread, in any order.
///
/// A task starts suspended. While it runs, its session keeps it; while it does not, whoever has it or its manager does.
/// A task that was resumed, is suspended and that nobody has any more ends as cancelled, with its part kept: its
/// completion handler is called, but no closure of a manager is.
///
/// ```swift
/// let task = try manager.dataTask(with: request) { _, object, error in print(object ?? "\(error, default: "nothing")") }
/// task.resume()
/// let completion = await task.completion()
/// print(completion.status.received)
/// ```
public final class SessionTask: Sendable {
    /// The four states of the original.
    ///
    /// ```swift
    /// if task.state == .suspended { task.resume() }
    /// ```
    public enum State: String, Sendable, CaseIterable {
        /// Resumed; whether bytes move is said by ``SessionTask/status``.
        case running
        /// Never resumed, or suspended.
        case suspended
        /// Cancelled, but the end has not been announced.
        case canceling
        /// Ended.
        case completed
    }

    struct Mutable: Sendable {
        var lifecycle = TaskLifecycle()
        var unannounced = UnannouncedTransitions()
        var kind: TransferKind
        var currentRequest: TransferRequest?
        /// The final response's head, until the outcome has it.
        var head: ResponseHead?
        /// How the transfer ended; what is announced of it lies in ``completion``.
        var outcome: TransferOutcome?
        var userDescription: String?
        var uploadProgress: TransferProgress?
        var downloadProgress: TransferProgress?
        var handler: (any TaskHandler)?
        /// The task's own serializer; nil for the manager's.
        var serializer: (any ResponseSerializer)?
        var completion: TaskCompletion?
        var waiters: [CheckedContinuation<TaskCompletion, Never>] = []
        var observers: [Observer] = []
        var lastObserver = 0
        var resumeDataHandlers: [@Sendable (ResumeData?) -> Void] = []
    }

    /// A number that is unique in this process.
    public let id: TransferID
    /// The request as it was given to the factory.
    public let request: TransferRequest
    /// Foundation's request as it was given, without its body, which ``request`` has.
    private let originalURLRequest: URLRequest?
    private let hasOriginalBody: Bool
    let resumeData: ResumeData?
    let control = TransferControl()
    let session: any TaskSession
    let delegate: any TaskDelegate
    let mutable: Locked<Mutable>

    /// Without an identifier it gets the next one; a task of an earlier run keeps its own.
    init(
        id: TransferID? = nil, kind: TransferKind, request: TransferRequest, urlRequest: URLRequest? = nil,
        resumeData: ResumeData? = nil, session: any TaskSession, delegate: any TaskDelegate
    ) {
        let id = id ?? TransferID.next()
        self.id = id
        self.request = request
        hasOriginalBody = urlRequest?.httpBody != nil
        originalURLRequest = urlRequest.map(Self.withoutBody)
        self.resumeData = resumeData
        self.session = session
        self.delegate = delegate
        mutable = Locked(Mutable(kind: kind))
    }

    deinit {
        endForsaken()
    }

    // MARK: What it is

    /// ``id`` under the original's name and type.
    public var taskIdentifier: Int { Int(id.rawValue) }
    /// What the task is now: a data task may become a download.
    public var kind: TransferKind { mutable.withLock { $0.kind } }
    /// The request given to the factory as Foundation's type; nil when Foundation does not accept the URL's text.
    ///
    /// Its body is copied at every read.
    public var originalRequest: URLRequest? {
        guard var original = originalURLRequest else { return request.urlRequest }
        if hasOriginalBody, case .bytes(let bytes) = request.body { original.httpBody = Data(bytes) }
        return original
    }

    private static func withoutBody(_ request: URLRequest) -> URLRequest {
        guard request.httpBody != nil else { return request }
        var rest = request
        rest.httpBody = nil
        return rest
    }

    /// The request as it is sent: differs from ``originalRequest`` by the manager's fields, by what interceptors have
    /// changed, and after a redirect.
    ///
    /// Nil when Foundation does not accept the URL's text. Its body is copied at every read.
    public var currentRequest: URLRequest? {
        let current = mutable.withLock { $0.currentRequest } ?? request
        return originalURLRequest.map { current.urlRequest(like: $0) } ?? current.urlRequest
    }
    /// Words of the user's own; the library never touches them.
    public var taskDescription: String? {
        get { mutable.withLock { $0.userDescription } }
        set {
            mutable.withLock { $0.userDescription = newValue }
            session.recordLabel(newValue, of: self)
        }
    }
    /// The priority among tasks that wait for a slot: from 0 to 1, higher first, 0.5 unless set.
    ///
    /// A task that waits for a slot moves at once; one that has a slot keeps it.
    public var priority: Float {
        get { control.rank.priority }
        // What is no number has no place in an order.
        set { setRank { $0.priority = newValue.isNaN ? 0.5 : min(max(newValue, 0), 1) } }
    }
    /// The place among the tasks of the same priority, lowest first; nil, the default, for the order of resuming.
    ///
    /// Places are compared with each other: a session's tasks have either all of them one or none.
    package var queuePosition: UInt64? {
        get { control.rank.place }
        set { setRank { $0.place = newValue } }
    }

    /// Whether the task starts beyond the limits on how many run at once, as soon as it wants to; false unless set.
    ///
    /// A task that waits for a slot starts at once. While it runs it counts like every other, so it delays those that
    /// wait.
    package var ignoresLimits: Bool {
        get { control.rank.ignoresLimits }
        set { setRank { $0.ignoresLimits = newValue } }
    }

    /// How fast the task may go; nil, the default, for the session's ``RateLimits/perTask``.
    ///
    /// A direction without a rate here follows the session's; one of `Int64.max` is bounded by none but the rates that
    /// transfers share. A task that runs is bounded at once.
    public var rateLimit: RateLimit? {
        get { control.rank.rateLimit }
        set { setRank { $0.rateLimit = newValue } }
    }

    /// Changes the rank; a loop that knows the task already is told to look again.
    private func setRank(_ change: (inout TransferControl.Rank) -> Void) {
        control.changeRank(change)
        if mutable.withLock({ $0.lifecycle.isStarted }) { session.submit(.reconcile(id)) }
    }
    /// The handler that hears of this task before the session manager does.
    ///
    /// Set before the first resume; let go at the end.
    public var handler: (any TaskHandler)? {
        get { mutable.withLock { $0.handler } }
        set {
            mutable.withLock {
                guard !$0.lifecycle.isStarted, $0.lifecycle.state != .completed else { return }
                $0.handler = newValue
            }
        }
    }

    /// What makes an object of this task's body: nil, unless set, for the serializer that the manager had when the task
    /// was created (``SessionManager/responseSerializer``).
    ///
    /// Set it before the task is first resumed; afterwards setting it does nothing.
    public var responseSerializer: (any ResponseSerializer)? {
        get { mutable.withLock { $0.serializer } }
        set {
            mutable.withLock {
                guard !$0.lifecycle.isStarted, $0.lifecycle.state == .suspended else { return }
                $0.serializer = newValue
            }
        }
    }

    // MARK: Where it stands

    /// The original's state, as it was decided last; what the network does is in ``status``.
    public var state: State { mutable.withLock { $0.lifecycle.state } }
    /// A consistent picture of the counts and the phase.
    public var status: TaskStatus { control.status }
    /// When things happened in the latest attempt that was answered, as far as they have.
    public var metrics: TransferMetrics { control.metrics }
    /// The stretches of the file and who brings them, of a download that several connections fetch or have fetched; empty for
    /// every other task, and once a task has completed.
    ///
    /// Brought up to date some times a second.
    package var segments: [DownloadSegment] { control.segments }
    /// The sources of a download that has mirrors, its own URL first; empty for every other task.
    ///
    /// Brought up to date some times a second.
    package var sources: [DownloadSource] { control.sources }
    /// The final response's head, as soon as it has arrived.
    public var responseHead: ResponseHead? { mutable.withLock { $0.outcome?.head ?? $0.head } }
    /// The final response as Foundation's class; built at every read.
    public var response: HTTPURLResponse? { responseHead?.httpURLResponse }
    /// Why the task failed, once it has completed.
    public var error: (any Error)? {
        mutable.withLock { state in
            if let completion = state.completion { completion.error } else { state.outcome?.error }
        }
    }
    /// Body bytes received, a resumed part's bytes included.
    public var countOfBytesReceived: Int64 { status.received }
    /// Body bytes sent by the current attempt.
    public var countOfBytesSent: Int64 { status.sent }
    /// The response body's length, -1 while unknown.
    public var countOfBytesExpectedToReceive: Int64 { status.expectedToReceive ?? -1 }
    /// The request body's length, -1 while unknown.
    public var countOfBytesExpectedToSend: Int64 { status.expectedToSend ?? -1 }
}

extension SessionTask: Hashable {
    /// Tasks are equal when they are the same object.
    public static func == (left: SessionTask, right: SessionTask) -> Bool { left === right }

    /// Hashes the identifier.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension SessionTask: CustomStringConvertible {
    /// Identifier, kind, state, method and URL without its query, its name and its password, which may be secrets.
    public var description: String {
        let url = Redaction.url(request.url).prefix { $0 != "?" && $0 != "#" }
        return "<SessionTask \(id) \(kind.rawValue) \(state.rawValue): \(request.method) \(url)>"
    }
}
