import Foundation
import FoundationNetworking
import LoopbackServer
import Testing

@testable import SessionCore

/// Credentials and repeated bodies, with the real engine and a real server on loopback.
@Suite("Challenges of the engine", .timeLimit(.minutes(1)))
struct EngineChallengeTests {
    private let server = LoopbackServer()
    private let manager: SessionManager
    /// `user:secret`.
    private let authorization = "Basic dXNlcjpzZWNyZXQ="

    init() throws {
        try server.start()
        manager = SessionManager()
        manager.postsNotifications = false
        manager.responseSerializer = DataResponseSerializer()
    }

    private func run(_ request: TransferRequest) async throws -> TaskCompletion {
        let task = try manager.dataTask(with: request, completionHandler: nil)
        task.resume()
        return await task.completion()
    }

    private static func credential(_ password: String = "secret") -> ChallengeResponse {
        .use(URLCredential(user: "user", password: password, persistence: .none))
    }

    private func text(_ completion: TaskCompletion) -> String { String(decoding: completion.body, as: UTF8.self) }

    // MARK: - Credentials

    @Test("E04: credentials are shown after the server asked, and the challenge says who asks")
    func credentials() async throws {
        server.setRoute("/door", .guarded(authorization: authorization, .respond(.text("in"))))
        let seen = EventLog<String>()
        manager.onTaskChallenge = { _, challenge in
            let space = challenge.protectionSpace
            seen.add("\(space.host) \(space.realm ?? "") \(challenge.previousFailureCount)")
            return Self.credential()
        }
        let completion = try await run(TransferRequest(url: server.url("/door")))
        #expect(completion.error == nil && completion.head?.statusCode == 200 && text(completion) == "in")
        #expect(seen.entries == ["127.0.0.1 loopback 0"])
        #expect(server.requests(for: "/door").map { $0.header("Authorization") } == [nil, authorization])
    }

    @Test("H04: left to the default the 401 is the answer, with all of its body")
    func performDefault() async throws {
        var refusal = ScriptedResponse.text(String(repeating: "no ", count: 50_000), status: 401)
        refusal.headers["WWW-Authenticate"] = "Basic realm=\"r\""
        server.setRoute("/door", .respond(refusal))
        manager.onTaskChallenge = { _, _ in .performDefault }
        let completion = try await run(TransferRequest(url: server.url("/door")))
        #expect(completion.head?.statusCode == 401 && completion.body.count == 150_000)
        #expect(server.requests(for: "/door").count == 1)
    }

    @Test("KB34: wrong credentials are asked for three times, then the 401 is the answer")
    func boundedFailures() async throws {
        server.setRoute("/door", .guarded(authorization: authorization, .respond(.text("in"))))
        let failures = EventLog<Int>()
        manager.onTaskChallenge = { _, challenge in
            failures.add(challenge.previousFailureCount)
            return Self.credential("wrong")
        }
        let completion = try await run(TransferRequest(url: server.url("/door")))
        #expect(completion.head?.statusCode == 401)
        #expect(failures.entries == [0, 1, 2])
        #expect(server.requests(for: "/door").count == 4)
    }

    @Test("Credentials never reach another server than the one that asked")
    func otherOrigin() async throws {
        let other = LoopbackServer()
        try other.start()
        other.setRoute("/there", .respond(.text("there")))
        server.setRoute("/door", .guarded(authorization: authorization, .redirect(to: other.url("/there"))))
        manager.onTaskChallenge = { _, _ in Self.credential() }
        #expect(text(try await run(TransferRequest(url: server.url("/door")))) == "there")
        #expect(other.requests.count == 1 && other.requests.first?.header("Authorization") == nil)
    }

    @Test("E04: a refused scheme is followed by the next one the server offers")
    func nextScheme() async throws {
        let both = "Digest realm=\"d\", nonce=\"n\", qop=\"auth\", Basic realm=\"b\""
        server.setRoute(
            "/door", .guarded(authorization: authorization, challenge: both, .respond(.text("in"))))
        let realms = EventLog<String>()
        manager.onTaskChallenge = { _, challenge in
            realms.add(challenge.protectionSpace.realm ?? "")
            return realms.entries.count == 1 ? .rejectProtectionSpace : Self.credential()
        }
        #expect(text(try await run(TransferRequest(url: server.url("/door")))) == "in")
        #expect(realms.entries == ["d", "b"])
    }

    @Test("A cancelling answer ends the task; an upload's body is sent again with the credentials")
    func cancelAndUpload() async throws {
        server.setRoute("/door", .guarded(authorization: authorization, .uploadSink()))
        manager.onTaskChallenge = { _, _ in .cancel }
        let refused = try await run(TransferRequest(url: server.url("/door")))
        #expect((refused.error as? SessionError)?.code == .cancelled)
        manager.onTaskChallenge = { _, _ in Self.credential() }
        let request = TransferRequest(
            url: server.url("/door"), method: "PUT", body: .bytes([UInt8](repeating: 7, count: 9_000)))
        #expect(try await run(request).head?.statusCode == 201)
        #expect(server.requests(for: "/door").last?.bodyByteCount == 9_000)
    }

