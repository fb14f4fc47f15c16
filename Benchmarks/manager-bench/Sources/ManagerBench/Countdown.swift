import Dispatch
import Synchronization

/// Wakes who waits for it once, when so many things have happened: a wake-up for each would cost more than what is
/// measured.
final class Countdown: Sendable {
    private let left: Atomic<Int>
    private let done = DispatchSemaphore(value: 0)

    init(_ count: Int) { left = Atomic(count) }

    func count() {
        if left.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { done.signal() }
    }

    func wait() { done.wait() }
}
