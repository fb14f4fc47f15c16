import Testing

@testable import SessionCore

/// When an attempt counts as stalled.
@Suite("Stall watch")
struct StallWatchTests {
    @Test("An attempt that moves nothing is stalled when the limit has passed, and not before")
    func nothingMoves() {
        var watch = StallWatch(limitMilliseconds: 8000, now: 100)
        #expect(watch.interval == 1000)
        #expect(watch.look(moved: 0, turn: .peer, now: 1100) == .checkAgain(afterMilliseconds: 1000))
        #expect(watch.look(moved: 0, turn: .peer, now: 8000) == .checkAgain(afterMilliseconds: 100))
        #expect(watch.look(moved: 0, turn: .peer, now: 8100) == .stalled)
    }

    @Test("A response that takes as long as a stall is told once")
    func silence() {
        var watch = StallWatch(limitMilliseconds: 8000, now: 0)
        #expect([7999, 8000, 8001].map { watch.noteSilence(since: 0, now: $0) } == [false, true, false])
    }

    @Test("A single byte starts the time anew")
    func byteMoves() {
        var watch = StallWatch(limitMilliseconds: 8000, now: 0)
        #expect(watch.look(moved: 1, turn: .peer, now: 7999) == .checkAgain(afterMilliseconds: 1000))
        #expect(watch.look(moved: 1, turn: .peer, now: 15_998) == .checkAgain(afterMilliseconds: 1))
        #expect(watch.look(moved: 1, turn: .peer, now: 15_999) == .stalled)
    }

    @Test("A count that falls and rises again is no movement, and a body that is sent again begins the count anew")
    func countFalls() {
        var watch = StallWatch(limitMilliseconds: 1000, now: 0)
        #expect(watch.look(moved: 50, turn: .peer, now: 500) != .stalled)
        #expect(watch.look(moved: 10, turn: .peer, now: 1000) != .stalled)
        #expect(watch.look(moved: 50, turn: .peer, now: 1400) != .stalled)
        var other = watch
        #expect(watch.look(moved: 37, turn: .peer, now: 1500) == .stalled)
        other.bodyBegins()
        #expect(other.look(moved: 37, turn: .peer, now: 1500) != .stalled)
        #expect(other.look(moved: 37, turn: .peer, now: 2500) == .stalled)
    }

    @Test("An answer is awaited for as long as it takes, and behind its head the body's time begins")
    func answer() {
        var watch = StallWatch(limitMilliseconds: 1000, now: 0)
        #expect(watch.look(moved: 9, turn: .peer, now: 100) != .stalled)
        for now in stride(from: Int64(200), through: 3_600_000, by: 60_000) {
            #expect(watch.look(moved: 9, turn: .answer(since: 150), now: now) == .checkAgain(afterMilliseconds: 125))
        }
        #expect(watch.isStanding(now: 3_600_000))
        #expect(watch.look(moved: 9, turn: .peer, now: 3_540_300) != .stalled)
        #expect(watch.look(moved: 9, turn: .peer, now: 3_541_200) == .stalled)
    }

    @Test("A limit of its own ends the wait for an answer, whatever a stall may take; a pause begins it anew")
    func answerLimit() {
        var watch = StallWatch(limitMilliseconds: 80_000, now: 0)
        watch.answerLimit = 8000
        #expect(watch.interval == 1000)
        #expect(watch.look(moved: 0, turn: .answer(since: 500), now: 8400) == .checkAgain(afterMilliseconds: 100))
        #expect(watch.look(moved: 0, turn: .answer(since: 500), now: 8500) == .stalled)
        var resumed = StallWatch(limitMilliseconds: 80_000, now: 60_000)
        resumed.answerLimit = 8000
        #expect(resumed.look(moved: 0, turn: .answer(since: 500), now: 67_999) != .stalled)
        #expect(resumed.look(moved: 0, turn: .answer(since: 500), now: 68_000) == .stalled)
    }

    @Test("LT16 KB18: while nothing may move no time passes")
    func pause() {
        var watch = StallWatch(limitMilliseconds: 1000, now: 0)
        #expect(watch.look(moved: 0, turn: .own, now: 60_000) == .checkAgain(afterMilliseconds: 125))
        #expect(watch.look(moved: 0, turn: .peer, now: 60_999) == .checkAgain(afterMilliseconds: 1))
        #expect(watch.look(moved: 0, turn: .peer, now: 61_000) == .stalled)
    }

