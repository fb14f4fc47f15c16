import Foundation
import FoundationNetworking
import LoopbackServer
import SessionSupport
import Testing

@testable import SessionCore

/// Proxies that want to know who asks, with the real engine on loopback.
@Suite("Challenges of proxies", .timeLimit(.minutes(1)))
struct ProxyChallengeTests {
    private let server = LoopbackServer()
    private let seen = EventLog<String>()
    private let basic = "Basic dTpw"

    init() throws { try server.start() }

    private func makeManager(_ proxy: String, _ change: (inout RequestOptions) -> Void = { _ in }) throws
        -> SessionManager
    {
        var configuration = SessionConfiguration()
        configuration.options = RequestOptions()
        configuration.options?.proxies = ProxySettings(try Proxy(proxy))
        if var options = configuration.options {
            change(&options)
            configuration.options = options
        }
        let manager = SessionManager(configuration: configuration)
        manager.postsNotifications = false
        manager.responseSerializer = DataResponseSerializer()
        return manager
    }

    private func answer(_ manager: SessionManager, _ response: @escaping @Sendable (String) -> ChallengeResponse) {
        manager.onTaskChallenge = { [seen] _, challenge in
            guard case .credentials(let scheme, let isProxy) = challenge.kind else { return .performDefault }
            let space = challenge.protectionSpace
            seen.add(
                "\(isProxy ? "proxy" : "server") \(scheme) \(space.isProxy()) \(space.host):\(space.port) "
                    + "\(space.realm ?? "-") \(challenge.previousFailureCount)")
            return response(scheme)
        }
    }

    private static func credential(_ password: String = "p") -> ChallengeResponse {
        .use(URLCredential(user: "u", password: password, persistence: .forSession))
    }

    private func run(_ manager: SessionManager, _ url: String) async throws -> TaskCompletion {
        let task = try manager.dataTask(with: TransferRequest(url: url), completionHandler: nil)
        task.resume()
        return await task.completion()
    }

    private func demand(_ offers: String...) -> ScriptedResponse {
        var response = ScriptedResponse.text("who?", status: 407)
        for offer in offers { response.headers.append("Proxy-Authenticate", offer) }
        return response
    }

    @Test("E04: a proxy that reads requests is shown what the closure says, once for the session")
    func plainProxy() async throws {
        let demand = demand("Basic realm=\"house\"")
        server.setRoute("/x") { [basic] request in
            request.header("Proxy-Authorization") == basic ? .text("in") : demand
        }
        let manager = try makeManager("http://127.0.0.1:\(server.port)")
        answer(manager) { _ in Self.credential() }
        for _ in 0..<3 {
            let completion = try await run(manager, "http://h.example/x")
            #expect(completion.error == nil && completion.body == Array("in".utf8))
        }
        #expect(seen.entries == ["proxy Basic true 127.0.0.1:\(server.port) house 0"])
        #expect(server.requests.map { $0.header("Proxy-Authorization") } == [nil, basic, basic, basic])
        #expect(server.requests.allSatisfy { $0.header("Authorization") == nil })
    }

    @Test("Digest comes before Basic, and a proxy that calls a number stale gets the next one unasked")
    func digest() async throws {
        let stale = demand("Digest realm=\"house\", nonce=\"n2\", stale=true, qop=\"auth\"")
        let demand = demand("Basic realm=\"house\"", "Digest realm=\"house\", nonce=\"n1\", qop=\"auth\"")
        server.setRoute("/x") { request in
            let field = request.header("Proxy-Authorization") ?? ""
            if field.contains("nonce=\"n2\"") { return .text("in") }
            return field.contains("nonce=\"n1\"") ? stale : demand
        }
        let manager = try makeManager("http://127.0.0.1:\(server.port)")
        answer(manager) { _ in Self.credential() }
        #expect(try await run(manager, "http://h.example/x?a=1").body == Array("in".utf8))
        #expect(seen.entries.count == 1 && seen.entries[0].hasPrefix("proxy Digest true"))
        let fields = server.requests.compactMap { $0.header("Proxy-Authorization") }
        #expect(fields.count == 2 && fields.allSatisfy { $0.contains("uri=\"http://h.example/x?a=1\"") })
        let response = DigestAuthorization.Action(method: "GET", target: "http://h.example/x?a=1", body: .none)
        let offer = AuthenticationOffer(
            scheme: "Digest", parameters: ["realm": "house", "nonce": "n2", "qop": "auth", "stale": "true"])
        let nonce = try #require(fields[1].firstMatch(of: /cnonce="([^"]+)"/)).1
        let expected = HTTPCredentials(offer: offer, user: "u", password: "p")
            .field(for: response, count: 1, clientNonce: String(nonce))
        #expect(fields[1] == expected)
    }

