import SessionSupport

/// Distributes events to the subscribers of a service, and merges their interests.
final class ObserverHub: Sendable {
    private struct Entry {
        let number: Int
        let observer: any TransferObserver
        let interest: Interest
    }

    private struct State {
        var entries: [Entry] = []
        var interest: Interest
        var count = 0
        /// The latest notices about servers and limits, which later subscribers need too.
        var backoffs: TransferNotice?
        var limited: TransferNotice?
        var bounded: TransferNotice?
        var configured: TransferNotice?
    }

    /// The minimum interest, also without subscribers.
    private let base: Interest
    private let state: Locked<State>

    init(base: Interest = .least) {
        self.base = base
        state = Locked(State(interest: base))
    }

    /// The union of all interests.
    var interest: Interest { state.withLock(\.interest) }

    /// Adds a subscriber, which first receives the hosts in backoff and the limits in force; returns its number for
    /// removal.
    @discardableResult
    func add(_ observer: any TransferObserver) -> Int {
        let interest = observer.interest
        return state.withLock { state in
            state.count += 1
            // Under the lock, so that later notices of the same kind follow these.
            for notice in [state.backoffs, state.limited, state.bounded, state.configured].compactMap(\.self) {
                observer.receive(notice)
            }
            state.entries.append(Entry(number: state.count, observer: observer, interest: interest))
            state.interest = state.interest.union(interest)
            return state.count
        }
    }

    /// Removes a subscriber, which may still receive notices that are being sent.
    func remove(_ number: Int) {
        state.withLock { state in
            state.entries.removeAll { $0.number == number }
            state.interest = state.entries.reduce(base) { $0.union($1.interest) }
        }
    }

    /// Sends a notice to every subscriber, which filters it itself and must not block.
    func receive(_ notice: TransferNotice) {
        let entries = state.withLock { state in
            switch notice {
            case .backoffs: state.backoffs = notice
            case .limited: state.limited = notice
            case .bounded: state.bounded = notice
            case .configured: state.configured = notice
            case .event, .changed, .moved, .removed, .complaint, .resolved, .idle, .saving, .saved: break
            }
            return state.entries
        }
        for entry in entries { entry.observer.receive(notice) }
    }
}
