package import SessionSupport

/// Reads and writes the times at which tasks may run.
package enum HoursText {
    private static let units: [(letter: Character, seconds: Int64)] = [
        ("d", 86_400), ("h", 3_600), ("m", 60), ("s", 1),
    ]
    private static let longestDelay: Int64 = 366 * 86_400

    /// The moment of `22:00`, `2026-11-28 22:00` or `+2h30m`; nil for anything else.
    ///
    /// A time without a date is its next occurrence.
    package static func start(_ text: String, _ clock: LocalClock = .system) -> Int64? {
        let text = ByteText.trimmed(text)
        if text.hasPrefix("+") { return delay(text.dropFirst()).map { clock.now() + $0 } }
        let words = text.split { $0 == " " || $0 == "T" }
        if words.count == 1, let minute = minute(words[0]), minute < TransferHours.minutesOfDay {
            return next(minute, clock)
        }
        guard words.count == 2, let minute = minute(words[1]), minute < TransferHours.minutesOfDay else { return nil }
        let date = words[0].split(separator: "-", omittingEmptySubsequences: false)
        guard date.map(\.count) == [4, 2, 2], let year = number(date[0]), let month = number(date[1]),
            let day = number(date[2]), (1970...2999).contains(year), (1...12).contains(month), (1...31).contains(day)
        else { return nil }
        return clock.moment(.init(year: year, month: month, day: day, hour: minute / 60, minute: minute % 60))
    }

    private static func next(_ minute: Int, _ clock: LocalClock) -> Int64? {
        let now = clock.now()
        var reading = clock.reading(now)
        (reading.hour, reading.minute) = (minute / 60, minute % 60)
        if let today = clock.moment(reading), today > now { return today }
        // Noon of the next day, however long this one is.
        (reading.hour, reading.minute) = (12, 0)
        guard let noon = clock.moment(reading) else { return nil }
        var tomorrow = clock.reading(noon + 86_400)
        (tomorrow.hour, tomorrow.minute) = (minute / 60, minute % 60)
        return clock.moment(tomorrow)
    }

    /// Seconds of numbers with units, the largest first: `2h`, `1h30m`.
    private static func delay(_ text: Substring) -> Int64? {
        var rest = text
        var seconds: Int64 = 0
        var units = units[...]
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            rest = rest.dropFirst(digits.count)
            guard (1...8).contains(digits.count), let count = Int64(digits), let letter = rest.popFirst(),
                let index = units.firstIndex(where: { $0.letter == letter })
            else { return nil }
            seconds += count * units[index].seconds
            units = units[(index + 1)...]
        }
        return (1...longestDelay).contains(seconds) ? seconds : nil
    }

    /// Hours such as `22:00-06:00`, several between commas; nil for anything else.
    package static func spans(_ text: String) -> [TransferHours.Span]? {
        var spans: [TransferHours.Span] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false).map { ByteText.trimmed($0) }
            guard ends.count == 2, let start = minute(ends[0][...]), let end = minute(ends[1][...]),
                start < TransferHours.minutesOfDay, start != end
            else { return nil }
            spans.append(TransferHours.Span(start: start, end: end))
        }
        return spans
    }

    /// Minutes since midnight of `22:00`, to `24:00`; nil for anything else.
    private static func minute(_ text: Substring) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.map(\.count) == [2, 2], let hour = number(parts[0]), let minute = number(parts[1]), minute < 60,
            hour < 24 || hour == 24 && minute == 0
        else { return nil }
        return hour * 60 + minute
    }

    private static func number(_ text: Substring) -> Int? {
        text.allSatisfy { $0.isASCII && $0.isNumber } ? Int(text) : nil
    }

    // MARK: - Writing

    /// A moment as a date and a time, which ``start(_:_:)`` reads.
    package static func text(ofStart moment: Int64, _ clock: LocalClock = .system) -> String {
        let reading = clock.reading(moment)
        let date = [(reading.year, 4), (reading.month, 2), (reading.day, 2)]
        let day = date.map { UniversalTime.padded($0.0, $0.1) }.joined(separator: "-")
        return day + " " + text(ofMinute: reading.minuteOfDay)
    }

    package static func text(of spans: [TransferHours.Span]) -> String {
        spans.map { text(ofMinute: $0.start) + "-" + text(ofMinute: $0.end) }.joined(separator: ",")
    }

    /// A moment for a reader who knows the day: the time alone within a day, else with the date.
    package static func text(ofNext moment: Int64, _ clock: LocalClock = .system) -> String {
        let isNear = moment - clock.now() < 86_400
        return isNear ? text(ofMinute: clock.reading(moment).minuteOfDay) : text(ofStart: moment, clock)
    }

    private static func text(ofMinute minute: Int) -> String {
        UniversalTime.padded(minute / 60) + ":" + UniversalTime.padded(minute % 60)
    }
}

extension OptionKind where Value == Int64? {
    /// The moment before which a task does not begin.
    package static var start: Self {
        OptionKind(OptionStyle("TIME")) { text throws(OptionProblem) in
            guard let moment = HoursText.start(text) else { throw OptionProblem(QueueUsage.start(text)) }
            return moment
        }
    }
}

extension OptionKind where Value == [TransferHours.Span] {
    /// The hours in which a task runs.
    package static var hours: Self {
        OptionKind(OptionStyle("HOURS")) { text throws(OptionProblem) in
            guard let spans = HoursText.spans(text) else { throw OptionProblem(QueueUsage.hours(text)) }
            return spans
        }
    }
}
