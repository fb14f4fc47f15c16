import SessionSupport

/// The subscribers of a service, and what they want together.
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
        /// The latest notices on servers and limits, which a later subscriber has to know too.
        var held: TransferNotice?
        var limited: TransferNotice?
        var bounded: TransferNotice?

        mutating func remember(_ notice: TransferNotice) {
            switch notice {
            case .held: held = notice
            case .limited: limited = notice
            case .bounded: bounded = notice
            case .event, .changed, .moved, .removed, .complaint, .idle, .saving, .saved: break
            }
        }
    }

    /// What is kept with any subscribers.
    private let base: Interest
    private let state: Locked<State>

    init(base: Interest = .least) {
        self.base = base
        state = Locked(State(interest: base))
    }

    /// What all of them want together.
    var interest: Interest { state.withLock(\.interest) }

    /// Adds a subscriber, and tells it first which servers are held and which limits are in force; answers the number by
    /// which it is removed.
    @discardableResult
    func add(_ observer: any TransferObserver) -> Int {
        let interest = observer.interest
        return state.withLock { state in
            state.count += 1
            // Under the lock: later news of the same kind come behind these.
            for notice in [state.held, state.limited, state.bounded].compactMap(\.self) { observer.receive(notice) }
            state.entries.append(Entry(number: state.count, observer: observer, interest: interest))
            state.interest = state.interest.union(interest)
            return state.count
        }
    }

    /// Removes a subscriber, which gets at most the news that are being told now.
    func remove(_ number: Int) {
        state.withLock { state in
            state.entries.removeAll { $0.number == number }
            state.interest = state.entries.reduce(base) { $0.union($1.interest) }
        }
    }

    /// Tells every subscriber; what is no news for one it leaves out itself.
    ///
    /// A subscriber must not block.
    func receive(_ notice: TransferNotice) {
        let entries = state.withLock { state in
            state.remember(notice)
            return state.entries
        }
        for entry in entries { entry.observer.receive(notice) }
    }
}
