import LoopbackServer
import Testing

@testable import SessionCore

/// Servers behind one name that give the same file a tag each, files that grow, and lines that are cut.
@Suite("Tags that change", .timeLimit(.minutes(1)))
struct EngineTagsTests {
    private static let length: Int64 = 1_200_000
    private static let partSize: Int64 = 500_000
    private static let content = DeterministicContent(seed: 3, count: length).bytes
    private let server = LoopbackServer()
    private let harness: EngineHarness

    init() throws {
        try server.start()
        harness = try EngineHarness { $0.maximumRetries = 5 }
    }

    /// Each request reaches another of several backends, and each answer is cut.
    private static func backends(
        _ count: Int, dated: Bool, weak: Bool = false, seeds: @escaping @Sendable (Int) -> UInt64 = { _ in 3 }
    ) -> Behaviour {
        .choosing { request in
            var resource = ServedResource(seed: seeds(request.index), count: length)
            resource.entityTag = (weak ? "W/" : "") + "\"\(request.index % count)-file\""
            resource.lastModified = dated ? 1_000_000_000 : nil
            return Behaviour.resource(resource).cutting(after: partSize)
        }
    }

    struct Cluster: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var backends = 2
        var dated = true
        var weak = false
        var hasChecksum = false
        var comparesOverlap = false
    }

    @Test(
        "A cut download goes on by its bytes once the tag alone was another twice",
        arguments: [
            Cluster(testDescription: "two with a date"), Cluster(testDescription: "three with a date", backends: 3),
            Cluster(testDescription: "a checksum", dated: false, hasChecksum: true),
            Cluster(testDescription: "a comparison", dated: false, comparesOverlap: true),
            Cluster(testDescription: "weak tags and a checksum", weak: true, hasChecksum: true),
            Cluster(testDescription: "weak tags and a comparison", weak: true, comparesOverlap: true),
        ])
    func cluster(_ cluster: Cluster) throws {
        server.setRoute("/file", Self.backends(cluster.backends, dated: cluster.dated, weak: cluster.weak))
        let digest = try Digest.of(Self.content, .sha256)
        let id = harness.download(server.url("/file")) {
            if cluster.hasChecksum { $0.checksum = Checksum(algorithm: .sha256, digest: digest) }
            $0.comparesOverlap = cluster.comparesOverlap
        }
        let end = try #require(harness.outcome(of: id))
        #expect(end.error == nil)
        let isRight = harness.folder.bytes(of: "file") == Self.content
        #expect(isRight)
        #expect(server.requests.count <= 12)
    }

    @Test("What only tags tell apart, and nothing proves, ends at the third time with what helps")
    func unproven() throws {
        server.setRoute("/file", Self.backends(2, dated: false))
        let end = try #require(harness.outcome(of: harness.download(server.url("/file"))))
        #expect(end.error?.code == .resourceChanged && end.error?.advice == .proveContent)
        #expect(end.error?.message.contains("for the third time") == true)
        #expect(server.requests.count == 4)
        #expect(harness.folder.bytes(of: "file") == nil)
    }

    @Test("Another file behind another tag is never joined, however alike its length and date")
    func otherFile() throws {
        server.setRoute("/file", Self.backends(2, dated: true) { UInt64($0) })
        let end = try #require(harness.outcome(of: harness.download(server.url("/file"))))
        #expect(end.error?.code == .resourceChanged)
        #expect(server.requests.count <= 8)
        #expect(harness.folder.bytes(of: "file") == nil)
    }

    @Test("A file that grows while it is fetched, and is cut each time, ends at the third time")
    func growing() throws {
        server.setRoute(
            "/file",
            .choosing { request in
                let grown = ServedResource(seed: 3, count: Self.length + Int64(request.index) * 1_000)
                return Behaviour.resource(grown).cutting(after: Self.partSize)
            })
        let end = try #require(harness.outcome(of: harness.download(server.url("/file"))))
        #expect(end.error?.code == .resourceChanged && end.error?.advice == .beginAgain)
        #expect(server.requests.count == 4)
    }
}
