import CLinux
import Glibc

/// Keeps a flow at a number of bytes a second by waiting between its pieces.
struct Pacer {
    private let bytesPerSecond: Int64
    private var began: Int64
    private var moved: Int64 = 0

    /// Nil when there is no limit.
    init?(bytesPerSecond: Int64?) {
        guard let bytesPerSecond else { return nil }
        self.bytesPerSecond = max(1, bytesPerSecond)
        began = Self.now
    }

    /// Starts counting anew, so that a stall is not made up for by a burst.
    mutating func restart() {
        began = Self.now
        moved = 0
    }

    /// Waits until the bytes moved so far are due.
    ///
    /// False when the peer is gone.
    mutating func pass(_ count: Int, connection: Int32) -> Bool {
        moved += Int64(count)
        let (product, overflow) = moved.multipliedReportingOverflow(by: 1_000_000)
        guard !overflow else {
            restart()
            return true
        }
        let due = began + product / bytesPerSecond
        while true {
            let remaining = due - Self.now
            guard remaining > 0 else { return true }
            let wait = Int32(min((remaining + 999) / 1_000, 60_000))
            let seen = Socket.poll((connection, Socket.peerClosed), timeoutMilliseconds: wait)
            if seen.first != 0 { return false }
        }
    }

    /// Microseconds: fine enough for the pieces of a fast flow, coarse enough for a long one.
    private static var now: Int64 { cl_monotonic_nanoseconds() / 1_000 }
}
