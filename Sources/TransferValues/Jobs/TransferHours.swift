package import SessionSupport

/// When a task may run: not before a moment, and only in some hours of the day.
///
/// A value without a clock. Hours are of the clock on the wall, so they move with summer time.
package struct TransferHours: Sendable, Hashable, Codable {
    /// Hours of each day, in minutes since midnight; they may span midnight.
    package struct Span: Sendable, Hashable, Codable {
        package let start: Int
        package let end: Int

        package init(start: Int, end: Int) { (self.start, self.end) = (start, end) }

        package func contains(_ minute: Int) -> Bool {
            start < end ? (start..<end).contains(minute) : minute >= start || minute < end
        }
    }

    /// Seconds since 1970; nil for no such moment.
    package var start: Int64?
    /// The hours of the day; empty for all hours.
    package var spans: [Span] = []

    package init(start: Int64? = nil, spans: [Span] = []) { (self.start, self.spans) = (start, spans) }

    package static let minutesOfDay = 24 * 60
    /// The most seconds between two checks: a clock that is set is noticed within a minute.
    private static let longestWait: Int64 = 60

    /// Whether a task may run at a moment.
    package func isOpen(at now: Int64, _ clock: LocalClock) -> Bool {
        if let start, now < start { return false }
        guard !spans.isEmpty else { return true }
        let minute = clock.reading(now).minuteOfDay
        return spans.contains { $0.contains(minute) }
    }

    /// The next moment at which a task may run; nil while it may.
    package func opening(after now: Int64, _ clock: LocalClock) -> Int64? {
        guard !isOpen(at: now, clock) else { return nil }
        let first = max(start ?? now, now)
        guard !isOpen(at: first, clock) else { return first }
        let starts = spans.map { ($0.start, Self.next($0.start, after: first, clock)) }
        let isSkipped = starts.contains { clock.reading($1).minuteOfDay != $0 }
        return isSkipped ? firstMinute(after: first, clock) : starts.map(\.1).min()
    }

    /// The first minute that is open, found one by one: summer time has skipped a start.
    private func firstMinute(after now: Int64, _ clock: LocalClock) -> Int64? {
        let minute = now - Self.positive(now, 60)
        return (1...Int64(2 * Self.minutesOfDay)).lazy.map { minute + $0 * 60 }.first { isOpen(at: $0, clock) }
    }

    /// The moment of the next minute of a day; summer time that begins or ends before it counts.
    private static func next(_ minute: Int, after now: Int64, _ clock: LocalClock) -> Int64 {
        let current = clock.reading(now).minuteOfDay
        let moment = now - positive(now, 60) + Int64(positive(minute - current, minutesOfDay)) * 60
        let shift = positive(minute - clock.reading(moment).minuteOfDay + minutesOfDay / 2, minutesOfDay)
        return moment + Int64(shift - minutesOfDay / 2) * 60
    }

    /// Milliseconds until the state may change, a minute at most.
    ///
    /// - Parameter now: milliseconds since 1970.
    package func millisecondsUntilCheck(at now: Int64, _ clock: LocalClock) -> Int64 {
        let seconds = (now - Self.positive(now, 1_000)) / 1_000
        var next = seconds + Self.longestWait
        if let start, start > seconds { next = min(next, start) }
        if !spans.isEmpty { next = min(next, seconds - Self.positive(seconds, 60) + 60) }
        return max(next * 1_000 - now, 1)
    }

    private static func positive<Number: BinaryInteger>(_ value: Number, _ divisor: Number) -> Number {
        let rest = value % divisor
        return rest < 0 ? rest + divisor : rest
    }
}
