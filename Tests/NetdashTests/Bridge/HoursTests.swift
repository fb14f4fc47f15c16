import Foundation
import LoopbackServer
import SessionCore
import SessionSupport
import Testing

@testable import Dashboard
@testable import TransferService
@testable import netdash

/// The hours in which tasks run: the texts, the value on a clock, and rows that wait for them.
@Suite("Hours of tasks", .timeLimit(.minutes(1)))
struct HoursTests {
    /// A clock that a test sets, in a zone with an offset that may change.
    private final class Wall: Sendable {
        /// Midnight of Monday, 2 March 2026, in UTC.
        static let monday: Int64 = 1_772_409_600
        private let seconds: Locked<Int64>
        private let offset: @Sendable (Int64) -> Int64

        init(_ seconds: Int64 = Wall.monday, offset: @escaping @Sendable (Int64) -> Int64 = { _ in 0 }) {
            self.seconds = Locked(seconds)
            self.offset = offset
        }

        /// Moves on to the next time of the day.
        func set(_ hour: Int, _ minute: Int = 0) {
            seconds.withLock { seconds in
                let step = Int64(hour * 60 + minute) * 60 - seconds % 86_400
                seconds += step < 0 ? step + 86_400 : step
            }
        }

        var clock: LocalClock {
            LocalClock(
                now: { self.seconds.withLock { $0 } },
                reading: { moment in
                    let time = UniversalTime(moment + self.offset(moment))
                    return .init(
                        year: time.year, month: time.month, day: time.day, hour: time.hour, minute: time.minute)
                },
                moment: { reading in
                    var moment = Wall.monday + Int64(reading.day - 2) * 86_400 + Int64(reading.minuteOfDay) * 60
                    moment -= self.offset(moment)
                    return reading.month == 3 ? moment : nil
                })
        }
    }

    private func spans(_ text: String) -> [TransferHours.Span] { HoursText.spans(text) ?? [] }

    private static let hour: Int64 = 3_600

    @Test(
        "Hours are times of the day, and anything else is none",
        arguments: [
            ("22:00-06:00", "22:00-06:00"), ("00:00-24:00", "00:00-24:00"), (" 8:00-09:00", nil),
            ("08:00-09:30, 12:00-13:00", "08:00-09:30,12:00-13:00"), ("22:00", nil), ("22:00-22:00", nil), ("", nil),
            ("24:00-06:00", nil), ("22:60-06:00", nil), ("22-06", nil), ("22:00-06:00,", nil), ("a-b", nil),
        ])
    func hoursTexts(text: String, written: String?) {
        #expect(HoursText.spans(text).map(HoursText.text(of:)) == written)
    }

    @Test(
        "A start is the next time of the day, a date or a delay",
        arguments: [
            ("22:00", 22 * hour), ("12:00", 36 * hour), ("11:59", 35 * hour + 3_540), ("12:01", 12 * hour + 60),
            ("+2h", 14 * hour), ("+1h30m", 13 * hour + 1_800), ("+90s", 12 * hour + 90), ("+2d", 60 * hour),
            ("2026-03-05 06:30", 78 * hour + 1_800), ("2026-03-05T06:30", 78 * hour + 1_800), ("+", nil), ("+2", nil),
            ("+30m1h", nil), ("+0s", nil), ("+999d", nil), ("24:00", nil), ("2026-3-5 06:30", nil), ("soon", nil),
            ("2026-02-31 10:00", nil), ("", nil), ("+-2h", nil),
        ] as [(String, Int64?)])
    func starts(text: String, seconds: Int64?) {
        let clock = Wall(Wall.monday + 12 * Self.hour).clock
        #expect(HoursText.start(text, clock) == seconds.map { Wall.monday + $0 })
    }

    @Test("The system's clock reads what it writes")
    func systemClock() throws {
        let moment = try #require(HoursText.start("+3h"))
        let minute = moment - moment % 60
        #expect(HoursText.start(HoursText.text(ofStart: moment)) == minute)
        #expect(HoursText.start("2026-02-31 10:00") == nil)
    }

