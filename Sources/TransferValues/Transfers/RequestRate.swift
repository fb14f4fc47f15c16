/// A limit on the requests that begin in a time, such as `5/s` or `30/m`.
///
/// Requests are spaced evenly: `30/m` is at most one in two seconds.
package struct RequestRate: Sendable, Hashable, Codable {
    private static let units: [(letter: Character, seconds: Int64)] = [
        ("s", 1), ("m", 60), ("h", 3_600), ("d", 86_400),
    ]
    package static let counts: ClosedRange<Int64> = 1...10_000

    /// The text it was read from, such as `5/s`.
    package let words: String
    /// Microseconds from one request to the next.
    package let interval: Int64

    /// Reads a number and a unit of time: s, m, h or d; nil for anything else.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].count == 1, parts[0].allSatisfy({ $0.isASCII && $0.isNumber }),
            let count = Int64(parts[0]), Self.counts.contains(count),
            let unit = Self.units.first(where: { parts[1].lowercased() == String($0.letter) })
        else { return nil }
        words = "\(count)/\(unit.letter)"
        // Rounded up, so that no second has one request more.
        interval = (unit.seconds * 1_000_000 + count - 1) / count
    }
}

/// The rates of requests of a session: in all, and to each origin.
package struct RequestRates: Sendable, Hashable, Codable {
    package var all: RequestRate?
    package var perHost: RequestRate?

    package init(all: RequestRate? = nil, perHost: RequestRate? = nil) {
        (self.all, self.perHost) = (all, perHost)
    }
}
