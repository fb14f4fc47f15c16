/// The rates of a row in its latest seconds, for the curve in its line of the table.
///
/// It is a ring within its row's meter: recording allocates nothing, and only running rows have meters.
struct RecentRates: Sendable, Equatable {
    /// The number of seconds kept.
    static let length = 8
    /// The milliseconds that a value stands for; a rate within them replaces the newest value.
    private static let span: Int64 = 900

    private var ring = SIMD8<Float>()
    private var count = 0
    private var newest = 0
    /// The time of the newest value's first rate, in milliseconds.
    private var begin: Int64 = 0

    /// Records bytes per second at a moment in milliseconds.
    mutating func record(_ rate: Double, at now: Int64) {
        if count == 0 || now - begin >= Self.span {
            newest = (newest + 1) % Self.length
            count = min(count + 1, Self.length)
            begin = now
        }
        ring[newest] = Float(rate)
    }

    /// Bytes per second, newest last.
    var values: [Double] {
        (0..<count).map { Double(ring[(newest - count + 1 + $0 + Self.length) % Self.length]) }
    }
}
