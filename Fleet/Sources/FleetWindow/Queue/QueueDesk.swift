internal import Dispatch
internal import FleetQueue
internal import SessionSupport

/// A connection to the queue that answers one question at a time, from any thread, and is made again when it was lost.
///
/// A class because it owns the connection.
final class QueueDesk: Sendable {
    private struct State {
        var queue: FleetQueue?
        /// The id of the queue that was found first.
        var identity: String?
        /// When the next connection may be tried, in seconds of the monotonic clock.
        var reconnect = 0.0
        var wait = 0.5
        /// Why the last try failed.
        var problem: FleetError?
    }

    /// The seconds after which the server ends a statement: a question must not hold the others up for long.
    private let patience: Int
    private let address: QueueAddress
    private let role: String
    private let state = Locked(State())
    /// The questions, one after the other: the connection is for one thread at a time.
    private let turns = DispatchQueue(label: "netdash.fleet.desk")

    init(_ address: QueueAddress, role: String, patience: Int) {
        (self.address, self.role, self.patience) = (address, role, patience)
    }

    /// Runs `body` with the connection, which another question has to wait for.
    ///
    /// While the database is away, this fails at once between two tries.
    func ask<Value>(_ body: (FleetQueue) throws(FleetError) -> Value) throws(FleetError) -> Value {
        try turns.sync { Result { () throws(FleetError) in try answer(body) } }.get()
    }

    private func answer<Value>(_ body: (FleetQueue) throws(FleetError) -> Value) throws(FleetError) -> Value {
        let queue = try connected()
        do throws(FleetError) {
            return try body(queue)
        } catch {
            // A refused statement leaves the connection as it was.
            if error.code != .refused { state.withLock { $0.queue = nil } }
            throw error
        }
    }

    private func connected() throws(FleetError) -> FleetQueue {
        let (queue, identity, problem, reconnect) = state.withLock { ($0.queue, $0.identity, $0.problem, $0.reconnect) }
        if let queue { return queue }
        if let problem, FleetClock.now() < reconnect { throw problem }
        do throws(FleetError) {
            let queue = try FleetQueue(address, role: role, expected: identity)
            try queue.limitStatements(seconds: patience)
            state.withLock { ($0.queue, $0.identity, $0.problem, $0.wait) = (queue, queue.identity, nil, 0.5) }
            return queue
        } catch {
            state.withLock { state in
                state.problem = error
                state.reconnect = FleetClock.now() + state.wait
                state.wait = min(5, state.wait * 2)
            }
            throw error
        }
    }
}
