import Dispatch
import SessionSupport

/// Runs completion handlers on one queue, in the order they became due.
///
/// Work for an idle queue wakes a thread, which costs more than the rest of a task's end. So items that become due
/// before that thread runs wait here, and one wake-up serves them all. On a concurrent queue handlers still run at the
/// same time, and other work on the queue waits only for the handlers that were due before it. A class because the
/// queue's threads share it.
final class CompletionLane<Item: CompletionLaneItem>: Sendable {
    private struct State: Sendable {
        var items = FIFO<Item>()
        /// Whether a runner was submitted to the queue and has not begun.
        var isRunnerWaiting = false

        mutating func needsRunner() -> Bool {
            defer { isRunnerWaiting = true }
            return !isRunnerWaiting
        }
    }

    let queue: DispatchQueue
    private let state = Locked(State())

    init(_ queue: DispatchQueue) { self.queue = queue }

    /// Runs handlers on the queue, and leaves the group of each when it has returned.
    func run(_ due: some Collection<Item>) {
        let needsRunner = state.withLock { state in
            for item in due { state.items.append(item) }
            return state.needsRunner()
        }
        if needsRunner { startRunner() }
    }

    private func startRunner() { queue.async { self.runDueItems() } }

    /// Runs the due items; while one runs, another runner may take the next if the queue is concurrent.
    private func runDueItems() {
        let due = state.withLock { state in
            state.isRunnerWaiting = false
            return state.items.count
        }
        for _ in 0..<due {
            guard let item = next() else { return }
            item.run()
            item.group.leave()
        }
    }

    private func next() -> Item? {
        let (item, needsRunner) = state.withLock { state -> (Item?, Bool) in
            let item = state.items.popFirst()
            return (item, !state.items.isEmpty && state.needsRunner())
        }
        if needsRunner { startRunner() }
        return item
    }
}

/// An item that a ``CompletionLane`` runs.
protocol CompletionLaneItem: Sendable {
    /// Spans the time until the item has run: entered by the item's creator.
    var group: DispatchGroup { get }

    func run()
}
