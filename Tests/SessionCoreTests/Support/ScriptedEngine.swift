import SessionSupport

@testable import SessionCore

/// An engine that moves no bytes: it records commands and publishes what the test tells it to.
///
/// On its own it only does what every engine must: it ends cancelled transfers, refuses what is added after an
/// invalidation and reports its end. A class because session and test share it.
final class ScriptedEngine: TransferEngine {
    struct State: Sendable {
        weak var client: (any EngineClient)?
        var commands: [EngineCommand] = []
        var descriptions: [TransferID: TransferDescription] = [:]
        var order: [TransferID] = []
        var isEnding = false
        var answer: (@Sendable (TransferDescription) -> TransferEnd?)?
    }

    private let state = Locked(State())

    /// With an answer every transfer ends with it as soon as it is to run.
    init(answer: (@Sendable (TransferDescription) -> TransferEnd?)? = nil) {
        state.withLock { $0.answer = answer }
    }

    func setClient(_ client: any EngineClient) { state.withLock { $0.client = client } }

    func submit(_ command: EngineCommand) {
        state.withLock { $0.commands.append(command) }
        switch command {
        case .add(let description): add(description)
        case .reconcile(let id): reconcile(id)
        case .invalidate(let cancelling): invalidate(cancelling)
        case .disposition, .redirect, .refuseRedirect, .consumed, .setLimits, .setRateLimits, .queue: break
        }
    }

    // MARK: What tests ask and say

    var commands: [EngineCommand] { state.withLock { $0.commands } }
    var isIdle: Bool { state.withLock { $0.descriptions.isEmpty } }

    func description(of task: SessionTask) -> TransferDescription? { state.withLock { $0.descriptions[task.id] } }

    func publish(_ events: EngineEvent...) { state.withLock { $0.client }?.engineDidPublish(events) }

    func publish(_ status: TaskStatus, of task: SessionTask) {
        task.control.publish(status)
        publish(.status(task.id, status))
    }

    /// Ends a transfer well, as a 200 unless told otherwise.
    func complete(_ task: SessionTask, _ change: (inout TransferEnd) -> Void = { _ in }) {
        var outcome = TransferEnd.ok()
        outcome.status = task.status
        outcome.status.phase = .completed
        change(&outcome)
        finish(task.id, outcome)
    }

    func finish(_ id: TransferID, _ outcome: TransferEnd) {
        let (isKnown, isLast) = state.withLock { state in
            let isKnown = state.descriptions.removeValue(forKey: id) != nil
            return (isKnown, isKnown && state.isEnding && state.descriptions.isEmpty)
        }
        if isKnown { publish(outcome.event(of: id)) }
        if isLast { publish(.invalidated) }
    }

    // MARK: What every engine does

    private func add(_ description: TransferDescription) {
        let isEnding = state.withLock { state in
            state.descriptions[description.id] = description
            return state.isEnding
        }
        if isEnding { finish(description.id, .failed(.sessionInvalidated)) }
    }

    private func reconcile(_ id: TransferID) {
        let (description, answer) = state.withLock { ($0.descriptions[id], $0.answer) }
        guard let description else { return }
        switch description.control.intent {
        case .cancelled: finish(id, .failed(.cancelled))
        case .suspended: break
        case .running: if let outcome = answer?(description) { finish(id, outcome) }
        }
    }

    private func invalidate(_ cancelling: Bool) {
        let running = state.withLock { state in
            state.isEnding = true
            return Array(state.descriptions.keys)
        }
        if cancelling { for id in running { finish(id, .failed(.cancelled)) } }
        if running.isEmpty { publish(.invalidated) }
    }
}

/// How a transfer ends, as a value that tests read and change: the outcome and the body that comes beside it.
@dynamicMemberLookup
struct TransferEnd: Sendable {
    var error: SessionError?
    var head: ResponseHead?
    var body: [UInt8] = []
    var result = BodyResult()
    var metrics = TransferMetrics()
    var status = TaskStatus()

    func event(of id: TransferID) -> EngineEvent {
        let outcome = TransferOutcome(error: error, head: head, result: result, metrics: metrics, status: status)
        return .finished(id, outcome, body: CollectedBody(body))
    }

    /// What became of the body, by its names.
    subscript<Member>(dynamicMember member: WritableKeyPath<BodyResult, Member>) -> Member {
        get { result[keyPath: member] }
        set { result[keyPath: member] = newValue }
    }

    /// The end that an event reports; nil for any other event.
    init?(_ event: EngineEvent) {
        guard case .finished(_, let outcome, let body) = event else { return nil }
        error = outcome.error
        head = outcome.head
        self.body = body.bytes
        result = outcome.result
        metrics = outcome.metrics
        status = outcome.status
    }

    init() {}

    static func ok(_ body: String = "", type: String? = nil, status: Int = 200) -> TransferEnd {
        var outcome = TransferEnd()
        var head = ResponseHead(statusCode: status, url: "http://127.0.0.1/file")
        if let type { head.headers["Content-Type"] = type }
        outcome.head = head
        outcome.body = Array(body.utf8)
        outcome.status.phase = .completed
        outcome.status.received = Int64(outcome.body.count)
        return outcome
    }

    static func failed(_ code: SessionError.Code) -> TransferEnd {
        var outcome = TransferEnd()
        outcome.error = SessionError(code, "It failed: \(code.rawValue)")
        outcome.status.phase = code == .cancelled ? .cancelled : .failed
        return outcome
    }
}
