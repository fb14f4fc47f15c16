import LoopbackServer
import Testing

@testable import SessionCore

/// Servers that send less of a range than was asked for, as they may (RFC 9110, 15.3.7).
@Suite("Short ranges", .timeLimit(.minutes(1)))
struct ShortRangeTests {
    private static let count: Int64 = 4 << 20
    private let resource = ServedResource(seed: 7, count: count)

    @Test("are taken, and what follows is asked for, by all connections", arguments: [1, 4])
    func short(connections: Int) throws {
        let server = LoopbackServer()
        try server.start()
        let harness = try EngineHarness()
        let resource = resource
        let all = try Gate(opensAt: connections)
        let first = Behaviour.resource(resource).limited(to: 2 << 20).stalling(after: 100_000, until: all)
        server.setRoute(
            "/file",
            .choosing { request in
                guard let range = EngineLoneTests.range(request) else { return first.cutting(after: 1_500_000) }
                let part = resource.part(range.lowerBound..<min(range.lowerBound + 150_000, range.upperBound))
                return Behaviour.respond(part).limited(to: 1 << 20).stalling(after: 100_000, until: all)
            })
        let id = harness.download(server.url("/file")) {
            $0.segmentation = Segmentation(connections: .exactly(connections), minimumSegment: 64 << 10)
        }
        let outcome = try #require(harness.outcome(of: id))
        #expect(outcome.error == nil && harness.restarts(of: id).isEmpty)
        let isRight = harness.folder.bytes(of: "file") == DeterministicContent(seed: 7, count: Self.count).bytes
        #expect(isRight)
        let requests = server.requests(for: "/file")
        #expect(requests.peaked(at: connections))
        #expect(requests.count >= 10, "\(requests.count)")
        #expect(requests.reduce(0) { $0 + $1.responseBodyBytesSent } < Self.count * 3 / 2)
    }
}
