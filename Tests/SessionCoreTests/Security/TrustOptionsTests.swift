import Foundation
import LoopbackServer
import SessionSupport
import Testing

@testable import SessionCore

/// Whom requests with options of their own believe, with real handshakes on loopback.
@Suite("Trust by request", .timeLimit(.minutes(1)), .serialized, .enabled(if: OpenSSLServer.isAvailable))
struct TrustOptionsTests {
    private func makeManager(asking: Bool = false) -> SessionManager {
        var configuration = SessionConfiguration()
        configuration.connectTimeout = 30
        let manager = SessionManager(configuration: configuration)
        manager.postsNotifications = false
        manager.responseSerializer = DataResponseSerializer()
        if asking { manager.handlers.onSessionChallenge = { _ in .performDefault } }
        return manager
    }

    /// How a request with options ends; nil for one that ended well.
    private func failure(
        _ manager: SessionManager, _ url: String, _ change: (inout RequestOptions) throws -> Void = { _ in }
    ) async throws -> SessionError? {
        var request = TransferRequest(url: url)
        var options = RequestOptions()
        try change(&options)
        request.options = options
        let task = try manager.dataTask(with: request, completionHandler: nil)
        task.resume()
        return await task.completion().error as? SessionError
    }

    private func pin(of certificate: Data) throws -> String {
        let digest = try #require(Certificates.keyDigest(of: [UInt8](certificate)))
        return "sha256//" + Base64.encode(digest)
    }

