import Foundation
import LoopbackServer
import Testing

@testable import SessionCore

/// E11: a response counts for the ones that reach its server by the same route and believe it for the same reasons.
@Suite("Trust in the servers of cached responses", .timeLimit(.minutes(1)))
struct CacheTrustTests {
    private static let answer =
        "HTTP/1.1 200 OK\r\nCache-Control: max-age=100\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok"

    private let cache = URLResponseCache(URLCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil))

    private func makeManager(believing authorities: String? = nil) -> SessionManager {
        let manager = SessionManager.asking(believing: authorities)
        manager.responseCache = cache
        return manager
    }

    private enum Result: Equatable { case loaded, cached, refused }

    private func get(
        _ manager: SessionManager, _ url: String, _ change: (inout RequestOptions) throws -> Void = { _ in }
    ) async throws -> Result {
        var request = TransferRequest(url: url)
        var options = RequestOptions()
        try change(&options)
        request.options = options
        let task = try manager.dataTask(with: request, completionHandler: nil)
        task.resume()
        let completion = await task.completion()
        if completion.error != nil { return .refused }
        #expect(completion.head?.statusCode == 200)
        return completion.isFromCache ? .cached : .loaded
    }

    @Test("A response of a server whose certificate nobody has checked is none for a request that has it checked")
    func unchecked() async throws {
        let server = try OpenSSLServer(keepsAlive: true, answer: Self.answer)
        let manager = makeManager()
        for expected in [Result.loaded, .cached] {
            #expect(try await get(manager, server.url) { $0.acceptsAnyCertificate = true } == expected)
        }
        #expect(try await get(manager, server.url) == .refused)
    }

    @Test("A response of a server that pins or a policy refuse is none for the ones that set them")
    func pins() async throws {
        let server = try OpenSSLServer(.init(hasAuthority: true), keepsAlive: true, answer: Self.answer)
        let authority = server.folder.path + "/authority.pem"
        let manager = makeManager(believing: authority)
        for expected in [Result.loaded, .cached] { #expect(try await get(manager, server.url) == expected) }
        let pin = "sha256//" + Data(repeating: 0, count: 32).base64EncodedString()
        #expect(try await get(manager, server.url) { $0.keyPins = [pin] } == .refused)
        #expect(try await get(makeManager(), server.url) == .refused, "Another authority made it believed")
        let strict = makeManager(believing: authority)
        strict.securityPolicy = try SecurityPolicy(
            pinningMode: .publicKey, pinnedCertificates: [try server.renewedCertificate()])
        #expect(try await get(strict, server.url) == .loaded, "The key is pinned, and the response was got without")
        let equal = makeManager(believing: authority)
        equal.securityPolicy = strict.securityPolicy
        #expect(try await get(equal, server.url) == .cached)
        let workshop = try CertificateWorkshop()
        try workshop.make("other")
        strict.securityPolicy = try SecurityPolicy(
            pinningMode: .publicKey, pinnedCertificates: [try workshop.certificate("other")])
        #expect(try await get(strict, server.url) == .refused)
    }

    @Test("A response of a server that a closure has trusted is its own manager's, until the closure changes")
    func closures() async throws {
        let server = try OpenSSLServer(keepsAlive: true, answer: Self.answer)
        let trusting = makeManager()
        trusting.onSessionChallenge = { _ in .trust }
        for expected in [Result.loaded, .cached] { #expect(try await get(trusting, server.url) == expected) }
        #expect(try await get(makeManager(), server.url) == .refused)
        let other = makeManager()
        other.onSessionChallenge = { _ in .cancel }
        #expect(try await get(other, server.url) == .refused)
        trusting.onSessionChallenge = { _ in .cancel }
        #expect(try await get(trusting, server.url) == .refused)
    }

    @Test("A server that a proxy or an interface leads to is another one than the URL's own")
    func routes() async throws {
        let server = LoopbackServer()
        try server.start()
        var answer = ScriptedResponse.text("answer")
        answer.headers["Cache-Control"] = "max-age=100"
        server.setRoute("/a", .respond(answer))
        let (url, manager) = (server.url("/a"), makeManager())
        #expect(try await get(manager, url) { $0.interface = "127.0.0.1" } == .loaded)
        #expect(try await get(manager, url) { $0.interface = "127.0.0.1" } == .cached)
        let proxy = try Proxy(server.url("").replacingOccurrences(of: "localhost", with: "127.0.0.1"))
        for expected in [Result.loaded, .cached] {
            #expect(try await get(manager, "http://intranet/a") { $0.proxies = ProxySettings(proxy) } == expected)
        }
        #expect(try await get(manager, url) == .loaded)
        #expect(
            try await get(manager, url) { $0.proxies = ProxySettings(proxy, exceptions: "*") } == .cached,
            "A proxy that is not used")
        #expect(try await get(manager, "http://intranet/a") { $0.connections = [] } == .refused)
    }
}
