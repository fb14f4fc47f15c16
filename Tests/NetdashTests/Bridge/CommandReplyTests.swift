import LoopbackServer
import Testing

@testable import Dashboard
@testable import TransferService

@Suite("Replies to commands", .timeLimit(.minutes(1)))
struct CommandReplyTests {
    @Test("A command names the rows that it has added, counts repetitions, and refuses rows that are not there")
    func replies() throws {
        let fixture = try BridgeFixture { _ in }
        defer { fixture.end() }
        let gate = try fixture.server.gate(named: "never")
        fixture.server.setRoute("/f", Behaviour.respond(.text("body")).waiting(for: gate))
        let bridge = fixture.bridge
        let (file, request) = (fixture.job(.download, "/f"), fixture.job(.data, "/f"))
        let first = bridge.send(.add([file, request, file, request]))
        #expect(first.added.count == 3 && first.repeated.count == 1)
        #expect(first.added == bridge.allSnapshots.map(\.id))
        #expect(first.refusals.isEmpty)

        let failed = bridge.send(.addFailed(url: "http://h/", message: "no"))
        #expect(failed.added == bridge.allSnapshots.suffix(1).map(\.id))

        let pause = bridge.send(.pause([first.added[0], 999]))
        #expect(pause.refusals.map(\.id) == [999] && pause.refusals[0].reason == ServiceErrors.noTask(999))
        #expect(pause.added.isEmpty)
        try #require(fixture.observer.wait { $0.contains { $0.what == .paused } })
        gate.release()
    }

    @Test("Commands that are about no row refuse none")
    func general() throws {
        let fixture = try BridgeFixture { _ in }
        defer { fixture.end() }
        #expect(fixture.bridge.send(.setLimits(TransferLimits())) == CommandReply())
    }

    @Test("A service that ends takes no job, and counts none as a repetition")
    func closing() throws {
        let fixture = try BridgeFixture { _ in }
        defer { fixture.end() }
        let bridge = fixture.bridge
        var job = fixture.job(.download, "/f")
        job.startsPaused = true
        #expect(bridge.send(.add([job])).added.count == 1)
        _ = bridge.close()
        let reply = bridge.send(.add([job, fixture.job(.download, "/g")]))
        #expect(reply.added.isEmpty && reply.repeated.count == 0)
        #expect(bridge.allSnapshots.count == 1)
    }
}
