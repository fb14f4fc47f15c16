import CLinux
import Glibc

/// Limits a flow to a number of bytes per second by waiting between its blocks.
struct Pacer {
    private let bytesPerSecond: Int64
    private var began: Int64
    private var moved: Int64 = 0

    /// Creates a pacer for a rate; nil without a limit.
    init?(bytesPerSecond: Int64?) {
        guard let bytesPerSecond else { return nil }
        self.bytesPerSecond = max(1, bytesPerSecond)
        began = Self.now
    }

    /// Restarts counting, so that no burst follows a stall.
    mutating func restart() {
        began = Self.now
        moved = 0
    }

    /// Waits until the bytes moved so far are due; returns false when the peer is gone.
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

    /// Microseconds: fine enough for the blocks of a fast flow, coarse enough for a long one.
    private static var now: Int64 { cl_monotonic_nanoseconds() / 1_000 }
}
