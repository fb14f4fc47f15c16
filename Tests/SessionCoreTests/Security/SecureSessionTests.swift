import Foundation
import Testing

@testable import SessionCore

/// Sessions of TLS that are taken up again, told by what `openssl s_server -www` says of each connection.
@Suite(
    "Sessions of TLS", .timeLimit(.minutes(2)), .serialized, .enabled(if: OpenSSLServer.isAvailable))
struct SecureSessionTests {
    private enum Handshake: Equatable { case full, shortened, refused }

    private func handshake(_ manager: SessionManager, _ server: OpenSSLServer, _ options: RequestOptions? = nil)
        async throws -> Handshake
    {
        var request = TransferRequest(url: server.url)
        request.options = options
        let task = try manager.dataTask(with: request, completionHandler: nil)
        task.resume()
        let completion = await task.completion()
        guard completion.error == nil else { return .refused }
        let page = String(decoding: completion.data, as: UTF8.self)
        return page.contains("Reused, TLS") ? .shortened : .full
    }

    private static let versions: [[String]] = [[], ["-tls1_2"], ["-tls1_2", "-no_ticket"], ["-tls1_2", "-no_cache"]]

    @Test("A second connection to a server takes the session of the first up again", arguments: versions)
    func again(_ arguments: [String]) async throws {
        let server = try OpenSSLServer(.init(hasAuthority: true, options: arguments))
        let manager = SessionManager.asking(believing: server.folder.path + "/authority.pem")
        #expect(try await handshake(manager, server) == .full)
        #expect(try await handshake(manager, server) == .shortened)
        // Nothing of it outlives its loop.
        let other = SessionManager.asking(believing: server.folder.path + "/authority.pem")
        #expect(try await handshake(other, server) == .full)
    }

    @Test("Who is believed without proof leaves no session to those who ask for one", arguments: versions)
    func otherTrust(_ arguments: [String]) async throws {
        let server = try OpenSSLServer(.init(hasAuthority: true, options: arguments))
        let manager = SessionManager.asking(believing: nil)
        var careless = RequestOptions()
        careless.acceptsAnyCertificate = true
        #expect(try await handshake(manager, server, careless) == .full)
        #expect(try await handshake(manager, server, careless) == .shortened)
        #expect(try await handshake(manager, server) == .refused)
        var informed = RequestOptions()
        informed.authorities = AuthorityFiles(file: server.folder.path + "/authority.pem")
        #expect(try await handshake(manager, server, informed) == .full)
    }

    @Test("Pins and closures that come later judge a whole handshake")
    func laterRules() async throws {
        let server = try OpenSSLServer(.init(hasAuthority: true))
        let manager = SessionManager.asking(believing: server.folder.path + "/authority.pem")
        #expect(try await handshake(manager, server) == .full)
        let stranger = try CertificateWorkshop()
        try stranger.make("server")
        manager.securityPolicy = try SecurityPolicy(
            pinningMode: .publicKey, pinnedCertificates: [try stranger.certificate("server")])
        #expect(try await handshake(manager, server) == .refused)
        manager.securityPolicy = try SecurityPolicy(
            pinningMode: .publicKey, pinnedCertificates: [try server.certificate()])
        #expect(try await handshake(manager, server) == .full)
        #expect(try await handshake(manager, server) == .shortened)
        manager.onSessionChallenge = { _ in .rejectProtectionSpace }
        #expect(try await handshake(manager, server) == .refused)
    }

    @Test("A pin of an option counts for a session that is taken up again too")
    func pinOfAnOption() async throws {
        let server = try OpenSSLServer(.init(hasAuthority: true))
        let manager = SessionManager.asking(believing: server.folder.path + "/authority.pem")
        #expect(try await handshake(manager, server) == .full)
        var pinned = RequestOptions()
        pinned.keyPins = ["sha256//" + Data(repeating: 0, count: 32).base64EncodedString()]
        #expect(try await handshake(manager, server, pinned) == .refused)
    }

    @Test("What is known of a connection is the same after a short handshake")
    func facts() async throws {
        let server = try OpenSSLServer(.init(hasAuthority: true))
        let manager = SessionManager.asking(believing: server.folder.path + "/authority.pem")
        var found: [SecureConnection?] = []
        for _ in 0..<2 {
            let task = try manager.dataTask(with: TransferRequest(url: server.url), completionHandler: nil)
            task.resume()
            found.append(await task.completion().metrics.secureConnection)
        }
        #expect(found[0] != nil && found[0] == found[1])
    }
}
