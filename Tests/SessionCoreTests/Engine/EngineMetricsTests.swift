import CLinux
import LoopbackServer
import Testing

@testable import SessionCore

/// What the engine tells of an attempt's times while it is under way.
@Suite("Metrics of attempts under way", .timeLimit(.minutes(1)))
struct EngineMetricsTests {
    let server: LoopbackServer
    let harness: EngineHarness

    init() throws {
        server = LoopbackServer()
        try server.start()
        harness = try EngineHarness { $0.holdTimeout = 600 }
    }

    /// Lets the clock move on.
    private func passTime() {
        let before = cl_monotonic_milliseconds()
        while cl_monotonic_milliseconds() < before + 5 {}
    }

    @Test("An attempt has its start from the beginning, and none when it has ended")
    func start() throws {
        let gate = try server.gate(named: "head")
        server.setRoute("/file", Behaviour.file(seed: 1, count: 1000).adjusting { $0.gateBeforeHead = gate })
        let id = harness.download(server.url("/file"))
        #expect(harness.metrics(id) == TransferMetrics())
        let before = cl_monotonic_milliseconds()
        harness.resume(id)
        try #require(gate.waitForArrivals())
        let start = try #require(harness.metrics(id).attemptStartedAt)
        #expect(start >= before - 1 && start <= cl_monotonic_milliseconds())
        #expect(!harness.metrics(id).reusedConnection, "nothing is known of the connection yet")
        gate.release()
        let outcome = try #require(harness.outcome(of: id))
        #expect(outcome.metrics.attemptStartedAt == nil)
        #expect(outcome.metrics.total > 0)
        #expect(harness.metrics(id).attemptStartedAt == nil)
    }

    @Test("What never had a connection has not used one again")
    func neverConnected() throws {
        let harness = try EngineHarness { $0.maximumRetries = 0 }
        let url = server.url("/file")
        server.stop()
        let outcome = try #require(harness.outcome(of: harness.download(url)))
        #expect(outcome.error?.code == .connectionRefused)
        #expect(outcome.metrics.peer.isEmpty && !outcome.metrics.reusedConnection)
    }

    @Test("Another try has a start of its own, and no step of the one that failed")
    func retry() throws {
        let gate = try server.gate(named: "head")
        let second = Behaviour.file(seed: 1, count: 1000).adjusting { $0.gateBeforeHead = gate }
        server.setRoute("/busy", .sequence([.respond(ScriptedResponse(503, headers: ["Retry-After": "5"])), second]))
        let id = harness.download(server.url("/busy"))
        harness.resume(id)
        try #require(harness.waitForPhase(.retrying, id))
        #expect(harness.metrics(id).attemptStartedAt == nil)
        let failed = harness.metrics(id)
        #expect(failed.firstByte > 0 && failed.total > 0)
        let between = cl_monotonic_milliseconds()
        try #require(gate.waitForArrivals())
        let metrics = harness.metrics(id)
        #expect(try #require(metrics.attemptStartedAt) >= between)
        #expect(metrics.firstByte == 0 && metrics.total == 0)
        #expect(metrics.earlierAttempts == [failed.total])
        gate.release()
        #expect(harness.outcome(of: id)?.error == nil)
    }

    @Test("A download over several connections has taken the time of all, not the one of the last")
    func severalConnections() throws {
        let gates = try (0...2).map { try server.gate(named: "connection \($0)") }
        let count: Int64 = 4 << 20
        let file = Behaviour.resource(ServedResource(seed: 3, count: count))
        server.setRoute(
            "/file", .choosing { $0.index <= 2 ? file.stalling(after: 100_000, until: gates[$0.index]) : file })
        let id = harness.download(server.url("/file")) {
            $0.segmentation = Segmentation(connections: .exactly(2), minimumSegment: 256 << 10)
        }
        harness.resume(id)
        try #require(gates[0].waitForArrivals() && gates[1].waitForArrivals())
        let start = try #require(harness.metrics(id).attemptStartedAt)
        while cl_monotonic_milliseconds() < start + 200 { passTime() }
        // The first ends at the second one's range; the third asks for a part of what the second has left.
        gates[0].release()
        try #require(gates[2].waitForArrivals())
        gates[1].release()
        try #require(harness.waitForReceived(count - (1 << 20), id))
        #expect(harness.metrics(id).attemptStartedAt == start)
        gates[2].release()
        let outcome = try #require(harness.outcome(of: id))
        #expect(outcome.error == nil && server.requests(for: "/file").count >= 3)
        #expect(outcome.metrics.total >= 0.2)
    }

    @Test("A pause that holds the connection brings the time up to date and leaves the attempt its start")
    func hold() throws {
        let gate = try server.gate(named: "middle")
        server.setRoute("/file", .file(seed: 1, count: 400_000).stalling(after: 200_000, until: gate))
        let id = harness.download(server.url("/file"))
        harness.resume(id)
        try #require(harness.waitForReceived(200_000, id))
        let running = harness.metrics(id)
        passTime()
        harness.suspend(id)
        try #require(harness.waitForPhase(.paused, id))
        let paused = harness.metrics(id)
        #expect(paused.attemptStartedAt == running.attemptStartedAt && paused.attemptStartedAt != nil)
        #expect(paused.total >= running.total + 0.004)
        gate.release()
        #expect(harness.outcome(of: id)?.error == nil)
    }

    @Test("What goes on after its connection was given up is an attempt with a start of its own")
    func goingOn() throws {
        let harness = try EngineHarness { $0.holdTimeout = 0.3 }
        let gates = try ["first", "second"].map { try server.gate(named: $0) }
        let complete = Behaviour.file(seed: 1, count: 400_000)
        server.setRoute(
            "/file",
            .sequence([
                complete.stalling(after: 200_000, until: gates[0]),
                complete.stalling(after: 100_000 + RangeOverlap.short, until: gates[1]),
            ]))
        let id = harness.download(server.url("/file"))
        harness.resume(id)
        try #require(harness.waitForReceived(200_000, id))
        harness.suspend(id)
        try #require(harness.waitForPhase(.paused, id))
        let paused = harness.metrics(id).total
        try #require(server.waitForFinishedRequests(count: 1))
        harness.waitForLoop()
        #expect(harness.metrics(id).attemptStartedAt == nil)
        #expect(harness.metrics(id).total < paused + 0.2, "The hold of 0.3 s is a pause")
        let between = cl_monotonic_milliseconds()
        harness.resume(id)
        try #require(harness.waitForReceived(300_000, id))
        #expect(harness.status(id).resumedAt == 200_000)
        #expect(try #require(harness.metrics(id).attemptStartedAt) >= between - 1)
        #expect(harness.metrics(id).firstByte > 0)
        gates[1].release()
        let outcome = try #require(harness.outcome(of: id))
        #expect(outcome.error == nil)
        gates[0].release()
    }
}
