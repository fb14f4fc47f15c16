import Foundation
import FoundationNetworking
import LoopbackServer
import SessionSupport
import Testing

@testable import SessionCore

/// Servers that want a certificate of this side, with real handshakes on loopback.
@Suite(
    "Client certificates that closures give", .timeLimit(.minutes(1)), .serialized,
    .enabled(if: OpenSSLServer.isAvailable))
struct ClientCertificateTests {
    private let asked = EventLog<String>()
    private let seenTrust = EventLog<String>()

    /// A server that answers only those who show a certificate of its authority.
    private func makeServer(_ options: [String] = []) throws -> OpenSSLServer {
        try OpenSSLServer(
            .init(hasAuthority: true, asksForCertificate: true, options: options + ["-msg"]), keepsAlive: true)
    }

    private func makeManager(_ server: OpenSSLServer) -> SessionManager {
        var configuration = SessionConfiguration()
        configuration.connectTimeout = 30
        configuration.options = RequestOptions()
        configuration.options?.authorities = AuthorityFiles(file: server.folder.path + "/authority.pem")
        let manager = SessionManager(configuration: configuration)
        manager.postsNotifications = false
        manager.responseSerializer = DataResponseSerializer()
        return manager
    }

    private func certificate(_ server: OpenSSLServer) -> ClientCertificate {
        ClientCertificate(file: server.folder.path + "/server.pem", keyFile: server.folder.path + "/server.key")
    }

    /// Answers every question for a certificate, and records both kinds.
    private func answer(_ manager: SessionManager, _ response: @escaping @Sendable () -> ChallengeResponse) {
        manager.onTaskChallenge = { [asked, seenTrust] _, challenge in
            switch challenge.kind {
            case .serverTrust(let trust):
                seenTrust.add(trust.host)
                return .performDefault
            case .credentials: return .cancel
            case .clientCertificate(let issuers):
                let space = challenge.protectionSpace
                asked.add("\(space.authenticationMethod) \(space.host) \(issuers.joined(separator: ";"))")
                return response()
            }
        }
    }

    private func run(_ manager: SessionManager, _ url: String) async throws -> SessionError? {
        let task = try manager.dataTask(with: TransferRequest(url: url), completionHandler: nil)
        task.resume()
        return await task.completion().error as? SessionError
    }

    @Test(
        "E04: the closure is asked once for a session, and each connection has one handshake",
        arguments: ["-tls1_2", "-tls1_3"])
    func askedOnce(version: String) async throws {
        let server = try makeServer([version])
        let tunnel = try LoopbackTunnel(to: try #require(UInt16(server.url.split(separator: ":")[2].dropLast())))
        let manager = makeManager(server)
        let certificate = certificate(server)
        answer(manager) { .show(certificate) }
        var request = TransferRequest(url: server.url)
        request.options = RequestOptions()
        request.options?.proxies = ProxySettings(try Proxy("127.0.0.1:\(tunnel.port)"))
        for _ in 0..<5 {
            let task = try manager.dataTask(with: request, completionHandler: nil)
            task.resume()
            let completion = await task.completion()
            #expect(completion.error == nil && completion.body == Array("ok".utf8))
        }
        #expect(
            asked.entries == ["NSURLAuthenticationMethodClientCertificate 127.0.0.1 CN=Test authority"])
        #expect(seenTrust.entries == ["127.0.0.1"])
        // One that was broken off to ask about the chain, one to ask for the certificate, and the one that served all.
        #expect(tunnel.requests.count == 3 && server.answerCount == 5)
        #expect(server.count(of: "ClientHello", atLeast: 3) == 3)
    }

    @Test("E11: what a server sent for a closure's certificate is no answer for a manager that shows none")
    func cached() async throws {
        // One that stays on a connection would leave the other manager waiting.
        let server = try OpenSSLServer(.init(hasAuthority: true, asksForCertificate: true))
        let cache = URLResponseCache(URLCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil))
        let (shows, other) = (makeManager(server), makeManager(server))
        let certificate = certificate(server)
        answer(shows) { .show(certificate) }
        var request = TransferRequest(url: server.url)
        request.cachePolicy = .returnCacheDataElseLoad
        var areCached: [Bool] = []
        for manager in [shows, other, shows, shows, other] {
            manager.responseCache = cache
            let task = try manager.dataTask(with: request, completionHandler: nil)
            task.resume()
            let completion = await task.completion()
            areCached.append(completion.isFromCache)
            if manager === other { #expect(completion.error != nil) }
        }
        // Nobody knows before the first handshake that the server asks for one.
        #expect(areCached == [false, false, false, true, false])
    }

