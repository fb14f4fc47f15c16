import Foundation
import FoundationNetworking
import LoopbackServer
import Testing

@testable import SessionCore

extension ScriptedResponse {
    fileprivate static func redirectAnswer(to path: String) -> ScriptedResponse {
        var answer = ScriptedResponse.text("", status: 302)
        answer.headers["Location"] = path
        return answer
    }
}

/// E11: managers that share a cache get no response that is somebody else's.
@Suite("Senders that share a response cache", .timeLimit(.minutes(1)))
struct CacheSenderTests {
    /// The ways in which a request says whose it is.
    enum Way: String, CaseIterable {
        case options, session, url, additionalField, ownField, challenge, cookies
    }

    private let server = LoopbackServer()
    private let cache = URLResponseCache(URLCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil))

    init() throws {
        try server.start()
        server.setRoute("/me") { request in
            guard let shown = request.header("Authorization") ?? request.header("Cookie") ?? request.header("X-Api-Key")
            else {
                var refusal = ScriptedResponse.text("who?", status: 401)
                refusal.headers["WWW-Authenticate"] = "Basic realm=\"r\""
                return refusal
            }
            var answer = ScriptedResponse.text(shown)
            answer.headers["Cache-Control"] = "max-age=100"
            return answer
        }
    }

    private func makeManager(_ configuration: SessionConfiguration = .default) -> SessionManager {
        let manager = SessionManager(configuration: configuration)
        manager.postsNotifications = false
        manager.responseSerializer = DataResponseSerializer()
        manager.responseCache = cache
        return manager
    }

    private func makeManager(_ way: Way, _ name: String) -> SessionManager {
        var configuration = SessionConfiguration.default
        switch way {
        case .session:
            configuration.options = RequestOptions()
            configuration.options?.credentials = RequestCredentials(user: name, password: "x")
        case .additionalField: configuration.additionalHeaders.append(name: "Authorization", value: name)
        case .cookies:
            let jar = CookieJar()
            jar.store(["name=\(name)"], from: server.url("/me"))
            configuration.options = RequestOptions()
            configuration.options?.cookies = jar
        case .options, .url, .ownField, .challenge: break
        }
        let manager = makeManager(configuration)
        guard way == .challenge else { return manager }
        manager.onTaskChallenge = { _, _ in .use(URLCredential(user: name, password: "x", persistence: .none)) }
        return manager
    }

    private func run(_ manager: SessionManager, _ request: TransferRequest) async throws -> TaskCompletion {
        let task = try manager.dataTask(with: request, completionHandler: nil)
        task.resume()
        return await task.completion()
    }

    private func ask(_ manager: SessionManager, _ way: Way, _ name: String) async throws -> TaskCompletion {
        var request = TransferRequest(url: server.url("/me"))
        if way == .url { request.url = request.url.replacingOccurrences(of: "//", with: "//\(name):x@") }
        if way == .ownField { request.headers = ["X-Api-Key": name] }
        if way == .options {
            request.options = RequestOptions()
            request.options?.credentials = RequestCredentials(user: name, password: "x")
        }
        return try await run(manager, request)
    }

    @Test("A fresh response is used again by its own sender alone", arguments: Way.allCases)
    func fresh(way: Way) async throws {
        let (ada, bob) = (makeManager(way, "ada"), makeManager(way, "bob"))
        let first = try await ask(ada, way, "ada")
        #expect(first.head?.statusCode == 200)
        let second = try await ask(bob, way, "bob")
        #expect(second.head?.statusCode == 200 && !second.isFromCache && second.data != first.data)
        let again = try await ask(makeManager(way, "bob"), way, "bob")
        #expect(again.data == second.data)
        // Nobody knows before the challenge who will answer it.
        #expect(again.isFromCache == (way != .challenge))
        #expect(try await ask(ada, way, "ada").data == first.data)
    }

    @Test("A policy that takes any response takes none of another sender")
    func policies() async throws {
        _ = try await ask(makeManager(.cookies, "ada"), .cookies, "ada")
        var request = TransferRequest(url: server.url("/me"))
        request.cachePolicy = .returnCacheDataDontLoad
        let error = try await run(makeManager(.cookies, "bob"), request).error as? SessionError
        #expect(error?.code == .notFound)
        #expect(try await run(makeManager(.cookies, "ada"), request).isFromCache)
        request.cachePolicy = .returnCacheDataElseLoad
        #expect(try await !run(makeManager(.cookies, "bob"), request).isFromCache)
    }

    @Test("A response that a redirect's cookies have made somebody's is nobody else's")
    func redirected() async throws {
        server.setRoute("/home") { request in
            guard let name = request.header("Cookie") else { return .redirectAnswer(to: "/login") }
            var answer = ScriptedResponse.text(name)
            answer.headers["Cache-Control"] = "max-age=100"
            return answer
        }
        server.setRoute("/login") { _ in
            var answer = ScriptedResponse.redirectAnswer(to: "/home")
            answer.headers["Set-Cookie"] = "name=ada"
            return answer
        }
        var configuration = SessionConfiguration.default
        configuration.options = RequestOptions()
        configuration.options?.cookies = CookieJar()
        let request = TransferRequest(url: server.url("/home"))
        #expect(try await run(makeManager(configuration), request).data == Data("name=ada".utf8))
        let other = try await run(makeManager(), request)
        #expect(!other.isFromCache && other.data != Data("name=ada".utf8))
    }

    @Test("Cookies that came before a request was sent make its response nobody's; ones that came after do not")
    func newCookies() throws {
        let url = "http://host/news"
        var configuration = SessionConfiguration.default
        configuration.options = RequestOptions()
        let jar = CookieJar()
        configuration.options?.cookies = jar
        let request = TransferRequest(url: url)
        let head = ResponseHead(statusCode: 200, url: url)
        let before = CacheSender(of: request, configuration, certificate: nil)
        jar.store(["name=ada"], from: url)
        #expect(before.marked(head, sent: ["Cookie": "name=ada"]) == nil)
        #expect(before.marked(head, sent: [:]) != nil)
        #expect(CacheSender(of: request, configuration, certificate: nil, earlier: before) == before)
        let ada = CacheSender(of: request, configuration, certificate: nil)
        jar.store(["name=eve"], from: url)
        #expect(CacheSender(of: request, configuration, certificate: nil) != ada)
    }

    @Test("A password that a closure gave makes a response nobody's, also where options have another one")
    func answeredBesideOptions() async throws {
        let ada = RequestCredentials(user: "ada", password: "x")
        let secret = "Basic " + Data("ada:x".utf8).base64EncodedString()
        server.setRoute("/ada") { request in
            var answer = ScriptedResponse.text("for ada")
            if request.header("Authorization") != secret {
                answer.status = 401
                answer.headers["WWW-Authenticate"] = "Basic realm=\"r\""
            }
            answer.headers["Cache-Control"] = "max-age=100"
            return answer
        }
        let asking = makeManager(.session, "bob")
        asking.onTaskChallenge = { _, _ in
            .use(URLCredential(user: ada.user, password: ada.password, persistence: .forSession))
        }
        let request = TransferRequest(url: server.url("/ada"))
        // The second one is answered from the session's credentials.
        for _ in 0..<2 {
            #expect(try await run(asking, request).head?.statusCode == 200)
            #expect(try await run(makeManager(.session, "bob"), request).head?.statusCode == 401)
        }
    }

    @Test("A response of a socket, or of another host, is none of the server that the URL names")
    func otherServers() async throws {
        let folder = try TemporaryFolder()
        let servers = try ["one", "two"].map { try LocalSocketServer(path: folder.path + "/" + $0) }
        let managers = servers.map { server in
            var configuration = SessionConfiguration.default
            configuration.options = RequestOptions()
            configuration.options?.unixSocket = server.path
            return makeManager(configuration)
        }
        var request = TransferRequest(url: "http://machine/info")
        request.cachePolicy = .returnCacheDataElseLoad
        for isAgain in [false, true] {
            #expect(try await run(managers[0], request).isFromCache == isAgain)
        }
        let other = try await run(managers[1], request)
        #expect(other.data == Data("here".utf8) && !other.isFromCache)
        request.cachePolicy = .returnCacheDataDontLoad
        #expect(try await !run(makeManager(), request).isFromCache)
        request.options = RequestOptions()
        request.options?.connections = [ConnectionEndpoint(host: "machine", port: nil, target: "127.0.0.1")]
        #expect(try await !run(makeManager(), request).isFromCache)
    }

    @Test("Another sender asks about the response by its tag, and not by its date")
    func validators() async throws {
        server.setRoute("/tagged") { request in
            var answer =
                request.header("If-None-Match") == nil
                ? ScriptedResponse.text("for all") : ScriptedResponse(304, framing: .unframed)
            answer.headers["ETag"] = "\"1\""
            answer.headers["Last-Modified"] = "Tue, 14 Nov 2023 22:13:10 GMT"
            answer.headers["Cache-Control"] = "max-age=100"
            return answer
        }
        let request = TransferRequest(url: server.url("/tagged"))
        _ = try await run(makeManager(.cookies, "ada"), request)
        for _ in 0..<2 {
            let completion = try await run(makeManager(.cookies, "bob"), request)
            #expect(completion.isFromCache && completion.data == Data("for all".utf8))
        }
        let sent = server.requests(for: "/tagged")
        #expect(sent.map { $0.header("If-None-Match") } == [nil, "\"1\""])
        #expect(sent.map { $0.header("If-Modified-Since") } == [nil, nil])
    }

    @Test("A decoded body goes only to a manager that decodes, and one as it was sent only to another")
    func codings() async throws {
        let coded = Data([
            0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 3, 0xcb, 0x48, 0xcd, 0xc9, 0xc9, 7, 0, 0x86, 0xa6, 0x10, 0x36, 5, 0, 0, 0,
        ])
        var answer = ScriptedResponse(200, body: .bytes([UInt8](coded)))
        answer.headers["Content-Encoding"] = "gzip"
        answer.headers["Cache-Control"] = "max-age=100"
        server.setRoute("/coded", .respond(answer))
        var configuration = SessionConfiguration.default
        configuration.decodesBodies = true
        let (decoding, plain) = (makeManager(configuration), makeManager())
        let request = TransferRequest(url: server.url("/coded"))
        for _ in 0..<2 {
            for isAgain in [false, true] {
                let completion = try await run(decoding, request)
                #expect(completion.data == Data("hello".utf8) && completion.isFromCache == isAgain)
            }
            for isAgain in [false, true] {
                let completion = try await run(plain, request)
                #expect(completion.data == coded && completion.isFromCache == isAgain)
            }
        }
    }

    @Test("A manager gets no body in a coding that another one has asked for")
    func askedCodings() async throws {
        server.setRoute("/coded") { request in
            let coding = request.header("Accept-Encoding")
            var answer = ScriptedResponse.text(coding ?? "none")
            if coding == "gzip" { answer.headers["Content-Encoding"] = coding }
            answer.headers["Vary"] = "Accept-Encoding"
            answer.headers["Cache-Control"] = "max-age=100"
            return answer
        }
        let managers = ["gzip", "br", "identity"].map { coding in
            var configuration = SessionConfiguration.default
            configuration.additionalHeaders["Accept-Encoding"] = coding
            return makeManager(configuration)
        }
        let request = TransferRequest(url: server.url("/coded"))
        for isAgain in [false, true] {
            let own = try await run(managers[0], request)
            #expect(own.isFromCache == isAgain && own.data == Data("gzip".utf8))
        }
        for (manager, text) in zip(managers.dropFirst(), ["br", "identity"]) {
            let other = try await run(manager, request)
            #expect(other.data == Data(text.utf8) || other.head?.headers["Content-Encoding"] == nil)
            #expect(other.data != Data("gzip".utf8))
        }
    }

    @Test("Callers see no trace of the sender in a head, and neither does a program that reads the store")
    func unseen() async throws {
        let manager = makeManager(.session, "ada")
        manager.onWillCacheResponse = { _, response in
            #expect(response.head.headers[CacheSender.field] == nil)
            return response
        }
        for _ in 0..<2 {
            #expect(try await ask(manager, .session, "ada").head?.headers[CacheSender.field] == nil)
        }
        let stored = try #require(cache.response(for: TransferRequest(url: server.url("/me"))))
        let field = try #require(stored.head.headers[CacheSender.field])
        #expect(try #/by:[0-9a-f]{1,16} with:secret/#.wholeMatch(in: field) != nil)
    }
}
