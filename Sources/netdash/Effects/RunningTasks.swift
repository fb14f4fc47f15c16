import Foundation
import SessionCore

/// The tasks whose end has not been heard of yet, for whoever has to wait until all of them have ended.
///
/// A set rather than a count: an end that is told twice, or of a task that never counted, changes nothing. Safe from
/// any thread.
final class RunningTasks: Sendable {
    private let condition = NSCondition()
    /// Guarded by `condition`, which excludes what the runtime would look for at every access.
    @exclusivity(unchecked) nonisolated(unsafe) private var tasks: Set<TransferID> = []

    /// A task begins to count.
    ///
    /// Counting it twice changes nothing.
    func enter(_ task: SessionTask) {
        condition.withLock { _ = tasks.insert(task.id) }
    }

    /// A task no longer counts.
    func leave(_ task: SessionTask) {
        condition.withLock {
            tasks.remove(task.id)
            if tasks.isEmpty { condition.broadcast() }
        }
    }

    /// Waits until no task counts, or the time is over.
    func wait(seconds: Double) {
        let deadline = Date().addingTimeInterval(seconds)
        condition.withLock {
            while !tasks.isEmpty, condition.wait(until: deadline) {}
        }
    }
}
