/// Detects that the peer of an attempt has owed bytes for too long.
///
/// It owes bytes while it does not take those of a request, and while it does not send those of a body. Once it has the
/// whole request it may think for as long as it likes, unless the answer is waited for no longer than a time of its own.
/// libcurl's own low-speed limit looks at an average over five seconds, so it is seconds late. This one is asked from
/// time to time with a count of everything that moved, and answers within an eighth of the limit.
struct StallWatch: Sendable {
    /// The side whose turn it is.
    enum Turn: Sendable, Equatable {
        /// This side: a pause or a limit of ours holds the attempt back, or there is no connection yet.
        case own
        /// The peer, which owes bytes.
        case peer
        /// The peer, which has the whole request since a moment and owes an answer.
        case answer(since: Int64)
    }

    /// What to do about the attempt.
    enum Verdict: Sendable, Equatable {
        case checkAgain(afterMilliseconds: Int64)
        case stalled
    }

    private let limit: Int64
    private let begunAt: Int64
    /// The most that has moved: counts that fall and rise again, as what is under way does, are no movement.
    private var moved: Int64 = 0
    private var lastMovement: Int64
    /// Since when the peer has owed bytes.
    private var owedSince: Int64
    /// Whether the last look found that nothing had moved.
    private(set) var hasStood = false
    /// Looks at the speed too; nil where any is enough.
    var speed: SpeedWatch?
    /// Milliseconds for which an answer is waited for; nil for as long as it takes.
    var answerLimit: Int64?
    /// Whether the attempt is given up because it was too slow, though bytes moved.
    private(set) var wasTooSlow = false
    /// Whether the attempt is given up because something else can be tried while nothing is answered.
    private(set) var wasImpatient = false

    /// A watch over an attempt that begins now.
    ///
    /// Times are milliseconds of the monotonic clock.
    init(limitMilliseconds: Int64, now: Int64) {
        limit = max(limitMilliseconds, 1)
        (begunAt, lastMovement, owedSince) = (now, now, now)
    }

    /// Milliseconds without movement from which on an attempt stands, as far as a change of the network goes.
    private static let standing: Int64 = 2_000

    /// Whether nothing has moved for a while, as far as was looked.
    func isStanding(now: Int64) -> Bool { now - lastMovement >= Self.standing && hasStood }

    /// How long until the attempt has to be looked at.
    var interval: Int64 { max(min(limit, speed?.window ?? limit, answerLimit ?? limit) / 8, 1) }

    /// How long until the first look, which tells that an answer is waited for.
    var firstInterval: Int64 { min(interval, 1_000) }

    /// Milliseconds for which an answer is waited for where another server may be asked for the same.
    var patienceBesideOthers: Int64 { min(5_000, limit / 4) }

    /// Milliseconds for which the answer to a question is waited for that can be done without.
    var patienceWithQuestions: Int64 { min(10_000, limit) }

    /// The body is sent once more from its beginning.
    mutating func bodyBegins() { moved = 0 }

    /// Judges whether an answer that has not come is waited for any longer.
    ///
    /// Time before there is a connection counts, for a server that takes none is no better.
    mutating func findAnswer(patience: Int64, now: Int64) -> Verdict {
        let rest = begunAt + patience - now
        wasImpatient = rest <= 0
        return wasImpatient ? .stalled : .checkAgain(afterMilliseconds: min(interval, rest))
    }

    /// Judges the attempt by what has moved until now.
    mutating func look(moved count: Int64, turn: Turn, now: Int64) -> Verdict {
        let hasMoved = count > moved
        moved = max(moved, count)
        hasStood = !hasMoved && turn != .own
        if !hasStood { lastMovement = now }
        if hasMoved || turn != .peer { owedSince = now }
        if speed?.isTooSlow(moved: count, mayMove: turn == .peer, now: now) == true {
            wasTooSlow = true
            return .stalled
        }
        var rest = owedSince + limit - now
        if case .answer(let since) = turn, let answerLimit { rest = max(since, begunAt) + answerLimit - now }
        return rest <= 0 ? .stalled : .checkAgain(afterMilliseconds: min(interval, rest))
    }
}

extension StallWatch.Verdict {
    /// The verdict, with a look after so many milliseconds at the latest.
    func sooner(than delay: Int64) -> StallWatch.Verdict {
        switch self {
        case .checkAgain(let own): .checkAgain(afterMilliseconds: min(own, delay))
        case .stalled: .stalled
        }
    }
}
