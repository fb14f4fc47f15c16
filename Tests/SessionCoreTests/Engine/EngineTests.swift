import LoopbackServer
import Testing

@testable import SessionCore

/// The engine against a real server on loopback.
@Suite("Engine", .timeLimit(.minutes(1)))
struct EngineTests {
    let server: LoopbackServer
    let harness: EngineHarness

    init() throws {
        server = LoopbackServer()
        try server.start()
        harness = try EngineHarness()
    }

    // MARK: - Data

    @Test("Letters beyond ASCII are sent in escapes of capital digits, in path and query")
    func escapes() throws {
        server.setRoute("/caf%C3%A9/%c3%a9", .respond(.text("hello")))
        let request = TransferRequest(url: server.url("/café/%c3%a9?q=ü%c3%bc"))
        let outcome = try #require(harness.outcome(of: harness.add(request)))
        #expect(String(decoding: outcome.body, as: UTF8.self) == "hello")
        #expect(server.requests.last?.target == "/caf%C3%A9/%c3%a9?q=%C3%BC%c3%bc")
    }

    @Test("A data request collects its body")
    func data() throws {
        server.setRoute("/hello", .respond(.text("hello")))
        let outcome = try #require(harness.outcome(of: harness.add(TransferRequest(url: server.url("/hello")))))
        #expect(outcome.error == nil)
        #expect(outcome.head?.statusCode == 200)
        #expect(String(decoding: outcome.body, as: UTF8.self) == "hello")
        #expect(outcome.status.phase == .completed)
        #expect(outcome.status.received == 5)
        #expect(outcome.metrics.peer == "127.0.0.1:\(server.port)")
    }

    @Test("An error status of a data request is an answer, not a failure of the transport")
    func errorStatus() throws {
        server.setRoute("/missing", .respond(.text("no", status: 404)))
        let outcome = try #require(harness.outcome(of: harness.add(TransferRequest(url: server.url("/missing")))))
        #expect(outcome.error == nil && outcome.head?.statusCode == 404)
    }

    @Test("A body above the limit fails and says so")
    func limit() throws {
        server.setRoute("/big", .file(count: 100_000))
        let id = harness.add(TransferRequest(url: server.url("/big")), sink: .memory(limit: 50_000))
        #expect(harness.outcome(of: id)?.error?.code == .bodyTooLarge)
    }

    @Test("A streamed body arrives whole and in order, and waits for a reader that is behind")
    func stream() throws {
        let content = DeterministicContent(seed: 3, count: 5_000_000)
        server.setRoute("/stream", .file(seed: 3, count: content.count))
        let id = harness.add(TransferRequest(url: server.url("/stream")), sink: .stream)
        harness.resume(id)
        #expect(harness.waitForReceived(1 << 20, id))
        let before = chunks(id).count
        #expect(before < 3 << 20)
        var consumed = 0
        while harness.outcomeIfAny(id) == nil {
            let known = consumed
            #expect(harness.wait(id) { byteCount($0) > known || $0.contains(where: \.isEnd) })
            let total = byteCount(harness.events(of: id))
            harness.engine.submit(.consumed(id, bytes: total - consumed))
            consumed = total
        }
        #expect(harness.outcomeIfAny(id)?.error == nil)
        #expect(chunks(id) == content.bytes)
    }

    private func chunks(_ id: TransferID) -> [UInt8] {
        harness.events(of: id).flatMap { if case .data(_, let bytes) = $0 { bytes } else { [UInt8]() } }
    }

    // MARK: - Uploads

    @Test("Bytes and files are uploaded whole", arguments: [0, 1, 70_000, 3_000_000])
    func uploads(_ count: Int) throws {
        let content = DeterministicContent(seed: 9, count: Int64(count)).bytes
        try harness.folder.write(content, to: "body")
        server.setRoute("/sink", .respond(.text("ok")))
        for body in [BodySpecification.bytes(content), .file(path: harness.folder.path + "/body")] {
            let request = TransferRequest(url: server.url("/sink"), method: "PUT", body: body)
            let outcome = try #require(harness.outcome(of: harness.add(request, kind: .upload)))
            #expect(outcome.error == nil)
            #expect(outcome.status.sent == Int64(count))
            let recorded = try #require(server.requests(for: "/sink").last)
            #expect(recorded.method == "PUT" && recorded.bodyByteCount == Int64(count))
            #expect(recorded.bodyChecksum == BodyChecksum(of: content))
        }
    }

