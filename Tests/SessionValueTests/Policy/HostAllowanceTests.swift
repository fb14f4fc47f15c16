import Testing

@testable import SessionCore

@Suite("How many transfers a host gets at once")
struct HostAllowanceTests {
    /// One thing that happens to a host.
    enum Step: Sendable {
        /// An attempt that began at a moment is refused while so many run.
        case refused(begun: Int64, running: Int, at: Int64)
        case answered(Int, at: Int64)
        case time(Int64)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var steps: [Step]
        var count: Int

        init(_ name: String, _ steps: [Step], _ count: Int) {
            (testDescription, self.steps, self.count) = (name, steps, count)
        }
    }

    private static let rows = [
        Row("the first refusal halves what ran", [], 8),
        Row(
            "a burst of refusals counts once",
            [.refused(begun: 90, running: 15, at: 110), .refused(begun: 100, running: 14, at: 111)], 8),
        Row("a refusal of what began afterwards halves again", [.refused(begun: 101, running: 8, at: 200)], 4),
        Row("a refusal halves what ran, where less ran than it may", [.refused(begun: 101, running: 4, at: 200)], 2),
        Row(
            "more that run than it may, as others go on, do not make it larger",
            [.refused(begun: 101, running: 14, at: 200)], 4),
        Row(
            "it never gets less than one", (1...9).map { .refused(begun: 100 * $0 + 1, running: 1, at: 100 * $0 + 50) },
            1),
        Row("fewer answers than run at once change nothing", [.answered(7, at: 200)], 8),
        Row("a round of answers is worth one more", [.answered(8, at: 200)], 9),
        Row("the next round is longer by one", [.answered(8 + 8, at: 200)], 9),
        Row("two rounds are worth two", [.answered(8 + 9, at: 200)], 10),
        Row(
            "a refusal begins the round anew",
            [.answered(7, at: 200), .refused(begun: 150, running: 8, at: 210), .answered(1, at: 220)], 4),
        Row("time without an answer is worth nothing before five seconds", [.time(5_099)], 8),
        Row("after five seconds it is worth one more", [.time(5_100)], 9),
        Row("and one more after five others", [.time(5_100), .time(10_099), .time(10_100)], 10),
        Row("an answer that grew it begins the time anew", [.answered(8, at: 5_000), .time(5_100)], 9),
    ]

    @Test("grows by one and shrinks by half", arguments: rows)
    func table(row: Row) {
        var allowance = HostAllowance(refusing: 16, now: 100)
        for step in row.steps {
            switch step {
            case .refused(let start, let running, let now):
                allowance.refused(begunAt: start, running: running, now: now)
            case .answered(let count, let now): for _ in 0..<count { allowance.answered(now: now) }
            case .time(let now): allowance.timePassed(now)
            }
        }
        #expect(allowance.count == row.count)
    }

    @Test("A host that may have what the limits allow is forgotten, and the others are known by name")
    func board() {
        var board = HostAllowances()
        #expect(board.isEmpty && board.deadline == nil && board.count(of: "a") == nil)
        let first = board.change("a", limit: 3) { $0 = HostAllowance(refusing: 5, now: 100) }
        let second = board.change("b", limit: 16) { $0 = HostAllowance(refusing: 8, now: 50) }
        #expect(first == 2 && second == 4 && board.hasChanged)
        #expect(board.limited == [LimitedHost(origin: "a", transfers: 2), LimitedHost(origin: "b", transfers: 4)])
        #expect(board.deadline == 5_050 && board.due(at: 5_060) == ["b"])
        board.hasChanged = false
        let same = board.change("a", limit: 3) { $0?.answered(now: 110) }
        #expect(same == 2 && !board.hasChanged)
        let grown = board.change("a", limit: 3) { $0?.answered(now: 120) }
        #expect(grown == nil && board.hasChanged && board.count(of: "a") == nil && board.count(of: "b") == 4)
    }

    @Test(
        "The scheduler gives a host no more than it may have, also where nothing of it waits yet, and others their own")
    func slots() {
        var scheduler = Scheduler(limit: 9, limitPerHost: 9)
        scheduler.setAllowance("a", 2)
        let ids = (1...6).map { TransferID(rawValue: $0) }
        for id in ids[0..<4] { scheduler.join(id, host: "a") }
        scheduler.join(ids[4], host: "b")
        #expect((0..<4).map { _ in scheduler.next() } == [ids[0], ids[1], ids[4], nil])
        #expect(scheduler.running(at: "a") == 2 && scheduler.room(for: "a") == 0 && scheduler.room(for: "b") == 8)
        scheduler.setAllowance("a", 3)
        #expect([scheduler.next(), scheduler.next()] == [ids[2], nil])
        scheduler.setAllowance("a", 1)
        scheduler.release(host: "a")
        scheduler.release(host: "a")
        #expect(scheduler.next() == nil)
        scheduler.hasten(ids[3])
        #expect(scheduler.next() == ids[3])
        scheduler.setAllowance("a", nil)
        scheduler.join(ids[5], host: "a")
        #expect(scheduler.next() == ids[5])
    }
}