    @Test(
        "Transfers whose number a proxy calls stale at one moment all take the next one",
        arguments: [true, false])
    func staleTogether(comesToRest: Bool) async throws {
        let gate = try server.gate(named: "both")
        let stale = demand("Digest realm=\"house\", nonce=\"n2\", stale=true, qop=\"auth\"")
        let demand = demand("Digest realm=\"house\", nonce=\"n1\", qop=\"auth\"")
        let isFirst: @Sendable (RecordedRequest) -> Bool = {
            $0.header("Proxy-Authorization")?.contains("nonce=\"n1\"") == true
        }
        server.setRoute("/first") { isFirst($0) ? .text("in") : demand }
        server.setRoute(
            "/x",
            .choosing { request in
                if isFirst(request) { return .respond(stale).waiting(for: gate) }
                return .respond(comesToRest ? .text("in") : stale)
            })
        let manager = try makeManager("http://me:pw@127.0.0.1:\(server.port)")
        #expect(try await run(manager, "http://h.example/first").body == Array("in".utf8))
        let tasks = try (0..<2).map { _ in
            try manager.dataTask(with: TransferRequest(url: "http://h.example/x"), completionHandler: nil)
        }
        for task in tasks { task.resume() }
        #expect(gate.waitForArrivals(2))
        gate.release()
        for task in tasks {
            let completion = await task.completion()
            #expect(completion.head?.statusCode == (comesToRest ? 200 : 407))
        }
    }

    @Test("A proxy that offers Digest gets it for the name that it was given, and once for the session")
    func ownDigest() async throws {
        let demand = demand("Basic realm=\"house\"", "Digest realm=\"house\", nonce=\"n1\", qop=\"auth\"")
        server.setRoute("/x") { request in
            (request.header("Proxy-Authorization") ?? "").hasPrefix("Digest username=\"me\"") ? .text("in") : demand
        }
        let manager = try makeManager("http://me:pw@127.0.0.1:\(server.port)")
        for _ in 0..<2 {
            #expect(try await run(manager, "http://h.example/x").body == Array("in".utf8))
        }
        let shown = server.requests.map { $0.header("Proxy-Authorization").map { String($0.prefix(6)) } }
        #expect(shown == ["Basic ", "Digest", "Digest"])
        #expect(server.requests.last?.header("Proxy-Authorization")?.contains("nc=00000002") == true)
    }

    @Test("A wrong name and password are tried as Digest once, and the 407 is the answer")
    func wrongDigest() async throws {
        server.setRoute("/x", .respond(demand("Digest realm=\"house\", nonce=\"n1\", qop=\"auth\"")))
        let manager = try makeManager("http://me:pw@127.0.0.1:\(server.port)")
        #expect(try await run(manager, "http://h.example/x").head?.statusCode == 407)
        let shown = server.requests.map { $0.header("Proxy-Authorization").map { String($0.prefix(6)) } }
        #expect(shown == ["Basic ", "Digest"])
    }

    @Test("Left to the default, and after three refusals, the 407 is the answer; a server's 407 is one anyway")
    func declined() async throws {
        server.setRoute("/x", .respond(demand("Basic realm=\"house\"")))
        let manager = try makeManager("http://127.0.0.1:\(server.port)")
        answer(manager) { _ in .performDefault }
        let completion = try await run(manager, "http://h.example/x")
        #expect(completion.head?.statusCode == 407 && completion.body == Array("who?".utf8))
        answer(manager) { _ in Self.credential("wrong") }
        #expect(try await run(manager, "http://h.example/x").head?.statusCode == 407)
        #expect(seen.entries.compactMap { $0.last } == ["0", "0", "1", "2"])
        answer(manager) { _ in .cancel }
        #expect((try await run(manager, "http://h.example/x").error as? SessionError)?.code == .cancelled)
        let direct = SessionManager()
        answer(direct) { _ in Self.credential() }
        direct.responseSerializer = DataResponseSerializer()
        #expect(try await run(direct, server.url("/x")).head?.statusCode == 407)
        #expect(seen.entries.count == 5)
    }

    @Test("A server behind a proxy asks for its own credentials, and neither sees the other's")
    func both() async throws {
        let demand = demand("Basic realm=\"house\"")
        server.setRoute("/x") { [basic] request in
            guard request.header("Proxy-Authorization") == basic else { return demand }
            guard request.header("Authorization") == "Basic czpxdWVlbg==" else {
                var response = ScriptedResponse.text("no", status: 401)
                response.headers["WWW-Authenticate"] = "Basic realm=\"hall\""
                return response
            }
            return .text("in")
        }
        let manager = try makeManager("http://127.0.0.1:\(server.port)")
        manager.onTaskChallenge = { _, challenge in
            challenge.protectionSpace.isProxy()
                ? Self.credential() : .use(URLCredential(user: "s", password: "queen", persistence: .none))
        }
        #expect(try await run(manager, "http://h.example/x").body == Array("in".utf8))
        let seen = server.requests.map { [$0.header("Proxy-Authorization"), $0.header("Authorization")] }
        #expect(seen == [[nil, nil], [basic, nil], [basic, "Basic czpxdWVlbg=="]])
    }

