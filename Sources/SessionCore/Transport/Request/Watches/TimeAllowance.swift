/// The time limit of a transfer, which stops while it is paused or waits for a slot.
///
/// Times are milliseconds of the monotonic clock.
struct TimeAllowance: Sendable, Equatable {
    /// The time left when the clock was last started or stopped.
    private var rest: Int64
    /// When the clock was last started; nil while it is stopped.
    private var startedAt: Int64?

    /// Starts an allowance of `milliseconds`.
    init(milliseconds: Int64, now: Int64) { (rest, startedAt) = (milliseconds, now) }

    var isStopped: Bool { startedAt == nil }

    /// Returns the milliseconds left; zero or less once the time is over.
    func left(now: Int64) -> Int64 { rest - (startedAt.map { now - $0 } ?? 0) }

    /// Stops the clock; without effect while stopped.
    mutating func stop(now: Int64) { (rest, startedAt) = (left(now: now), nil) }

    /// Starts the clock again; without effect while running.
    mutating func start(now: Int64) { startedAt = startedAt ?? now }
}
