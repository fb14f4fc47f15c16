import Foundation

/// What a session manager keeps about one task: its closures, its serializer, the body of a streamed response.
///
/// It is the task's delegate: whatever happens to the task comes here first, then goes to the task's own handler, then to
/// the manager's closures. Of the manager it holds only the state, which has no closures any more when the manager is
/// gone; what completion needs was taken when the task was created, so that this never turns a failure into a success.
final class TaskRecord: TaskDelegate {
    /// Where the response body goes.
    enum Route: Sendable {
        case body(BodyDelivery)
        case target(DownloadTarget)
        case destination(SessionManager.DownloadDestination?)
    }

    /// The closures a task was created with; let go when it has completed.
    struct Closures: Sendable {
        var uploadProgress: SessionManager.ProgressBlock?
        var downloadProgress: SessionManager.ProgressBlock?
        var completion: CompletionReceiver?
        /// Keeps the descriptor of a body stream open until the task has ended.
        var body: PipedBody?
    }

    struct Mutable: Sendable {
        var closures: Closures
        var collected: [UInt8] = []
        var collects = false
        var failure: (any Error)?
        var lastSent: Int64 = 0
        var lastReceived: Int64 = 0
    }

    let manager: Locked<SessionManager.State>
    let route: Route
    let serializer: any ResponseSerializer
    /// Behind one reference, because few tasks have one.
    let provider: SharedValue<any BodyProvider>?
    let mutable: Locked<Mutable>

    init(
        manager: Locked<SessionManager.State>, route: Route, serializer: any ResponseSerializer,
        provider: SharedValue<any BodyProvider>? = nil, closures: Closures
    ) {
        self.manager = manager
        self.route = route
        self.serializer = serializer
        self.provider = provider
        mutable = Locked(Mutable(closures: closures))
    }

    // MARK: TaskDelegate

    func prepare(_ description: inout TransferDescription, of task: SessionTask) {
        let interests = manager.interests
        switch route {
        case .body(.stream):
            description.sink = .stream
        case .body(.memory) where interests.data:
            description.sink = .stream
            mutable.withLock { $0.collects = true }
        case .body(.memory):
            break
        case .target(let target):
            description.sink = .file(target)
        case .destination:
            description.sink = .staged
        }
        if task.kind == .upload { description.pipedBody = mutable.withLock { $0.closures.body } }
        if let store = task.session.store { description.journal = store }
        let hasHandler = task.handler != nil
        description.asksForDisposition = hasHandler || interests.response
        description.asksForRedirect = hasHandler || interests.redirect
        description.asksForChallenge = interests.challenge
        description.trust = interests.trust
        description.asksForBody = provider != nil || interests.newBody
    }

    func task(_ task: SessionTask, didReceive signal: TaskSignal) {
        switch signal {
        case .transition(let transition):
            announce(transition, of: task)
        case .status(let status):
            update(task, status)
        case .response(let head, awaitsDisposition: true):
            answer(task, head)
        case .response(let head, awaitsDisposition: false):
            publish(.response(head), of: task)
        case .redirect(let head, let request, let needsConsent):
            redirect(task, head, request, needsConsent: needsConsent)
        case .challenge(let challenge, let reply):
            answer(challenge, of: task, reply: reply)
        case .needsBody(let reply):
            replaceBody(of: task, reply: reply)
        case .data(let bytes):
            deliver(bytes, of: task)
        case .resumedAtOffset(let offset, let total):
            resumed(task, at: offset, expectedTotal: total)
        case .restarted(let reason):
            publish(.restarted(reason: reason), of: task)
        case .retrying(let attempt, let delay, let reason):
            publish(.retrying(attempt: attempt, afterMilliseconds: delay, reason: reason), of: task)
        case .finished(let outcome):
            finish(task, outcome)
        case .serialized(let completion):
            settle(completion, of: task)
        case .recorded(let completion):
            announce(completion, of: task)
        }
    }

    /// The task's own handler first, then the manager's closure.
    func publish(_ event: SessionTaskEvent, of task: SessionTask) {
        task.broadcast(event)
        manager.listener.onTaskEvent?(task, event)
    }
}
