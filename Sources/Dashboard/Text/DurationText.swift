/// Durations in at most six characters, coarser the longer they are, so that they do not jump.
package enum DurationText {
    /// Time that is left: seconds below a minute, steps of five below ten minutes, minutes below a day.
    static func remaining(_ seconds: Double) -> SafeText {
        guard seconds.isFinite, seconds >= 0 else { return "-" }
        if seconds < 59.5 { return clock(Int(seconds.rounded())) }
        if seconds < 597.5 { return clock(Int((seconds / 5).rounded()) * 5) }
        guard seconds < 86_400 else { return "> 1d" }
        let minutes = Int((seconds / 60).rounded())
        if minutes < 60 { return SafeText(minutes) + "m" }
        return SafeText(minutes / 60) + "h" + twoDigits(minutes % 60) + "m"
    }

    /// Time that was taken: `0.18s`, `12.3s`, `2:05`, `1h02m`.
    package static func taken(milliseconds: Int64) -> SafeText {
        let value = max(milliseconds, 0)
        if value < 10_000 { return SafeText(value / 1000) + "." + twoDigits(Int(value % 1000) / 10) + "s" }
        if value < 60_000 { return SafeText(value / 1000) + "." + SafeText(value % 1000 / 100) + "s" }
        if value < 3_600_000 { return clock(Int(value / 1000)) }
        let minutes = value / 60_000
        guard minutes < 6000 else { return SafeText(minutes / 1440) + "d" }
        return SafeText(minutes / 60) + "h" + twoDigits(Int(minutes % 60)) + "m"
    }

    /// `0:42:10`, for the header.
    static func uptime(milliseconds: Int64) -> SafeText {
        let seconds = Int(max(milliseconds, 0) / 1000)
        return SafeText(seconds / 3600) + ":" + twoDigits(seconds / 60 % 60) + ":" + twoDigits(seconds % 60)
    }

    /// `17:42`: hours and minutes of a day, of the next one after midnight.
    package static func timeOfDay(milliseconds: Int64) -> SafeText {
        let minutes = Int(((milliseconds / 60_000) % 1440 + 1440) % 1440)
        return twoDigits(minutes / 60) + ":" + twoDigits(minutes % 60)
    }

    private static func clock(_ seconds: Int) -> SafeText {
        SafeText(seconds / 60) + ":" + twoDigits(seconds % 60)
    }

    private static func twoDigits(_ number: Int) -> SafeText {
        (number < 10 ? "0" : "") + SafeText(number)
    }
}
