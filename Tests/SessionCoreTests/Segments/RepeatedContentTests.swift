import LoopbackServer
import Testing

@testable import SessionCore

/// Files whose beginning comes again at the offsets where connections begin, as in archives of equal files.
@Suite("Segments of files that repeat themselves", .timeLimit(.minutes(1)))
struct RepeatedContentTests {
    private let server = LoopbackServer()
    private let harness: EngineHarness

    init() throws {
        try server.start()
        harness = try EngineHarness()
    }

    @Test("A range that begins as the file does is proven by what comes before it", arguments: [256, 4_096, 1 << 14])
    func repeated(period: Int) throws {
        let block = DeterministicContent(seed: 3, count: Int64(period)).bytes
        let count = (4 << 20) / period
        let resource = ServedResource(body: .repeated(block, times: Int64(count)))
        server.setRoute("/file", Behaviour.resource(resource).limited(to: 1 << 20))
        let id = harness.download(server.url("/file")) {
            $0.segmentation = Segmentation(connections: .exactly(8), minimumSegment: 64 << 10)
        }
        #expect(harness.outcome(of: id)?.error == nil)
        #expect(harness.folder.bytes(of: "file") == (0..<count).flatMap { _ in block })
        let requests = server.requests(for: "/file")
        // One connection that fetches the rest alone would bring nearly all of it.
        #expect(requests.allSatisfy { $0.responseBodyBytesSent < 2 << 20 })
        #expect(requests.reduce(0) { $0 + $1.responseBodyBytesSent } < 6 << 20)
    }

    @Test("The rest of such a file is its rest, over one connection too", arguments: [256, 4_096, 1 << 14])
    func rest(period: Int) throws {
        let block = DeterministicContent(seed: 3, count: Int64(period)).bytes
        let count = (1 << 20) / period
        let whole = Behaviour.resource(ServedResource(body: .repeated(block, times: Int64(count))))
        server.setRoute(
            "/file", .choosing { $0.header("Range") == nil ? whole.cutting(after: 1 << 19) : whole })
        let id = harness.download(server.url("/file")) {
            $0.segmentation = Segmentation(connections: .exactly(1), minimumSegment: 64 << 10)
        }
        #expect(harness.outcome(of: id)?.error == nil && harness.restarts(of: id).isEmpty)
        #expect(harness.folder.bytes(of: "file") == (0..<count).flatMap { _ in block })
        // The rest may be asked for twice, the second time with bytes before it.
        #expect(server.requests(for: "/file").count <= 3)
    }
}