    @Test(
        "Hours may span midnight, and end with their last minute",
        arguments: [
            ("22:00-06:00", 21 * 60 + 59, 22 * 60), ("22:00-06:00", 22 * 60, nil), ("22:00-06:00", 0, nil),
            ("22:00-06:00", 5 * 60 + 59, nil), ("22:00-06:00", 6 * 60, 22 * 60), ("08:00-12:00", 0, 8 * 60),
            ("08:00-12:00", 12 * 60, 8 * 60 + 1440), ("08:00-09:00,11:00-12:00", 10 * 60, 11 * 60),
            ("00:00-24:00", 1439, nil), ("22:00-24:00", 1439, nil), ("22:00-00:00", 0, 22 * 60),
        ] as [(String, Int, Int?)])
    func midnight(text: String, minute: Int, opening: Int?) {
        let hours = TransferHours(spans: spans(text))
        let clock = Wall().clock
        let now = Wall.monday + Int64(minute) * 60 + 30
        #expect(hours.isOpen(at: now, clock) == (opening == nil))
        #expect(hours.opening(after: now, clock) == opening.map { Wall.monday + Int64($0) * 60 })
    }

    @Test("A start counts before the hours do, and what waits is checked each minute and at the start")
    func startAndHours() {
        let clock = Wall().clock
        let start = Wall.monday + 10 * Self.hour
        let hours = TransferHours(start: start, spans: spans("09:00-11:00"))
        #expect(!hours.isOpen(at: start - 1, clock) && hours.isOpen(at: start, clock))
        #expect(hours.opening(after: start - 5, clock) == start)
        let late = TransferHours(start: start, spans: spans("12:00-13:00"))
        #expect(late.opening(after: start - 5, clock) == start + 2 * Self.hour)
        #expect(hours.millisecondsUntilCheck(at: (start - 5) * 1_000 + 250, clock) == 4_750)
        #expect(hours.millisecondsUntilCheck(at: (start + 20) * 1_000, clock) == 40_000)
        #expect(TransferHours(start: start).millisecondsUntilCheck(at: (start + 20) * 1_000, clock) == 60_000)
    }

    @Test("When summer time begins or ends, hours stay those of the clock on the wall")
    func summerTime() {
        // On Tuesday at 01:00 UTC the zone moves from UTC+1 to UTC+2, and on Wednesday back.
        let change = Wall.monday + 25 * Self.hour
        let wall = Wall { moment in
            moment >= change && moment < change + 24 * Self.hour ? 2 * Self.hour : Self.hour
        }
        let hours = TransferHours(spans: spans("06:00-07:00"))
        // Monday at 20:00 UTC+1: the night is one hour shorter, the next one longer.
        let evening = Wall.monday + 19 * Self.hour
        #expect(hours.opening(after: evening, wall.clock) == Wall.monday + 28 * Self.hour)
        let next = Wall.monday + 42 * Self.hour
        #expect(hours.opening(after: next, wall.clock) == Wall.monday + 53 * Self.hour)
        #expect(hours.isOpen(at: Wall.monday + 28 * Self.hour, wall.clock))
        #expect(!hours.isOpen(at: Wall.monday + 29 * Self.hour, wall.clock))
        #expect(hours.isOpen(at: Wall.monday + 53 * Self.hour, wall.clock))
    }

    @Test(
        "A beginning that summer time skips is the first minute that is open after it",
        arguments: [
            ("02:15-02:45", 2_895), ("02:15-04:00", 1_500), ("02:15-02:45,03:30-04:00", 1_530),
        ] as [(String, Int64)])
    func skippedStart(text: String, minute: Int64) {
        // On Tuesday at 01:00 UTC the zone moves from UTC+1 to UTC+2, and on Wednesday back.
        let change = Wall.monday + 25 * Self.hour
        let wall = Wall { moment in
            moment >= change && moment < change + 24 * Self.hour ? 2 * Self.hour : Self.hour
        }
        let hours = TransferHours(spans: spans(text))
        #expect(hours.opening(after: change - 45 * 60 - 10, wall.clock) == Wall.monday + minute * 60)
    }

