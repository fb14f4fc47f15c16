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
        var interest = Interest(hearsMilestones: false, takesCommands: false)
        var count = 0
    }

    private let state = Locked(State())

    /// What all of them want together.
    var interest: Interest { state.withLock(\.interest) }

    /// Adds a subscriber; answers the number by which it is removed.
    @discardableResult
    func add(_ observer: any TransferObserver) -> Int {
        let interest = observer.interest
        return state.withLock { state in
            state.count += 1
            state.entries.append(Entry(number: state.count, observer: observer, interest: interest))
            state.interest = state.interest.union(interest)
            return state.count
        }
    }

    /// Removes a subscriber, which gets at most the news that are being told now.
    func remove(_ number: Int) {
        state.withLock { state in
            state.entries.removeAll { $0.number == number }
            state.interest = state.entries.reduce(Interest(hearsMilestones: false, takesCommands: false)) {
                $0.union($1.interest)
            }
        }
    }

    /// Tells every subscriber that wants to hear it.
    ///
    /// A subscriber must not block.
    func receive(_ notice: TransferNotice) {
        for entry in state.withLock(\.entries) where entry.interest.concerns(notice) { entry.observer.receive(notice) }
    }
}
