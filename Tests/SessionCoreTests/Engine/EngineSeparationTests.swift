import LoopbackServer
import SessionSupport
import Testing

@testable import SessionCore

/// Tasks of one session that show different credentials, over connections that are kept.
@Suite("Tasks apart", .timeLimit(.minutes(1)))
struct EngineSeparationTests {
    private func server() throws -> LoopbackServer {
        let server = LoopbackServer()
        try server.start()
        return server
    }

    private func request(
        _ url: String, _ user: String? = nil, _ scheme: RequestCredentials.Scheme = .basic
    ) -> TransferRequest {
        var request = TransferRequest(url: url)
        guard let user else { return request }
        var options = RequestOptions()
        options.credentials = RequestCredentials(user: user, password: user + "-secret", scheme: scheme)
        request.options = options
        return request
    }

    @Test("Digest that was shown to one host is shown to no other one, and to nobody who did not name it")
    func digestElsewhere() throws {
        let (first, second) = (try server(), try server())
        let harness = try EngineHarness()
        var refusal = ScriptedResponse(401)
        refusal.headers["WWW-Authenticate"] = "Digest realm=\"r\", nonce=\"n\", qop=\"auth\", algorithm=MD5"
        let door = Behaviour.choosing { [refusal] request in
            request.header("Authorization") == nil ? .respond(refusal) : .respond(.text("in"))
        }
        for server in [first, second] {
            server.setRoute("/door", door)
            server.setRoute("/open", .respond(.text("open")))
        }
        let opened = try #require(harness.outcome(of: harness.add(request(first.url("/door"), "me", .digest))))
        #expect(opened.head?.statusCode == 200)
        #expect(first.requests.last?.header("Authorization")?.hasPrefix("Digest ") == true)
        for (server, path) in [(second, "/open"), (second, "/door"), (first, "/open"), (first, "/door")] {
            _ = try #require(harness.outcome(of: harness.add(request(server.url(path)))))
            #expect(server.requests(for: path).last?.header("Authorization") == nil, "\(path)")
        }
    }

    @Test("Two users at one host show each his own credentials, over the same connections")
    func twoUsers() throws {
        let server = try server()
        let harness = try EngineHarness { $0.maximumConcurrentTransfers = 2 }
        let users = ["alice", "bob"]
        var wanted: [String: String] = [:]
        for user in users {
            let field = "Basic " + Base64.encode(Array("\(user):\(user)-secret".utf8))
            wanted[user] = field
            server.setRoute("/\(user)", .guarded(authorization: field, .respond(.text(user))))
        }
        for _ in 0..<20 {
            let tasks = users.map { user in (user, harness.add(request(server.url("/\(user)"), user))) }
            for (_, id) in tasks { harness.resume(id) }
            for (user, id) in tasks {
                let outcome = try #require(harness.outcome(of: id, resuming: false))
                #expect(String(decoding: outcome.body, as: UTF8.self) == user)
            }
        }
        for user in users {
            let shown = server.requests(for: "/\(user)").map { $0.header("Authorization") }
            #expect(shown.count == 20 && shown.allSatisfy { $0 == wanted[user] }, "\(user)")
        }
        let connections = Set(server.requests.map(\.connectionID))
        #expect(connections.count <= 2, "connections are kept: \(connections.count)")
    }

    @Test(
        "An upload whose connection breaks in its middle is sent again from its beginning, if its method allows it",
        arguments: [("PUT", true), ("POST", false)])
    func cutUpload(method: String, isRepeated: Bool) throws {
        let server = try server()
        let harness = try EngineHarness()
        let content = DeterministicContent(seed: 5, count: 12_000_000).bytes
        var policy = UploadPolicy()
        policy.delivery.cut = Cut(after: 1_200_000, manner: .reset)
        let sink = Behaviour.respond(.text("taken"))
        server.setRoute("/a", .sequence([sink.receiving(policy), sink]))
        let request = TransferRequest(url: server.url("/a"), method: method, body: .bytes(content))
        let outcome = try #require(harness.outcome(of: harness.add(request, kind: .upload)))
        let recorded = server.requests(for: "/a")
        #expect((outcome.error == nil) == isRepeated)
        #expect(recorded.count == (isRepeated ? 2 : 1))
        #expect(recorded.first?.bodyIsComplete == false)
        if isRepeated {
            #expect(recorded.last?.bodyChecksum == BodyChecksum(of: content))
            #expect(recorded.last?.header("Content-Range") == nil)
        }
    }
}
