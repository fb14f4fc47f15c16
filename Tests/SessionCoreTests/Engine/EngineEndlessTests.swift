import LoopbackServer
import Testing

@testable import SessionCore

/// Servers with which a download gets nowhere: it ends all the same, and leaves nothing behind that nobody knows of.
@Suite("Downloads that get nowhere", .timeLimit(.minutes(1)))
struct EngineEndlessTests {
    static let length: Int64 = 1_000_000
    static let partSize: Int64 = 400_000
    static let file = ServedResource(seed: 6, count: length)

    let server: LoopbackServer
    let harness: EngineHarness

    init() throws {
        server = LoopbackServer()
        try server.start()
        harness = try EngineHarness { $0.maximumRetries = 1 }
    }

    /// A file that breaks off at first, and then something else.
    private static func broken(then rest: Behaviour) -> Behaviour {
        .sequence([Behaviour.resource(file).cutting(after: partSize), rest])
    }

    private static func part(_ range: Range<Int64>) -> ScriptedResponse {
        var response = ScriptedResponse(206, body: .slice(file.body, range))
        response.headers["Content-Range"] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(length)"
        response.headers["ETag"] = file.entityTag
        return response
    }

    @Test("The page of a server that is busy for ever is no progress of a part")
    func busy() throws {
        server.setRoute("/file", Self.broken(then: .respond(.html("<p>busy</p>", status: 503))))
        let outcome = try #require(harness.outcome(of: harness.download(server.url("/file"))))
        #expect(outcome.error?.code == .http && outcome.error?.statusCode == 503)
        #expect(server.requests(for: "/file").count == 3)
        #expect(outcome.resumeData != nil)
    }

    @Test("A range that ends where the part does is asked for only so often")
    func nothingNew() throws {
        server.setRoute("/file", Self.broken(then: .respond(Self.part(0..<Self.partSize))))
        let outcome = try #require(harness.outcome(of: harness.download(server.url("/file"))))
        #expect(outcome.error?.code == .truncated)
        #expect(server.requests(for: "/file").count == 3)
        #expect(outcome.resumeData != nil)
    }

    @Test("Bytes that repeat the part are no progress")
    func repeated() throws {
        let again = Behaviour.respond(Self.part(0..<Self.length)).cutting(after: 100_000)
        server.setRoute("/file", Self.broken(then: again))
        let outcome = try #require(harness.outcome(of: harness.download(server.url("/file"))))
        #expect(outcome.error != nil)
        #expect(server.requests(for: "/file").count == 3)
    }

    @Test("A file that is another one at every request, and never whole, fails")
    func changing() throws {
        server.setRoute(
            "/file",
            .choosing { request in
                .resource(ServedResource(seed: UInt64(request.index), count: Self.length)).cutting(after: Self.partSize)
            })
        let outcome = try #require(harness.outcome(of: harness.download(server.url("/file"))))
        #expect(outcome.error != nil)
        #expect(harness.folder.names.count { $0.hasSuffix(".part") } <= 1)
    }

    @Test("Of several generations that broke off nothing is left beside the file")
    func generations() throws {
        let versions = (1...3).map { ServedResource(seed: UInt64($0), count: Self.length) }
        server.setRoute(
            "/file",
            .sequence([
                Behaviour.resource(versions[0]).cutting(after: 300_000),
                Behaviour.resource(versions[1]).cutting(after: 400_000), .resource(versions[2]),
            ]))
        let outcome = try #require(harness.outcome(of: harness.download(server.url("/file"))))
        #expect(outcome.error == nil)
        #expect(harness.folder.bytes(of: "file") == DeterministicContent(seed: 3, count: Self.length).bytes)
        #expect(harness.folder.names == ["file"])
    }

    @Test("A small file in the end leaves nothing of earlier generations")
    func smallGeneration() throws {
        let versions = (1...3).map { ServedResource(seed: UInt64($0), count: 50_000) }
        server.setRoute(
            "/file",
            .sequence([
                Behaviour.resource(versions[0]).cutting(after: 30_000),
                Behaviour.resource(versions[1]).cutting(after: 10_000),
                .respond(ScriptedResponse(412)), .resource(versions[2]),
            ]))
        let outcome = try #require(harness.outcome(of: harness.download(server.url("/file"))))
        #expect(outcome.error == nil)
        #expect(harness.folder.bytes(of: "file") == DeterministicContent(seed: 3, count: 50_000).bytes)
        #expect(harness.folder.names == ["file"])
    }

    @Test("A file that is there under the URL's name is skipped before anybody is asked, by one resource alone")
    func skippedUnasked() throws {
        server.setRoute("/file", .file(seed: 1, count: 10))
        try harness.folder.write(Array("mine".utf8), to: "file")
        for _ in 1...2 {
            let id = harness.download(server.url("/file"), name: .automatic) { $0.collision = .skip }
            #expect(harness.outcome(of: id)?.wasSkipped == true)
        }
        #expect(server.requests.isEmpty && harness.folder.names == ["file"])
        let other = harness.download(server.url("/file") + "?new/", name: .automatic) { $0.collision = .skip }
        #expect(harness.outcome(of: other)?.wasSkipped == false)
        #expect(Set(harness.folder.names) == ["file", "file (1)"])
    }

    @Test(
        "A file that must not be replaced leaves no part of the answer that would have",
        arguments: [10_000, 100_000, 150_000, 200_000, 1_000_000])
    func refused(count: Int64) throws {
        server.setRoute("/file", .file(seed: 1, count: count))
        try harness.folder.write(Array("mine".utf8), to: "file")
        let id = harness.download(server.url("/file"), name: .automatic) { $0.collision = .fail }
        let outcome = try #require(harness.outcome(of: id))
        #expect(outcome.error?.code == .destinationExists)
        #expect(harness.folder.names == ["file"])
        #expect(harness.folder.bytes(of: "file") == Array("mine".utf8))
    }

    @Test("A download that is skipped leaves no part of an earlier generation")
    func skipped() throws {
        let gate = try server.gate(named: "second")
        let versions = (1...2).map { ServedResource(seed: UInt64($0), count: Self.length) }
        server.setRoute(
            "/file",
            .sequence([
                Behaviour.resource(versions[0]).cutting(after: 300_000),
                Behaviour.resource(versions[1]).waiting(for: gate),
            ]))
        let id = harness.download(server.url("/file")) { $0.collision = .skip }
        harness.resume(id)
        #expect(gate.waitForArrivals())
        try harness.folder.write(Array("somebody's".utf8), to: "file")
        gate.release()
        let outcome = try #require(harness.outcome(of: id))
        #expect(outcome.error == nil && outcome.wasSkipped)
        #expect(harness.folder.bytes(of: "file") == Array("somebody's".utf8))
        #expect(harness.folder.names == ["file"])
    }
}
