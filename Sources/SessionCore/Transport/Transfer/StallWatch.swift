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
    private var moved: Int64 = 0
    private var lastMovement: Int64
    /// Whether the last look found that nothing had moved.
    private(set) var hasStood = false
    /// Looks at the speed too; nil where any is enough.
    var speed: SpeedWatch?
    /// Whether the attempt is given up because it was too slow, though bytes moved.
    private(set) var wasTooSlow = false

    /// A watch over an attempt that begins now.
    ///
    /// Times are milliseconds of the monotonic clock.
    init(limitMilliseconds: Int64, now: Int64) {
        limit = max(limitMilliseconds, 1)
        lastMovement = now
    }

    /// Milliseconds without movement from which on an attempt stands, as far as a change of the network goes.
    private static let standing: Int64 = 2_000

    /// Whether nothing has moved for a while, as far as was looked.
    func isStanding(now: Int64) -> Bool { now - lastMovement >= Self.standing && hasStood }

    /// How long until the attempt has to be looked at.
    var interval: Int64 { max(min(limit, speed?.window ?? limit) / 8, 1) }

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
        core.setDeadline(.stall(id), afterMilliseconds: watch.interval)
    }

    func stopWatchingForStall() { core.clearDeadline(.stall(id)) }

    /// The time has come to look whether anything moved.
    func stallCheckDue() {
        guard let attempt, var watch = attempt.stallWatch else { return }
        let raw = attempt.handle.raw
        // What the peer took and gave. A slow line empties the kernel's megabytes for a minute in which libcurl can add
        // none; that is movement, and filling them while the line is dead is not.
        let moved =
            [CURLINFO_SIZE_DOWNLOAD_T, CURLINFO_SIZE_UPLOAD_T].reduce(0) { $0 + cc_get_offset(raw, $1) }
            - core.bytesUnderWay(for: attempt)
        // Before the request goes out it is the limit for connecting that counts.
        let isConnected = cc_get_offset(raw, CURLINFO_PRETRANSFER_TIME_T) > 0
        let verdict = watch.look(
            moved: moved + Int64(cc_get_long(raw, CURLINFO_HEADER_SIZE)), mayMove: isConnected && mayMove(attempt),
            now: core.now)
        attempt.stallWatch = watch
        attempt.wasPaced = attempt.isPaced
        // Should the network be gone, its return is to be heard of.
        if watch.hasStood { core.watchNetwork() }
        switch verdict {
        case .lookAgain(let delay): core.setDeadline(.stall(id), afterMilliseconds: delay)
        case .stalled: core.recordEnd(of: attempt, result: CURLE_OPERATION_TIMEDOUT)
        }
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
