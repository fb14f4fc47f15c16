import Foundation
import Glibc
import LoopbackServer
import Testing

@testable import Dashboard
@testable import TransferService
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
        for path in ["/slow", "/other"] {
            fixture.server.setRoute(path, .file(count: 4_000_000).stalling(after: 2_000_000, until: gate))
        }
        let mailbox = try Mailbox<Message>()
        let publisher = RowPublisher(mailbox: mailbox, framesPerSecond: 4, announcesEnd: false, log: nil)
        let runner = EffectRunner(service: fixture.bridge, publisher: publisher, patience: 20_000)
        fixture.bridge.add([fixture.job(.download, "/slow")])
        try #require(gate.waitForArrivals())
        for _ in 0..<200 {
            #expect(state(runner.perform([.send(.pause([1]))]))?.isPaused == true)
            #expect([.running, .queued].contains(state(runner.perform([.send(.resume([1]))]))))
        }
        // A row that has no task yet is held and let go in the same way.
        var pausedJob = fixture.job(.download, "/other")
        pausedJob.startsPaused = true
        fixture.bridge.add([pausedJob])
        #expect([.running, .queued].contains(state(runner.perform([.send(.resume([2]))]))))
        #expect(state(runner.perform([.send(.pause([2]))]))?.isPaused == true)
        // Its bytes and its state may change at any moment: it has just begun and been paused.
        let answer = runner.perform([.send(.prioritise([2], by: 1))])
        guard case .figures(let rows) = answer.first, answer.count == 1 else {
            Issue.record("the row should be told at once: \(answer)")
            return
        }
        #expect(rows.map(\.id) == [2] && rows.first?.priority == 1)
    }

    @Test("Whoever leaves waits for hook commands until a signal says that nobody wants that")
    func leavingHooks() throws {
        let fixture = try BridgeFixture { $0.retries = 0 }
        defer { fixture.end() }
        let pipe = FileManager.default.temporaryDirectory.appendingPathComponent("hook-\(UUID().uuidString)").path
        try #require(mkfifo(pipe, 0o600) == 0)
        defer { unlink(pipe) }
        var settings = NotificationSettings()
        settings.hooks[.complete] = "read -r line <'\(pipe)'"
        let notifier = try Notifier(
            settings, environment: ["PATH": "/usr/bin:/bin"], announce: { _ in }, report: { _ in })
        let mailbox = try Mailbox<Message>()
        let publisher = RowPublisher(mailbox: mailbox, framesPerSecond: 4, announcesEnd: false, log: nil)
        publisher.record.notifier = notifier
        let runner = EffectRunner(service: fixture.bridge, publisher: publisher)
        let completion = TransferEvent.Completion(path: "f", bytes: 1, sha256: nil, seconds: 0)
        notifier?.tell(
            TransferEvent(time: .now(), id: 1, url: "http://h/f", what: .completed(completion)), from: fixture.bridge)
        var questions = 0
        _ = runner.close(unless: {
            questions += 1
            return true
        })
        #expect(questions == 1)
        #expect(runner.hooksLeft?.string.hasPrefix("1 hook command ") == true)
        // The shell may have begun: it ends when somebody writes.
        let descriptor = open(pipe, O_RDWR | O_CLOEXEC)
        try #require(descriptor >= 0 && write(descriptor, "x\n", 2) == 2)
        defer { close(descriptor) }
        #expect(notifier?.leave(patience: 20_000) == nil)
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
        #expect(fixture.bridge.close().closing.first?.string.hasPrefix("1 completed") == true)
    }
}
