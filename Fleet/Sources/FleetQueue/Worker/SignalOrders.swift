internal import Dispatch
internal import Glibc
internal import Synchronization

/// Orders for a worker from signals: the first SIGTERM or SIGINT lets running jobs end, the second one parks them.
///
/// A class because it owns the sources of the signals.
package final class SignalOrders {
    /// The number of signals, which their handlers count on other threads.
    private final class Counter: Sendable {
        let value = Atomic<Int>(0)
    }

    private let counter: Counter
    private let sources: [any DispatchSourceSignal]

    package init(bell: Bell) {
        let counter = Counter()
        sources = [SIGTERM, SIGINT].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                counter.value.add(1, ordering: .relaxed)
                bell.ring()
            }
            source.resume()
            return source
        }
        self.counter = counter
    }

    /// The order now; without a signal `standard`.
    package func order(else standard: FleetWorker.Order) -> FleetWorker.Order {
        switch counter.value.load(ordering: .relaxed) {
        case 0: standard
        case 1: .finish
        default: .park
        }
    }
}
