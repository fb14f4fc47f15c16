import LoopbackServer
import Testing

@testable import SessionCore

/// Partial files that have every byte of another URL's file.
@Suite("Complete parts of another URL", .timeLimit(.minutes(1)))
struct EngineOtherURLTests {
    private static let count: Int64 = 300_000
    private static let date = "Mon, 01 Jan 2024 00:00:00 GMT"
    private let server = LoopbackServer()
    private let harness: EngineHarness

    init() throws {
        try server.start()
        harness = try EngineHarness()
    }

    private func file(_ seed: UInt64) -> Behaviour {
        .file(seed: seed, count: Self.count).header("Last-Modified", Self.date)
    }

    private func bytes(_ seed: UInt64) -> [UInt8] { DeterministicContent(seed: seed, count: Self.count).bytes }

    /// Leaves a part that has every byte but no name, and moves it to another URL of the server.
    private func leavePart(_ seed: UInt64, movedTo url: String) throws {
        let old = server.url("/old")
        var metadata = StoredMetadata(url: old, finalURL: old, method: "GET", status: 200)
        (metadata.entityTag, metadata.lastModified) = ("\"\(seed)-\(Self.count)\"", Self.date)
        (metadata.length, metadata.acceptRanges) = (Self.count, "bytes")
        let part = try PartFile.create(
            in: Folder(path: harness.folder.path), url: old, name: .fixed("file"), finalName: "file",
            metadata: metadata)
        try bytes(seed).withUnsafeBytes { try part.write($0, at: 0) }
        part.promise()
        try part.checkpoint(offset: Self.count)
        part.close()
        let target = DownloadTarget(folder: harness.folder.path, name: .fixed("file"))
        let moved = try #require(try target.movePart(of: old, to: target, url: url))
        #expect(moved.keptBytes == Self.count)
    }

    @Test("are the file of the new URL only if its server has the same one", arguments: [21, 22] as [UInt64])
    func compared(seed: UInt64) throws {
        server.setRoute("/new", file(seed))
        try leavePart(21, movedTo: server.url("/new"))
        let id = harness.download(server.url("/new"))
        let end = try #require(harness.outcome(of: id))
        #expect(end.error == nil && harness.restarts(of: id).count == (seed == 21 ? 0 : 1))
        let isRight = harness.folder.bytes(of: "file") == bytes(seed)
        #expect(isRight)
        try #require(server.waitForFinishedRequests(count: 1))
        #expect(server.requests.map { $0.header("Range") } == ["bytes=\(Self.count - (64 << 10))-"])
        #expect(server.requests.map(\.status) == [seed == 21 ? 206 : 200])
    }

    @Test("are kept where the new URL's file has another length")
    func otherLength() throws {
        server.setRoute("/new", .file(seed: 23, count: Self.count + 1))
        try leavePart(21, movedTo: server.url("/new"))
        let end = try #require(harness.outcome(of: harness.download(server.url("/new"))))
        #expect(end.error?.code == .resourceChanged)
        #expect(harness.folder.names.contains { $0.hasSuffix(".part") } && harness.folder.bytes(of: "file") == nil)
    }
}