    @Test("Limits come from the options, then from the request, then from the session")
    func limits() {
        var request = TransferRequest(url: "http://host/")
        #expect(StallWatch(request, nil, seconds: 8, now: 0).interval == 1000)
        #expect(StallWatch(request, nil, seconds: 8, now: 0).answerLimit == nil)
        request.idleTimeout = 4
        let own = StallWatch(request, nil, seconds: 8, now: 0)
        #expect(own.interval == 500 && own.answerLimit == 4000)
        var options = RequestOptions()
        options.answerTimeout = 2
        options.leastSpeed = LeastSpeed(bytesPerSecond: 1, seconds: 1)
        let optional = StallWatch(request, SharedOptions(options), seconds: 8, now: 0)
        #expect(optional.answerLimit == 2000 && optional.interval == 125)
    }

    @Test(
        "A limit that is stricter than the session's says nothing about the host",
        arguments: [
            (nil, nil, nil, false, false), (4, nil, nil, true, true), (4, nil, 3, true, false),
            (9, nil, nil, false, true), (nil, 2, nil, false, true), (nil, 2, 2, false, false),
            (nil, 2, 3, false, true),
        ] as [(Double?, Double?, Double?, Bool, Bool)])
    func ownLimits(_ row: (idle: Double?, answer: Double?, session: Double?, stall: Bool, late: Bool)) {
        var request = TransferRequest(url: "http://host/")
        request.idleTimeout = row.idle
        var options = RequestOptions()
        options.answerTimeout = row.answer ?? row.session
        for (turn, isOwn) in [(StallWatch.Turn.peer, row.stall), (.answer(since: 0), row.late)] {
            var watch = StallWatch(request, SharedOptions(options), seconds: 8, answerTimeout: row.session, now: 0)
            _ = watch.look(moved: 0, turn: turn, now: 1)
            #expect(!watch.exceededOwnLimit)
            _ = watch.look(moved: 0, turn: turn, now: 60_000)
            #expect(watch.exceededOwnLimit == isOwn, "\(turn)")
        }
    }

    @Test("Beside another source a response is awaited for as long as the patience lasts, in which nothing else ends")
    func patience() {
        var watch = StallWatch(limitMilliseconds: 8000, now: 0)
        var findings = StallWatch.Findings(moved: 0, turn: .answer(since: 0), patience: 2500)
        #expect(watch.judge(findings, now: 1000) == .checkAgain(afterMilliseconds: 1000))
        #expect(watch.judge(findings, now: 2000) == .checkAgain(afterMilliseconds: 500))
        #expect(watch.judge(findings, now: 2500) == .stalled)
        #expect(watch.wasImpatient)
        var other = StallWatch(limitMilliseconds: 8000, now: 0)
        findings.patience = nil
        #expect(other.judge(findings, now: 60_000) == .checkAgain(afterMilliseconds: 1000))
        findings.turn = .peer
        #expect(other.judge(findings, now: 68_000) == .stalled)
        #expect(!other.wasImpatient)
    }

    @Test("A head that never ends is no response: its time is over though each of its lines moves")
    func slowHead() {
        for (limit, end) in [(nil, nil), (5_000, 6_000)] as [(Int64?, Int64?)] {
            var watch = StallWatch(limitMilliseconds: 8000, now: 0)
            watch.answerLimit = limit
            let stalled = stride(from: Int64(1_000), through: 20_000, by: 500).first { now in
                watch.judge(
                    StallWatch.Findings(moved: now, turn: .peer, headAwaitedSince: 1_000), now: now) == .stalled
            }
            #expect(stalled == end && watch.wasLateInHead == (end != nil))
        }
        var still = StallWatch(limitMilliseconds: 2000, now: 0)
        still.answerLimit = 5_000
        let findings = StallWatch.Findings(moved: 0, turn: .peer, headAwaitedSince: 0)
        #expect(still.judge(findings, now: 2_000) == .stalled && !still.wasLateInHead)
    }

    @Test("The wait for a response makes a transfer slow only where other connections go on", arguments: [false, true])
    func awaitedSpeed(othersGoOn: Bool) {
        var watch = StallWatch(limitMilliseconds: 60_000, now: 0)
        watch.speed = SpeedWatch(least: 1000, over: 4000)
        let findings = StallWatch.Findings(
            moved: 0, movedByAll: 100, othersGoOn: othersGoOn, turn: .answer(since: 0))
        for now in stride(from: Int64(0), to: 4000, by: 500) { #expect(watch.judge(findings, now: now) != .stalled) }
        #expect((watch.judge(findings, now: 4000) == .stalled) == othersGoOn)
        #expect(watch.wasTooSlow == othersGoOn)
    }
}
