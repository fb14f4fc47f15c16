import Foundation
import LoopbackServer
import Testing

@testable import Dashboard
@testable import TransferService
@testable import netdash

@Suite("The bridge to the session", .timeLimit(.minutes(1)))
struct EffectsBridgeTests {
    private let fixture: BridgeFixture
    private var server: LoopbackServer { fixture.server }
    private var observer: EffectsObserver { fixture.observer }
    private var folder: URL { fixture.folder }
    private var bridge: LocalService { fixture.bridge }

    init() throws {
        fixture = try BridgeFixture { $0.retries = 0 }
    }

    private var files: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path) }
    }

    /// A download that stands still in its middle until the gate opens, and has stored something.
    private func startStalling() throws -> Gate {
        let gate = try server.gate(named: "half")
        server.setRoute("/slow", .file(seed: 1, count: 4_000_000).stalling(after: 2_000_000, until: gate))
        bridge.add([fixture.job(.download, "/slow")])
        try #require(gate.waitForArrivals())
        try #require(observer.wait { _ in bridge.snapshots(of: [1]).contains { $0.received > 0 } })
        return gate
    }

    @Test("A download is added, started, answered and completed, and its file has the right bytes")
    func download() throws {
        defer { fixture.end() }
        server.setRoute("/f.bin", .file(seed: 9, count: 300_000))
        bridge.add([fixture.job(.download, "/f.bin"), fixture.job(.download, "/f.bin")])
        try #require(observer.waitForEnds())
        let additions = observer.events.filter { $0.name == "added" }
        #expect(additions.map(\.what.isAddition) == [true, false], "the second is told as a repetition of the first")
        let others = observer.events.map(\.name).filter { $0 != "added" }
        #expect(others == ["started", "response", "completed"])
        #expect(observer.events.allSatisfy { $0.id == 1 })
        let bytes = try Data(contentsOf: folder.appendingPathComponent("f.bin"))
        #expect(Array(bytes) == DeterministicContent(seed: 9, count: 300_000).bytes)
        #expect(bridge.results == [.completed])
        #expect(bridge.isIdle)
        #expect(bridge.summary.moved.total == 300_000)
        let row = try #require(bridge.snapshots(of: [1]).first)
        #expect(row.state == .done)
        #expect(row.name == "f.bin")
        #expect(row.received == 300_000)
        #expect(bridge.details(of: 1)?.statusLine == "200 OK")
    }

    @Test("Pause and resume by the row's id reach the running task, and the row says so")
    func pause() throws {
        defer { fixture.end() }
        let gate = try startStalling()
        bridge.pause([1])
        try #require(observer.wait { $0.contains { $0.what == .paused } })
        try #require(observer.wait { _ in bridge.snapshots(of: [1]).first?.state == .paused })
        bridge.resume([1])
        try #require(observer.wait { $0.contains { $0.what == .resumed } })
        gate.release()
        try #require(observer.waitForEnds())
        #expect(bridge.results == [.completed])
    }

    @Test("A job that starts paused waits for its resume")
    func held() throws {
        defer { fixture.end() }
        server.setRoute("/f", .file(count: 1000))
        var pausedJob = fixture.job(.download, "/f")
        pausedJob.startsPaused = true
        bridge.add([pausedJob])
        #expect(bridge.snapshots(of: [1]).first?.state == .paused)
        #expect(server.requestCount == 0)
        bridge.resume([1])
        try #require(observer.waitForEnds())
        #expect(observer.events.map(\.name) == ["added", "paused", "resumed", "started", "response", "completed"])
    }

    @Test("Cancelling keeps the part or deletes it, as the user said", arguments: [true, false])
    func cancel(deletingParts: Bool) throws {
        defer { fixture.end() }
        _ = try startStalling()
        bridge.cancel([1], deletingParts: deletingParts)
        try #require(observer.waitForEnds())
        #expect(bridge.results == [.cancelled])
        #expect(try files.isEmpty == deletingParts)
    }

    @Test("A failed transfer is tried again under the same id, and then completes")
    func retry() throws {
        defer { fixture.end() }
        server.setRoute("/f", .sequence([.respond(.text("no\n", status: 404)), .file(count: 1000)]))
        bridge.add([fixture.job(.download, "/f")])
        try #require(observer.waitForEnds())
        guard case .failed(let failure) = bridge.results.first else {
            Issue.record("the first run should have failed")
            return
        }
        #expect(failure.httpStatus == 404)
        #expect(failure.kind == "http")
        bridge.resume([1])
        try #require(observer.waitForEnds(2))
        #expect(bridge.results == [.completed])
        #expect(observer.events.allSatisfy { $0.id == 1 })
    }

    @Test("A request's body, also that of an error status, goes whole to its file")
    func requestBody() throws {
        defer { fixture.end() }
        server.setRoute("/api", .respond(.text("gone\n", status: 410)))
        var request = fixture.job(.data, "/api")
        let path = folder.appendingPathComponent("body.txt").path
        request.output = .name(path)
        bridge.add([request])
        try #require(observer.waitForEnds())
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "gone\n")
        #expect(try files == ["body.txt"])
        guard case .failed(let failure) = bridge.results.first else {
            Issue.record("an error status should be a failure")
            return
        }
        #expect(failure.httpStatus == 410)
    }

    @Test("An upload sends method, headers and body, and its row hides secret headers")
    func upload() throws {
        defer { fixture.end() }
        server.setRoute("/in", .uploadSink())
        var upload = fixture.job(.upload, "/in")
        upload.body = .text("hello")
        upload.headers = ["X-Secret-Token": "abc"]
        bridge.add([upload])
        try #require(observer.waitForEnds())
        let request = try #require(server.requests(for: "/in").first)
        #expect(request.method == "PUT")
        #expect(request.bodyPrefix == Array("hello".utf8))
        #expect(request.header("X-Secret-Token") == "abc")
        let row = try #require(bridge.snapshots(of: [1]).first)
        #expect(row.sent == 5)
        #expect(bridge.details(of: row.id)?.requestHeaders.first?.isSecret == true)
    }

    @Test("An upload's details say whether its body may be sent again", arguments: ["PUT", "POST"])
    func uploadRepetition(_ method: String) throws {
        defer { fixture.end() }
        server.setRoute("/in", .respond(.text("no\n", status: 403)))
        var upload = fixture.job(.upload, "/in")
        upload.body = .text("hello")
        upload.method = method
        bridge.add([upload])
        try #require(observer.waitForEnds())
        let details = try #require(bridge.details(of: 1))
        #expect(details.uploadSource == DetailLines.textSource)
        let sentence = method == "PUT" ? DetailLines.fromStart : DetailLines.notIdempotent("POST")
        #expect(details.uploadRepetition == sentence)
    }

    @Test("A page in place of the file fails the row, which says why instead of the good status")
    func page() throws {
        defer { fixture.end() }
        server.setRoute("/disk.iso", .respond(.html("<p>sign in</p>")))
        bridge.add([fixture.job(.download, "/disk.iso")])
        try #require(observer.waitForEnds())
        let row = try #require(bridge.snapshots(of: [1]).first)
        #expect(row.state == .failed)
        #expect(row.error?.string.hasPrefix("Got an HTML page instead of the file") == true)
        guard case .failed(let failure) = bridge.results.first,
            let event = observer.events.last(where: { if case .failed = $0.what { true } else { false } })
        else {
            Issue.record("it did not fail")
            return
        }
        #expect(failure.kind == "unexpectedContent")
        let plain = String(decoding: PlainEventFormatter().line(for: event), as: UTF8.self)
        #expect(plain.contains("failed: Got an HTML page instead of the file"))
        let json = String(decoding: JSONEventFormatter().line(for: event), as: UTF8.self)
        #expect(json.contains("\"kind\":\"unexpectedContent\"") && json.contains("Got an HTML page"))
    }

    @Test("Cleared rows are gone, and the same download may be added again")
    func clear() throws {
        defer { fixture.end() }
        server.setRoute("/f", .file(count: 1000))
        bridge.add([fixture.job(.download, "/f")])
        try #require(observer.waitForEnds())
        bridge.clear([1, 7])
        #expect(observer.removed == [1])
        #expect(bridge.snapshots(of: [1]).isEmpty)
        bridge.add([fixture.job(.download, "/f")])
        try #require(observer.waitForEnds(2))
        #expect(bridge.results == [.completed])
        #expect(try files.sorted() == ["f", "f (1)"])
    }

    @Test("What was under way when the program ends is unfinished, and its part is kept")
    func close() throws {
        defer { fixture.end() }
        _ = try startStalling()
        #expect(bridge.close().results == [.unfinished])
        #expect(bridge.results == [.unfinished])
        #expect(observer.events.last?.what == .paused)
        #expect(try !files.isEmpty)
    }

    @Test("A server that cannot be reached is a failure of the network")
    func unreachable() throws {
        defer { fixture.end() }
        bridge.add([Job(kind: .data, url: "http://127.0.0.1:1/")])
        try #require(observer.waitForEnds())
        #expect(ExitCode.of(bridge.results) == .network)
    }
}
