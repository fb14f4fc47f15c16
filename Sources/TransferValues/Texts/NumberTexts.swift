/// Formats byte counts and rates in at most three digits, for columns of fixed width.
package enum SizeText {
    private static let letters: [SafeText] = ["", "K", "M", "G", "T", "P", "E"]
    private static let binaryNames: [SafeText] = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]
    private static let decimalNames: [SafeText] = ["B", "kB", "MB", "GB", "TB", "PB", "EB"]

    /// `48.1K`, `631M`, `0`: at most five characters for any real size.
    package static func short(_ bytes: Int64, units: Units = .binary) -> SafeText {
        let (number, power) = split(Double(max(bytes, 0)), units: units)
        return number + (power == 0 && bytes > 0 ? "B" : letters[power])
    }

    /// `11.2M/s`.
    package static func rate(_ bytesPerSecond: Double, units: Units = .binary) -> SafeText {
        rateWithoutUnit(bytesPerSecond, units: units) + "/s"
    }

    /// `11.2M`, for layouts without room for the `/s`.
    package static func rateWithoutUnit(_ bytesPerSecond: Double, units: Units = .binary) -> SafeText {
        let (number, power) = split(max(bytesPerSecond, 0), units: units)
        return number + (power == 0 ? "B" : letters[power])
    }

    /// `11.2 MiB`, for layouts with room to spell the prefix.
    package static func long(_ bytes: Int64, units: Units = .binary) -> SafeText {
        let (number, power) = split(Double(max(bytes, 0)), units: units)
        return number + " " + name(power, units: units)
    }

    /// Two sizes that are compared: in bytes where they differ by less than a hundredth, which their units would hide.
    package static func pair(_ first: Int64, _ second: Int64) -> (first: SafeText, second: SafeText) {
        let difference = Double(first) - Double(second)
        guard difference != 0, abs(difference) < Double(max(first, second)) / 100 else {
            return (long(first), long(second))
        }
        return (SafeText(first) + " " + binaryNames[0], SafeText(second) + " " + binaryNames[0])
    }

    /// `11.2 MiB/s`.
    package static func longRate(_ bytesPerSecond: Double, units: Units = .binary) -> SafeText {
        let (number, power) = split(max(bytesPerSecond, 0), units: units)
        return number + " " + name(power, units: units) + "/s"
    }

    /// `9.8M of 10.0M/s`; only the speed without a limit.
    package static func rate(_ bytesPerSecond: Double, of limit: Int64?, units: Units = .binary) -> SafeText {
        guard let limit else { return rate(bytesPerSecond, units: units) }
        return rateWithoutUnit(bytesPerSecond, units: units) + " of " + rate(Double(limit), units: units)
    }

    /// `9.8 of 10.0 MiB/s`, with two units where they differ; only the speed without a limit.
    package static func longRate(_ bytesPerSecond: Double, of limit: Int64?, units: Units = .binary) -> SafeText {
        guard let limit else { return longRate(bytesPerSecond, units: units) }
        let (number, power) = split(max(bytesPerSecond, 0), units: units)
        let isSame = power == split(Double(limit), units: units).1
        return (isSame ? number : longRate(bytesPerSecond, units: units)) + " of "
            + longRate(Double(limit), units: units)
    }

    private static func name(_ power: Int, units: Units) -> SafeText {
        switch units {
        case .binary: binaryNames[power]
        case .decimal: decimalNames[power]
        }
    }

    /// The number to print and the power of its prefix; decimals are cut, never rounded up.
    private static func split(_ value: Double, units: Units) -> (SafeText, Int) {
        guard value.isFinite else { return ("-", 0) }
        var rest = value
        var power = 0
        while rest >= 1000, power < letters.count - 1 {
            rest /= units.step
            power += 1
        }
        if power == 0 || rest >= 100 { return (SafeText(Int(min(rest, 9999))), power) }
        let tenths = Int(rest * 10)
        return (SafeText(tenths / 10) + "." + SafeText(tenths % 10), power)
    }
}

/// Formats fractions, cut and never rounded up: 100 % means that the last byte has arrived.
package enum PercentText {
    /// `62%`, or nil when the total is unknown.
    package static func percent(_ part: Int64, of total: Int64?) -> SafeText? {
        permille(part, of: total).map { SafeText($0 / 10) + "%" }
    }

    /// `62.4%`, or nil when the total is unknown.
    package static func tenths(_ part: Int64, of total: Int64?) -> SafeText? {
        permille(part, of: total).map { SafeText($0 / 10) + "." + SafeText($0 % 10) + "%" }
    }

    /// Thousandths, cut, from 0 to 1000; 1000 only when nothing is missing.
    package static func permille(_ part: Int64, of total: Int64?) -> Int? {
        guard let total, total >= 0 else { return nil }
        if part >= total { return 1000 }
        return min(Int(Double(max(part, 0)) / Double(total) * 1000), 999)
    }
}

