import LoopbackServer
import Testing

@testable import SessionCore

/// Parts of servers that give nothing by which a later answer could be known to be of the same version.
@Suite("Parts that nothing proves", .timeLimit(.minutes(1)))
struct EngineUnprovenTests {
    private let content = DeterministicContent(seed: 21, count: 4_000_000)
    private let server = LoopbackServer()
    private let harness: EngineHarness
    private let rest: Gate

    init() throws {
        try server.start()
        harness = try EngineHarness()
        let unproven = Behaviour.file(seed: 21, count: content.count).header("ETag", nil).header("Last-Modified", nil)
        // The part is left before the gate opens, so that it cannot be the whole file.
        rest = try server.gate(named: "rest")
        server.setRoute("/file", unproven.stalling(after: 1_500_000, until: rest))
    }

    /// What a run leaves that ends politely in the middle.
    private func leavePart(method: String = "GET") throws -> TransferEnd {
        let id = harness.add(
            TransferRequest(url: server.url("/file"), method: method), kind: .download,
            sink: .file(DownloadTarget(folder: harness.folder.path, name: .fixed("file"))))
        harness.resume(id)
        #expect(harness.waitForReceived(1_000_000, id))
        harness.intent(.cancelled(keepsPart: true), id)
        let end = try #require(harness.outcome(of: id, resuming: false))
        rest.release()
        #expect(end.resumeData == nil && end.status.resumability == .no)
        return end
    }

    private var parts: [String] { harness.folder.names.filter { $0.hasSuffix(".part") } }

    @Test("are named by the error, because they are kept")
    func named() throws {
        let end = try leavePart()
        #expect(end.error?.partPath == parts.first.map { harness.folder.path + "/" + $0 })
        #expect(end.error?.partPath != nil)
    }

    @Test("are kept as after a kill; the next run starts over, and says why")
    func startsOver() throws {
        _ = try leavePart()
        #expect(parts.count == 1)
        let id = harness.download(server.url("/file"))
        let outcome = try #require(harness.outcome(of: id))
        #expect(outcome.error == nil && harness.restarts(of: id).count == 1)
        #expect(harness.restarts(of: id).first == ResumeReasons.unproven, "\(harness.restarts(of: id))")
        #expect(harness.folder.bytes(of: "file") == content.bytes)
        #expect(harness.folder.names == ["file"])
        #expect(server.requests.allSatisfy { $0.header("Range") == nil })
    }

    @Test("go on in a run that compares their end")
    func compared() throws {
        let kept = try leavePart().status.received
        let id = harness.download(server.url("/file")) { $0.comparesOverlap = true }
        let outcome = try #require(harness.outcome(of: id))
        #expect(outcome.error == nil && harness.restarts(of: id) == [])
        #expect(harness.folder.bytes(of: "file") == content.bytes)
        #expect(server.requests.last?.header("Range") == "bytes=\(kept - (64 << 10))-")
    }

    @Test("and are joined each time are fetched once more for a wrong checksum, and then set aside")
    func wrongChecksum() throws {
        let unproven = Behaviour.file(seed: 21, count: 900_000).header("ETag", nil)
        server.setRoute("/cut", .choosing { $0.header("Range") == nil ? unproven.cutting(after: 400_000) : unproven })
        let id = harness.download(server.url("/cut")) {
            $0.checksum = Checksum(algorithm: .sha256, digest: [UInt8](repeating: 0, count: 32))
        }
        let end = try #require(harness.outcome(of: id))
        #expect(end.error?.code == .checksum)
        #expect(harness.restarts(of: id) == [ResumeReasons.oldPartMixed])
        try #require(server.waitForFinishedRequests(count: 4))
        #expect(server.requests(for: "/cut").map(\.status) == [200, 206, 200, 206])
        #expect(end.error?.partPath?.hasSuffix(".bad") == true, "\(harness.folder.names)")
    }

    @Test("of requests that no later run repeats are removed, as ever")
    func unrepeated() throws {
        _ = try leavePart(method: "POST")
        #expect(parts == [])
    }
}
