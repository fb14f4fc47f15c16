import LoopbackServer
import Testing

@testable import SessionCore

/// A mirror with an older build of the file: the same length, the same first and last block, another date.
@Suite("Mirrors of another date", .timeLimit(.minutes(1)))
struct MirrorDateTests {
    private static let count: Int64 = 3 << 20
    private static let bytes = DeterministicContent(seed: 7, count: count).bytes
    private let first = LoopbackServer()
    private let second = LoopbackServer()
    private let harness: EngineHarness

    init() throws {
        for server in [first, second] { try server.start() }
        harness = try EngineHarness { $0.maximumRetries = 0 }
        second.setRoute("/file", Self.file(Self.older, date: 1_000_600_000))
    }

    /// The same at both ends and around the place where the first source breaks off.
    private static let older: [UInt8] = {
        var older = bytes
        for index in 1_600_000..<2_900_000 { older[index] = 0 }
        return older
    }()

    private static func file(_ bytes: [UInt8], date: Int) -> Behaviour {
        .resource(
            ResumeScoreboardTests.with(ServedResource(body: .bytes(bytes))) {
                ($0.entityTag, $0.lastModified) = ("\"\(date)\"", date)
            })
    }

    private func download(_ connections: Int) -> TransferID {
        harness.download(first.url("/file")) {
            $0.segmentation = Segmentation(connections: .exactly(connections), minimumSegment: 64 << 10)
            $0.mirrors = Mirrors(urls: [second.url("/file")])
        }
    }

    @Test("It brings nothing beside the first source, and that is told")
    func spreading() throws {
        let gate = try Gate()
        let file = Self.file(Self.bytes, date: 1_000_000_000).limited(to: 1 << 20)
        first.setRoute("/file", file.stalling(after: 500_000, until: gate))
        let id = download(2)
        harness.resume(id)
        let hasDropped = harness.wait(id) { events in
            events.contains { if case .source(_, .dropped) = $0 { true } else { false } }
        }
        #expect(hasDropped)
        gate.release()
        #expect(harness.outcome(of: id, resuming: false)?.error == nil)
        let isRight = harness.folder.bytes(of: "file") == Self.bytes
        #expect(isRight)
        let reasons = harness.events(of: id).compactMap { event -> String? in
            if case .source(_, .dropped(_, let reason)) = event { reason } else { nil }
        }
        #expect(reasons == [MirrorReasons.otherDate])
    }

    @Test("It is not the way out when the first source ends in the middle")
    func turning() throws {
        let complete = Self.file(Self.bytes, date: 1_000_000_000)
        first.setRoute("/file", .sequence([complete.cutting(after: 1_500_000), .respond(.text("no", status: 404))]))
        #expect(harness.outcome(of: download(1))?.error != nil)
        #expect(!harness.folder.names.contains("file"))
    }
}
