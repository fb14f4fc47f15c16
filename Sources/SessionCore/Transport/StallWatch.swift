/// Notices when no byte of an attempt has moved for too long.
///
/// libcurl's own low-speed limit looks at an average over five seconds, so it is seconds late. This one is asked from
/// time to time with a count of everything that moved, and answers within an eighth of the limit.
struct StallWatch: Sendable {
    /// What to do about the attempt.
    enum Verdict: Sendable, Equatable {
        case lookAgain(afterMilliseconds: Int64)
        case stalled
    }

    private let limit: Int64
    private var moved: Int64 = 0
    private var lastMovement: Int64

    /// A watch over an attempt that begins now.
    ///
    /// Times are milliseconds of the monotonic clock.
    init(limitMilliseconds: Int64, now: Int64) {
        limit = max(limitMilliseconds, 1)
        lastMovement = now
    }

    /// How long until the attempt has to be looked at.
    var interval: Int64 { max(limit / 8, 1) }

    /// Judges the attempt by what has moved until now.
    ///
    /// Time in which nothing may move, because of a pause or before there is a connection, does not count.
    mutating func look(moved count: Int64, mayMove: Bool, now: Int64) -> Verdict {
        if count != moved || !mayMove {
            moved = count
            lastMovement = now
        }
        let rest = lastMovement + limit - now
        return rest <= 0 ? .stalled : .lookAgain(afterMilliseconds: min(interval, rest))
    }
}
