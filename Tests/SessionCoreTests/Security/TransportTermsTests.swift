import Foundation
import Glibc
import LoopbackServer
import SessionSupport
import Testing

@testable import SessionCore

/// Connections below HTTP, with real handshakes and real sockets on loopback.
@Suite(
    "Connections below HTTP", .timeLimit(.minutes(1)), .serialized, .enabled(if: OpenSSLServer.isAvailable))
struct TransportTermsTests {
    private func makeHarness() throws -> EngineHarness { try EngineHarness { $0.maximumRetries = 0 } }

    private func request(_ url: String, _ change: (inout RequestOptions) -> Void) -> TransferRequest {
        var request = TransferRequest(url: url)
        var options = RequestOptions()
        change(&options)
        request.options = options
        return request
    }

    private func end(
        _ harness: EngineHarness, _ url: String, _ change: (inout RequestOptions) -> Void
    ) throws -> TransferEnd {
        try #require(harness.outcome(of: harness.add(request(url, change))))
    }

    private static func authority(_ server: OpenSSLServer) -> AuthorityFiles {
        AuthorityFiles(file: server.folder.path + "/authority.pem")
    }

    // MARK: - TLS

    @Test(
        "Only the versions of TLS that were asked for are spoken, and without one in common nothing is tried again",
        arguments: [
            ("-tls1_2", nil, nil, "TLSv1.2"), ("-tls1_2", .tls12, .tls13, "TLSv1.2"), ("-tls1_2", .tls13, nil, nil),
            ("-tls1_3", nil, nil, "TLSv1.3"), ("-tls1_3", .tls13, .tls13, "TLSv1.3"), ("-tls1_3", nil, .tls12, nil),
            ("-no_tls1_1", nil, .tls12, "TLSv1.2"),
        ] as [(String, TLSVersion?, TLSVersion?, String?)])
    func versions(server option: String, least: TLSVersion?, most: TLSVersion?, spoken: String?) throws {
        let server = try OpenSSLServer(.init(hasAuthority: true, options: [option]), keepsAlive: true)
        let harness = try EngineHarness()
        let id = harness.add(
            request(server.url) { options in
                options.authorities = Self.authority(server)
                (options.transport.leastTLS, options.transport.mostTLS) = (least, most)
            })
        let end = try #require(harness.outcome(of: id))
        #expect(harness.metrics(id).secureConnection?.version == spoken)
        let refusal = spoken == nil ? TransportErrors.noCommonTLS("127.0.0.1") : nil
        #expect(end.error?.message == refusal && end.error?.code == (spoken == nil ? .tls : nil))
        #expect(!harness.events(of: id).contains { if case .retrying = $0 { true } else { false } })
    }

    @Test("A session's versions count where a request has none of its own")
    func completed() {
        var (session, own) = (RequestOptions(), RequestOptions())
        (session.transport.leastTLS, session.transport.nameService) = (.tls13, "https://dns.example/")
        session.transport.marking = PacketMarking(serviceType: 8, priority: 3)
        own.transport.marking.serviceType = 184
        let both = own.completed(by: session).transport
        #expect(both.leastTLS == .tls13 && both.mostTLS == nil && both.nameService == "https://dns.example/")
        #expect(both.marking == PacketMarking(serviceType: 184, priority: 3))
        #expect(!both.excludesEveryTLS)
        own.transport.mostTLS = .tls12
        let closer = own.completed(by: session).transport
        #expect(closer.leastTLS == nil && closer.mostTLS == .tls12, "The request's own version stays")
    }

