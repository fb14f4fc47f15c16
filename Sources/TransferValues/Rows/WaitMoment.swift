package import SessionSupport

/// What a row waits for beside its turn: its hours or other tasks, in two bytes.
package struct WaitMoment: RawRepresentable, Sendable, Equatable {
    /// Minutes of the day, then days from ``daysBase`` on; -1 for none, -2 for a row that was skipped, -3 for one that
    /// waits for other tasks.
    package let rawValue: Int16

    private static let daysBase: Int16 = 2_000
    package static let none = WaitMoment(rawValue: -1)
    package static let skipped = WaitMoment(rawValue: -2)
    package static let afterOthers = WaitMoment(rawValue: -3)

    package init(rawValue: Int16) { self.rawValue = rawValue }

    /// - Parameter moment: seconds since 1970.
    package init(_ moment: Int64, _ clock: LocalClock) {
        let left = moment - clock.now()
        rawValue =
            left < 86_400
            ? Int16(clock.reading(moment).minuteOfDay)
            : Self.daysBase + Int16(clamping: min((left + 43_200) / 86_400, 999))
    }

    /// Whether it is a moment, and no other reason.
    package var isTime: Bool { rawValue >= 0 }
    /// The minute of the day; nil for none, and for a later day.
    package var minute: Int? { (0..<Self.daysBase).contains(rawValue) ? Int(rawValue) : nil }
    /// Days until then; nil within a day.
    package var days: Int? { rawValue >= Self.daysBase ? Int(rawValue - Self.daysBase) : nil }
}
