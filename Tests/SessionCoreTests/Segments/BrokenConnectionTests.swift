import LoopbackServer
import Testing

@testable import SessionCore

/// Several connections to a server that ends its responses early, each after some bytes.
@Suite("Segmented downloads with broken connections", .timeLimit(.minutes(1)))
struct BrokenConnectionTests {
    private let server = LoopbackServer()
    private let harness: EngineHarness
    private static let count: Int64 = 4 << 20
    private let bytes = DeterministicContent(seed: 7, count: count).bytes
    private let honest = Behaviour.resource(ServedResource(seed: 7, count: count))

    init() throws {
        try server.start()
        harness = try EngineHarness()
    }

    private func download(_ name: String = "file") -> TransferID {
        harness.download(server.url("/file")) {
            $0.name = .fixed(name)
            $0.segmentation = Segmentation(connections: .exactly(8), minimumSegment: 64 << 10)
        }
    }

    private var requests: [RecordedRequest] { server.requests(for: "/file") }

    @Test("Connections that wait for their responses stay when the first one breaks off after new bytes")
    func opening() throws {
        let gate = try server.gate(named: "branches")
        let honest = honest
        server.setRoute(
            "/file",
            .choosing {
                switch $0.index {
                case 0: honest.limited(to: 1 << 20).cutting(after: 300_000, .reset)
                case 1...7: honest.waiting(for: gate)
                default: honest.limited(to: 256 << 10)
                }
            })
        let id = download()
        harness.resume(id)
        #expect(gate.waitForArrivals(7))
        // The successor of the first one has received bytes.
        #expect(
            harness.wait(id) { events in
                events.contains { if case .status(_, let status) = $0 { status.received > 400_000 } else { false } }
            })
        #expect(requests.count == 9, "no connection is opened again")
        gate.release()
        #expect(harness.outcome(of: id)?.error == nil)
        #expect(harness.folder.bytes(of: "file") == bytes)
    }

    @Test("A server that ends each response early is asked over as many connections as before")
    func breaking() throws {
        server.setRoute("/file", honest.limited(to: 1 << 20).cutting(after: 150_000))
        #expect(harness.outcome(of: download())?.error == nil)
        #expect(harness.folder.bytes(of: "file") == bytes)
        #expect(requests.count <= 60, "28 responses have the bytes, and each connection may meet another's")
        _ = server.ended("/file")
        server.clearRequests()
        server.setRoute("/file", honest.limited(to: 1 << 20).stalling(after: 100_000, until: try Gate(opensAt: 8)))
        #expect(harness.outcome(of: download("second"))?.error == nil)
        #expect(harness.folder.bytes(of: "second") == bytes)
        #expect(requests.peaked(at: 8))
    }

    @Test("Connections that break off after few bytes become fewer")
    func short() throws {
        let honest = honest
        server.setRoute(
            "/file",
            .choosing {
                $0.simultaneousCount > 3 ? honest.cutting(after: 10_000, .reset) : honest.limited(to: 1 << 20)
            })
        #expect(harness.outcome(of: download())?.error == nil)
        #expect(harness.folder.bytes(of: "file") == bytes)
        _ = server.ended("/file")
        server.clearRequests()
        #expect(harness.outcome(of: download("second"))?.error == nil)
        #expect(requests.allSatisfy { $0.simultaneousCount <= 4 })
    }
}
