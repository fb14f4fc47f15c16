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

    private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]

    /// An IMF-fixdate of seconds since 1970; what lies before 1970 or behind the year 9999 is the nearest.
    static func text(_ seconds: Int64) -> String {
        let seconds = min(max(seconds, 0), 253_402_300_799)
        let days = seconds / 86_400
        let clock = seconds % 86_400
        let (year, month, day) = civil(days)
        func padded(_ number: Int64, _ count: Int = 2) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, count - digits.count)) + digits
        }
        let time = [clock / 3600, clock / 60 % 60, clock % 60].map { padded($0) }.joined(separator: ":")
        let date = "\(padded(day)) \(months[Int(month) - 1]) \(padded(year, 4))"
        return "\(weekdays[Int(days % 7)]), \(date) \(time) GMT"
    }

    /// The date of a day since 1970, with years counted from March so that the leap day is the last of its year.
    static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let index = (5 * dayOfYear + 2) / 153
        let month = index < 10 ? index + 3 : index - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * index + 2) / 5 + 1)
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

extension HTTPDate {
    /// Seconds since 1970 of a cookie's date, read as RFC 6265, 5.1.1 says: four tokens in any order among delimiters, of
    /// which the first of each kind counts; nil where one is missing or no such date exists.
    static func cookieSeconds(_ text: String) -> Int64? {
        var clock: [Int64]?
        var day: Int64?
        var month: Int64?
        var year: Int64?
        for token in text.utf8.split(whereSeparator: isCookieDelimiter) {
            if clock == nil, let found = cookieClock(token) {
                clock = found
            } else if day == nil, let found = leadingNumber(token, digits: 1...2) {
                day = found
            } else if month == nil, let found = cookieMonth(token) {
                month = found
            } else if year == nil, let found = leadingNumber(token, digits: 2...4) {
                year = found < 70 ? found + 2000 : found < 100 ? found + 1900 : found
            }
        }
        guard let clock, let day, let month, let year, year >= 1601, day >= 1,
            day <= dayCount(month: month, year: year), clock[0] < 24, clock[1] < 60, clock[2] < 60
        else { return nil }
        return daysSince1970(year: year, month: month, day: day) * 86_400 + clock[0] * 3600 + clock[1] * 60 + clock[2]
    }

    private static func isCookieDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
        default: false
        }
    }

    /// The number at the beginning of a token, when it has so many digits and no further one follows.
    private static func leadingNumber(_ token: Substring.UTF8View, digits: ClosedRange<Int>) -> Int64? {
        let number = token.prefix { ByteText.isDigit($0) }
        return digits.contains(number.count) ? ByteText.decimal(bytes: number) : nil
    }

    private static func cookieMonth(_ token: Substring.UTF8View) -> Int64? {
        let name = token.prefix(3).map { ByteText.lowercased($0) }
        return months.firstIndex { ByteText.lowercased($0).utf8.elementsEqual(name) }.map { Int64($0) + 1 }
    }

    /// Hours, minutes and seconds of a token of the form `1:2:3`, whether or not a clock shows them.
    private static func cookieClock(_ token: Substring.UTF8View) -> [Int64]? {
        let parts = token.split(separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].allSatisfy(ByteText.isDigit), parts[1].allSatisfy(ByteText.isDigit) else {
            return nil
        }
        let numbers = parts.compactMap { leadingNumber($0, digits: 1...2) }
        return numbers.count == 3 ? numbers : nil
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
