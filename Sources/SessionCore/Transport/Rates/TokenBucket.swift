/// The bytes a limit has available: refilled every second at its rate, and up to a tenth of a second's worth is kept.
///
/// More may be taken than is available, because the number of bytes in a socket is not known in advance; the next
/// transfers wait until the debt is paid, so the rate holds in the long run.
struct TokenBucket: Sendable {
    /// Milliseconds of bytes that are kept.
    private static let burst: Int64 = 100
    /// A higher rate is lowered to this.
    private static let largestRate: Int64 = 1 << 40
    /// The most milliseconds that one refill counts: after a longer time a bucket is full anyway, unless its debt
    /// exceeds what a transfer can cause.
    private static let longestPause: Int64 = 1_000_000

    /// Bytes per second.
    let rate: Int64
    /// The level in thousandths of bytes, so that every millisecond counts in full.
    private var level: Int64 = 0
    private var time: Int64

    /// Makes an empty bucket; times are in milliseconds.
    init(rate: Int64, at time: Int64) {
        self.rate = min(max(rate, 1), Self.largestRate)
        self.time = time
    }

    /// Returns the bucket with another rate, and no more debt than is paid within the time it would have taken before.
    ///
    /// A piece that a fast line moves in a moment would otherwise silence a slow one for minutes.
    func changed(to rate: Int64, at time: Int64) -> TokenBucket {
        var other = TokenBucket(rate: rate, at: time)
        var current = self
        current.refill(at: time)
        guard current.level < 0 else { return other }
        let isLower = other.rate < current.rate
        other.level = isLower ? -(-current.level / current.rate) * other.rate : current.level
        return other
    }

    /// Whether bytes are available.
    mutating func hasSome(at time: Int64) -> Bool {
        refill(at: time)
        return level > 0
    }

    /// Takes bytes; a negative number returns unused ones.
    mutating func take(_ bytes: Int64) { level -= bytes * 1000 }

    /// When bytes become available, if none were at the last check.
    var readiness: Int64 { level > 0 ? time : time + (-level) / rate + 1 }

    private mutating func refill(at now: Int64) {
        guard now > time else { return }
        let gained = min(now - time, Self.longestPause) * rate
        time = now
        level = min(level + gained, max(rate * Self.burst, 1000))
    }
}
