import Foundation
import Glibc
import LoopbackServer
import Testing

@testable import SessionCore

/// A program that is killed in the middle of a download, and another that comes after it.
@Suite("Downloads whose program is killed", .timeLimit(.minutes(2)))
struct KilledDownloadTests {
    private let server = LoopbackServer()
    private let harness: EngineHarness
    private let content = DeterministicContent(seed: 51, count: 24_000_000)

    init() throws {
        try server.start()
        harness = try EngineHarness()
    }

    private var ranges: [String] { server.requests(for: "/file").compactMap { $0.header("Range") } }

    @Test("Nearly every byte that was received is kept, wherever the kill comes", arguments: 1...12)
    func killedAtFullSpeed(line: Int) throws {
        server.setRoute("/file", .file(seed: 51, count: content.count).limited(to: 60_000_000))
        let run = try CrashingProgram.run(
            ["download", server.url("/file"), harness.folder.path, "target"], killingAfter: line)
        #expect(run.wasKilled)
        let received = run.output.split(separator: "\n").dropLast().last.flatMap { Int64($0) } ?? 0
        let id = harness.download(server.url("/file"))
        #expect(harness.outcome(of: id)?.error == nil)
        #expect(harness.folder.bytes(of: "file") == content.bytes)
        #expect(harness.restarts(of: id) == [])
        let offset = ranges.last.flatMap { Int64($0.dropFirst(6).dropLast()) } ?? 0
        #expect(offset >= received - 8 << 20)
        if received > 1_000_000 { #expect(offset > 0) }
    }

    @Test("A part that is edited after the kill starts again")
    func editedAfterwards() throws {
        let gate = try server.gate(named: "middle")
        server.setRoute(
            "/file",
            .sequence([
                Behaviour.file(seed: 51, count: content.count).stalling(after: 2_000_000, until: gate),
                .file(seed: 51, count: content.count),
            ]))
        let run = try CrashingProgram.run(
            ["download", server.url("/file"), harness.folder.path, "target"], killingAfter: 1)
        #expect(run.wasKilled)
        gate.release()
        let name = try #require(harness.folder.names.first { $0.hasSuffix(".part") })
        let path = harness.folder.path + "/" + name
        let file = open(path, O_RDWR | O_CLOEXEC)
        try #require(file >= 0)
        #expect(pwrite(file, "evil", 4, 10) == 4)
        close(file)
        let id = harness.download(server.url("/file"))
        #expect(harness.outcome(of: id)?.error == nil)
        #expect(harness.folder.bytes(of: "file") == content.bytes)
        #expect(ranges == [])
    }
}