    @Test("Bytes count as sent when they have arrived, not when the kernel has taken them")
    func arrival() throws {
        var configuration = LoopbackServer.Configuration()
        configuration.receiveBufferByteCount = 16_384
        let slow = LoopbackServer(configuration: configuration)
        try slow.start()
        defer { slow.stop() }
        let gate = try slow.gate(named: "reading")
        slow.setRoute(
            "/sink",
            .respond(.text("ok")).receiving(UploadPolicy(delivery: Delivery(stalls: [Stall(after: 1, gate: gate)]))))
        let content = DeterministicContent(seed: 9, count: 400_000).bytes
        let request = TransferRequest(url: slow.url("/sink"), method: "PUT", body: .bytes(content))
        let id = harness.add(request, kind: .upload)
        harness.resume(id)
        try #require(gate.waitForArrivals())
        #expect(harness.waitForPhase(.running, id))
        #expect(harness.status(id).sent < 200_000)
        gate.release()
        #expect(harness.outcome(of: id)?.status.sent == 400_000)
    }

    @Test("A body file that cannot be read fails with its name")
    func unreadableBody() throws {
        let request = TransferRequest(url: server.url("/sink"), method: "PUT", body: .file(path: "/no/such/file"))
        let outcome = try #require(harness.outcome(of: harness.add(request, kind: .upload)))
        #expect(outcome.error?.code == .bodyUnreadable)
        #expect(outcome.error?.message.contains("/no/such/file") == true)
    }

    // MARK: - Downloads

    @Test(
        "A download becomes exactly the file",
        arguments: [0, 1, 10_240, 65_536, 65_537, 262_144, 262_145, 5_000_000] as [Int64])
    func download(_ count: Int64) throws {
        server.setRoute("/file", .file(seed: 5, count: count))
        let outcome = try #require(harness.outcome(of: harness.download(server.url("/file"))))
        #expect(outcome.error == nil)
        #expect(outcome.filePath == harness.folder.path + "/file")
        #expect(harness.folder.bytes(of: "file") == DeterministicContent(seed: 5, count: count).bytes)
        #expect(harness.folder.names == ["file"])
    }

    @Test("Unknown lengths work, chunked and until the connection closes", arguments: [Framing.chunked, .untilClose])
    func unknownLength(_ framing: Framing) throws {
        server.setRoute("/file", .file(seed: 5, count: 400_000).framed(framing))
        let outcome = try #require(harness.outcome(of: harness.download(server.url("/file"))))
        #expect(outcome.error == nil)
        #expect(outcome.lengthWasVerified == (framing != .untilClose))
        #expect(harness.folder.bytes(of: "file") == DeterministicContent(seed: 5, count: 400_000).bytes)
    }

    @Test("A download that is cut goes on where it stopped")
    func cut() throws {
        let content = DeterministicContent(seed: 6, count: 1_000_000)
        server.setRoute("/file", .flaky(ServedResource(seed: 6, count: content.count), after: 400_000, .close))
        let id = harness.download(server.url("/file"))
        let outcome = try #require(harness.outcome(of: id))
        #expect(outcome.error == nil)
        #expect(harness.folder.bytes(of: "file") == content.bytes)
        let second = try #require(server.requests(for: "/file").last)
        #expect(second.header("Range")?.hasPrefix("bytes=") == true)
        #expect(second.header("If-Range") != nil)
        #expect(second.header("Accept-Encoding") == "identity")
        #expect(server.requests.reduce(0) { $0 + $1.responseBodyBytesSent } <= content.count + 600_000)
    }

    @Test("An error page never becomes a file")
    func errorPage() throws {
        server.setRoute("/file", .respond(.html("<p>no</p>", status: 404)))
        let outcome = try #require(harness.outcome(of: harness.download(server.url("/file"))))
        #expect(outcome.error?.code == .http && outcome.error?.statusCode == 404)
        #expect(String(decoding: outcome.body, as: UTF8.self) == "<p>no</p>")
        #expect(harness.folder.names == [])
    }

    @Test("Redirects are followed, and loops end")
    func redirects() throws {
        server.setRoute("/a", .redirect(to: "/b"))
        server.setRoute("/b", .redirect(to: server.url("/file"), status: 307))
        server.setRoute("/file", .file(count: 1_000))
        server.setRoute("/loop", .redirect(to: "/loop"))
        #expect(harness.outcome(of: harness.download(server.url("/a")))?.error == nil)
        #expect(harness.outcome(of: harness.download(server.url("/loop")))?.error?.code == .tooManyRedirects)
    }

