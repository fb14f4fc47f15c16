/// The bytes that a limit has to give: so many come in every second, and what nobody takes is kept for a tenth of one.
///
/// More may be taken than there is, because nobody knows before how much a socket brings; the next ones wait until the
/// debt is paid, so what moves in the long run is the rate.
struct TokenBucket: Sendable {
    /// Milliseconds of bytes that are kept.
    private static let burst: Int64 = 100
    /// Rates beyond it are none.
    private static let largestRate: Int64 = 1 << 40
    /// Milliseconds that one refill counts at most: a bucket that nobody asked for longer is full in any case, unless its
    /// debt is larger than any that a transfer can make.
    private static let longestPause: Int64 = 1_000_000

    /// Bytes per second.
    let rate: Int64
    /// Thousandths of bytes, so that every millisecond counts in full.
    private var level: Int64 = 0
    private var time: Int64

    /// A bucket with nothing in it; the time is in milliseconds, like all others here.
    init(rate: Int64, at time: Int64) {
        self.rate = min(max(rate, 1), Self.largestRate)
        self.time = time
    }

    /// The bucket with another rate and no more debt than is paid within the time that it would have taken before.
    ///
    /// A piece that a fast line moves in a moment would keep a slow one silent for minutes.
    func changed(to rate: Int64, at time: Int64) -> TokenBucket {
        var other = TokenBucket(rate: rate, at: time)
        var current = self
        current.refill(at: time)
        guard current.level < 0 else { return other }
        let isLower = other.rate < current.rate
        other.level = isLower ? -(-current.level / current.rate) * other.rate : current.level
        return other
    }

    /// Whether there is something to give.
    mutating func hasSome(at time: Int64) -> Bool {
        refill(at: time)
        return level > 0
    }

    /// Takes bytes out, or puts such back that were taken and not used.
    mutating func take(_ bytes: Int64) { level -= bytes * 1000 }

    /// The moment from which on there is something to give, where there was nothing at the last look.
    var readiness: Int64 { level > 0 ? time : time + (-level) / rate + 1 }

    private mutating func refill(at now: Int64) {
        guard now > time else { return }
        let gained = min(now - time, Self.longestPause) * rate
        time = now
        level = min(level + gained, max(rate * Self.burst, 1000))
    }
}
