import SessionSupport

@testable import SessionCore

/// Collects what happens on any thread and lets a test wait for it; a class because closures share it.
final class EventLog<Entry: Sendable>: Sendable {
    private struct Waiter: Sendable {
        let number: Int
        let isMet: @Sendable ([Entry]) -> Bool
        let continuation: CheckedContinuation<[Entry], Never>
    }

    private struct State: Sendable {
        var entries: [Entry] = []
        var waiters: [Waiter] = []
        var lastWaiter = 0
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

    /// Waits until the entries meet a condition; the suite's time limit is the deadline, and then what there is comes back.
    func wait(until isMet: @escaping @Sendable ([Entry]) -> Bool) async -> [Entry] {
        let number = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let entries = state.withLock { state -> [Entry]? in
                    if isMet(state.entries) || Task.isCancelled { return state.entries }
                    state.waiters.append(Waiter(number: number, isMet: isMet, continuation: continuation))
                    return nil
                }
                if let entries { continuation.resume(returning: entries) }
            }
        } onCancel: {
            let (waiter, entries) = state.withLock { state in
                defer { state.waiters.removeAll { $0.number == number } }
                return (state.waiters.first { $0.number == number }, state.entries)
            }
            waiter?.continuation.resume(returning: entries)
        }
    }

    func wait(count: Int) async -> [Entry] { await wait { $0.count >= count } }
}