    @Test("Twenty requests at once with every closure set ask once, and each connection has one handshake")
    func manyRequests() async throws {
        // This server ends each connection behind its answer.
        let server = try OpenSSLServer(.init(hasAuthority: true, asksForCertificate: true, options: ["-msg"]))
        let tunnel = try LoopbackTunnel(to: try #require(UInt16(server.url.split(separator: ":")[2].dropLast())))
        let manager = makeManager(server)
        let certificate = certificate(server)
        answer(manager) { .show(certificate) }
        manager.onRedirect = { _, _, request in request }
        manager.onResponse = { _, _ in .allow }
        manager.onData = { _, _ in }
        var request = TransferRequest(url: server.url)
        request.options = RequestOptions()
        request.options?.proxies = ProxySettings(try Proxy("127.0.0.1:\(tunnel.port)"))
        let tasks = try (0..<20).map { _ in try manager.dataTask(with: request, completionHandler: nil) }
        for task in tasks { task.resume() }
        for task in tasks { #expect(await task.completion().error == nil) }
        #expect(asked.entries.count == 1 && seenTrust.entries.count == 1)
        let connections = tunnel.requests.count
        #expect(server.count(of: "ClientHello", atLeast: connections) == connections)
        // Those that met the question before its answer was there have begun again, at most once for each of the two.
        #expect((22...60).contains(connections), "\(connections)")
    }

    @Test("A certificate comes from files, from bytes, with the password of its key, and as PKCS #12")
    func forms() async throws {
        let server = try makeServer()
        let folder = server.folder.path
        try OpenSSLServer.run(
            ["ec", "-in", folder + "/server.key", "-aes256", "-passout", "pass:open sesame", "-out"]
                + [folder + "/locked.key"])
        try OpenSSLServer.run(
            ["pkcs12", "-export", "-inkey", folder + "/server.key", "-in", folder + "/server.pem", "-passout"]
                + ["pass:open sesame", "-out", folder + "/server.p12"])
        func bytes(_ name: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name)) }
        let forms = [
            certificate(server),
            ClientCertificate(data: try bytes("server.pem"), keyData: try bytes("server.key")),
            ClientCertificate(data: try bytes("server.pem") + bytes("server.key")),
            ClientCertificate(
                data: try bytes("server.pem"), keyData: try bytes("locked.key"), password: "open sesame"),
            ClientCertificate(
                file: folder + "/server.pem", keyFile: folder + "/locked.key", password: "open sesame"),
            ClientCertificate(file: folder + "/server.p12", password: "open sesame", format: .pkcs12),
            ClientCertificate(data: try bytes("server.p12"), password: "open sesame", format: .pkcs12),
        ]
        for form in forms {
            let manager = makeManager(server)
            answer(manager) { .show(form) }
            #expect(try await run(manager, server.url) == nil, "\(form)")
            manager.invalidate(cancellingTasks: true)
        }
        #expect(asked.entries.count == forms.count)
    }

