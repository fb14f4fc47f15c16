/// The time that a transfer may take in all, which stands still while it is paused or waits for its turn: a value.
///
/// Times are milliseconds of the monotonic clock.
struct TimeAllowance: Sendable, Equatable {
    /// What was left when the clock was started or stopped last.
    private var rest: Int64
    /// When it was started; nil while it stands.
    private var startedAt: Int64?

    /// An allowance of so many milliseconds that counts from now on.
    init(milliseconds: Int64, now: Int64) { (rest, startedAt) = (milliseconds, now) }

    /// Whether the clock stands.
    var isStopped: Bool { startedAt == nil }

    /// The milliseconds that are left; zero or less once the time is over.
    func left(now: Int64) -> Int64 { rest - (startedAt.map { now - $0 } ?? 0) }

    /// Stops the clock; without effect while it stands.
    mutating func stop(now: Int64) { (rest, startedAt) = (left(now: now), nil) }

    /// Starts the clock again; without effect while it runs.
    mutating func start(now: Int64) { startedAt = startedAt ?? now }
}
