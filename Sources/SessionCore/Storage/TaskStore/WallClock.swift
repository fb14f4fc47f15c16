import Glibc

/// The time of day, for showing alone: it may jump, so nothing is measured with it.
enum WallClock {
    /// Seconds since 1970.
    static func now() -> Double {
        var time = timespec()
        guard clock_gettime(CLOCK_REALTIME, &time) == 0 else { return 0 }
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
