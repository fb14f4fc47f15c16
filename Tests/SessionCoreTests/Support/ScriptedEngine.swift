import SessionSupport

@testable import SessionCore

/// An engine that moves no bytes: it records commands and publishes what the test tells it to.
///
/// On its own it only does what every engine must: it ends cancelled transfers, refuses what is added after an
/// invalidation and reports its end. A class because session and test share it.
final class ScriptedEngine: TransferEngine {
    struct State: Sendable {
        var client: (any EngineClient)?
        var commands: [EngineCommand] = []
        var descriptions: [TransferID: TransferDescription] = [:]
        var order: [TransferID] = []
        var isEnding = false
        var answer: (@Sendable (TransferDescription) -> TransferOutcome?)?
    }

    private let state = Locked(State())

    /// With an answer every transfer ends with it as soon as it is to run.
    init(answer: (@Sendable (TransferDescription) -> TransferOutcome?)? = nil) {
        state.withLock { $0.answer = answer }
    }

    func setClient(_ client: any EngineClient) { state.withLock { $0.client = client } }

    func submit(_ command: EngineCommand) {
        state.withLock { $0.commands.append(command) }
        switch command {
        case .add(let shared): add(shared.value)
        case .reconcile(let id): reconcile(id)
        case .invalidate(let cancelling): invalidate(cancelling)
        case .disposition, .redirect, .refuseRedirect, .consumed: break
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
    func complete(_ task: SessionTask, _ change: (inout TransferOutcome) -> Void = { _ in }) {
        var outcome = TransferOutcome.ok()
        outcome.status = task.status
        outcome.status.phase = .completed
        change(&outcome)
        finish(task.id, outcome)
    }

    func finish(_ id: TransferID, _ outcome: TransferOutcome) {
        let (isKnown, isLast) = state.withLock { state in
            let isKnown = state.descriptions.removeValue(forKey: id) != nil
            return (isKnown, isKnown && state.isEnding && state.descriptions.isEmpty)
        }
        if isKnown { publish(.finished(id, SharedValue(outcome))) }
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
        switch description.control.wish {
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

extension TransferOutcome {
    static func ok(_ body: String = "", type: String? = nil, status: Int = 200) -> TransferOutcome {
        var outcome = TransferOutcome()
        var head = ResponseHead(statusCode: status, url: "http://127.0.0.1/file")
        if let type { head.headers["Content-Type"] = type }
        outcome.head = head
        outcome.body = Array(body.utf8)
        outcome.status.phase = .completed
        outcome.status.received = Int64(outcome.body.count)
        return outcome
    }

    static func failed(_ code: SessionError.Code) -> TransferOutcome {
        var outcome = TransferOutcome()
        outcome.error = SessionError(code, "It failed: \(code.rawValue)")
        outcome.status.phase = code == .cancelled ? .cancelled : .failed
        return outcome
    }
}
