internal import Glibc

/// The clock that neither users nor time servers set: a worker's only one.
package enum FleetClock {
    /// Seconds since an arbitrary moment.
    package static func now() -> Double {
        var time = timespec()
        let result = clock_gettime(CLOCK_MONOTONIC, &time)
        precondition(result == 0, "clock_gettime failed with \(result)")
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

extension FleetClock {
    /// Waits until one of some descriptors can be read, or a signal has come.
    package static func wait(for descriptors: [Int32]) {
        _ = DatabaseConnection.waitForInput(descriptors, milliseconds: 3_600_000)
    }
}
