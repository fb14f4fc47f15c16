import Foundation
import LoopbackServer
import Testing

@testable import Dashboard
@testable import TransferService
@testable import netdash

/// The list of failed tasks that a window of a service writes.
@Suite("Failed tasks of a window", .timeLimit(.minutes(1)))
struct WindowFailuresTests {
    @Test("A window writes what has failed, with its options, once")
    func list() throws {
        let fixture = try BridgeFixture { $0.retries = 0 }
        defer { fixture.end() }
        fixture.server.setRoute("/good", .respond(.text("x")))
        let path = fixture.folder.path + "/failed"
        let words = ["--failed-to", path, "-A", "x", fixture.server.url("/good"), fixture.server.url("/gone")]
        let invocation = try CommandLine.parse(words).get()
        fixture.bridge.add(invocation.jobs)
        try #require(fixture.observer.waitForEnds(2))
        let failures = try #require(WindowFailures(invocation.settings))
        #expect(failures.write(from: fixture.bridge) == nil)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.contains("/gone\n") && text.contains("  user-agent=x\n") && !text.contains("/good"))
        try FileManager.default.removeItem(atPath: path)
        #expect(failures.write(from: fixture.bridge) == nil && !FileManager.default.fileExists(atPath: path))
        #expect(WindowFailures(Settings()) == nil)
    }

    @Test("Failed tasks of a session that runs already are retried")
    func retry() throws {
        let fixture = try BridgeFixture { $0.retries = 0 }
        defer { fixture.end() }
        fixture.server.setRoute("/good", .respond(.text("x")))
        fixture.bridge.add([fixture.job(.data, "/good"), fixture.job(.data, "/later")])
        try #require(fixture.observer.waitForEnds(2))
        fixture.server.setRoute("/later", .respond(.text("x")))
        fixture.bridge.retryFailed()
        try #require(fixture.observer.waitForEnds(3))
        #expect(fixture.bridge.allSnapshots.map(\.state) == [.done, .done])
        #expect(fixture.server.requests.count == 3)
        fixture.bridge.retryFailed()
        #expect(fixture.bridge.counts.isIdle)
    }

    @Test("A list that cannot be written is a sentence")
    func unwritten() throws {
        var settings = Settings()
        settings.failedPath = "/dev/null/x"
        let failures = try #require(WindowFailures(settings))
        #expect(failures.write(from: ScriptedService())?.string.contains("/dev/null/x") == true)
    }
}
