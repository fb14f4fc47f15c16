import Glibc
import SessionSupport

/// A moment of the wall clock, in milliseconds since 1970.
package struct Timestamp: Sendable, Equatable, Codable {
    package var milliseconds: Int64

    package static func now() -> Timestamp {
        var time = timespec()
        guard clock_gettime(CLOCK_REALTIME, &time) == 0 else { return Timestamp(milliseconds: 0) }
        return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    package init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// Seconds since 1970, rounded down.
    package var secondsRoundedDown: Int64 { Self.floorDivide(milliseconds, 1000) }

    /// RFC 3339 in UTC with milliseconds: `2026-01-31T09:05:07.042Z`.
    package var rfc3339: String {
        let time = UniversalTime(secondsRoundedDown)
        let fraction = UniversalTime.padded(Int(milliseconds - secondsRoundedDown * 1000), 3)
        return "\(time.date)T\(time.clock).\(fraction)Z"
    }

    /// Hours, minutes and seconds in the local time zone: `09:05:07`.
    package var localClock: String {
        var seconds = time_t(Self.floorDivide(milliseconds, 1000))
        var parts = tm()
        guard localtime_r(&seconds, &parts) != nil else { return "00:00:00" }
        return [parts.tm_hour, parts.tm_min, parts.tm_sec].map { UniversalTime.padded(Int($0)) }.joined(separator: ":")
    }

    /// The date in the local time zone: `2026-01-31`.
    package var localDay: String {
        var seconds = time_t(Self.floorDivide(milliseconds, 1000))
        var parts = tm()
        guard localtime_r(&seconds, &parts) != nil else { return "1970-01-01" }
        let date = [(parts.tm_year + 1900, 4), (parts.tm_mon + 1, 2), (parts.tm_mday, 2)]
        return date.map { UniversalTime.padded(Int($0.0), $0.1) }.joined(separator: "-")
    }

    /// Milliseconds since midnight in the local time zone.
    package var millisecondsOfDay: Int64 {
        var seconds = time_t(Self.floorDivide(milliseconds, 1000))
        var parts = tm()
        guard localtime_r(&seconds, &parts) != nil else { return 0 }
        let second = Int64(parts.tm_hour) * 3600 + Int64(parts.tm_min) * 60 + Int64(parts.tm_sec)
        return second * 1000 + milliseconds - Int64(seconds) * 1000
    }

    /// Minutes since Monday, midnight, in the local time zone.
    package var minuteOfWeek: Int {
        var seconds = time_t(Self.floorDivide(milliseconds, 1000))
        var parts = tm()
        guard localtime_r(&seconds, &parts) != nil else { return 0 }
        // The C library counts days from Sunday.
        return (Int(parts.tm_wday) + 6) % 7 * 1440 + Int(parts.tm_hour) * 60 + Int(parts.tm_min)
    }

    private static func floorDivide(_ value: Int64, _ divisor: Int64) -> Int64 {
        let quotient = value / divisor
        return value % divisor < 0 ? quotient - 1 : quotient
    }
}
