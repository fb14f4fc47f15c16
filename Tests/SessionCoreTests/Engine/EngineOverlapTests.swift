import Foundation
import LoopbackServer
import Testing

@testable import SessionCore

/// Downloads of files that nothing vouches for, whose end is compared before they go on.
@Suite("Parts that are compared", .timeLimit(.minutes(1)))
struct EngineOverlapTests {
    private func resource(seed: UInt64, changedAt place: Int? = nil) -> ServedResource {
        var bytes = DeterministicContent(seed: seed, count: 1_000_000).bytes
        if let place { bytes[place] ^= 1 }
        return ServedResource(body: .bytes(bytes), entityTag: nil)
    }

    private func ends(_ second: ServedResource, compares: Bool) throws -> (requests: [RecordedRequest], file: Data?) {
        let server = LoopbackServer()
        try server.start()
        server.setRoute(
            "/file",
            .sequence([.resource(resource(seed: 5)).cutting(after: 500_000, .reset), .resource(second)]))
        let harness = try EngineHarness()
        let id = harness.download(server.url("/file")) { $0.comparesOverlap = compares }
        let outcome = try #require(harness.outcome(of: id))
        #expect(outcome.error == nil)
        return (server.requests, FileManager.default.contents(atPath: harness.folder.path + "/file"))
    }

    @Test("A file that has not changed goes on behind its last 64 KiB, which come again")
    func unchanged() throws {
        let (requests, file) = try ends(resource(seed: 5), compares: true)
        #expect(file == Data(DeterministicContent(seed: 5, count: 1_000_000).bytes))
        #expect(requests.count == 2)
        #expect(requests.last?.header("Range") == "bytes=434464-")
        #expect(requests.last?.header("If-Range") == nil)
        #expect(requests.last?.responseBodyBytesSent == 565_536)
    }

    @Test("A file that has changed within these bytes, or everywhere, is fetched anew", arguments: [450_000, nil])
    func changed(place: Int?) throws {
        let second = place.map { resource(seed: 5, changedAt: $0) } ?? resource(seed: 6)
        var wanted = DeterministicContent(seed: place == nil ? 6 : 5, count: 1_000_000).bytes
        if let place { wanted[place] ^= 1 }
        let (requests, file) = try ends(second, compares: true)
        #expect(file == Data(wanted))
        #expect(requests.count == 3)
        #expect(requests.last?.header("Range") == nil)
    }

    @Test("Without the wish nothing is joined that nothing vouches for")
    func notAsked() throws {
        let (requests, file) = try ends(resource(seed: 6), compares: false)
        #expect(file == Data(DeterministicContent(seed: 6, count: 1_000_000).bytes))
        #expect(requests.allSatisfy { $0.header("Range") == nil })
    }
}