    @Test("A body is sent again behind a proxy's question")
    func upload() async throws {
        let demand = demand("Basic realm=\"house\"")
        server.setRoute("/x") { [basic] request in
            request.header("Proxy-Authorization") == basic
                ? .text(String(decoding: request.bodyPrefix, as: UTF8.self)) : demand
        }
        let manager = try makeManager("http://127.0.0.1:\(server.port)")
        answer(manager) { _ in Self.credential() }
        var request = TransferRequest(url: "http://h.example/x", method: "POST")
        request.headers["Expect"] = ""
        let completion = try await manager.upload(for: request, from: Data("body".utf8))
        #expect(completion.body == Array("body".utf8) && seen.entries.count == 1)
    }

    // MARK: - Tunnels

    @Test(
        "A tunnel is asked for again with what the closure says, and other tasks need neither question nor tunnel",
        .enabled(if: OpenSSLServer.isAvailable), arguments: ["Basic", "Digest"])
    func tunnel(scheme: String) async throws {
        let secure = try OpenSSLServer(.init(hasAuthority: true), keepsAlive: true)
        let offer = scheme == "Basic" ? "Basic realm=\"house\"" : "Digest realm=\"house\", nonce=\"n\", qop=\"auth\""
        let refusal =
            "HTTP/1.1 407 Who\r\nProxy-Authenticate: \(offer)\r\nContent-Length: 4\r\nConnection: close\r\n\r\nwho?"
        let tunnel = try LoopbackTunnel(to: try #require(UInt16(secure.url.split(separator: ":")[2].dropLast()))) {
            $0.contains("Proxy-Authorization: \(scheme) ") ? nil : refusal
        }
        let manager = try makeManager("http://127.0.0.1:\(tunnel.port)") {
            $0.authorities = AuthorityFiles(file: secure.folder.path + "/authority.pem")
        }
        answer(manager) { _ in Self.credential() }
        for _ in 0..<3 {
            let completion = try await run(manager, secure.url)
            #expect(completion.error == nil && completion.head?.statusCode == 200)
            #expect(completion.head?.headers["Proxy-Authenticate"] == nil)
            #expect(completion.body == Array("ok".utf8))
        }
        #expect(seen.entries == ["proxy \(scheme) true 127.0.0.1:\(tunnel.port) house 0"])
        // One refused, one whose handshake was broken off to ask about the chain, one for all.
        #expect(tunnel.requests.count == 3 && secure.answerCount == 3)
        let authority = String(secure.url.dropFirst(8).dropLast())
        if scheme == "Digest" { #expect(tunnel.requests[1].contains("uri=\"\(authority)\"")) }
        #expect(!secure.hasReceived("Proxy-Authorization"))
    }

    @Test(
        "A tunnel's proxy that offers Digest gets it for the name that it was given",
        .enabled(if: OpenSSLServer.isAvailable))
    func ownDigestOfTunnel() async throws {
        let secure = try OpenSSLServer(.init(hasAuthority: true), keepsAlive: true)
        let refusal =
            "HTTP/1.1 407 Who\r\nProxy-Authenticate: Digest realm=\"house\", nonce=\"n\", qop=\"auth\"\r\n"
            + "Content-Length: 4\r\nConnection: close\r\n\r\nwho?"
        let tunnel = try LoopbackTunnel(to: try #require(UInt16(secure.url.split(separator: ":")[2].dropLast()))) {
            $0.contains("Proxy-Authorization: Digest ") ? nil : refusal
        }
        let manager = try makeManager("http://me:pw@127.0.0.1:\(tunnel.port)") {
            $0.authorities = AuthorityFiles(file: secure.folder.path + "/authority.pem")
        }
        let completion = try await run(manager, secure.url)
        #expect(completion.error == nil && completion.body == Array("ok".utf8))
        #expect(tunnel.requests.count == 2 && !secure.hasReceived("Proxy-Authorization"))
    }

    @Test("A tunnel that is refused in the end says what the proxy wants, and shows no secret")
    func refusedTunnel() async throws {
        let refusal = "HTTP/1.1 407 Who\r\nProxy-Authenticate: Basic realm=\"house\"\r\nContent-Length: 0\r\n\r\n"
        let tunnel = try LoopbackTunnel(to: 1, refusing: refusal)
        let manager = try makeManager("http://127.0.0.1:\(tunnel.port)")
        answer(manager) { _ in Self.credential("open sesame") }
        let error = try await run(manager, "https://h.example/").error as? SessionError
        #expect(error?.statusCode == 407 && error?.message.contains("Proxy authentication required") == true)
        #expect(!String(reflecting: error).contains("sesame"))
        #expect(seen.entries.compactMap { $0.last } == ["0", "1", "2"] && tunnel.requests.count == 4)
        answer(manager) { _ in .performDefault }
        #expect((try await run(manager, "https://h.example/").error as? SessionError)?.statusCode == 407)
        answer(manager) { _ in .cancel }
        #expect((try await run(manager, "https://h.example/").error as? SessionError)?.code == .cancelled)
        answer(manager) { _ in .rejectProtectionSpace }
        #expect((try await run(manager, "https://h.example/").error as? SessionError)?.statusCode == 407)
    }
}
