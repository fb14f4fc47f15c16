import SessionCore
import SessionSupport

/// Tracks tasks whose end has not been reported, so that closing can wait for all of them.
///
/// A set rather than a count: an end that is reported twice, or of a task that never counted, changes nothing. Safe
/// from any thread.
final class RunningTasks: Sendable {
    private let tasks = Monitor<Set<TransferID>>([])

    /// Counts a task from now on; counting it twice changes nothing.
    func enter(_ task: SessionTask) {
        tasks.withLock { _ = $0.insert(task.id) }
    }

    func leave(_ task: SessionTask) {
        tasks.change { _ = $0.remove(task.id) }
    }

    /// Waits until no task counts, or for `seconds`.
    func wait(seconds: Double) {
        tasks.wait(timeoutMilliseconds: Int64(seconds * 1000)) { $0.isEmpty }
    }
}
