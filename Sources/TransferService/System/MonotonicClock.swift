import CLinux

/// The clock that is never set.
package enum MonotonicClock {
    /// Milliseconds since a fixed moment while the machine runs.
    package static var milliseconds: Int64 { cl_monotonic_milliseconds() }
}
