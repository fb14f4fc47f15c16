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

    /// A kill may fall into a write whose thread had lost its processor: then the part starts again.
    ///
    /// That is rare, and four of twelve are no accident.
    @Test("Nearly every byte that was received is kept, wherever the kill comes")
    func killedAtFullSpeed() throws {
        let file = Behaviour.file(seed: 51, count: content.count).limited(to: 60_000_000)
        let bytes = content.bytes
        var losses = 0
        for kill in 1...12 {
            // The last bytes wait, so that no program is through before it is killed.
            let gate = try server.gate(named: "end \(kill)")
            server.setRoute("/file", .sequence([file.stalling(after: 22_000_000, until: gate), file]))
            let run = try CrashingProgram.run(
                ["download", server.url("/file"), harness.folder.path, "target"],
                killingFromNumber: Int64(kill) * 1_800_000)
            #expect(run.wasKilled)
            gate.release()
            let received = run.output.split(separator: "\n").dropLast().last.flatMap { Int64($0) } ?? 0
            let known = ranges.count
            let id = harness.download(server.url("/file")) { $0.collision = .overwrite }
            #expect(harness.outcome(of: id)?.error == nil)
            let isRight = harness.folder.bytes(of: "file") == bytes
            #expect(isRight)
            let offset = ranges.dropFirst(known).first.flatMap { Int64($0.dropFirst(6).dropLast()) } ?? 0
            if !harness.restarts(of: id).isEmpty || offset < received - 8 << 20 { losses += 1 }
            #expect(harness.folder.names.allSatisfy { $0 == "file" || $0 == "staging" })
            #expect(unlink(harness.folder.path + "/file") == 0)
        }
        #expect(losses <= 3)
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
            ["download", server.url("/file"), harness.folder.path, "target"], killingFromNumber: 2_000_000)
        #expect(run.wasKilled)
        gate.release()
        let name = try #require(harness.folder.names.first { $0.hasSuffix(".part") })
        let path = harness.folder.path + "/" + name
        // An edit within the tick of the kernel's clock in which a write was cut short cannot be told from it.
        var status = stat()
        var now = timespec()
        #expect(stat(path, &status) == 0)
        repeat {
            clock_gettime(CLOCK_REALTIME_COARSE, &now)
        } while SystemTime.nanoseconds(now) < SystemTime.nanoseconds(status.st_ctim) + 25_000_000
        let file = open(path, O_RDWR | O_CLOEXEC)
        try #require(file >= 0)
        #expect(pwrite(file, "evil", 4, 10) == 4)
        close(file)
        let id = harness.download(server.url("/file"))
        #expect(harness.outcome(of: id)?.error == nil)
        let isRight = harness.folder.bytes(of: "file") == content.bytes
        #expect(isRight)
        #expect(ranges == [])
    }
}