    @Test("A PKCS #12 file that its password does not open is told from one that cannot be read")
    func lockedStore() throws {
        let server = try OpenSSLServer(.init(hasAuthority: true, asksForCertificate: true), keepsAlive: true)
        let folder = server.folder.path
        try OpenSSLServer.run(
            ["pkcs12", "-export", "-inkey", folder + "/server.key", "-in", folder + "/server.pem", "-passout"]
                + ["pass:sesame", "-out", folder + "/server.p12"])
        try Data("no certificate".utf8).write(to: URL(fileURLWithPath: folder + "/bad.p12"))
        func message(_ name: String, _ password: String?) throws -> String? {
            try end(makeHarness(), server.url) { options in
                options.authorities = Self.authority(server)
                options.clientCertificate = ClientCertificate(
                    file: folder + "/" + name, password: password, format: .pkcs12)
            }.error?.message
        }
        #expect(try message("server.p12", "sesame") == nil)
        #expect(try message("server.p12", "open") == TrustErrors.passphraseWrong("127.0.0.1"))
        #expect(try message("server.p12", nil) == TrustErrors.passphraseMissing("127.0.0.1"))
        #expect(try message("bad.p12", "sesame") == TrustErrors.clientCertificateUnreadable)
    }

    // MARK: - Marks

