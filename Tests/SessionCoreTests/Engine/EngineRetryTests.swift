import Glibc
import LoopbackServer
import Testing

@testable import SessionCore

/// Which answers and failures are followed by another try, where every status is an answer to its caller.
@Suite("Tries of requests and uploads", .timeLimit(.minutes(2)))
struct EngineRetryTests {
    let server: LoopbackServer

    init() throws {
        server = LoopbackServer()
        try server.start()
    }

    private func busy(_ status: Int = 503) -> Behaviour { .respond(.text("later", status: status)) }

    @Test(
        "A request that is safe to repeat is sent again after an answer that asks to come back",
        arguments: [("GET", 503), ("HEAD", 429), ("PUT", 408), ("PUT", 502), ("DELETE", 504), ("OPTIONS", 425)])
    func repeated(method: String, status: Int) throws {
        let harness = try EngineHarness()
        server.setRoute("/a", .sequence([busy(status), .respond(.text("done"))]))
        var request = TransferRequest(url: server.url("/a"), method: method)
        let content = DeterministicContent(seed: 1, count: 100_000).bytes
        if method == "PUT" { request.body = .bytes(content) }
        let id = harness.add(request, kind: method == "PUT" ? .upload : .data)
        let outcome = try #require(harness.outcome(of: id))
        #expect(outcome.error == nil)
        #expect(outcome.head?.statusCode == 200)
        let recorded = server.requests(for: "/a")
        #expect(recorded.count == 2)
        if method == "PUT" { #expect(recorded.last?.bodyChecksum == BodyChecksum(of: content)) }
        let heads = harness.events(of: id).count { if case .response = $0 { true } else { false } }
        #expect(heads == 1, "an answer that is followed by another try is none")
    }

    @Test("The answer of the last try is the answer, with its body")
    func lastTry() throws {
        let harness = try EngineHarness()
        server.setRoute("/a", busy())
        let id = harness.add(TransferRequest(url: server.url("/a"), method: "PUT", body: .bytes([1])), kind: .upload)
        let outcome = try #require(harness.outcome(of: id))
        #expect(outcome.error == nil)
        #expect(outcome.head?.statusCode == 503)
        #expect(String(decoding: outcome.body, as: UTF8.self) == "later")
        #expect(server.requests(for: "/a").count == 3)
    }

    @Test(
        "What must not be repeated, or would not become better, is sent once",
        arguments: [("POST", 503), ("PATCH", 429), ("GET", 501), ("PUT", 505), ("GET", 404), ("DELETE", 409)])
    func once(method: String, status: Int) throws {
        let harness = try EngineHarness()
        server.setRoute("/a", .sequence([busy(status), .respond(.text("done"))]))
        let outcome = try #require(
            harness.outcome(of: harness.add(TransferRequest(url: server.url("/a"), method: method))))
        #expect(outcome.error == nil)
        #expect(outcome.head?.statusCode == status)
        #expect(server.requests(for: "/a").count == 1)
    }

    @Test(
        "Statuses that the request names are tried again too, of every kind of task",
        arguments: [("GET", 404, true), ("GET", 501, true), ("PUT", 423, true), ("GET", 403, false)], [true, false])
    func named(row: (method: String, status: Int, isNamed: Bool), isDownload: Bool) throws {
        let harness = try EngineHarness()
        server.setRoute("/a", .sequence([busy(row.status), .respond(.text("done"))]))
        var request = TransferRequest(url: server.url("/a"), method: row.method)
        if row.method == "PUT" { request.body = .bytes([1, 2]) }
        request.options = RequestOptions()
        request.options?.retriedStatuses = [404...404, 423...423, 500...599]
        let isFile = isDownload && row.method == "GET"
        let target = DownloadTarget(folder: harness.folder.path, name: .fixed("file"))
        let id =
            isFile
            ? harness.add(request, kind: .download, sink: .file(target))
            : harness.add(request, kind: row.method == "PUT" ? .upload : .data)
        let outcome = try #require(harness.outcome(of: id))
        #expect(server.requests(for: "/a").count == (row.isNamed ? 2 : 1))
        #expect((outcome.head?.statusCode == 200) == row.isNamed)
    }

    @Test("A POST with a key of its own is repeated")
    func idempotencyKey() throws {
        let harness = try EngineHarness()
        server.setRoute("/a", .sequence([busy(), .respond(.text("done"))]))
        let request = TransferRequest(url: server.url("/a"), method: "POST", headers: ["Idempotency-Key": "7"])
        #expect(harness.outcome(of: harness.add(request))?.head?.statusCode == 200)
    }

    @Test("A body that was read from a pipe cannot be sent again, so its answer stands")
    func pipe() throws {
        let harness = try EngineHarness()
        server.setRoute("/a", .sequence([busy(), .respond(.text("done"))]))
        let ends = try BodyPipe.make()
        #expect(BodyPipe.write([1, 2, 3], to: ends.writer))
        shutdown(ends.writer.descriptor, Int32(SHUT_WR))
        let request = TransferRequest(
            url: server.url("/a"), method: "PUT", body: .descriptor(ends.reader.descriptor))
        let outcome = try #require(harness.outcome(of: harness.add(request, kind: .upload)))
        #expect(outcome.head?.statusCode == 503)
        #expect(server.requests(for: "/a").count == 1)
        withExtendedLifetime(ends) {}
    }

    @Test("With no retries the first answer is the answer")
    func noRetries() throws {
        let harness = try EngineHarness { $0.maximumRetries = 0 }
        server.setRoute("/a", .sequence([busy(), .respond(.text("done"))]))
        let outcome = try #require(harness.outcome(of: harness.add(TransferRequest(url: server.url("/a")))))
        #expect(outcome.error == nil && outcome.head?.statusCode == 503)
    }

    @Test("Those that fail at one moment try again one after another")
    func oneAfterAnother() throws {
        let harness = try EngineHarness {
            ($0.maximumConcurrentTransfers, $0.maximumConcurrentTransfersPerHost) = (64, 64)
        }
        let gate = try server.gate(named: "all")
        server.setRoute("/a", .sequence([busy(500).waiting(for: gate)]))
        let ids = (0..<40).map { _ in harness.add(TransferRequest(url: server.url("/a"))) }
        for id in ids { harness.resume(id) }
        #expect(gate.waitForArrivals(40))
        let began = ContinuousClock.now
        gate.release()
        var waits: [Int64] = []
        #expect(
            harness.waitForEvents { events in
                waits = events.compactMap { if case .retrying(_, 1, let wait, _) = $0 { wait } else { nil } }
                return waits.count >= 40
            })
        // The failures took a while themselves, by which the later ones wait less.
        let lag = Int64((ContinuousClock.now - began) / .milliseconds(1))
        #expect(waits.enumerated().allSatisfy { $1 + lag >= Int64($0) * RetrySpacing.interval }, "\(waits)")
    }

    @Test("A POST that reached nobody is sent when somebody is there")
    func reachedNobody() throws {
        let harness = try EngineHarness { ($0.maximumRetries, $0.outagePatience) = (20, 300) }
        server.setRoute("/a", .respond(.text("done")))
        server.stop(reachedBy: harness)
        let id = harness.add(TransferRequest(url: server.url("/a"), method: "POST", body: .bytes([1])))
        harness.resume(id)
        try #require(harness.waitForPhase(.retrying, id))
        try server.start()
        #expect(harness.outcome(of: id, resuming: false)?.head?.statusCode == 200)
        #expect(server.requests(for: "/a").count == 1)
    }
}
