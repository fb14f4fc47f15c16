import Dispatch
import Foundation
import SessionSupport

/// A session manager's record of one task: its closures, its serializer, the body of a streamed response.
///
/// It is the task's delegate: every event of the task comes here first, then goes to the task's own handler, then to
/// the manager's closures. Of the manager it holds only the state, whose closures are gone once the manager is;
/// everything completion needs was captured when the task was created, so that this never turns a failure into a
/// success.
final class TaskRecord: TaskDelegate {
    /// The destination of the response body.
    enum Route: Sendable {
        case memory
        case stream
        case target(DownloadTarget)
        /// A file whose destination is asked for at its end.
        case staged
    }

    /// The closures a task was created with; released when it has completed.
    struct Closures: Sendable {
        var uploadProgress: SessionManager.ProgressBlock?
        var downloadProgress: SessionManager.ProgressBlock?
        var completion: CompletionReceiver?
        /// Spans the completion handler's run, once it was entered.
        var group: DispatchGroup?
        var stream: (@Sendable ([UInt8]) -> Void)?
        /// The number of connections that fetch the chunks; nil for one.
        var segmentation: Segmentation?
        /// The queue entry that waited for the task.
        var entry: TransferID?
        /// Gets the chunks, each with a closure to call when it has been read.
        var pacedStream: (@Sendable ([UInt8], @escaping @Sendable () -> Void) -> Void)?
        var destination: SessionManager.DownloadDestination?
        /// Keeps the descriptor of a body stream open until the task has ended.
        var body: PipedBody?
        /// Makes the body again; nil if only the present one is known.
        var makeBody: (@Sendable () throws(SessionError) -> BodySpecification)?
        var throttle: MultipartForm.Throttle?
        /// Runs after the serializer.
        var check: ResponseCheck?
        /// Whether a persistent session stores the task.
        var isKept = true
    }

    struct Mutable: Sendable {
        var closures: Closures
        var failure: (any Error)?
        var lastSent: Int64 = 0
        var written = WrittenBytes()
        /// The names and passwords that the task has given last.
        var answers: [SessionCredentials.Space: EngineChallengeAnswer]? = [:]
        /// What the cache is for this task; nil for most tasks.
        var cacheUse: CacheUse?
    }

    let manager: Locked<SessionManager.State>
    let session: Session
    /// The manager's serializer when the task was created.
    let serializer: any ResponseSerializer
    let route: Route
    let mutable: Locked<Mutable>

    init(
        manager: Locked<SessionManager.State>, session: Session, route: Route, serializer: any ResponseSerializer,
        closures: Closures
    ) {
        self.manager = manager
        self.session = session
        self.serializer = serializer
        self.route = route
        mutable = Locked(Mutable(closures: closures))
    }

    /// Releases every closure the task was created with and returns the one still to be called, with the group that
    /// spans its run.
    func letGoOfClosures() -> (receiver: CompletionReceiver, group: DispatchGroup)? {
        // The others are released on return, not under the lock: what they capture may run any code then.
        var closures = Closures()
        mutable.withLock { swap(&$0.closures, &closures) }
        guard let receiver = closures.completion else { return nil }
        return (receiver, closures.group ?? enteredGroup())
    }

    private func enteredGroup() -> DispatchGroup {
        let group = manager.withLock { $0.completionGroup } ?? CompletionDelivery.defaultGroup
        group.enter()
        return group
    }

    /// Whether the body can be made again; false once the task has ended.
    var canRepeatBody: Bool { mutable.withLock { $0.closures.makeBody != nil } }

    // MARK: TaskDelegate

    func sink(of task: SessionTask) -> TransferDescription.Sink? {
        switch route {
        case .memory: nil
        case .stream: .stream
        case .target(let target): .file(target)
        case .staged: .staged
        }
    }

    func arrangement(of task: SessionTask) -> TransferArrangement {
        var arrangement = TransferArrangement()
        let (body, canRepeatBody, segmentation, entry) = mutable.withLock {
            ($0.closures.body, $0.closures.makeBody != nil, $0.closures.segmentation, $0.closures.entry)
        }
        arrangement.entry = entry
        if let segmentation { arrangement.segmentation = segmentation }
        if let body { arrangement.pipedBody = body }
        if let store = session.store {
            arrangement.journal = store
            arrangement.partJournal = partJournal(of: task, store)
        }
        if task.handler != nil { arrangement.questions = [.disposition, .redirect] }
        if canRepeatBody { arrangement.questions.insert(.body) }
        arrangement.questionSource = manager
        arrangement.trust = manager.withLock { $0.trust }
        return arrangement
    }

