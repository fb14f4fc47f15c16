/// Detects that the peer of an attempt has owed bytes for too long.
///
/// It owes bytes while it does not read the request or does not send the body. Once it has the full request, it may
/// take any time, unless the response has a time limit of its own. libcurl's low-speed limit uses an average over five
/// seconds, so it is seconds late. This one is called periodically with a count of everything that moved, and answers
/// within an eighth of the limit.
struct StallWatch: Sendable {
    /// The side that has to act next.
    enum Turn: Sendable, Equatable {
        /// This side: a pause or a limit of ours stops the attempt, or it has no connection yet.
        case own
        /// The peer, which owes bytes.
        case peer
        /// The peer, which has had the full request since then and owes a response.
        case answer(since: Int64)
    }

    /// The result of a check.
    enum Verdict: Sendable, Equatable {
        case checkAgain(afterMilliseconds: Int64)
        case stalled
    }

    private let limit: Int64
    private let begunAt: Int64
    /// The highest count so far: a count that falls and rises again, as unacknowledged bytes do, is no movement.
    private var moved: Int64 = 0
    private var lastMovement: Int64
    /// Since when the peer has owed bytes.
    private var owedSince: Int64
    /// Whether nothing had moved at the last check.
    private(set) var hasStood = false
    /// The watch for a minimum speed; nil without one.
    var speed: SpeedWatch?
    /// Whether the client was told that the response takes longer than a stall would.
    private var hasToldSilence = false
    /// Milliseconds to wait for a response; nil for no limit.
    var answerLimit: Int64?
    /// Whether the limits are stricter than the session's, which every other transfer has.
    var isStricter = (stall: false, answer: false)
    /// Whether the attempt ended by a limit that other transfers need not have, so that it tells nothing of the host.
    private(set) var exceededOwnLimit = false
    /// Whether the attempt ended because it was too slow, though bytes moved.
    private(set) var wasTooSlow = false
    /// Whether the attempt ended because the head of its response took longer than a response may.
    private(set) var wasLateInHead = false
    /// Whether the attempt ended because an alternative can be tried before a response arrives.
    private(set) var wasImpatient = false

    /// Watches an attempt that begins now; times are milliseconds of the monotonic clock.
    init(limitMilliseconds: Int64, now: Int64) {
        limit = max(limitMilliseconds, 1)
        (begunAt, lastMovement, owedSince) = (now, now, now)
    }

    /// The result of a check.
    struct Findings: Sendable, Equatable {
        /// Everything that has moved until now.
        var moved: Int64 = 0
        /// What all connections of the transfer have brought, which its speed is measured by; nil for one connection.
        var movedByAll: Int64?
        /// Whether other connections bring bytes while this one awaits a response.
        var othersGoOn = false
        var turn = Turn.own
        /// Since when a response is awaited whose head has begun to arrive; nil for any other.
        var headAwaitedSince: Int64?
        /// Whether a response is due that another source or step may make unnecessary, and the milliseconds to wait for
        /// it; nil for any other.
        var patience: Int64?
    }

    /// Judges the attempt by what a check finds.
    mutating func judge(_ findings: Findings, now: Int64) -> Verdict {
        let verdict = look(findings, now: now)
        guard case .checkAgain(let delay) = verdict, let patience = findings.patience else { return verdict }
        return findAnswer(patience: patience, now: now).sooner(than: delay)
    }

    /// Returns true once, when a response has been awaited for as long as a stall takes.
    mutating func noteSilence(since: Int64, now: Int64) -> Bool {
        guard !hasToldSilence, now - since >= limit else { return false }
        hasToldSilence = true
        return true
    }

    /// Milliseconds without movement after which an attempt counts as stalled when the network changes.
    private static let standing: Int64 = 2_000

    /// Whether nothing has moved for a while, as of the last check.
    func isStanding(now: Int64) -> Bool { now - lastMovement >= Self.standing && hasStood }

    /// Milliseconds between two checks.
    var interval: Int64 { max(min(limit, speed?.window ?? limit, answerLimit ?? limit) / 8, 1) }

    /// Milliseconds until the first check, which notices that a response is awaited.
    var firstInterval: Int64 { min(interval, 1_000) }

    /// Milliseconds until the first check of an attempt that may take the place of another one.
    ///
    /// One that has not connected yet would be found without movement, and its window would begin anew.
    func firstCheck(isAnswered: Bool, now: Int64) -> Int64 {
        guard isAnswered, let rest = speed?.rest(of: firstInterval, now: now) else { return firstInterval }
        return rest
    }

    /// Milliseconds to wait for a response where another server has the same file.
    var patienceBesideOthers: Int64 { min(5_000, limit / 4) }

    /// Milliseconds to wait for the response to an optional request.
    var patienceWithQuestions: Int64 { min(10_000, limit) }

    /// Resets the count, when the body is sent again from its beginning.
    mutating func bodyBegins() { moved = 0 }

    /// Judges whether to wait longer for a response.
    ///
    /// Time without a connection counts too, for a server that accepts none is no better.
    mutating func findAnswer(patience: Int64, now: Int64) -> Verdict {
        let rest = begunAt + patience - now
        wasImpatient = rest <= 0
        return wasImpatient ? .stalled : .checkAgain(afterMilliseconds: min(interval, rest))
    }

    /// Judges the attempt by the bytes moved until now.
    mutating func look(moved count: Int64, turn: Turn, now: Int64) -> Verdict {
        look(Findings(moved: count, turn: turn), now: now)
    }

    private mutating func look(_ findings: Findings, now: Int64) -> Verdict {
        let (count, turn) = (findings.moved, findings.turn)
        let hasMoved = count > moved
        moved = max(moved, count)
        hasStood = !hasMoved && turn != .own
        if !hasStood { lastMovement = now }
        if hasMoved || turn != .peer { owedSince = now }
        let mayMove = turn == .peer || findings.othersGoOn && turn != .own
        if speed?.isTooSlow(moved: findings.movedByAll ?? count, mayMove: mayMove, now: now) == true {
            (wasTooSlow, exceededOwnLimit) = (true, true)
            return .stalled
        }
        var (rest, isOwn) = (owedSince + limit - now, isStricter.stall)
        if case .answer(let since) = turn, let answerLimit {
            (rest, isOwn) = (max(since, begunAt) + answerLimit - now, isStricter.answer)
        }
        // A head whose lines arrive one by one is no response yet.
        if turn != .own, let since = findings.headAwaitedSince, let answerLimit {
            let left = max(since, begunAt) + answerLimit - now
            if left < rest { (rest, isOwn, wasLateInHead) = (left, isStricter.answer, left <= 0) }
        }
        guard rest <= 0 else { return .checkAgain(afterMilliseconds: min(interval, rest)) }
        exceededOwnLimit = isOwn
        return .stalled
    }
}

extension StallWatch.Verdict {
    /// Returns the verdict with a check after `delay` at the latest.
    func sooner(than delay: Int64) -> StallWatch.Verdict {
        switch self {
        case .checkAgain(let own): .checkAgain(afterMilliseconds: min(own, delay))
        case .stalled: .stalled
        }
    }
}
