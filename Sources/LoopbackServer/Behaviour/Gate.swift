import CLinux
import Glibc
import SessionSupport

/// A gate for the server's exchanges, so that a test can stop one at an exact byte and continue it at will.
///
/// A gate is shut until ``release()``, or until as many exchanges stand at it as it waits for, and open for good after it. A waiting exchange also ends when its client closes
/// the connection or the server stops.
public final class Gate: Sendable {
    private struct State {
        var isReleased = false
        var arrivals = 0
    }

    private let state = Monitor(State())
    /// How many exchanges open it together.
    private let company: Int
    /// Readable from the release on; never drained, so that every waiting thread sees it.
    private let released: Int32

    /// Creates a shut gate.
    ///
    /// - Parameter company: how many exchanges open it by having reached it; any number only with ``release()``.
    public init(opensAt company: Int = .max) throws(ServerError) {
        self.company = company
        released = cl_eventfd()
        guard released >= 0 else { throw ServerError(call: "eventfd", number: errno) }
    }

    deinit {
        Socket.close(released)
    }

    /// Whether ``release()`` was called.
    public var isReleased: Bool { state.withLock(\.isReleased) }

    /// How many exchanges have reached this gate so far, waiting or not.
    public var arrivals: Int { state.withLock(\.arrivals) }

    /// Opens the gate for all waiting and later exchanges.
    public func release() {
        state.change { $0.isReleased = true }
        let result = cl_eventfd_signal(released)
        precondition(result == 0, "signalling a gate failed with error \(errno)")
    }

    /// Waits until `count` exchanges have reached the gate; returns false on timeout.
    public func waitForArrivals(_ count: Int = 1, timeoutMilliseconds: Int64 = 30_000) -> Bool {
        state.wait(timeoutMilliseconds: timeoutMilliseconds) { $0.arrivals >= count }
    }

    /// Waits for the release on behalf of a connection; returns false when the client is gone.
    func pass(connection: Int32) -> Bool {
        let isComplete = state.change { state in
            state.arrivals += 1
            return state.arrivals == company
        }
        if isComplete { release() }
        while true {
            if isReleased { return true }
            let seen = Socket.poll((released, Int16(POLLIN)), (connection, Socket.peerClosed), timeoutMilliseconds: -1)
            if seen.first == 0, seen.second != 0 { return false }
            if seen.first & Int16(POLLIN) == 0 { return false }
        }
    }
}
