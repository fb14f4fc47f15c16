@testable import SessionCore

/// Collects what happens on any thread and lets a test wait for it; a class because closures share it.
final class EventLog<Entry: Sendable>: Sendable {
    private struct Waiter: Sendable {
        let isMet: @Sendable ([Entry]) -> Bool
        let continuation: CheckedContinuation<[Entry], Never>
    }

    private struct State: Sendable {
        var entries: [Entry] = []
        var waiters: [Waiter] = []
    }

    private let state = Locked(State())

    var entries: [Entry] { state.withLock { $0.entries } }

    func add(_ entry: Entry) {
        let (entries, met) = state.withLock { state in
            state.entries.append(entry)
            let entries = state.entries
            let met = state.waiters.filter { $0.isMet(entries) }
            state.waiters.removeAll { $0.isMet(entries) }
            return (entries, met)
        }
        for waiter in met { waiter.continuation.resume(returning: entries) }
    }

    /// Waits until the entries meet a condition; the suite's time limit is the deadline.
    func wait(until isMet: @escaping @Sendable ([Entry]) -> Bool) async -> [Entry] {
        await withCheckedContinuation { continuation in
            let entries = state.withLock { state -> [Entry]? in
                if isMet(state.entries) { return state.entries }
                state.waiters.append(Waiter(isMet: isMet, continuation: continuation))
                return nil
            }
            if let entries { continuation.resume(returning: entries) }
        }
    }

    func wait(count: Int) async -> [Entry] { await wait { $0.count >= count } }
}
