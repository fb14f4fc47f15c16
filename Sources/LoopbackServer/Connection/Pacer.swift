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
        began = cl_monotonic_milliseconds()
    }

    /// Starts counting anew, so that a stall is not made up for by a burst.
    mutating func restart() {
        began = cl_monotonic_milliseconds()
        moved = 0
    }

    /// Waits until the bytes moved so far are due.
    ///
    /// False when the peer is gone.
    mutating func pass(_ count: Int, connection: Int32) -> Bool {
        moved += Int64(count)
        let (product, overflow) = moved.multipliedReportingOverflow(by: 1000)
        guard !overflow else {
            restart()
            return true
        }
        let due = began + product / bytesPerSecond
        while true {
            let remaining = due - cl_monotonic_milliseconds()
            guard remaining > 0 else { return true }
            let wait = Int32(min(remaining, 60_000))
            let seen = Socket.poll((connection, Socket.peerClosed), timeoutMilliseconds: wait)
            if seen.first != 0 { return false }
        }
    }
}