/// Formats durations and times of day.
///
/// Remaining and elapsed times have at most eight characters, coarser the longer they are, so that they do not
/// flicker.
package enum DurationText {
    /// Remaining time: seconds below a minute, steps of five below ten minutes, minutes below a day.
    package static func remaining(_ seconds: Double) -> SafeText {
        guard seconds.isFinite, seconds >= 0 else { return "-" }
        if seconds < 59.5 { return clock(Int(seconds.rounded())) }
        if seconds < 597.5 { return clock(Int((seconds / 5).rounded()) * 5) }
        guard seconds < 86_400 else { return "> 1d" }
        let minutes = Int((seconds / 60).rounded())
        if minutes < 60 { return SafeText(minutes) + "m" }
        return SafeText(minutes / 60) + "h" + twoDigits(minutes % 60) + "m"
    }

    /// Elapsed time: `0.18s`, `12.3s`, `2:05`, `1h02m`.
    package static func elapsed(milliseconds: Int64) -> SafeText {
        let value = max(milliseconds, 0)
        if value < 10_000 { return SafeText(value / 1000) + "." + twoDigits(Int(value % 1000) / 10) + "s" }
        if value < 60_000 { return SafeText(value / 1000) + "." + SafeText(value % 1000 / 100) + "s" }
        if value < 3_600_000 { return clock(Int(value / 1000)) }
        let minutes = value / 60_000
        guard minutes < 6000 else { return SafeText(minutes / 1440) + "d" }
        return SafeText(minutes / 60) + "h" + twoDigits(Int(minutes % 60)) + "m"
    }

    /// `0:42:10`, for the header.
    package static func uptime(milliseconds: Int64) -> SafeText {
        let seconds = Int(max(milliseconds, 0) / 1000)
        return SafeText(seconds / 3600) + ":" + twoDigits(seconds / 60 % 60) + ":" + twoDigits(seconds % 60)
    }

    /// The time of a task that runs, in as much detail as the cells have room for: `0:42:10`, `42:10`, `2h05m`, `16h`.
    package static func running(milliseconds: Int64, cells: Int) -> SafeText {
        let full = uptime(milliseconds: milliseconds)
        guard full.string.utf8.count > cells else { return full }
        guard milliseconds >= 3_600_000 else { return clock(Int(max(milliseconds, 0) / 1000)) }
        return elapsed(milliseconds: milliseconds, cells: cells)
    }

    /// Remaining time, in full hours where the cells have no room for minutes.
    package static func remaining(_ seconds: Double, cells: Int) -> SafeText {
        let full = remaining(seconds)
        return full.string.utf8.count > cells ? hours(Int64((seconds / 60).rounded()) / 60) : full
    }

    /// Elapsed time, in full hours where the cells have no room for minutes.
    package static func elapsed(milliseconds: Int64, cells: Int) -> SafeText {
        let full = elapsed(milliseconds: milliseconds)
        return full.string.utf8.count > cells ? hours(milliseconds / 3_600_000) : full
    }

    private static func hours(_ count: Int64) -> SafeText { SafeText(count) + "h" }

    /// `17:42`: hours and minutes of a day; wraps at midnight.
    package static func timeOfDay(milliseconds: Int64) -> SafeText {
        let minutes = Int(((milliseconds / 60_000) % 1440 + 1440) % 1440)
        return twoDigits(minutes / 60) + ":" + twoDigits(minutes % 60)
    }

    /// `09:05:07`: a time of day with seconds.
    package static func clockTime(milliseconds: Int64) -> SafeText {
        let seconds = Int(((milliseconds / 1000) % 86_400 + 86_400) % 86_400)
        return twoDigits(seconds / 3600) + ":" + twoDigits(seconds / 60 % 60) + ":" + twoDigits(seconds % 60)
    }

    private static func clock(_ seconds: Int) -> SafeText {
        SafeText(seconds / 60) + ":" + twoDigits(seconds % 60)
    }

    private static func twoDigits(_ number: Int) -> SafeText {
        (number < 10 ? "0" : "") + SafeText(number)
    }
}

/// The meaning of size prefixes: powers of 1024 or of 1000.
package enum Units: String, Sendable, CaseIterable {
    case binary, decimal

    /// The factor from one prefix to the next.
    package var step: Double {
        switch self {
        case .binary: 1024
        case .decimal: 1000
        }
    }
}
