import LoopbackServer
import SessionSupport
import Testing

@testable import SessionCore

/// Downloads whose server says what they are.
@Suite("Announced digests on the wire", .timeLimit(.minutes(1)))
struct EngineAnnouncedTests {
    private let server = LoopbackServer()

    init() throws { try server.start() }

    private func digest(_ count: Int) throws -> [UInt8] {
        try Digest.of(DeterministicContent(seed: 4, count: Int64(count)).bytes, .sha256)
    }

    private func field(_ digest: [UInt8]) -> String { "sha-256=:\(Base64.encode(digest)):" }

    @Test("A download is compared with what its server announces, small or large", arguments: [1_000, 300_000])
    func verified(count: Int) throws {
        let harness = try EngineHarness()
        let file = Behaviour.file(seed: 4, count: Int64(count))
        let right = try digest(count)
        server.setRoute("/right", file.header("Repr-Digest", field(right)))
        let end = harness.outcome(of: harness.download(server.url("/right"), name: .fixed("right")))
        #expect(end?.error == nil && end?.result.verifiedDigest == ByteText.hexadecimal(right))
        #expect(end?.result.verifiedAlgorithm == .sha256)

        let wrong = [UInt8](repeating: 0, count: 32)
        server.setRoute("/wrong", file.header("Repr-Digest", field(wrong)))
        let failure = harness.outcome(of: harness.download(server.url("/wrong"), name: .fixed("wrong")))
        #expect(failure?.error?.code == .checksum && failure?.error?.message.contains("announced") == true)
        #expect(harness.folder.bytes(of: "wrong") == nil)
        // Whoever has a checksum of their own is believed.
        let asked = harness.download(server.url("/wrong"), name: .fixed("asked")) {
            $0.checksum = Checksum(algorithm: .sha256, digest: right)
        }
        #expect(harness.outcome(of: asked)?.error == nil)
    }

    @Test("What the first answer has announced holds when the rest comes in another one")
    func continued() throws {
        let harness = try EngineHarness { $0.maximumRetries = 2 }
        let file = Behaviour.file(seed: 4, count: 900_000)
        let wrong = [UInt8](repeating: 0, count: 32)
        server.setRoute(
            "/file", .sequence([file.cutting(after: 400_000).header("Repr-Digest", field(wrong)), file]))
        let failure = harness.outcome(of: harness.download(server.url("/file")))
        #expect(failure?.error?.code == .checksum && harness.folder.bytes(of: "file") == nil)
    }

    @Test("A file that is left where it is needs not be what the server announces")
    func skipped() throws {
        let harness = try EngineHarness()
        try harness.folder.write(Array("old".utf8), to: "file")
        server.setRoute("/file", Behaviour.file(seed: 4, count: 1_000).header("Repr-Digest", field(try digest(1_000))))
        let id = harness.download(server.url("/file")) { $0.collision = .skip }
        let end = harness.outcome(of: id)
        #expect(end?.error == nil && end?.result.wasSkipped == true)
    }
}
