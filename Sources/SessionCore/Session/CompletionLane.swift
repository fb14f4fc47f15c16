import Dispatch
import SessionSupport

/// Runs completion handlers on one queue, in the order they became due.
///
/// Work for an idle queue wakes a thread, which costs more than the rest of a task's end does. So what becomes due
/// before that thread runs waits here, and one wake-up serves it all. On a concurrent queue handlers run at the same
/// time all the same, and nobody's work on the queue waits for more than the handlers that were due before it. A class
/// because the threads of the queue share it.
final class CompletionLane<Item: CompletionLaneItem>: Sendable {
    private struct State: Sendable {
        var items = FIFO<Item>()
        /// Whether the queue has been given a runner that has not begun.
        var isRunnerWaiting = false

        /// True when the queue has to be given a runner now.
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

    /// Runs what is due now; while it runs an item another runner may take the next one, where the queue lets it.
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

/// What a ``CompletionLane`` runs.
protocol CompletionLaneItem: Sendable {
    /// Spans the time until the item has run: entered by what makes the item.
    var group: DispatchGroup { get }

    func run()
}
