import Foundation
import LoopbackServer
import Testing

@testable import SessionCore

/// Downloads of files that nothing vouches for, whose end is compared before they go on.
@Suite("Parts that are compared", .timeLimit(.minutes(1)))
struct EngineOverlapTests {
    private func resource(seed: UInt64, changedAt offset: Int? = nil) -> ServedResource {
        var bytes = DeterministicContent(seed: seed, count: 1_000_000).bytes
        if let offset { bytes[offset] ^= 1 }
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
        return (server.ended("/file"), FileManager.default.contents(atPath: harness.folder.path + "/file"))
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
    func changed(offset: Int?) throws {
        let second = offset.map { resource(seed: 5, changedAt: $0) } ?? resource(seed: 6)
        var wanted = DeterministicContent(seed: offset == nil ? 6 : 5, count: 1_000_000).bytes
        if let offset { wanted[offset] ^= 1 }
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

    @Test(
        "A download that is stopped keeps the part that can be compared, though less had come when it was first asked")
    func stopped() throws {
        let server = LoopbackServer()
        try server.start()
        let (few, many) = (try server.gate(named: "few"), try server.gate(named: "many"))
        server.setRoute(
            "/file",
            .sequence([
                .resource(resource(seed: 5)).stalling(after: 10_000, until: few).stalling(after: 300_000, until: many),
                .resource(resource(seed: 5)),
            ]))
        let harness = try EngineHarness()
        let id = harness.download(server.url("/file")) { $0.comparesOverlap = true }
        harness.resume(id)
        #expect(harness.waitForReceived(10_000, id))
        #expect(harness.status(id).resumability == .no, "too little to be compared")
        few.release()
        #expect(harness.waitForReceived(300_000, id))
        harness.intent(.cancelled(keepsPart: true), id)
        #expect(harness.outcome(of: id, resuming: false)?.error?.code == .cancelled)
        #expect(harness.folder.names.contains { $0.hasSuffix(".part") }, "\(harness.folder.names)")
        let second = harness.download(server.url("/file")) { $0.comparesOverlap = true }
        #expect(harness.outcome(of: second)?.error == nil)
        #expect(server.requests.last?.header("Range") == "bytes=234464-")
        #expect(harness.folder.bytes(of: "file") == DeterministicContent(seed: 5, count: 1_000_000).bytes)
    }

    @Test("A part that ends in equal bytes is compared up to other ones", arguments: [0, 4_096])
    func equalBytes(shift: Int) throws {
        var content = DeterministicContent(seed: 5, count: 1_000_000).bytes
        for offset in 390_000..<410_000 { content[offset] = 0 }
        let server = LoopbackServer()
        try server.start()
        let resource = ServedResource(body: .bytes(content), entityTag: "\"one\"")
        let shifted = ServedResource(body: .bytes(Array(content[shift...] + content[..<shift])), entityTag: "\"one\"")
        server.setRoute(
            "/file",
            .choosing { request in
                if request.index == 0 { return Behaviour.resource(resource).cutting(after: 400_000, .reset) }
                return .resource(request.header("Range") == nil ? resource : shifted)
            })
        let harness = try EngineHarness()
        #expect(harness.outcome(of: harness.download(server.url("/file")))?.error == nil)
        let isRight = harness.folder.bytes(of: "file") == content
        #expect(isRight)
        #expect(server.requests[1].header("Range") == "bytes=334464-")
        #expect(server.requests.count == (shift == 0 ? 2 : 3))
    }

    // MARK: - The rest from another server

    /// A download whose first URL leads to one server, and after a cut to another, where the same tag stands.
    private func turns(
        to seed: UInt64, connections: Int
    ) throws -> (requests: [RecordedRequest], isSecond: Bool) {
        let (entry, one, two) = (LoopbackServer(), LoopbackServer(), LoopbackServer())
        for server in [entry, one, two] { try server.start() }
        entry.setRoute(
            "/file", .sequence([.redirect(to: one.url("/pub/file")), .redirect(to: two.url("/mirror/file"))]))
        one.setRoute("/pub/file", .file(seed: 5, count: 1_000_000).cutting(after: 500_000, .reset))
        var chance = ServedResource(seed: seed, count: 1_000_000)
        chance.entityTag = ServedResource(seed: 5, count: 1_000_000).entityTag
        two.setRoute("/mirror/file", .resource(chance).limited(to: 8 << 20))
        let harness = try EngineHarness()
        let id = harness.download(entry.url("/file")) {
            $0.segmentation = Segmentation(connections: .exactly(connections), minimumSegment: 64 << 10)
        }
        let outcome = try #require(harness.outcome(of: id))
        #expect(outcome.error == nil)
        let wanted = DeterministicContent(seed: seed, count: 1_000_000).bytes
        return (two.requests, harness.folder.bytes(of: "file") == wanted)
    }

    @Test("Another server that has the same file goes on with it", arguments: [1, 8])
    func otherServer(connections: Int) throws {
        let (requests, isRight) = try turns(to: 5, connections: connections)
        #expect(isRight)
        #expect(requests.allSatisfy { $0.header("Range") != nil })
        if connections == 1 { #expect(requests.map { $0.header("Range") } == ["bytes=434464-"]) }
    }

    @Test("Another server that has another file under the same tag is fetched from its first byte", arguments: [1, 8])
    func otherServerOtherFile(connections: Int) throws {
        let (requests, isRight) = try turns(to: 6, connections: connections)
        #expect(isRight)
        #expect(requests.first?.header("Range") == "bytes=434464-" || connections > 1)
    }

    @Test("What was passed on is not gone on with at another server, whose bytes cannot be compared with it")
    func passedOn() throws {
        let (entry, one, two) = (LoopbackServer(), LoopbackServer(), LoopbackServer())
        for server in [entry, one, two] { try server.start() }
        entry.setRoute(
            "/file",
            .sequence([one, two, one].map { .redirect(to: $0.url("/file")) }))
        one.setRoute(
            "/file",
            .sequence([
                .file(seed: 5, count: 1_000_000).cutting(after: 500_000, .reset), .file(seed: 5, count: 1_000_000),
            ]))
        var chance = ServedResource(seed: 6, count: 1_000_000)
        chance.entityTag = ServedResource(seed: 5, count: 1_000_000).entityTag
        two.setRoute("/file", .resource(chance))
        let harness = try EngineHarness()
        let id = harness.add(TransferRequest(url: entry.url("/file")), sink: .stream)
        #expect(harness.outcome(of: id)?.error == nil)
        // The comparison of bytes stands alone: what differs would be looked for in a million of them.
        let isRight = harness.streamed(id) == DeterministicContent(seed: 5, count: 1_000_000).bytes
        #expect(isRight)
        #expect(two.requests.count == 1 && entry.requests.count == 3)
    }
}
