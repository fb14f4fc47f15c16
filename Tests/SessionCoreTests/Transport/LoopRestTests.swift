import LoopbackServer
import Testing

@testable import SessionCore

@Suite("Rests of the transfer loop", .timeLimit(.minutes(1)))
struct LoopRestTests {
    @Test("It rests once, a second after the last transfer has ended, and not before it has worked")
    func plan() {
        var rest = LoopRest()
        let turns: [(running: Int, now: Int64, isDue: Bool, deadline: Int64?)] = [
            (0, 0, false, nil), (2, 10, false, nil), (0, 20, false, 1_020), (1, 500, false, nil),
            (0, 600, false, 1_600),
            (0, 1_599, false, 1_600), (0, 1_600, true, nil), (0, 9_000, false, nil), (1, 9_001, false, nil),
            (0, 9_002, false, 10_002), (0, 12_000, true, nil),
        ]
        for turn in turns {
            let isDue = rest.isDue(running: turn.running, now: turn.now)
            #expect(isDue == turn.isDue && rest.deadline == turn.deadline, "at \(turn.now)")
        }
    }

    @Test("What the allocator keeps goes back on the loop's thread when it rests")
    func givenBack() async throws {
        let (rests, continuation) = AsyncStream.makeStream(of: Void.self)
        ThreadMemory.onRest { continuation.yield() }
        defer { ThreadMemory.onRest {} }
        let server = LoopbackServer()
        try server.start()
        server.setRoute("/file", .file(count: 2_000))
        let harness = try EngineHarness()
        #expect(harness.outcome(of: harness.download(server.url("/file"), name: .fixed("file")))?.error == nil)
        var iterator = rests.makeAsyncIterator()
        #expect(await iterator.next() != nil)
    }
}
