import CLinux

/// The clock that is never set.
package enum MonotonicClock {
    /// Milliseconds since a moment that stays the same while the machine runs.
    package static var milliseconds: Int64 { cl_monotonic_milliseconds() }
}
