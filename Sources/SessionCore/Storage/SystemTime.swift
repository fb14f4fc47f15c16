import Glibc

/// The system's clocks in nanoseconds, as the times of files count.
enum SystemTime {
    /// A time of the system's; one that no number can hold is the nearest.
    static func nanoseconds(_ time: timespec) -> Int64 {
        let (whole, overflows) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflows else { return time.tv_sec < 0 ? .min : .max }
        return whole.addingReportingOverflow(Int64(time.tv_nsec)).partialValue
    }

    /// Nanoseconds since 1970, as the kernel puts them on files; nil when the clock cannot be read.
    static var now: Int64? { read(CLOCK_REALTIME) }

    /// When the machine was started, in nanoseconds since 1970 by today's clock; nil when the clocks cannot be read.
    static var boot: Int64? {
        guard let now, let age = read(CLOCK_BOOTTIME) else { return nil }
        return now - age
    }

    private static func read(_ clock: clockid_t) -> Int64? {
        var time = timespec()
        guard clock_gettime(clock, &time) == 0 else { return nil }
        return nanoseconds(time)
    }
}