    @Test("What cannot be shown is an error, and the next task asks again")
    func unusable() async throws {
        let server = try makeServer()
        let folder = server.folder.path
        try OpenSSLServer.run(
            ["ec", "-in", folder + "/server.key", "-aes256", "-passout", "pass:right", "-out", folder + "/locked.key"])
        let manager = makeManager(server)
        let answers = Locked<[ChallengeResponse]>([
            .show(ClientCertificate(file: folder + "/server.pem", keyFile: folder + "/locked.key", password: "wrong")),
            .show(ClientCertificate(file: folder + "/server.pem", keyFile: folder + "/authority.key")),
            .performDefault, .cancel, .fail(SessionError(.authenticationRequired, "No card in the reader")),
            .show(certificate(server)),
        ])
        answer(manager) { answers.withLock { $0.removeFirst() } }
        let locked = try await run(manager, server.url)
        #expect(
            locked?.code == .tls
                && locked?.message == TrustErrors.passphraseWrong("127.0.0.1"))
        #expect(String(reflecting: locked).contains("wrong\"") == false)
        let foreign = try await run(manager, server.url)
        #expect(foreign?.code == .tls && foreign?.message == TrustErrors.clientCertificateUnreadable)
        let none = try await run(manager, server.url)
        #expect(none?.code == .tls && none?.message == TrustErrors.clientCertificateRequired("127.0.0.1"))
        #expect(try await run(manager, server.url)?.code == .cancelled)
        #expect(try await run(manager, server.url)?.message == "No card in the reader")
        #expect(server.answerCount == 0)
        #expect(try await run(manager, server.url) == nil)
        #expect(asked.entries.count == 6 && seenTrust.entries.count == 1)
    }

    @Test("A certificate that nobody there believes is refused, and asked for again")
    func refused() async throws {
        let server = try makeServer()
        let stranger = try OpenSSLServer(.init(hasAuthority: true))
        let manager = makeManager(server)
        let answers = Locked([ChallengeResponse.show(certificate(stranger)), .show(certificate(server))])
        answer(manager) { answers.withLock { $0.removeFirst() } }
        let error = try await run(manager, server.url)
        #expect(error?.code == .tls, "\(String(describing: error))")
        #expect(try await run(manager, server.url) == nil)
        #expect(asked.entries.count == 2)
    }

    @Test("A certificate that a closure gave is shown on every connection of a transfer")
    func furtherConnections() throws {
        let harness = try EngineHarness()
        let url = "https://127.0.0.1:1/f"
        let id = harness.add(TransferRequest(url: url)) { $0.questions = .challenge }
        let given = ClientCertificate(file: "/certificate")
        let shown = EventLog<Bool>()
        harness.engine.run { core in
            guard let transfer = core.transfer(id), let origin = try? Origin(url) else { return }
            let rules = TrustSettings.Rules().poolKey
            _ = core.trustMemory.remember(
                .shows(given), about: TrustMemory.Subject(certificateFor: origin, rules: rules))
            let target = RequestTarget(transfer.request, original: transfer.request, nil)
            for role in [AttemptRole.lead, .branch, .part, .probe] {
                guard let message = try? transfer.makeMessage(to: target),
                    let plan = try? transfer.plan(role, message, role == .lead ? nil : target, nil)
                else { continue }
                shown.add(plan.connection?.clientCertificate == given)
            }
        }
        harness.waitForLoop()
        #expect(shown.entries == [true, true, true, true])
    }

    @Test("The session's closure is asked first, and leaves it to the task's")
    func bothClosures() async throws {
        let server = try makeServer()
        let manager = makeManager(server)
        let certificate = certificate(server)
        let order = EventLog<String>()
        manager.onSessionChallenge = { challenge in
            if case .clientCertificate = challenge.kind { order.add("session") }
            return .performDefault
        }
        manager.onTaskChallenge = { _, _ in
            order.add("task")
            return .show(certificate)
        }
        #expect(try await run(manager, server.url) == nil)
        #expect(order.entries == ["session", "task"])
        manager.onSessionChallenge = { challenge in
            if case .clientCertificate = challenge.kind { order.add("session alone") }
            return .show(certificate)
        }
        manager.invalidate(cancellingTasks: true, resettingSession: true)
        #expect(try await run(manager, server.url) == nil)
        #expect(order.entries == ["session", "task", "session alone"])
    }

    @Test("A configured certificate is shown without a question, and a server that wants none gets none")
    func configured() async throws {
        let server = try makeServer()
        let plain = try OpenSSLServer(.init(hasAuthority: true), keepsAlive: true)
        let manager = makeManager(server)
        answer(manager) { .cancel }
        var request = TransferRequest(url: server.url)
        request.options = RequestOptions()
        request.options?.clientCertificate = certificate(server)
        let task = try manager.dataTask(with: request, completionHandler: nil)
        task.resume()
        #expect(await task.completion().error == nil && asked.entries.isEmpty)
        let other = makeManager(plain)
        answer(other) { .cancel }
        #expect(try await run(other, plain.url) == nil && asked.entries.isEmpty)
    }

    @Test("Whoever prints or dumps a request, its options or a failure sees no secret")
    func secrets() throws {
        let certificate = ClientCertificate(bytes: [1], keyBytes: [42, 43], password: "open sesame")
        var request = TransferRequest(
            url: "https://h.example/",
            headers: ["Authorization": "Bearer sesame", "X-API-Key": "sesame", "Accept": "text/plain"])
        request.options = RequestOptions()
        request.options?.clientCertificate = certificate
        request.options?.credentials = RequestCredentials(user: "ali", password: "sesame")
        request.options?.proxies = ProxySettings(try Proxy("http://me:sesame@127.0.0.1:1"))
        let failure = FailedRequest(request: request, error: SessionError(.http, "No"), attempt: 1)
        let values: [Any] = [certificate, ChallengeResponse.show(certificate), request, failure]
        for value in values {
            var dumped = ""
            dump(value, to: &dumped)
            for text in [dumped, "\(value)", String(reflecting: value)] {
                #expect(!text.contains("sesame") && !text.contains("42"), "\(text)")
            }
        }
        #expect("\(request)".contains("Accept: text/plain"))
    }
}
