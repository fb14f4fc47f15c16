import Dispatch
import Foundation

@testable import SessionCore

/// A manager on a scripted engine, with a queue of its own for completion handlers and notifications.
struct ManagerFixture: Sendable {
    /// Ends the session with the fixture: a task that a test leaves running would keep itself for ever.
    private final class End: Sendable {
        let manager: SessionManager
        init(_ manager: SessionManager) { self.manager = manager }
        deinit { manager.invalidate(cancellingTasks: true) }
    }

    let engine: ScriptedEngine
    let manager: SessionManager
    let queue = DispatchQueue(label: "ManagerFixture")
    let request = TransferRequest(url: "http://127.0.0.1/file")
    private let end: End

    init(
        _ configuration: SessionConfiguration = .default,
        answer: (@Sendable (TransferDescription) -> TransferEnd?)? = nil
    ) {
        let engine = ScriptedEngine(answer: answer)
        self.engine = engine
        manager = SessionManager(configuration: configuration) { _ in engine }
        end = End(manager)
        manager.completionQueue = queue
        manager.notificationQueue = queue
    }

    /// Waits until everything that was enqueued before has been delivered: on the delegate queue and on the other one.
    func settle() async {
        await Self.settle(manager)
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    }

    /// Waits until every event of a manager's tasks that has arrived is delivered.
    ///
    /// An operation of the queue would not do: the thread that schedules the delivery may not have done so.
    static func settle(_ manager: SessionManager) async { await manager.drainDelegateQueue() }

    /// Waits until everything that has been scheduled on a queue is done, where the manager may be gone.
    static func settle(_ queue: OperationQueue) async {
        await withCheckedContinuation { continuation in queue.addOperation { continuation.resume() } }
    }
}
