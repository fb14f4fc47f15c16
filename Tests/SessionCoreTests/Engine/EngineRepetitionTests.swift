import Foundation
import LoopbackServer
import Testing

@testable import SessionCore

/// What may go out a second time, and to whom.
@Suite("Repeated requests", .timeLimit(.minutes(1)))
struct EngineRepetitionTests {
    let server: LoopbackServer

    init() throws {
        server = LoopbackServer()
        try server.start()
    }

    @Test("A POST without a body that is paused while its answer is due is not sent twice")
    func post() throws {
        let harness = try EngineHarness { $0.holdTimeout = 0.01 }
        let gate = try server.gate(named: "head")
        server.setRoute("/order", Behaviour.respond(.text("ordered")).waiting(for: gate))
        let id = harness.add(TransferRequest(url: server.url("/order"), method: "POST"))
        harness.resume(id)
        #expect(gate.waitForArrivals())
        harness.suspend(id)
        #expect(harness.waitForPhase(.paused, id))
        // A second transfer with the same hold time: when its connection was given up, the first one's time is over too.
        let other = try server.gate(named: "other")
        server.setRoute("/page", Behaviour.respond(.text("page")).waiting(for: other))
        let second = harness.add(TransferRequest(url: server.url("/page")))
        harness.resume(second)
        #expect(other.waitForArrivals())
        harness.suspend(second)
        #expect(server.waitForFinishedRequests(count: 1))
        gate.release()
        other.release()
        let outcome = try #require(harness.outcome(of: id))
        #expect(outcome.error == nil && String(decoding: outcome.body, as: UTF8.self) == "ordered")
        #expect(server.requests(for: "/order").count == 1)
    }

    @Test("A 417 to an expectation is not the answer: the body goes out without it")
    func expectation() throws {
        let harness = try EngineHarness()
        let refusing = Behaviour.respond(.text("no", status: 417)).receiving(UploadPolicy(answersAfter: 0))
        server.setRoute("/sink", .choosing { $0.header("Expect") == nil ? .respond(.text("ok")) : refusing })
        let content = DeterministicContent(seed: 9, count: 3_000_000).bytes
        let request = TransferRequest(url: server.url("/sink"), method: "PUT", body: .bytes(content))
        let outcome = try #require(harness.outcome(of: harness.add(request, kind: .upload)))
        #expect(outcome.error == nil)
        #expect(outcome.head?.statusCode == 200)
        #expect(String(decoding: outcome.body, as: UTF8.self) == "ok")
        let recorded = try #require(server.requests(for: "/sink").last)
        #expect(recorded.bodyChecksum == BodyChecksum(of: content))
        #expect(server.requests(for: "/sink").count == 2)
    }

