import Foundation
import LoopbackServer
import Testing

@testable import Dashboard
@testable import netdash

@Suite("Keys that are read together", .timeLimit(.minutes(1)))
struct EffectsOrderTests {
    private func state(_ messages: [Message]) -> RowState? {
        for case .figures(let rows) in messages { return rows.first?.state }
        return nil
    }

    @Test("Whoever pauses or resumes hears at once how the rows stand, again and again")
    func figures() throws {
        let fixture = try BridgeFixture { $0.retries = 0 }
        defer { fixture.end() }
        let gate = try fixture.server.gate(named: "half")
        fixture.server.setRoute("/slow", .file(count: 4_000_000).stalling(after: 2_000_000, until: gate))
        let mailbox = try Mailbox<Message>()
        let publisher = RowPublisher(mailbox: mailbox, framesPerSecond: 4, announcesEnd: false, log: nil)
        let runner = EffectRunner(service: fixture.bridge, publisher: publisher)
        fixture.bridge.add([fixture.job(.download, "/slow")])
        try #require(gate.waitForArrivals())
        for _ in 0..<200 {
            #expect(state(runner.perform([.pause([1])]))?.isPaused == true)
            #expect([.running, .queued].contains(state(runner.perform([.resume([1])]))))
        }
        // A row that has no task yet is held and let go in the same way.
        var held = fixture.job(.download, "/other")
        held.startsPaused = true
        fixture.bridge.add([held])
        #expect([.running, .queued].contains(state(runner.perform([.resume([2])]))))
        #expect(state(runner.perform([.pause([2])]))?.isPaused == true)
        #expect(runner.perform([.prioritise([2], by: 1)]) == [.figures(fixture.bridge.figures(of: [2]))])
    }

    @Test("What was cleared is not forgotten by the run's summary")
    func clearedCompletions() throws {
        let fixture = try BridgeFixture { $0.retries = 0 }
        defer { fixture.end() }
        fixture.server.setRoute("/f", .file(count: 1000))
        fixture.bridge.add([fixture.job(.download, "/f")])
        try #require(fixture.observer.waitForEnds())
        fixture.bridge.clear([1])
        #expect(fixture.bridge.summary.sentence.string.hasPrefix("1 completed, "))
        #expect(fixture.bridge.farewell([]).first?.string.hasPrefix("1 completed") == true)
    }
}
