import CLinux
import Glibc

/// A moment of the wall clock, in milliseconds since 1970.
struct Timestamp: Sendable, Equatable {
    var milliseconds: Int64

    /// The clock's time.
    static func now() -> Timestamp {
        var time = timespec()
        guard clock_gettime(CLOCK_REALTIME, &time) == 0 else { return Timestamp(milliseconds: 0) }
        return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    /// The moment of a field such as Date (RFC 9110, 5.6.7: `Sun, 06 Nov 1994 08:49:37 GMT`); nil for another form.
    init?(httpDate text: String) {
        var seconds: Int64 = 0
        guard cl_parse_http_date(text, &seconds) else { return nil }
        milliseconds = seconds * 1000
    }

    /// A moment so many milliseconds after 1970 began.
    init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// Seconds since 1970, rounded down.
    var wholeSeconds: Int64 { Self.floorDivide(milliseconds, 1000) }

    /// RFC 3339 in UTC with milliseconds: `2026-01-31T09:05:07.042Z`.
    var rfc3339: String {
        let seconds = Self.floorDivide(milliseconds, 1000)
        let day = Self.floorDivide(seconds, 86_400)
        let second = seconds - day * 86_400
        let date = Self.date(ofDay: day)
        let clock = [second / 3600, second / 60 % 60, second % 60].map { Self.padded($0, 2) }.joined(separator: ":")
        let fraction = Self.padded(milliseconds - seconds * 1000, 3)
        return
            "\(Self.padded(date.year, 4))-\(Self.padded(date.month, 2))-\(Self.padded(date.day, 2))T\(clock).\(fraction)Z"
    }

    /// Hours, minutes and seconds where the user is: `09:05:07`.
    var localClock: String {
        var seconds = time_t(Self.floorDivide(milliseconds, 1000))
        var parts = tm()
        guard localtime_r(&seconds, &parts) != nil else { return "00:00:00" }
        return [parts.tm_hour, parts.tm_min, parts.tm_sec].map { Self.padded(Int64($0), 2) }.joined(separator: ":")
    }

    /// The day where the user is: `2026-01-31`.
    var localDay: String {
        var seconds = time_t(Self.floorDivide(milliseconds, 1000))
        var parts = tm()
        guard localtime_r(&seconds, &parts) != nil else { return "1970-01-01" }
        let date = [(parts.tm_year + 1900, 4), (parts.tm_mon + 1, 2), (parts.tm_mday, 2)]
        return date.map { Self.padded(Int64($0.0), $0.1) }.joined(separator: "-")
    }

    /// Milliseconds since midnight where the user is.
    var millisecondsOfDay: Int64 {
        var seconds = time_t(Self.floorDivide(milliseconds, 1000))
        var parts = tm()
        guard localtime_r(&seconds, &parts) != nil else { return 0 }
        let second = Int64(parts.tm_hour) * 3600 + Int64(parts.tm_min) * 60 + Int64(parts.tm_sec)
        return second * 1000 + milliseconds - Int64(seconds) * 1000
    }

    /// Minutes since Monday, midnight, where the user is.
    var minuteOfWeek: Int {
        var seconds = time_t(Self.floorDivide(milliseconds, 1000))
        var parts = tm()
        guard localtime_r(&seconds, &parts) != nil else { return 0 }
        // The C library counts days from Sunday.
        return (Int(parts.tm_wday) + 6) % 7 * 1440 + Int(parts.tm_hour) * 60 + Int(parts.tm_min)
    }

    // MARK: - Calendar

    /// The Gregorian date of a day counted from 1970-01-01, counting in eras of 400 years that begin in March.
    private static func date(ofDay number: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = number + 719_468
        let era = floorDivide(shifted, 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    private static func floorDivide(_ value: Int64, _ divisor: Int64) -> Int64 {
        let quotient = value / divisor
        return value % divisor < 0 ? quotient - 1 : quotient
    }

    private static func padded(_ value: Int64, _ width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