    /// The marks of this process's sockets that lead to a port.
    private func marks(of port: UInt16) -> [PacketMarking] {
        (Int32(3)..<1024).compactMap { descriptor in
            var address = sockaddr_in()
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isPeer = withUnsafeMutablePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &size) == 0 }
            }
            guard isPeer, UInt16(bigEndian: address.sin_port) == port else { return nil }
            var (type, priority) = (Int32(0), Int32(0))
            var length = socklen_t(MemoryLayout<Int32>.size)
            guard getsockopt(descriptor, Int32(IPPROTO_IP), IP_TOS, &type, &length) == 0,
                getsockopt(descriptor, SOL_SOCKET, SO_PRIORITY, &priority, &length) == 0
            else { return nil }
            return PacketMarking(serviceType: UInt8(type), priority: UInt8(priority))
        }
    }

    @Test("The packets of a connection have the marks of the request that uses it")
    func marking() throws {
        let server = LoopbackServer()
        try server.start()
        server.setRoute("/", .respond(.text("marked")))
        let harness = try makeHarness()
        let url = server.url("/")
        let marks = PacketMarking(serviceType: 184, priority: 3)
        #expect(try end(harness, url) { $0.transport.marking = marks }.error == nil)
        #expect(self.marks(of: server.port) == [marks])
        #expect(try end(harness, url) { _ in }.error == nil)
        #expect(self.marks(of: server.port) == [PacketMarking(serviceType: 0, priority: 0)])
        #expect(Set(server.requests.map(\.connectionID)).count == 1)
    }

    @Test("Every family of sockets takes marks or has none")
    func families() {
        for family in [AF_INET, AF_INET6, AF_UNIX] {
            let descriptor = socket(family, Int32(SOCK_STREAM.rawValue), 0)
            guard descriptor >= 0 else { continue }
            defer { close(descriptor) }
            #expect(PacketMarking(serviceType: 32, priority: 2).mark(descriptor))
        }
        #expect(!PacketMarking(serviceType: 32).mark(-1))
    }

    // MARK: - Names over HTTPS

    /// The answer of a name service: the address of this machine for `site.test`.
    private static let dnsAnswer: String = {
        let name = "\u{4}site\u{4}test\u{0}"
        let head = "\u{0}\u{0}\u{1}\u{0}\u{0}\u{1}\u{0}\u{1}\u{0}\u{0}\u{0}\u{0}"
        let question = "\(name)\u{0}\u{1}\u{0}\u{1}"
        let message = "\(head)\(question)\(question)\u{0}\u{0}\u{0}\u{3c}\u{0}\u{4}\u{7f}\u{0}\u{0}\u{1}"
        let fields = "Content-Type: application/dns-message\r\nConnection: close\r\n"
        return "HTTP/1.1 200 OK\r\n\(fields)Content-Length: \(message.utf8.count)\r\n\r\n\(message)"
    }()

    @Test("A host's address comes from the name service, also for a request over TLS with its own review")
    func nameService() throws {
        let service = try OpenSSLServer(.init(hasAuthority: true), keepsAlive: true, answer: Self.dnsAnswer)
        let site = try OpenSSLServer(.init(names: "DNS:site.test", hasAuthority: true), keepsAlive: true)
        let plain = LoopbackServer()
        try plain.start()
        plain.setRoute("/", .respond(.text("here")))
        let both = service.folder.path + "/both.pem"
        try Data((service.pem("authority") + site.pem("authority")).utf8).write(to: URL(fileURLWithPath: both))
        let sitePort = try #require(site.url.split(separator: ":").last)
        for url in ["http://site.test:\(plain.port)/", "https://site.test:\(sitePort)"] {
            let harness = try makeHarness()
            let end = try end(harness, url) { options in
                options.authorities = AuthorityFiles(file: both)
                options.addressFamily = .ipv4
                options.transport.nameService = service.url + "dns-query"
            }
            #expect(end.error == nil && end.head?.statusCode == 200, "\(String(describing: end.error))")
        }
        #expect(service.answerCount == 2 && service.hasReceived("POST /dns-query"))
        #expect(site.answerCount == 1 && plain.requests.count == 1)
    }

    @Test("A name service that is not trusted is not believed, and the failure names it")
    func foreignNameService() throws {
        let service = try OpenSSLServer(.init(hasAuthority: true), keepsAlive: true, answer: Self.dnsAnswer)
        let end = try end(makeHarness(), "http://site.test/") { options in
            options.addressFamily = .ipv4
            options.transport.nameService = service.url + "dns-query"
        }
        #expect(end.error?.code == .unknownHost && service.hasReceivedNothing)
        #expect(end.error?.message == TransportErrors.hostUnknown("site.test", to: Origin.label(of: service.url)))
    }

    // MARK: - Hosts for https only

    private static let wish =
        "HTTP/1.1 200 OK\r\nStrict-Transport-Security: max-age=60\r\nContent-Length: 2\r\n\r\nok"

    @Test(
        "A host that asks for it is reached over https from then on, unless any certificate was accepted",
        arguments: [false, true])
    func secureHosts(acceptsAny: Bool) throws {
        let server = try OpenSSLServer(
            .init(names: "DNS:localhost", hasAuthority: true), keepsAlive: true, answer: Self.wish)
        let hosts = SecureHosts { 1_000 }
        let harness = try makeHarness()
        let secure = server.url.replacing("127.0.0.1", with: "localhost")
        func run(_ url: String) throws -> TransferEnd {
            try end(harness, url) { options in
                options.authorities = Self.authority(server)
                options.addressFamily = .ipv4
                options.acceptsAnyCertificate = acceptsAny
                options.transport.secureHosts = hosts
            }
        }
        #expect(try run(secure).error == nil)
        #expect(hosts.count == (acceptsAny ? 0 : 1))
        guard !acceptsAny else { return }
        let plain = try run(secure.replacing("https:", with: "http:"))
        #expect(plain.error == nil && plain.head?.url == secure && server.answerCount == 2)
    }

    @Test("A redirect from https to plain http of such a host goes to https, and needs no consent")
    func secureRedirect() throws {
        let elsewhere = LoopbackServer()
        try elsewhere.start()
        let answer =
            "HTTP/1.1 302 Found\r\nLocation: http://localhost:\(elsewhere.port)/x\r\nContent-Length: 0\r\n"
            + "Connection: close\r\n\r\n"
        let server = try OpenSSLServer(.init(hasAuthority: true), keepsAlive: true, answer: answer)
        let hosts = SecureHosts { 1_000 }
        hosts.add(file: "localhost \"unlimited\"")
        let end = try end(makeHarness(), server.url) { options in
            options.authorities = Self.authority(server)
            options.transport.secureHosts = hosts
        }
        // The target speaks plain http, which is found out over https.
        #expect(end.error?.failingURL == "https://localhost:\(elsewhere.port)/x" && elsewhere.requests.isEmpty)
    }
}