    /// A named pipe that gives some bytes to one reader once the server has ended its first answer.
    ///
    /// libcurl waits a quarter of a second for that.
    /// A test's end of it stays open until all are written.
    private func namedPipe(_ bytes: [UInt8], in folder: TemporaryFolder) throws -> String {
        let path = folder.path + "/pipe"
        try #require(mkfifo(path, 0o600) == 0)
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        try #require(descriptor >= 0)
        Thread.detachNewThread { [server] in
            _ = server.waitForFinishedRequests(count: 1)
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
                guard count > 0 else { break }
                rest = rest.dropFirst(count)
            }
            close(descriptor)
        }
        return path
    }

    @Test(
        "A named pipe is sent from its beginning where the request is repeated before a byte of it was sent",
        arguments: ["417", "307", "401"], [true, false])
    func namedPipe(answer: String, isPiece: Bool) throws {
        let harness = try EngineHarness()
        let isIn: @Sendable (RecordedRequest) -> Bool = { request in
            switch answer {
            case "417": request.header("Expect") == nil
            case "401": request.header("Authorization")?.hasPrefix("Digest ") == true
            default: false
            }
        }
        var refusal = ScriptedResponse.text("", status: Int(answer) ?? 0)
        refusal.headers["WWW-Authenticate"] = "Digest realm=\"r\", nonce=\"n\", qop=\"auth\""
        refusal.headers["Location"] = "/new"
        server.setRoute("/new", .uploadSink())
        server.setRoute("/old", .choosing { [refusal] in isIn($0) ? .uploadSink() : .refusing(refusal) })
        let content = DeterministicContent(seed: 9, count: 3_000_000).bytes
        let path = try namedPipe(content, in: harness.folder)
        let body: BodySpecification = isPiece ? .pieces([.file(path: path)]) : .file(path: path)
        var request = TransferRequest(url: server.url("/old"), method: "PUT", body: body)
        request.options = RequestOptions()
        request.options?.credentials = RequestCredentials(user: "me", password: "pw", scheme: .digest)
        let outcome = try #require(harness.outcome(of: harness.add(request, kind: isPiece ? .data : .upload)))
        #expect(outcome.error == nil && outcome.head?.statusCode == 201)
        #expect(server.requests.map(\.bodyByteCount) == [0, 3_000_000])
        #expect(server.requests.last?.bodyChecksum == BodyChecksum(of: content))
    }

    @Test("The session's own fields do not follow a redirect to another origin, but for those that say nothing")
    func sessionFields() throws {
        let harness = try EngineHarness {
            $0.additionalHeaders = ["User-Agent": "test", "Authorization": "Bearer s3cret", "X-Api-Key": "s3cret"]
        }
        let foreign = LoopbackServer()
        try foreign.start()
        server.setRoute("/a", .redirect(to: "/b"))
        server.setRoute("/b", .redirect(to: foreign.url("/c")))
        foreign.setRoute("/c", .redirect(to: server.url("/d")))
        server.setRoute("/d", .respond(.text("end")))
        let outcome = try #require(harness.outcome(of: harness.add(TransferRequest(url: server.url("/a")))))
        #expect(outcome.error == nil)
        #expect(server.requests(for: "/b").last?.header("Authorization") == "Bearer s3cret")
        for request in [foreign.requests(for: "/c").last, server.requests(for: "/d").last] {
            let request = try #require(request)
            #expect(request.header("Authorization") == nil && request.header("X-Api-Key") == nil)
            #expect(request.header("User-Agent") == "test")
        }
    }

    @Test("A field of the session that would become two lines fails the transfer and is not sent")
    func injection() throws {
        let harness = try EngineHarness { $0.additionalHeaders = ["X-A": "1\r\nX-B: 2"] }
        server.setRoute("/a", .respond(.text("a")))
        let outcome = try #require(harness.outcome(of: harness.add(TransferRequest(url: server.url("/a")))))
        #expect(outcome.error?.code == .invalidHeader)
        #expect(server.requests.isEmpty)
    }

    @Test("Limits without an end are limits", arguments: [Double.infinity, .greatestFiniteMagnitude, .nan])
    func endless(_ seconds: Double) throws {
        let harness = try EngineHarness {
            $0.connectTimeout = seconds
            $0.holdTimeout = seconds
            $0.stallTimeout = seconds
        }
        let gate = try server.gate(named: "head")
        server.setRoute("/a", Behaviour.respond(.text("a")).waiting(for: gate))
        let request = TransferRequest(url: server.url("/a"), idleTimeout: seconds)
        let id = harness.add(request)
        harness.resume(id)
        #expect(gate.waitForArrivals())
        harness.suspend(id)
        #expect(harness.waitForPhase(.paused, id))
        gate.release()
        #expect(harness.outcome(of: id)?.error == nil)
    }

    @Test(
        "A server that stands still is told by what it did last",
        arguments: [
            ("/silent", "No response in time"), ("/slow", "stopped sending"), ("/deaf", "stopped accepting the body"),
        ])
    func standingStill(path: String, words: String) throws {
        let harness = try EngineHarness { $0.maximumRetries = 0 }
        let gate = try server.gate(named: "never")
        server.setRoute("/silent", Behaviour.respond(.text("a")).waiting(for: gate))
        server.setRoute("/slow", .file(count: 900_000).stalling(after: 100_000, until: gate))
        server.setRoute(
            "/deaf", Behaviour.uploadSink(UploadPolicy(delivery: Delivery(stalls: [Stall(after: 1, gate: gate)]))))
        var request = TransferRequest(url: server.url(path), idleTimeout: path == "/silent" ? 0.3 : 3)
        if path == "/deaf" { (request.method, request.body) = ("PUT", .bytes([UInt8](repeating: 1, count: 64 << 20))) }
        let error = try #require(harness.outcome(of: harness.add(request))?.error)
        #expect(error.code == .stalled && error.message.contains(words), "\(error)")
    }

    @Test("A response that became a download and broke off goes on where it stopped")
    func becameDownload() throws {
        let harness = try EngineHarness()
        let content = DeterministicContent(seed: 6, count: 1_000_000)
        server.setRoute("/file", .flaky(ServedResource(seed: 6, count: content.count), after: 400_000, .close))
        let id = harness.add(TransferRequest(url: server.url("/file"))) { $0.questions = .disposition }
        harness.resume(id)
        let question = try #require(harness.dispositionQuestions(of: id).first)
        harness.engine.submit(.disposition(id, .becomeDownload, question: question))
        let outcome = try #require(harness.outcome(of: id, resuming: false))
        #expect(outcome.error == nil)
        let path = try #require(outcome.filePath)
        #expect(harness.folder.bytes(of: String(path.dropFirst(harness.folder.path.count + 1))) == content.bytes)
        #expect(server.requests(for: "/file").last?.header("Range") != nil)
    }

    @Test("A part is not what another request of the same URL asks for", arguments: [true, false])
    func otherRequest(_ isPost: Bool) throws {
        let harness = try EngineHarness()
        server.setRoute("/file", .respond(.text("the answer")))
        let url = server.url("/file")
        let earlier = Array("an earlier run".utf8)
        var metadata = StoredMetadata(url: url, finalURL: url, method: "GET", status: 200)
        metadata.entityTag = "\"1\""
        metadata.length = Int64(earlier.count)
        let folder = try Folder(path: harness.folder.path)
        let part = try PartFile.create(
            in: folder, url: url, name: .fixed("file"), finalName: "file", metadata: metadata)
        try earlier.withUnsafeBytes { try part.write($0, at: 0) }
        part.close()
        let request =
            isPost
            ? TransferRequest(url: url, method: "POST") : TransferRequest(url: url, headers: ["Range": "bytes=0-9"])
        let target = DownloadTarget(folder: harness.folder.path, name: .fixed("file"))
        let outcome = try #require(
            harness.outcome(of: harness.add(request, kind: .download, sink: .file(target))))
        #expect(outcome.error == nil)
        #expect(harness.folder.bytes(of: "file") == Array("the answer".utf8))
    }

    @Test("A whole part of a part of the file is not the file")
    func partOfFile() throws {
        let harness = try EngineHarness()
        server.setRoute("/file", .file(seed: 6, count: 5_000))
        let url = server.url("/file")
        var metadata = StoredMetadata(url: url, finalURL: url, method: "GET", status: 206)
        metadata.length = 10
        let folder = try Folder(path: harness.folder.path)
        let part = try PartFile.create(
            in: folder, url: url, name: .fixed("file"), finalName: "file", metadata: metadata)
        try Array("0123456789".utf8).withUnsafeBytes { try part.write($0, at: 0) }
        part.close()
        let outcome = try #require(harness.outcome(of: harness.download(url)))
        #expect(outcome.error == nil)
        #expect(harness.folder.bytes(of: "file") == DeterministicContent(seed: 6, count: 5_000).bytes)
        #expect(harness.folder.names == ["file"])
    }
}
