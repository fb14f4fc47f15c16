import CCurl

/// Detects that no byte of an attempt has moved for too long.
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
    private let begunAt: Int64
    private var moved: Int64 = 0
    private var lastMovement: Int64
    /// Whether the last look found that nothing had moved.
    private(set) var hasStood = false
    /// Looks at the speed too; nil where any is enough.
    var speed: SpeedWatch?
    /// Whether the attempt is given up because it was too slow, though bytes moved.
    private(set) var wasTooSlow = false
    /// Whether the attempt is given up because something else can be tried while nothing is answered.
    private(set) var wasImpatient = false

    /// A watch over an attempt that begins now.
    ///
    /// Times are milliseconds of the monotonic clock.
    init(limitMilliseconds: Int64, now: Int64) {
        limit = max(limitMilliseconds, 1)
        (begunAt, lastMovement) = (now, now)
    }

    /// Milliseconds without movement from which on an attempt stands, as far as a change of the network goes.
    private static let standing: Int64 = 2_000

    /// Whether nothing has moved for a while, as far as was looked.
    func isStanding(now: Int64) -> Bool { now - lastMovement >= Self.standing && hasStood }

    /// How long until the attempt has to be looked at.
    var interval: Int64 { max(min(limit, speed?.window ?? limit) / 8, 1) }

    /// Milliseconds for which an answer is waited for where another server may be asked for the same.
    var patienceBesideOthers: Int64 { min(5_000, limit / 4) }

    /// Milliseconds for which the answer to a question is waited for that can be done without.
    var patienceWithQuestions: Int64 { min(10_000, limit) }

    /// Judges whether an answer that has not come is waited for any longer.
    ///
    /// Time before there is a connection counts, for a server that takes none is no better.
    mutating func lookForAnswer(patience: Int64, now: Int64) -> Verdict {
        let rest = begunAt + patience - now
        wasImpatient = rest <= 0
        return wasImpatient ? .stalled : .lookAgain(afterMilliseconds: min(interval, rest))
    }

    /// Judges the attempt by what has moved until now.
    ///
    /// Time in which nothing may move, because of a pause or before there is a connection, does not count.
    mutating func look(moved count: Int64, mayMove: Bool, now: Int64) -> Verdict {
        hasStood = count == moved && mayMove
        if !hasStood {
            moved = count
            lastMovement = now
        }
        if speed?.isTooSlow(moved: count, mayMove: mayMove, now: now) == true {
            wasTooSlow = true
            return .stalled
        }
        let rest = lastMovement + limit - now
        return rest <= 0 ? .stalled : .lookAgain(afterMilliseconds: min(interval, rest))
    }
}

/// Giving an attempt up that stands still.
extension Transfer {
    /// Begins to watch an attempt, or does so again after a pause.
    func watchForStall() {
        let seconds = request.idleTimeout ?? core.configuration.stallTimeout
        var watch = StallWatch(limitMilliseconds: Deadlines.milliseconds(seconds), now: core.now)
        watch.speed = core.options(of: request)?.values.leastSpeed.map { SpeedWatch($0) }
        attempt?.stallWatch = watch
        core.setDeadline(.stall(id), afterMilliseconds: min(watch.interval, patience(watch) ?? .max))
    }

    func stopWatchingForStall() { core.clearDeadline(.stall(id)) }

    /// The time has come to look whether anything moved.
    func stallCheckDue() {
        guard let attempt, var watch = attempt.stallWatch, !endsForFraming(attempt) else { return }
        let raw = attempt.handle.raw
        // What the peer took and gave. A slow line empties the kernel's megabytes for a minute in which libcurl can add
        // none; that is movement, and filling them while the line is dead is not.
        let moved =
            [CURLINFO_SIZE_DOWNLOAD_T, CURLINFO_SIZE_UPLOAD_T].reduce(0) { $0 + cc_get_offset(raw, $1) }
            - core.bytesUnderWay(for: attempt)
        // Before the request goes out it is the limit for connecting that counts.
        let isConnected = cc_get_offset(raw, CURLINFO_PRETRANSFER_TIME_T) > 0
        var verdict = watch.look(
            moved: moved + Int64(cc_get_long(raw, CURLINFO_HEADER_SIZE)), mayMove: isConnected && mayMove(attempt),
            now: core.now)
        if case .lookAgain(let delay) = verdict, !attempt.isAnswered, mayMove(attempt), let patience = patience(watch) {
            verdict = watch.lookForAnswer(patience: patience, now: core.now).sooner(than: delay)
        }
        attempt.stallWatch = watch
        attempt.wasPaced = attempt.isPaced
        // Should the network be gone, its return is to be heard of.
        if watch.hasStood { core.watchNetwork() }
        switch verdict {
        case .lookAgain(let delay): core.setDeadline(.stall(id), afterMilliseconds: delay)
        case .stalled: core.recordEnd(of: attempt, result: CURLE_OPERATION_TIMEDOUT)
        }
    }

    /// Milliseconds for which the attempt's answer is waited for; nil where nothing else can be tried.
    private func patience(_ watch: StallWatch) -> Int64? {
        if upload?.machine.step == .discover { return watch.patienceWithQuestions }
        return hasAnotherSource ? watch.patienceBesideOthers : nil
    }

    /// Whether bytes may move as far as this side goes.
    ///
    /// One that a limit of ours holds back now and then is as slow as that limit. The user's pause is what the machine says
    /// it is: a latch left behind by mistake is a stall that is noticed.
    private func mayMove(_ attempt: Attempt) -> Bool {
        !machine.isHeld && !attempt.wasPaced && !attempt.isPaced
            && attempt.pause.isDisjoint(with: [.sink, .source, .decision])
    }
}

extension StallWatch.Verdict {
    /// The verdict, with a look after so many milliseconds at the latest.
    fileprivate func sooner(than delay: Int64) -> StallWatch.Verdict {
        switch self {
        case .lookAgain(let own): .lookAgain(afterMilliseconds: min(own, delay))
        case .stalled: .stalled
        }
    }
}
