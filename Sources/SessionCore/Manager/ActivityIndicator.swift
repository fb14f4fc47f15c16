public import Dispatch
import SessionSupport

/// A light that is on while tasks run (`AFNetworkActivityIndicatorManager`): for a status line, a window's corner.
///
/// `manager.add(indicator)` has it watch a manager; one may watch several. It knows which tasks run and does not count
/// what is announced, so that nothing leaves it on for ever. What is over within a second never lights it, and short gaps
/// do not put it out. A class because those managers share it.
public final class ActivityIndicator: SessionMonitor {
    private struct State: Sendable {
        var activity = ActivityState()
        var running: Set<TransferID> = []
        /// Tells a wait from those that are over.
        var waitNumber = 0
    }

    /// Where the closure is called.
    public let queue: DispatchQueue
    private let startDelay: Double
    private let endDelay: Double
    private let onChange: @Sendable (Bool) -> Void
    private let wait: @Sendable (Double, @escaping @Sendable () -> Void) -> Void
    private let state = Locked(State())

    /// An indicator whose closure is called once for each change, on the queue: true when the light goes on.
    ///
    /// The delays are seconds, those of the original unless given; so is the queue, the main one, which a program without
    /// a main run loop never serves.
    public convenience init(
        startDelay: Double = 1, endDelay: Double = 0.17, queue: DispatchQueue? = nil,
        onChange: @escaping @Sendable (_ isVisible: Bool) -> Void
    ) {
        let timers = DispatchQueue(label: "SessionCore.activity")
        self.init(
            startDelay: startDelay, endDelay: endDelay, queue: queue ?? CompletionDelivery.defaultQueue,
            onChange: onChange
        ) { seconds, body in
            timers.asyncAfter(deadline: .now() + max(0, seconds), execute: body)
        }
    }

    init(
        startDelay: Double, endDelay: Double, queue: DispatchQueue, onChange: @escaping @Sendable (Bool) -> Void,
        wait: @escaping @Sendable (Double, @escaping @Sendable () -> Void) -> Void
    ) {
        (self.startDelay, self.endDelay, self.queue) = (startDelay, endDelay, queue)
        (self.onChange, self.wait) = (onChange, wait)
    }

    /// Whether the light is on.
    public var isVisible: Bool { state.withLock { $0.activity.isVisible } }
    /// How many tasks run.
    public var runningCount: Int { state.withLock { $0.running.count } }

    /// Takes note of what begins and ends to run.
    public func task(_ task: SessionTask, didReceive event: SessionTaskEvent) {
        switch event {
        case .resumed: change { $0.insert(task.id) }
        case .suspended, .completed: change { $0.remove(task.id) }
        case .response, .restarted, .retrying, .source, .resumedAtOffset, .data, .status, .moved, .moveFailed: break
        }
    }

    private func change<Ignored>(_ body: (inout Set<TransferID>) -> Ignored) {
        let delay = state.withLock { state -> (seconds: Double, number: Int)? in
            _ = body(&state.running)
            guard state.activity.change(isRunning: !state.running.isEmpty) == .wait else { return nil }
            state.waitNumber += 1
            return (state.activity.isVisible ? endDelay : startDelay, state.waitNumber)
        }
        guard let delay else { return }
        wait(delay.seconds) { [weak self] in self?.waited(delay.number) }
    }

    private func waited(_ number: Int) {
        state.withLock { state in
            guard state.waitNumber == number else { return }
            switch state.activity.delayEnded() {
            // Under the lock, so that changes are told in their order; the closure runs elsewhere.
            case .show: tell(true)
            case .hide: tell(false)
            case .nothing, .wait: break
            }
        }
    }

    private func tell(_ isVisible: Bool) { queue.async { [onChange] in onChange(isVisible) } }
}