    @Test("Authorities of a file are believed by the requests that name it alone", arguments: [false, true])
    func authorities(asking: Bool) async throws {
        let server = try OpenSSLServer(.init(hasAuthority: true))
        let manager = makeManager(asking: asking)
        let files = AuthorityFiles(file: server.folder.path + "/authority.pem")
        #expect(try await failure(manager, server.url) { $0.authorities = files } == nil)
        #expect(try await failure(manager, server.url)?.code == .certificate)
        let missing = try await failure(manager, server.url) { $0.authorities = AuthorityFiles(file: "/nonexistent") }
        #expect(missing?.code == .tls && missing?.message == TrustErrors.emptyCAFile)
        let tunnel = try LoopbackTunnel(to: try #require(UInt16(server.url.split(separator: ":")[2].dropLast())))
        let proxied = try await failure(manager, server.url) {
            $0.authorities = files
            $0.proxies = ProxySettings(try Proxy("127.0.0.1:\(tunnel.port)"))
        }
        #expect(proxied == nil && tunnel.requests.count == 1)
        #expect(tunnel.requests[0].hasPrefix("CONNECT 127.0.0.1:"))
    }

    @Test("A byte that is changed on the way through a secure connection never arrives: the download is tried again")
    func damagedOnTheWay() throws {
        // A page about the connection, which ends with it.
        let server = try OpenSSLServer(.init(hasAuthority: true))
        let port = try #require(UInt16(server.url.split(separator: ":")[2].dropLast()))
        let tunnel = try LoopbackTunnel(to: port, damaging: 3_000)
        let harness = try EngineHarness()
        var request = TransferRequest(url: server.url)
        var options = RequestOptions()
        options.authorities = AuthorityFiles(file: server.folder.path + "/authority.pem")
        options.proxies = ProxySettings(try Proxy("127.0.0.1:\(tunnel.port)"))
        request.options = options
        let target = DownloadTarget(folder: harness.folder.path, name: .fixed("file"))
        let id = harness.add(request, kind: .download, sink: .file(target))
        let outcome = try #require(harness.outcome(of: id))
        #expect(outcome.error == nil)
        let page = FileManager.default.contents(atPath: harness.folder.path + "/file") ?? Data()
        #expect(page.count > 3_000 && String(decoding: page, as: UTF8.self).lowercased().contains("</html>"))
        let reasons = harness.events(of: id).compactMap {
            if case .retrying(_, _, _, let why) = $0 { why } else { nil }
        }
        #expect(reasons.count == 1 && tunnel.requests.count >= 2, "\(reasons) \(tunnel.requests)")
    }

    @Test(
        "A file of authorities that is empty or no PEM fails the request, and nothing is sent",
        arguments: ["", "nonsense\n"])
    func worthlessAuthorities(text: String) async throws {
        let server = try OpenSSLServer(.init(hasAuthority: true), keepsAlive: true)
        let folder = try TemporaryFolder()
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path + "/authorities.pem"))
        let failure = try await failure(makeManager(), server.url) {
            $0.authorities = AuthorityFiles(file: folder.path + "/authorities.pem")
        }
        #expect(failure?.code == .tls || failure?.code == .certificate, "\(failure?.message ?? "believed")")
        #expect(server.hasReceivedNothing)
    }

    @Test("A proxy that is spoken to over TLS is believed by the same authorities, and named where it is not")
    func secureProxy() async throws {
        let proxy = try OpenSSLServer(.init(hasAuthority: true))
        let settings = ProxySettings(try Proxy(String(proxy.url.dropLast())))
        let files = AuthorityFiles(file: proxy.folder.path + "/authority.pem")
        let believed = try await failure(makeManager(), "http://h.example/") {
            ($0.proxies, $0.authorities) = (settings, files)
        }
        #expect(believed == nil)
        for url in ["http://h.example/", "https://h.example/"] {
            let error = try await failure(makeManager(), url) { $0.proxies = settings }
            let start = "Certificate of proxy \(proxy.url.dropLast()) not trusted: "
            #expect(error?.code == .certificate && error?.message.hasPrefix(start) == true)
        }
    }

    @Test("A server that asks for a certificate gets the one of the options, and no second try without one")
    func clientCertificate() async throws {
        let server = try OpenSSLServer(.init(hasAuthority: true, asksForCertificate: true))
        let manager = makeManager()
        func outcome(_ certificate: ClientCertificate?) async throws -> SessionError? {
            var request = TransferRequest(url: server.url)
            var options = RequestOptions()
            options.authorities = AuthorityFiles(file: server.folder.path + "/authority.pem")
            options.clientCertificate = certificate
            request.options = options
            let task = try manager.dataTask(with: request, completionHandler: nil)
            task.resume()
            let completion = await task.completion()
            #expect(completion.metrics.earlierAttempts.isEmpty)
            return completion.error as? SessionError
        }
        let (file, key) = (server.folder.path + "/server.pem", server.folder.path + "/server.key")
        #expect(try await outcome(ClientCertificate(file: file, keyFile: key)) == nil)
        let without = try await outcome(nil)
        #expect(without?.code == .tls && without?.message == TrustErrors.clientCertificateRequired("127.0.0.1"))
        let foreign = try await outcome(
            ClientCertificate(file: file, keyFile: server.folder.path + "/authority.key"))
        #expect(foreign?.code == .tls && foreign?.message == TrustErrors.clientCertificateUnreadable)
    }

    @Test("Who believes anybody leaves no connection behind for those who do not", arguments: [false, true])
    func insecure(asking: Bool) async throws {
        let server = try OpenSSLServer(keepsAlive: true)
        let manager = makeManager(asking: asking)
        #expect(try await failure(manager, server.url) { $0.acceptsAnyCertificate = true } == nil)
        // This server has time for a second connection when the first one is over, and answers on that alone: who does
        // not use the first one waits in vain.
        #expect(try await failure(manager, server.url) { $0.timeLimit = 0.2 }?.code == .timedOut)
        #expect(server.answerCount == 1)
    }

    @Test("A pinned key has to be the server's, whoever else vouches for it")
    func pins() async throws {
        let server = try OpenSSLServer(.init(hasAuthority: true))
        let manager = makeManager()
        let files = AuthorityFiles(file: server.folder.path + "/authority.pem")
        let right = try pin(of: server.certificate())
        let wrong = try pin(of: server.certificate("authority"))
        #expect(
            try await failure(manager, server.url) { ($0.authorities, $0.keyPins) = (files, [wrong, right]) } == nil)
        let error = try await failure(manager, server.url) { ($0.authorities, $0.keyPins) = (files, [wrong]) }
        #expect(
            error?.code == .certificate && error?.message.hasSuffix(TrustReasons.keyNotPinned) == true)
        let unchecked = try await failure(manager, server.url) {
            ($0.acceptsAnyCertificate, $0.keyPins) = (true, [wrong])
        }
        #expect(unchecked?.code == .certificate)
    }

    @Test("A redirect to another server is checked, although the first one was not")
    func insecureRedirect() async throws {
        let second = try OpenSSLServer()
        let first = try OpenSSLServer(
            keepsAlive: true, answer: "HTTP/1.1 302 Found\r\nLocation: \(second.url)\r\nContent-Length: 0\r\n\r\n")
        #expect(try await failure(makeManager(), first.url) { $0.acceptsAnyCertificate = true }?.code == .certificate)
    }
}
