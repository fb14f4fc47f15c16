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

    /// The questions whose answers are awaited.
    private struct Waits {
        var count = 0
        var awaited: Set<Int> = []
        var answered: Set<Int> = []
        /// Why no answer is awaited at the moment.
        var silence: FleetError?
    }

    /// The seconds within which a server answers a new connection.
    private static let connectionPatience = 3
    /// The longest wait between two tries to connect, in seconds: what a window shows may be old as long.
    private static let longestWait = 1.0

    /// The seconds after which the server ends a statement: a question must not hold the others up for long.
    private let patience: Int
    private let address: QueueAddress
    private let role: String
    private let state = Locked(State())
    private let waits = Monitor(Waits())
    /// The questions, one after the other: the connection is for one thread at a time.
    private let turns = DispatchQueue(label: "netdash.fleet.desk")

    init(_ address: QueueAddress, role: String, patience: Int) {
        (self.address, self.role, self.patience) = (address, role, patience)
    }

    /// Runs `body` with the connection, which another question has to wait for.
    ///
    /// While the database is away, this fails at once between two tries. While it answers nothing, it fails too, and
    /// what was sent may still be carried out.
    func ask<Value: Sendable>(
        _ body: @escaping @Sendable (FleetQueue) throws(FleetError) -> Value
    ) throws(FleetError) -> Value {
        let outcome = Locked<Result<Value, FleetError>?>(nil)
        let number = try waits.withLock { waits throws(FleetError) in
            if let silence = waits.silence { throw silence }
            waits.count += 1
            waits.awaited.insert(waits.count)
            return waits.count
        }
        turns.async { [self] in
            guard waits.withLock({ $0.awaited.contains(number) }) else { return }
            let result = Result { () throws(FleetError) in try answer(body) }
            outcome.withLock { $0 = result }
            waits.change { if $0.awaited.contains(number) { $0.answered.insert(number) } }
        }
        let silence = waits.wait { waits -> FleetError?? in
            let isAnswered = waits.answered.remove(number) != nil
            guard isAnswered || waits.silence != nil else { return nil }
            waits.awaited.remove(number)
            return .some(isAnswered ? nil : waits.silence)
        }
        if let silence { throw silence }
        guard let result = outcome.withLock({ $0 }) else {
            preconditionFailure("question \(number) has ended without an answer")
        }
        return try result.get()
    }

    /// Lets all questions fail, also the ones under way; nil lets them be asked again.
    func fallSilent(because error: FleetError?) { waits.change { $0.silence = error } }

    private func answer<Value>(_ body: (FleetQueue) throws(FleetError) -> Value) throws(FleetError) -> Value {
        let queue = try connected()
        do throws(FleetError) {
            return try queue.limited(toSeconds: patience) { () throws(FleetError) in try body(queue) }
        } catch {
            // A statement that was refused or ended leaves the connection as it was.
            if error.code != .refused, error.code != .interrupted { state.withLock { $0.queue = nil } }
            throw error
        }
    }

    private func connected() throws(FleetError) -> FleetQueue {
        let (queue, identity, problem, reconnect) = state.withLock { ($0.queue, $0.identity, $0.problem, $0.reconnect) }
        // One that the server has closed meanwhile would fail the next question.
        if let queue, queue.isOpen { return queue }
        if let problem, FleetClock.now() < reconnect { throw problem }
        do throws(FleetError) {
            let queue = try FleetQueue(
                address, role: role, expected: identity, connectionPatience: Self.connectionPatience)
            state.withLock { ($0.queue, $0.identity, $0.problem, $0.wait) = (queue, queue.identity, nil, 0.5) }
            return queue
        } catch {
            state.withLock { state in
                state.problem = error
                state.reconnect = FleetClock.now() + state.wait
                state.wait = min(Self.longestWait, state.wait * 2)
            }
            throw error
        }
    }
}
