import Foundation
import SessionSupport
import TransferService

/// Hands the updates of a service in another process to one subscriber.
///
/// The service makes an update only when it is asked for it, so at most one waits here.
final class RemoteSubscription: Subscription {
    private struct State {
        var waiting = TransferUpdate()
        var shown: Set<UInt64>?
        var isCancelled = false
        /// Whether the service waits to be asked for an update.
        var mayAsk = false
    }

    let interest: Interest
    private let state = Locked(State())
    private let wake: @Sendable () -> Void
    private let send: @Sendable (ClientMessage) -> Void
    /// The subscriber asks questions when it is woken, which the thread that reads replies must not wait for.
    private let queue = DispatchQueue(label: "netdash.updates")

    init(
        _ interest: Interest, wake: @escaping @Sendable () -> Void, send: @escaping @Sendable (ClientMessage) -> Void
    ) {
        (self.interest, self.wake, self.send) = (interest, wake, send)
    }

    /// Subscribes at the service, again after each new connection: then it is unknown what `wasMissed` before it.
    func begin(wasMissed: Bool = false) {
        send(.subscribe(interest))
        let shown = state.withLock { state in
            state.mayAsk = true
            if wasMissed { state.waiting.append(TransferUpdate(isCut: true)) }
            return state.shown
        }
        if let shown { send(.show(shown.sorted())) }
        wakeSubscriber()
    }

    /// Wakes the subscriber, whether anything waits or not.
    func wakeSubscriber() { queue.async { [wake] in wake() } }

    func receive(_ update: TransferUpdate) {
        let isWanted = state.withLock { state in
            state.waiting.append(update)
            state.mayAsk = true
            return !state.isCancelled
        }
        if isWanted { wakeSubscriber() }
    }

    func show(_ ids: Set<UInt64>) {
        let isNew = state.withLock { state in
            defer { state.shown = ids }
            return state.shown != ids
        }
        if isNew { send(.show(ids.sorted())) }
    }

    func take() -> TransferUpdate {
        state.withLock { state in
            defer { state.waiting = TransferUpdate() }
            return state.waiting
        }
    }

    func askForNext() {
        let asks = state.withLock { state in
            // What came meanwhile is taken first.
            guard state.mayAsk, state.waiting.isEmpty else { return false }
            state.mayAsk = false
            return true
        }
        if asks { send(.next) }
    }

    func cancel() { state.withLock { $0.isCancelled = true } }
}

extension TransferUpdate {
    fileprivate mutating func append(_ other: TransferUpdate) {
        guard !isEmpty else { return self = other }
        isCut = isCut || other.isCut
        notices += other.notices
        rows += other.rows
        figures += other.figures
        progress += other.progress
    }
}
