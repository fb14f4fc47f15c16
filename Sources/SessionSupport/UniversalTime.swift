import Glibc

/// A moment of universal time in calendar and clock units, independent of the process's zone and locale.
package struct UniversalTime: Sendable, Equatable {
    /// A year of the Gregorian calendar, from 0 to 9999.
    package let year: Int
    /// From 1 to 12.
    package let month: Int
    /// From 1 to 31.
    package let day: Int
    package let hour: Int
    package let minute: Int
    package let second: Int
    /// Days since Sunday.
    package let weekday: Int

    /// The first and the last second of the years with four digits.
    private static let limits: ClosedRange<Int64> = -62_167_219_200...253_402_300_799

    /// Converts seconds since 1970; a time outside the years with four digits becomes the nearest one.
    package init(_ seconds: Int64) {
        var time = time_t(min(max(seconds, Self.limits.lowerBound), Self.limits.upperBound))
        var parts = tm()
        // The call fails only for years beyond 32 bits.
        _ = gmtime_r(&time, &parts)
        (year, month, day) = (Int(parts.tm_year) + 1900, Int(parts.tm_mon) + 1, Int(parts.tm_mday))
        (hour, minute, second) = (Int(parts.tm_hour), Int(parts.tm_min), Int(parts.tm_sec))
        weekday = Int(parts.tm_wday)
    }

    /// Returns seconds since 1970 at the start of a day; nil if the day does not exist.
    package static func seconds(year: Int64, month: Int64, day: Int64) -> Int64? {
        guard (0...9999).contains(year), (1...12).contains(month), (1...31).contains(day) else { return nil }
        var parts = tm()
        (parts.tm_year, parts.tm_mon, parts.tm_mday) = (Int32(year - 1900), Int32(month - 1), Int32(day))
        let seconds = timegm(&parts)
        // 31 February comes back as a day of March.
        return parts.tm_mday == Int32(day) ? Int64(seconds) : nil
    }

    // MARK: Text

    /// The date, as `2026-11-24`.
    package var date: String { "\(Self.padded(year, 4))-\(Self.padded(month))-\(Self.padded(day))" }

    /// The time of day, as `09:05:07`.
    package var clock: String { "\(Self.padded(hour)):\(Self.padded(minute)):\(Self.padded(second))" }

    /// Date and time in the short form of ISO 8601: `20261124T090507Z`.
    package var stamp: String { date.filter { $0 != "-" } + "T" + clock.filter { $0 != ":" } + "Z" }

    /// Returns a number padded with zeros to this many digits.
    package static func padded(_ number: Int, _ width: Int = 2) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