    /// The journal of a staged part of a stored task, whose name only the store keeps.
    private func partJournal(of task: SessionTask, _ store: TaskStoreWriter) -> TaskStoreWriter? {
        guard case .staged = route, mutable.withLock({ $0.closures.isKept }) else { return nil }
        if case .descriptor = task.request.body { return nil }
        return store
    }

    func entry(of task: SessionTask) -> TransferID? { mutable.withLock { $0.closures.entry } }

    func forgetEntry() { mutable.withLock { $0.closures.entry = nil } }

    /// A staged partial file has a random name: only resume data or a store can lead back to it.
    func keepsPart(ofCancelled task: SessionTask) -> Bool {
        let isStaged =
            switch route {
            case .memory, .stream: task.kind == .download
            case .target: false
            case .staged: true
            }
        return !isStaged || task.resumeData != nil || session.store != nil
    }

    func taskWillComplete(_ task: SessionTask) {
        guard mutable.withLock({ $0.closures.completion != nil }) else { return }
        let group = enteredGroup()
        mutable.withLock { $0.closures.group = group }
    }

    func task(_ task: SessionTask, didSerialize completion: TaskCompletion) { recordEnd(completion, of: task) }

    func task(_ task: SessionTask, didStore completion: TaskCompletion) { announce(completion, of: task) }

    func task(_ task: SessionTask, didReceive event: EngineEvent) {
        switch event {
        case .response(_, let head, let question):
            mutable.withLock { $0.written.recordAnswer() }
            if isConfirmation(head) {
                if let question { session.submit(.disposition(task.id, .allow, question: question)) }
                return
            }
            if let question { answer(task, head, question: question) } else { publish(.response(head), of: task) }
        case .redirect(_, let head, let request, let needsConsent):
            redirect(task, head, request, needsConsent: needsConsent)
        case .challenge(_, let challenge, let reply):
            answer(challenge, of: task, reply: reply)
        case .needsBody(_, let reply):
            replaceBody(of: task, reply: reply)
        case .data(_, let bytes):
            deliver(bytes, of: task)
        case .resumedAtOffset(_, let offset, let total):
            resumed(task, at: offset, expectedTotal: total)
        case .restarted(_, let reason):
            mutable.withLock { $0.written.restart() }
            publish(.restarted(reason: reason), of: task)
        case .retrying(_, let attempt, let delay, let reason):
            publish(.retrying(attempt: attempt, afterMilliseconds: delay, reason: reason), of: task)
        case .source(_, let change):
            publish(.source(change), of: task)
        case .status, .hop, .finished, .uploadPlaced, .backoffs, .limited, .admitted, .invalidated:
            break
        }
    }

    func task(_ task: SessionTask, didEnd outcome: TransferOutcome, body: Data) {
        let (outcome, body) = confirmed(outcome) ?? (outcome, body)
        complete(task, outcome, body)
    }

    /// Calls the task's own handler first, then the manager's closure, then its monitors.
    func publish(_ event: SessionTaskEvent, of task: SessionTask) {
        task.broadcast(event)
        manager.listener.hear(event, of: task)
    }
}

extension TaskRecord.Route {
    /// Whether only the caller keeps the body.
    var isBody: Bool {
        switch self {
        case .memory, .stream: true
        case .target, .staged: false
        }
    }
}

/// The download bytes written by this task that were reported to callers.
///
/// A status has cumulative counts, and most are never reported because a newer one overtakes them. The counts include
/// bytes left by an earlier run, which were not written now, and exclude bytes given up by a restart.
struct WrittenBytes: Sendable, Equatable {
    /// The cumulative count at the last report.
    private var told: Int64 = 0
    private var hasAnswer = false
    /// Whether the latest response was not the first, so that the bytes before it were written by this task.
    private var hasEarlierAnswer = false

    /// Notes that a response was accepted and its bytes come next.
    mutating func recordAnswer() {
        hasEarlierAnswer = hasAnswer
        hasAnswer = true
    }

    /// Takes a status and returns the number of bytes written since the last call.
    mutating func advance(received: Int64, resumedAt: Int64) -> Int64 {
        defer { told = received }
        return max(0, received - max(told, resumedAt))
    }

    /// Resumes the download at an offset; returns the number of unreported bytes written before it.
    mutating func resume(at offset: Int64) -> Int64 {
        defer { told = offset }
        return hasEarlierAnswer ? max(0, offset - told) : 0
    }

    mutating func restart() { told = 0 }
}
