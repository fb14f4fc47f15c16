import CLinux
import Glibc
import SessionSupport

/// A gate that the server waits at, so that a test can hold an exchange at an exact place and go on when it wants.
///
/// A gate is shut until ``release()``, and open for good after it. An exchange that waits also goes on (and ends) when
/// its client closes the connection or the server stops.
public final class Gate: Sendable {
    private struct State {
        var isReleased = false
        var arrivals = 0
    }

    private let state = Monitor(State())
    /// Readable from the release on; never drained, so that every waiting thread sees it.
    private let released: Int32

    /// A shut gate.
    public init() throws(ServerError) {
        released = cl_eventfd()
        guard released >= 0 else { throw ServerError(call: "eventfd", number: errno) }
    }

    deinit {
        Socket.close(released)
    }

    /// Whether ``release()`` was called.
    public var isReleased: Bool { state.withLock(\.isReleased) }

    /// How many exchanges have come to this gate so far, waiting or gone on.
    public var arrivals: Int { state.withLock(\.arrivals) }

    /// Opens the gate for everybody who waits or comes later.
    public func release() {
        state.change { $0.isReleased = true }
        let result = cl_eventfd_signal(released)
        precondition(result == 0, "signalling a gate failed with error \(errno)")
    }

    /// Waits until that many exchanges have come to the gate.
    ///
    /// False when the time was over first.
    public func waitForArrivals(_ count: Int = 1, timeoutMilliseconds: Int64 = 10_000) -> Bool {
        state.wait(timeoutMilliseconds: timeoutMilliseconds) { $0.arrivals >= count }
    }

    /// Waits for the release on behalf of a connection.
    ///
    /// False when the client is gone.
    func pass(connection: Int32) -> Bool {
        state.change { $0.arrivals += 1 }
        while true {
            if isReleased { return true }
            let seen = Socket.poll((released, Int16(POLLIN)), (connection, Socket.peerClosed), timeoutMilliseconds: -1)
            if seen.first == 0, seen.second != 0 { return false }
            if seen.first & Int16(POLLIN) == 0 { return false }
        }
    }
}
