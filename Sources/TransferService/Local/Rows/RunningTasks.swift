import SessionCore
import SessionSupport

/// The tasks whose end has not been heard of yet, so that one can wait until all of them have ended.
///
/// A set rather than a count: an end that is told twice, or of a task that never counted, changes nothing. Safe from
/// any thread.
final class RunningTasks: Sendable {
    private let tasks = Monitor<Set<TransferID>>([])

    /// Counts a task from now on.
    ///
    /// Counting it twice changes nothing.
    func enter(_ task: SessionTask) {
        tasks.withLock { _ = $0.insert(task.id) }
    }

    /// Counts a task no longer.
    func leave(_ task: SessionTask) {
        tasks.change { _ = $0.remove(task.id) }
    }

    /// Waits until no task counts, or the time is over.
    func wait(seconds: Double) {
        tasks.wait(timeoutMilliseconds: Int64(seconds * 1000)) { $0.isEmpty }
    }
}