    @Test("A checksum that does not match leaves nothing under the name")
    func checksum() throws {
        server.setRoute("/file", .file(count: 100_000))
        let id = harness.download(server.url("/file")) {
            $0.checksum = Checksum(algorithm: .sha256, digest: Array(repeating: 0, count: 32))
        }
        #expect(harness.outcome(of: id)?.error?.code == .checksum)
        #expect(harness.folder.bytes(of: "file") == nil)
    }

    @Test(
        "A file whose checksum was mistyped is not fetched again with the right one, whoever names it",
        arguments: [("file", 300_000), ("file", 1_000), (nil, 300_000), (nil, 1_000)] as [(String?, Int)])
    func mistypedChecksum(name: String?, count: Int) throws {
        let content = DeterministicContent(seed: 0, count: Int64(count)).bytes
        server.setRoute("/file", .file(seed: 0, count: Int64(count)))
        let right = try Digest.of(content, .sha256)
        let destination = name.map { DownloadTarget.Name.fixed($0) } ?? .automatic
        let zeros = [UInt8](repeating: 0, count: 32)
        for (digest, requests) in [(zeros, 1), (zeros, 2), (right, 2)] {
            let id = harness.download(server.url("/file"), name: destination) {
                $0.checksum = Checksum(algorithm: .sha256, digest: digest)
            }
            #expect((harness.outcome(of: id)?.error == nil) == (digest == right))
            #expect(server.requestCount == requests)
            #expect(!harness.folder.names.contains { $0.hasSuffix(".meta") }, "a meta describes no file")
        }
        #expect(harness.folder.bytes(of: "file") == content)
        #expect(harness.folder.names == ["file"])
    }

    @Test("A refused connection fails with one sentence after its retries")
    func refused() throws {
        let port = server.port
        server.stop()
        let harness = try EngineHarness { $0.maximumRetries = 0 }
        let outcome = try #require(
            harness.outcome(of: harness.add(TransferRequest(url: "http://127.0.0.1:\(port)/"))))
        #expect(outcome.error?.code == .connectionRefused)
    }

    @Test("The lengths of attempts that failed are kept, and only those of another try")
    func earlierAttempts() throws {
        server.setRoute("/busy", .sequence([.respond(.text("", status: 503)), .file(count: 1000)]))
        let outcome = try #require(harness.outcome(of: harness.download(server.url("/busy"))))
        #expect(outcome.error == nil)
        #expect(outcome.metrics.earlierAttempts.count == 1)
        #expect(outcome.metrics.earlierAttempts.allSatisfy { $0 > 0 && $0 < 60 })
        let refused = try #require(harness.outcome(of: harness.download(server.url("/missing"))))
        #expect(refused.metrics.earlierAttempts.isEmpty)
        var metrics = TransferMetrics()
        for total in 1...30 {
            metrics.total = Double(total)
            metrics.recordFailedAttempt()
        }
        #expect(metrics.earlierAttempts == (11...30).map(Double.init))
    }

    @Test("A transfer that comes when the engine has ended ends too")
    func late() throws {
        harness.engine.submit(.invalidate(cancelling: false))
        #expect(harness.waitForInvalidation())
        let outcome = try #require(harness.outcome(of: harness.download(server.url("/file"))))
        #expect(outcome.error?.code == .sessionInvalidated)
        #expect(outcome.status.phase == .failed)
    }

    @Test("Many transfers run at once within the limit")
    func many() throws {
        for index in 0..<40 { server.setRoute("/f\(index)", .file(seed: UInt64(index), count: 20_000)) }
        let ids = (0..<40).map { harness.download(server.url("/f\($0)"), name: .fixed("f\($0)")) }
        for id in ids { harness.resume(id) }
        for id in ids { #expect(harness.outcome(of: id, resuming: false)?.error == nil) }
        for index in 0..<40 {
            #expect(
                harness.folder.bytes(of: "f\(index)") == DeterministicContent(seed: UInt64(index), count: 20_000).bytes)
        }
    }
}

private func byteCount(_ events: [EngineEvent]) -> Int {
    events.reduce(0) { if case .data(_, let bytes) = $1 { $0 + bytes.count } else { $0 } }
}
