import Testing

@testable import SessionCore

@Suite("Outbox of a turn")
struct TickOutboxTests {
    private typealias Outbox = TickOutbox<Int>

    private func outbox(running: Int, published: Int64 = 100) -> Outbox {
        var outbox = Outbox()
        outbox.running = running
        outbox.append(.invalidated)
        outbox.moved.append(0)
        _ = outbox.take(now: published)
        return outbox
    }

    @Test("With nothing to tell there is no deadline and no batch")
    func empty() {
        var outbox = outbox(running: 1)
        #expect(outbox.isEmpty)
        #expect(outbox.deadline(now: 101) == nil)
        let batch = outbox.take(now: 200)
        #expect(batch?.moved == nil)
    }

    @Test("An event of a few transfers goes out at once, and the counts with it")
    func fewEvents() {
        var outbox = outbox(running: 7)
        outbox.moved.append(1)
        #expect(outbox.deadline(now: 101) == 116)
        outbox.append(.invalidated)
        #expect(outbox.deadline(now: 101) == 101)
        let batch = outbox.take(now: 101)
        #expect(batch?.events.count == 1)
        #expect(batch?.moved == [1])
        #expect(outbox.isEmpty)
    }

    @Test("Counts alone wait sixteen milliseconds, and a change of phase only in a crowd", arguments: [1, 8])
    func counts(running: Int) {
        var outbox = outbox(running: running)
        outbox.moved.append(1)
        let early = outbox.take(now: 115)
        #expect(early?.moved == nil)
        outbox.hurry()
        #expect(outbox.deadline(now: 115) == (running == 1 ? 115 : 116))
        let later = outbox.take(now: 116)
        #expect(later?.moved == [1])
        outbox.moved.append(2)
        #expect(outbox.deadline(now: 117) == 132, "the hurry was for the batch before")
    }

    @Test("Events of a crowd gather for eight milliseconds, and leave the counts behind")
    func crowd() {
        var outbox = outbox(running: 8)
        outbox.moved.append(1)
        outbox.hurry()
        outbox.append(.invalidated)
        let early = outbox.take(now: 107)
        #expect(early?.moved == nil)
        outbox.append(.invalidated)
        let batch = outbox.take(now: 108)
        #expect(batch?.events.count == 2)
        #expect(batch?.moved.isEmpty == true)
        #expect(outbox.deadline(now: 109) == 116)
        let later = outbox.take(now: 116)
        #expect(later?.moved == [1])
    }

    @Test("A crowd's events go out after a millisecond while only the caller can fill the slots of ended transfers")
    func starved() {
        var outbox = outbox(running: 8)
        outbox.append(.invalidated)
        outbox.starve()
        #expect(outbox.deadline(now: 100) == 101)
        let batch = outbox.take(now: 101)
        #expect(batch?.events.count == 1)
        outbox.append(.invalidated)
        #expect(outbox.deadline(now: 101) == 109, "the need was of the batch before")
    }

    @Test("A crowd's events wait no longer once there are four for each transfer that runs")
    func manyEvents() {
        var outbox = outbox(running: 8)
        for _ in 0..<31 { outbox.append(.invalidated) }
        #expect(outbox.deadline(now: 101) == 108)
        outbox.append(.invalidated)
        #expect(outbox.deadline(now: 101) == 101)
        let batch = outbox.take(now: 101)
        #expect(batch?.events.count == 32)
    }

    @Test("New figures go out with the next batch, once")
    func figures() {
        var outbox = outbox(running: 8)
        outbox.measured.append(3)
        outbox.append(.invalidated)
        let batch = outbox.take(now: 108)
        #expect(batch?.measured == [3])
        outbox.append(.invalidated)
        let next = outbox.take(now: 116)
        #expect(next?.measured.isEmpty == true)
    }
}
