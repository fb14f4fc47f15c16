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

    init(_ address: QueueAddress, role: String, patience: Int) {
        (self.address, self.role, self.patience) = (address, role, patience)
    }

    /// Runs `body` with the connection, which another question has to wait for.
    ///
    /// While the database is away, this fails at once between two tries.
    func ask<Result: Sendable>(_ body: (FleetQueue) throws(FleetError) -> Result) throws(FleetError) -> Result {
        try state.withLock { (state: inout State) throws(FleetError) in
            let queue = try connect(&state)
            do throws(FleetError) {
                return try body(queue)
            } catch {
                // A refused statement leaves the connection as it was.
                if error.code != .refused { state.queue = nil }
                throw error
            }
        }
    }

    private func connect(_ state: inout State) throws(FleetError) -> FleetQueue {
        if let queue = state.queue { return queue }
        let now = FleetClock.now()
        if let problem = state.problem, now < state.reconnect { throw problem }
        do throws(FleetError) {
            let queue = try FleetQueue(address, role: role, expected: state.identity)
            try queue.limitStatements(seconds: patience)
            (state.queue, state.identity, state.problem, state.wait) = (queue, queue.identity, nil, 0.5)
            return queue
        } catch {
            state.problem = error
            state.reconnect = FleetClock.now() + state.wait
            state.wait = min(5, state.wait * 2)
            throw error
        }
    }
}
