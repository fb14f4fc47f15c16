import Foundation
public import FoundationNetworking
import SessionSupport

/// A task: one run of one transfer, as a session manager's factories return it.
///
/// It is one class for all three kinds, and `kind` may change from data to download while it runs: the task keeps its
/// identity, its progress pair and its handlers, which separate classes could not offer. It is a class because it has
/// an identity; all mutable state is behind one lock. Every method may be called from any thread, in any order.
///
/// A task starts suspended. A running task is retained by its session, any other by its caller or its manager. A task
/// that was resumed, is suspended and has been released by its last owner ends as cancelled, with its partial file
/// kept: its completion handler is called, but no closure of a manager is.
///
/// ```swift
/// let task = try manager.dataTask(with: request) { _, object, error in print(object ?? "\(error, default: "nothing")") }
/// task.resume()
/// let completion = await task.completion()
/// print(completion.status.received)
/// ```
public final class SessionTask: Sendable {
    /// A task's state, one of AFNetworking's four.
    ///
    /// ```swift
    /// if task.state == .suspended { task.resume() }
    /// ```
    public enum State: String, Sendable, CaseIterable {
        /// Resumed; ``SessionTask/status`` says whether bytes move.
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
        /// Whether a redirect or a mirror led to another origin, even if a later redirect led back.
        var hasLeftOrigin = false
        /// The final response's head, until the outcome has it.
        var head: ResponseHead?
        /// The transfer's outcome; the announced result is ``completion``.
        var outcome: TransferOutcome?
        var userDescription: String?
        /// The path of the partial file that an earlier run has left to a download with a target; nil if unknown.
        var earlierPart: String?
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

    /// A number unique in this process.
    public let id: TransferID
    /// The request that was given to the factory.
    public let request: TransferRequest
    /// The given Foundation request without its body, which ``request`` has.
    private let originalURLRequest: URLRequest?
    private let hasOriginalBody: Bool
    let resumeData: ResumeData?
    let control = TransferControl()
    let session: any TaskSession
    let delegate: any TaskDelegate
    let mutable: Locked<Mutable>

    /// A nil identifier takes the next free one; a task of an earlier run keeps its own.
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

    // MARK: Identity

    /// ``id`` under URLSessionTask's name and type.
    public var taskIdentifier: Int { Int(id.rawValue) }
    /// The task's current kind: a data task may become a download.
    public var kind: TransferKind { mutable.withLock { $0.kind } }
    /// The request given to the factory, as Foundation's type; nil if Foundation does not accept the URL's text.
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

    /// The request as it is sent: differs from ``originalRequest`` by the manager's fields, by interceptors' changes,
    /// and after a redirect.
    ///
    /// Nil if Foundation does not accept the URL's text. Its body is copied at every read.
    public var currentRequest: URLRequest? {
        let current = mutable.withLock { $0.currentRequest } ?? request
        return originalURLRequest.map { current.urlRequest(like: $0) } ?? current.urlRequest
    }
    /// Text of the user's; the library never changes it.
    public var taskDescription: String? {
        get { mutable.withLock { $0.userDescription } }
        set {
            mutable.withLock { $0.userDescription = newValue }
            session.recordLabel(newValue, of: self)
        }
    }
    /// The priority among tasks that wait for a slot: from 0 to 1, higher first, 0.5 by default.
    ///
    /// A waiting task moves at once; a task with a slot keeps it.
    public var priority: Float {
        get { control.rank.priority }
        // NaN cannot be ordered, so it becomes the default.
        set { setRank { $0.priority = newValue.isNaN ? 0.5 : min(max(newValue, 0), 1) } }
    }
    /// The position among tasks of the same priority, lowest first; nil, the default, for the order of resuming.
    ///
    /// Positions are compared with each other: either all tasks of a session have one or none has.
    package var queuePosition: UInt64? {
        get { control.rank.position }
        set { setRank { $0.position = newValue } }
    }

