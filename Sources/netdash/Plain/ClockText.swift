import Support

/// The time of day as text, worked out once a second however many lines ask for it.
///
/// A class because all lines of a printer share what it remembers.
final class ClockText: Sendable {
    private struct Latest {
        var second: Int64
        var text: String
    }

    private let latest = Locked<Latest?>(nil)

    /// ``Timestamp/localClock`` of a moment.
    func text(_ time: Timestamp) -> String {
        let second = time.wholeSeconds
        if let known = latest.withLock({ $0 }), known.second == second { return known.text }
        let text = time.localClock
        latest.withLock { $0 = Latest(second: second, text: text) }
        return text
    }
}