    @Test("A download asks too and becomes the file")
    func download() async throws {
        let folder = try TemporaryFolder()
        server.setRoute("/door", .guarded(authorization: authorization, .file(seed: 4, count: 100_000)))
        manager.onTaskChallenge = { _, _ in Self.credential() }
        let task = try manager.downloadTask(
            with: TransferRequest(url: server.url("/door")),
            options: TaskOptions(target: DownloadTarget(folder: folder.path, name: .fixed("file"))),
            completionHandler: nil)
        task.resume()
        #expect(await task.completion().error == nil)
        #expect(folder.bytes(of: "file") == DeterministicContent(seed: 4, count: 100_000).bytes)
    }

    // MARK: - Bodies

    /// A descriptor that gives these bytes once.
    private func descriptor(_ text: String) throws -> OwnedDescriptor {
        let (reader, writer) = try BodyPipe.make()
        #expect(BodyPipe.write(ArraySlice(text.utf8), to: writer))
        return reader
    }

    /// A pipe that gives a text once the server has ended its first answer, for which libcurl waits a quarter of a second.
    ///
    /// The writing end is the thread's alone, so that it ends.
    private func lateDescriptor(_ text: String) throws -> OwnedDescriptor {
        let (reader, writer) = try BodyPipe.make()
        Thread.detachNewThread { [server] in
            _ = server.waitForFinishedRequests(count: 1)
            _ = BodyPipe.write(ArraySlice(text.utf8), to: writer)
        }
        return reader
    }

    private func upload(_ body: Int32, _ path: String) -> TransferRequest {
        TransferRequest(url: server.url(path), method: "PUT", body: .descriptor(body))
    }

    @Test("E05 KB40: a body that was read is made anew for a redirect")
    func freshBody() async throws {
        server.setRoute("/old", .redirect(to: "/new", status: 307))
        server.setRoute("/new", .uploadSink())
        let first = try descriptor("first")
        let second = try descriptor("again")
        manager.onNeedNewBody = { _ in .descriptor(second.descriptor) }
        let completion = try await run(upload(first.descriptor, "/old"))
        #expect(completion.error == nil && completion.head?.statusCode == 201)
        let recorded = try #require(server.requests(for: "/new").first)
        #expect(String(decoding: recorded.bodyPrefix, as: UTF8.self) == "again")
    }

    @Test(
        "A body that can be read once follows where nothing of it was read",
        arguments: ["417", "307", "digest", "413"])
    func unread(answer: String) async throws {
        let isIn: @Sendable (RecordedRequest) -> Bool = { request in
            switch answer {
            case "417": request.header("Expect") == nil
            case "digest": request.header("Authorization")?.hasPrefix("Digest ") == true
            default: false
            }
        }
        var refusal = ScriptedResponse.text("", status: Int(answer) ?? 401)
        refusal.headers["WWW-Authenticate"] = "Digest realm=\"r\", nonce=\"n\", qop=\"auth\""
        refusal.headers["Location"] = "/new"
        server.setRoute("/new", .uploadSink())
        server.setRoute("/old", .choosing { [refusal] in isIn($0) ? .uploadSink() : .refusing(refusal) })
        let text = String(repeating: "once ", count: 20_000)
        let reader = try lateDescriptor(text)
        // The task reads the descriptor until its end.
        defer { withExtendedLifetime(reader) {} }
        var request = upload(reader.descriptor, "/old")
        request.options = RequestOptions()
        request.options?.credentials = RequestCredentials(user: "me", password: "pw", scheme: .digest)
        let completion = try await run(request)
        guard answer != "413" else {
            #expect(completion.head?.statusCode == 413 && server.requests.count == 1)
            return
        }
        #expect(completion.error == nil && completion.head?.statusCode == 201)
        #expect(server.requests.map(\.bodyByteCount) == [0, Int64(text.utf8.count)])
    }

    @Test("E05: without a fresh body the task fails and says why")
    func noFreshBody() async throws {
        server.setRoute("/old", .redirect(to: "/new", status: 307))
        server.setRoute("/new", .uploadSink())
        let first = try descriptor("first")
        let second = try descriptor("second")
        let alone = try await run(upload(first.descriptor, "/old"))
        #expect((alone.error as? SessionError)?.code == .notReplayable)
        manager.onNeedNewBody = { _ in nil }
        let asked = try await run(upload(second.descriptor, "/old"))
        #expect((asked.error as? SessionError)?.code == .notReplayable)
        #expect(server.requests(for: "/new").isEmpty)
    }

    @Test("E05: a body that was read is made anew after credentials were asked for")
    func freshBodyForCredentials() async throws {
        server.setRoute("/door", .guarded(authorization: authorization, .uploadSink()))
        manager.onTaskChallenge = { _, _ in Self.credential() }
        manager.onNeedNewBody = { _ in .bytes(Array("fresh".utf8)) }
        let first = try descriptor("first")
        #expect(try await run(upload(first.descriptor, "/door")).head?.statusCode == 201)
        let recorded = try #require(server.requests(for: "/door").last)
        #expect(String(decoding: recorded.bodyPrefix, as: UTF8.self) == "fresh")
    }
}