    /// Whether the task starts beyond the limits on concurrent transfers, as soon as it wants to; false by default.
    ///
    /// A task that waits for a slot starts at once, and so does one that waits for another attempt, each time this is
    /// set to true. While it runs it counts like every other, so it delays waiting tasks.
    package var ignoresLimits: Bool {
        get { control.rank.ignoresLimits }
        set {
            setRank { rank in
                rank.ignoresLimits = newValue
                if newValue { rank.hastenings &+= 1 }
            }
        }
    }

    /// The task's maximum rate; nil, the default, for the session's ``RateLimits/perTask``.
    ///
    /// A direction without a rate here follows the session's; one of `Int64.max` is limited only by the rates that
    /// transfers share. A change applies to a running task at once.
    public var rateLimit: RateLimit? {
        get { control.rank.rateLimit }
        set { setRank { $0.rateLimit = newValue } }
    }

    /// Changes the rank; if the loop has the task already, it is notified.
    private func setRank(_ change: (inout TransferControl.Rank) -> Void) {
        control.changeRank(change)
        if mutable.withLock({ $0.lifecycle.isStarted }) { session.submit(.reconcile(id)) }
    }
    /// The handler that receives this task's events before the session manager does.
    ///
    /// Set it before the first resume; it is released at the end.
    public var handler: (any TaskHandler)? {
        get { mutable.withLock { $0.handler } }
        set {
            replace(\.handler, with: newValue) { !$0.isStarted && $0.state != .completed }
        }
    }

    /// Makes an object from this task's body: nil, the default, for the manager's serializer when the task was created
    /// (``SessionManager/responseSerializer``).
    ///
    /// Set it before the task is first resumed; afterwards setting it does nothing.
    public var responseSerializer: (any ResponseSerializer)? {
        get { mutable.withLock { $0.serializer } }
        set {
            replace(\.serializer, with: newValue) { !$0.isStarted && $0.state == .suspended }
        }
    }

    /// Sets what may be set only now, and releases what it replaces after the lock.
    private func replace<Part>(
        _ part: WritableKeyPath<Mutable, Part>, with new: Part, if isAllowed: (TaskLifecycle) -> Bool
    ) {
        var part = (path: part, value: new)
        mutable.withLock { state in
            if isAllowed(state.lifecycle) { swap(&state[keyPath: part.path], &part.value) }
        }
        withExtendedLifetime(part) {}
    }

    // MARK: State

    /// The state as last decided; ``status`` has the network's side.
    public var state: State { mutable.withLock { $0.lifecycle.state } }
    /// A consistent snapshot of counts and phase.
    public var status: TaskStatus { control.status }
    /// The times of the latest attempt that got a response, as far as they are known.
    public var metrics: TransferMetrics { control.metrics }
    /// The segments of a download fetched over several connections, with their sources; empty for every other task, and
    /// once a task has completed.
    ///
    /// Updated several times a second.
    package var segments: [DownloadSegment] { control.segments }
    /// The sources of a download that has mirrors, its own URL first; empty for every other task.
    ///
    /// Updated several times a second.
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
    /// Body bytes received, including the bytes of a resumed partial file.
    public var countOfBytesReceived: Int64 { status.received }
    /// Body bytes sent by the current attempt.
    public var countOfBytesSent: Int64 { status.sent }
    /// The response body's length in bytes; -1 if unknown.
    public var countOfBytesExpectedToReceive: Int64 { status.expectedToReceive ?? -1 }
    /// The request body's length in bytes; -1 if unknown.
    public var countOfBytesExpectedToSend: Int64 { status.expectedToSend ?? -1 }
}

extension SessionTask: Hashable {
    /// Returns whether both are the same object.
    public static func == (left: SessionTask, right: SessionTask) -> Bool { left === right }

    /// Hashes the identifier.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension SessionTask: CustomStringConvertible {
    /// Identifier, kind, state, method, and URL without query, user name and password, which may be secrets.
    public var description: String {
        let url = Redaction.url(request.url).prefix { $0 != "?" && $0 != "#" }
        return "<SessionTask \(id) \(kind.rawValue) \(state.rawValue): \(request.method) \(url)>"
    }
}
