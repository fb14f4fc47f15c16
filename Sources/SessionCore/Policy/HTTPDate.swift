import SessionSupport

/// The three forms of date that HTTP knows (RFC 9110, 5.6.7), read without a calendar library.
enum HTTPDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Seconds since 1970 of an IMF-fixdate, an RFC 850 date or an asctime date; nil for anything else.
    ///
    /// A year of two digits is taken as 1970 to 2069. Names of weekdays are not checked against the date.
    static func seconds(_ text: String) -> Int64? {
        let words = ByteText.trimmed(text).split(separator: " ", omittingEmptySubsequences: true)
        switch words.count {
        case 6 where words[0].hasSuffix(",") && words[5] == "GMT":
            return seconds(year: words[3], yearDigits: 4, month: words[2], day: words[1], time: words[4])
        case 4 where words[0].hasSuffix(",") && words[3] == "GMT":
            let parts = words[1].split(separator: "-", omittingEmptySubsequences: false)
            guard parts.count == 3 else { return nil }
            return seconds(year: parts[2], yearDigits: 2, month: parts[1], day: parts[0], time: words[2])
        case 5:
            return seconds(year: words[4], yearDigits: 4, month: words[1], day: words[2], time: words[3])
        default:
            return nil
        }
    }

    private static func seconds(
        year: Substring, yearDigits: Int, month: Substring, day: Substring, time: Substring
    ) -> Int64? {
        guard year.utf8.count == yearDigits, var yearNumber = ByteText.decimal(year),
            let monthIndex = months.firstIndex(of: String(month)),
            day.utf8.count <= 2, let dayNumber = ByteText.decimal(day)
        else { return nil }
        if yearDigits == 2 { yearNumber += yearNumber < 70 ? 2000 : 1900 }
        let monthNumber = Int64(monthIndex + 1)
        guard dayNumber >= 1, dayNumber <= dayCount(month: monthNumber, year: yearNumber),
            let clock = secondsOfDay(time)
        else { return nil }
        return daysSince1970(year: yearNumber, month: monthNumber, day: dayNumber) * 86_400 + clock
    }

    private static func secondsOfDay(_ time: Substring) -> Int64? {
        let parts = time.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, parts.allSatisfy({ $0.utf8.count == 2 }),
            let hour = ByteText.decimal(parts[0]), let minute = ByteText.decimal(parts[1]),
            let second = ByteText.decimal(parts[2]), hour < 24, minute < 60, second <= 60
        else { return nil }
        return hour * 3600 + minute * 60 + second
    }

    private static func dayCount(month: Int64, year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days of the Gregorian calendar, counted from March so that the leap day is the last of its year.
    private static func daysSince1970(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shifted = month > 2 ? year : year - 1
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}

/// How long a server asks to be left alone (RFC 9110, 10.2.3).
enum RetryAfter {
    /// A server cannot hold a transfer back for longer than this with one answer: one hour.
    static let limit: Int64 = 3_600_000

    /// The wait in milliseconds, at most ``limit``; nil when the answer names none or nonsense.
    ///
    /// A date is measured against the answer's own Date field, so that a wrong clock on either side does no harm.
    /// - Parameter now: seconds since 1970, used when the answer has no valid Date.
    static func milliseconds(_ head: ResponseHead, now: Int64) -> Int64? {
        guard let value = head.headers.values(named: "Retry-After").first.map(ByteText.trimmed(_:)) else { return nil }
        if let seconds = ByteText.decimal(value) {
            return seconds > limit / 1000 ? limit : seconds * 1000
        }
        if !value.isEmpty, value.utf8.allSatisfy(ByteText.isDigit) { return limit }
        guard let moment = HTTPDate.seconds(value) else { return nil }
        let reference = head.headers["Date"].flatMap(HTTPDate.seconds) ?? now
        return min(max(moment - reference, 0), limit / 1000) * 1000
    }
}