    @Test("The board tells what opens and closes, and leaves alone what its user has started")
    func board() {
        let wall = Wall()
        wall.set(21)
        var board = HoursBoard(wall.clock)
        let night = TransferHours(spans: spans("22:00-06:00"))
        let isOpen = [board.enter(1, night), board.enter(2, night), board.enter(3, TransferHours(start: 0))]
        #expect(isOpen == [false, false, true])
        let news = board.takeNews()
        #expect(news == [1, 2])
        #expect(board.isClosed(night))
        board.free(2)
        #expect(board.opening(of: 1, night, isPaused: false) == Wall.monday + 22 * Self.hour)
        #expect(
            board.opening(of: 1, night, isPaused: true) == nil && board.opening(of: 2, night, isPaused: false) == nil)
        wall.set(22)
        let evening = board.changes()
        #expect(evening.opened == [1, 2] && evening.closed == [])
        wall.set(6)
        let morning = board.changes()
        #expect(morning.opened == [] && morning.closed == [1])
        board.stop(1)
        #expect(board.opening(of: 1, night, isPaused: true) != nil)
        wall.set(23)
        _ = board.changes()
        let stopped = board.takeStopped([1, 2])
        #expect(stopped == [1])
        for id in 1...2 { board.leave(UInt64(id), night) }
        board.leave(3, TransferHours(start: 0))
        #expect(board.isEmpty)
    }

    @Test("A check that is due sooner replaces the one that is planned")
    func soonerCheck() {
        let wall = Wall()
        wall.set(21)
        var board = HoursBoard(wall.clock)
        let now = wall.clock.now()
        /// The delay of the check that is planned in addition, after so many seconds.
        func planned(after passed: Int64 = 0) -> Int64? { board.nextCheck(at: (now + passed) * 1_000)?.delay }
        _ = board.enter(1, TransferHours(start: now + 50))
        let first = [planned(), planned()]
        #expect(first == [50_000, nil])
        let earlier = board.plan
        _ = board.enter(2, TransferHours(start: now + 4))
        let sooner = planned()
        #expect(sooner == 4_000 && board.plan != earlier)
        _ = board.enter(3, TransferHours(start: now + 40))
        let later = planned(after: 1)
        #expect(later == nil)
        _ = board.changes()
        let next = planned(after: 4)
        #expect(next == 36_000)
    }

    /// A service at nine in the evening, with a download that stands in its middle until the gate opens.
    private static func evening(slow path: String) throws -> (BridgeFixture, Wall, Gate) {
        let (fixture, wall) = (try BridgeFixture { _ in }, Wall())
        wall.set(21)
        fixture.bridge.state.withLock { $0.hours = HoursBoard(wall.clock) }
        let gate = try fixture.server.gate(named: "slow")
        fixture.server.setRoute(path, .file(seed: 1, count: 400_000).stalling(after: 200_000, until: gate))
        return (fixture, wall, gate)
    }

    @Test("A pause that ends leaves a row to its hours, and so does another try")
    func pausedOutside() throws {
        let (fixture, wall, gate) = try Self.evening(slow: "/begun")
        let (bridge, server) = (fixture.bridge, fixture.server)
        defer { fixture.end() }
        server.setRoute("/night", .file(seed: 2, count: 10))
        var jobs = ["/begun", "/night"].map { fixture.job(.download, $0) }
        for index in jobs.indices { jobs[index].spans = spans("22:00-06:00") }
        let ids = bridge.add(jobs).added
        bridge.send(.pause(ids))
        #expect(bridge.figures(of: ids).map(\.state) == [.paused, .paused])
        bridge.send(.resume(ids))
        #expect(bridge.figures(of: ids).map(\.state) == [.queued, .queued])
        #expect(bridge.figures(of: ids).map(\.opening.minute) == [22 * 60, 22 * 60])
        bridge.send(.cancel([ids[1]], deletingParts: false))
        try #require(fixture.observer.waitForEnds(1))
        bridge.send(.resume([ids[1]]))
        #expect(bridge.figures(of: [ids[1]]).map(\.opening.minute) == [22 * 60])

        // Paused by its user while it runs, and resumed when its hours are over.
        bridge.send(.pause([ids[1]]))
        wall.set(22)
        bridge.keepHours()
        try #require(gate.waitForArrivals())
        bridge.send(.pause([ids[0]]))
        #expect(waitFor(.paused, ids[0], bridge))
        wall.set(6)
        bridge.keepHours()
        gate.release()
        bridge.send(.resume(ids))
        bridge.waitForDelivery()
        #expect(bridge.figures(of: ids).map(\.opening.minute) == [22 * 60, 22 * 60])
        #expect(bridge.figures(of: ids).map(\.state) == [.paused, .queued])
        wall.set(22)
        bridge.keepHours()
        try #require(fixture.observer.waitForEnds(3))
        #expect(bridge.figures(of: ids).map(\.state) == [.done, .done])
    }

    @Test("Lists, the command line and the form's line have the same times, and a saved row keeps them")
    func places() throws {
        let text = "http://h/a\n start-at=2026-11-28 22:00\n only=22:00-06:00\nhttp://h/b"
        let list = InputListParser.jobs(in: Array(text.utf8), name: "l", defaults: Job(kind: .download, url: ""))
        let jobs = try list.get()
        let hours = try #require(jobs[0].hours)
        #expect(hours.spans == spans("22:00-06:00") && jobs[1].hours == nil)
        let words = ["--start-at", "2026-11-28 22:00", "--only", "22:00-06:00", "http://h/a"]
        #expect(try CommandLine.parse(words).get().jobs.map(\.hours) == [hours])
        let line = OptionLine.text(of: jobs[0], defaults: Job(kind: .download, url: ""))
        #expect(line == "start-at=2026-11-28 22:00; only=22:00-06:00")
        let fixture = try BridgeFixture { _ in }
        defer { fixture.end() }
        let row = TransferRow(restoring: TransferRow(id: 7, job: jobs[0]).stored(by: fixture.bridge.factory))
        #expect(row.job.hours == hours)
        for wrong in [["--start-at", "later"], ["--only", "night"]] {
            #expect(throws: UsageError.self) { try CommandLine.parse(wrong + ["http://h/a"]).get() }
        }
    }

    @Test("A row waits for its hours, pauses at their end and goes on by itself; a key starts one at any time")
    func rows() throws {
        let (fixture, wall, gate) = try Self.evening(slow: "/night")
        let (bridge, server) = (fixture.bridge, fixture.server)
        defer { fixture.end() }
        for name in ["/key", "/other"] { server.setRoute(name, .file(seed: 2, count: 10)) }
        var jobs = ["/night", "/key", "/other"].map { fixture.job(.download, $0) }
        for index in 0...1 { jobs[index].spans = spans("22:00-06:00") }
        let ids = bridge.add(jobs).added
        try #require(fixture.observer.waitForEnds(1))
        #expect(bridge.figures(of: ids).map(\.state) == [.queued, .queued, .done])
        #expect(bridge.figures(of: ids).map(\.opening.minute) == [22 * 60, 22 * 60, nil])

        bridge.send(.startNow([ids[1]]))
        try #require(fixture.observer.waitForEnds(2))
        wall.set(22, 30)
        bridge.keepHours()
        try #require(gate.waitForArrivals())
        wall.set(6)
        bridge.keepHours()
        #expect(waitFor(.paused, ids[0], bridge))
        #expect(bridge.figures(of: ids).map(\.opening.minute) == [22 * 60, nil, nil])
        gate.release()
        wall.set(23)
        bridge.keepHours()
        try #require(fixture.observer.waitForEnds(3))
        #expect(bridge.figures(of: ids).map(\.state) == [.done, .done, .done])
    }

    @Test("A task that its user has started at any time goes on so with another secret or URL")
    func refusedOutside() throws {
        let (fixture, _, gate) = try Self.evening(slow: "/slow")
        let (bridge, server) = (fixture.bridge, fixture.server)
        defer { fixture.end() }
        let refusal = Behaviour.respond(.text("no", status: 401))
        server.setRoute("/secret", .sequence([refusal, .file(seed: 1, count: 10)]))
        server.setRoute("/new", .file(seed: 1, count: 400_000))
        var jobs = ["/secret", "/slow"].map { fixture.job(.download, $0) }
        for index in jobs.indices { jobs[index].spans = spans("22:00-06:00") }
        let command = "X-Key: @cmd:cat /proc/sys/kernel/random/uuid"
        jobs[0].options.set(try JobOption.Value(checking: .secretHeader, command))
        let ids = bridge.add(jobs).added
        #expect(bridge.figures(of: ids).map(\.opening.minute) == [22 * 60, 22 * 60])
        bridge.send(.startNow([ids[0]]))
        try #require(fixture.observer.waitForEnds(1))
        bridge.send(.startNow([ids[1]]))
        try #require(gate.waitForArrivals())
        guard case .success = bridge.goOn(ids[1], from: server.url("/new")) else {
            Issue.record("refused")
            return
        }
        try #require(fixture.observer.waitForEnds(2))
        gate.release()
        #expect(bridge.results == [.completed, .completed] && bridge.state.withLock { $0.hours.isEmpty })
    }

    @Test("A pause at the end of the hours is not saved, and one by its user is")
    func saved() throws {
        let saved = try SavedSessionFixture()
        defer { saved.end() }
        let bridge = try saved.run(EffectsObserver())
        defer { _ = bridge.close() }
        let wall = Wall()
        wall.set(23)
        bridge.state.withLock { $0.hours = HoursBoard(wall.clock) }
        let gate = try saved.server.gate(named: "slow")
        saved.server.setRoute("/night", .file(seed: 1, count: 400_000).stalling(after: 200_000, until: gate))
        var job = Job(kind: .download, url: saved.server.url("/night"))
        job.spans = spans("22:00-06:00")
        let id = try #require(bridge.send(.add([job])).added.first)
        try #require(gate.waitForArrivals())
        func wanted() throws -> [StoredTransfer.Wanted] {
            bridge.waitForDelivery()
            return try saved.stored(by: bridge).map(\.wanted)
        }
        wall.set(6)
        bridge.keepHours()
        #expect(waitFor(.paused, id, bridge))
        #expect(try wanted() == [.running])
        wall.set(22)
        bridge.keepHours()
        #expect(try wanted() == [.running])
        wall.set(6)
        bridge.keepHours()
        #expect(waitFor(.paused, id, bridge))
        #expect(bridge.figures(of: [id]).map(\.canPause) == [true], "It would go on by itself")
        bridge.send(.pause([id]))
        #expect(bridge.figures(of: [id]).map(\.canPause) == [false])
        #expect(try wanted() == [.paused])
        bridge.send(.resume([id]))
        #expect(try wanted() == [.running])
        bridge.send(.pause([id]))
        #expect(try wanted() == [.paused])
        gate.release()
    }

    private func waitFor(_ state: RowState, _ id: UInt64, _ bridge: LocalService) -> Bool {
        let deadline = ContinuousClock.now + .seconds(20)
        while bridge.figures(of: [id]).map(\.state) != [state], ContinuousClock.now < deadline {
            bridge.waitForDelivery()
        }
        return bridge.figures(of: [id]).map(\.state) == [state]
    }

    @Test("A row that waits begins when its time has come, without being told")
    func timer() throws {
        let fixture = try BridgeFixture { _ in }
        defer { fixture.end() }
        fixture.server.setRoute("/file", .file(seed: 2, count: 10))
        var job = fixture.job(.download, "/file")
        let start = try #require(HoursText.start("+1s"))
        job.start = start
        let ids = fixture.bridge.add([job]).added
        try #require(fixture.observer.waitForEnds(1))
        #expect(LocalClock.system.now() >= start)
        #expect(fixture.bridge.figures(of: ids).map(\.state) == [.done])
    }
}
