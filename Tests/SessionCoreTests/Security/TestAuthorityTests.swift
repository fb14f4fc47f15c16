import Foundation
import SessionSupport
import Testing

@testable import SessionCore

/// Every way in which a server can fail to prove who it is, with a real handshake: what is refused has got no byte of a
/// request.
@Suite(
    "Authorities made for the test", .timeLimit(.minutes(2)), .serialized, .enabled(if: OpenSSLServer.isAvailable))
struct TestAuthorityTests {
    /// A server and how a request to it has to end.
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var leaf = CertificateWorkshop.Leaf()
        /// Whether the server shows the authority between itself and the root.
        var showsAuthority = true
        /// Whether the client believes the root.
        var believesRoot = true
        var arguments: [String] = []
        /// How it ends; nil for well.
        var code: SessionError.Code?
        /// The end of the error's sentence.
        var reason = ""

        var testDescription: String { name }
    }

    private static let oldest = ["-cipher", "ALL:@SECLEVEL=0"]

    static let cases: [Case] = [
        Case(name: "good"),
        Case(name: "expired", leaf: .init(end: "20210101000000Z"), code: .certificate, reason: TrustReasons.expired),
        Case(
            name: "not yet valid", leaf: .init(start: "21190101000000Z"), code: .certificate,
            reason: TrustReasons.notYetValid),
        Case(
            name: "wrong host", leaf: .init(names: "DNS:example.org"), code: .certificate,
            reason: TrustReasons.otherHost),
        Case(name: "self-signed", leaf: .init(isSelfSigned: true), code: .certificate, reason: TrustReasons.selfSigned),
        Case(name: "unknown CA", believesRoot: false, code: .certificate, reason: TrustReasons.unknownIssuer),
        Case(
            name: "missing intermediate", showsAuthority: false, code: .certificate,
            reason: TrustReasons.unknownIssuer),
        Case(name: "wrong key usage", leaf: .init(usage: "clientAuth"), code: .certificate),
        Case(name: "weak signature", leaf: .init(digest: "sha1"), arguments: oldest, code: .certificate),
        Case(name: "weak key", leaf: .init(keyBits: 1024), arguments: oldest, code: .certificate),
        Case(name: "TLS 1.0", arguments: ["-tls1"] + oldest, code: .tls),
        Case(name: "TLS 1.1", arguments: ["-tls1_1"] + oldest, code: .tls),
        Case(name: "TLS 1.2", arguments: ["-tls1_2"]),
    ]

    private func run(_ manager: SessionManager, _ url: String) async throws -> TaskCompletion {
        let task = try manager.dataTask(with: TransferRequest(url: url), completionHandler: nil)
        task.resume()
        return await task.completion()
    }

    @Test("Each kind of certificate and version ends as it has to", arguments: cases, [false, true])
    func table(_ given: Case, asking: Bool) async throws {
        let workshop = try CertificateWorkshop()
        try workshop.make("server", given.leaf)
        let server = try OpenSSLServer(
            workshop, "server", showing: given.showsAuthority ? "intermediate" : nil, arguments: given.arguments)
        let manager = SessionManager.asking(believing: given.believesRoot ? workshop.file("root.pem") : nil)
        // A closure that leaves it to the policy: another way through the library with the same end.
        if asking { manager.onSessionChallenge = { _ in .performDefault } }
        let error = try await run(manager, server.url).error as? SessionError
        #expect(error?.code == given.code, "\(given.name): \(error?.message ?? "accepted")")
        if given.code == .certificate {
            let sentence = error?.message.replacing(/\ \(system date [0-9-]+\)$/, with: "")
            #expect(sentence?.hasSuffix(given.reason) == true, "\(error?.message ?? "")")
        }
        #expect(server.answerCount == (given.code == nil ? 1 : 0), "Bytes of a request reached the server")
        #expect(server.hasReceivedNothing == (given.code != nil))
    }

    @Test(
        "Leaf, authority and root can be pinned, without believing anybody else; another pin is refused",
        arguments: ["server", "intermediate", "root"], [SecurityPolicy.PinningMode.publicKey, .certificate])
    func pins(_ name: String, _ mode: SecurityPolicy.PinningMode) async throws {
        let (workshop, stranger) = (try CertificateWorkshop(), try CertificateWorkshop())
        try workshop.make("server")
        try stranger.make("server")
        let manager = SessionManager.asking(believing: workshop.file("root.pem"))
        for (pin, isRight) in [(try workshop.certificate(name), true), (try stranger.certificate(name), false)] {
            let server = try OpenSSLServer(workshop, "server", showing: "intermediate")
            manager.securityPolicy = try SecurityPolicy(pinningMode: mode, pinnedCertificates: [pin])
            let error = try await run(manager, server.url).error as? SessionError
            #expect(error?.code == (isRight ? nil : .certificate), "\(error?.message ?? "accepted")")
            #expect(server.hasReceivedNothing == !isRight && server.answerCount == (isRight ? 1 : 0))
        }
    }

    @Test(
        "A pin counts on the second hop of a redirect too, and the server there gets no byte", arguments: [false, true])
    func pinOfTheSecondHop(pinsBoth: Bool) async throws {
        let workshop = try CertificateWorkshop()
        try workshop.make("first")
        try workshop.make("second")
        let second = try OpenSSLServer(workshop, "second", showing: "intermediate")
        let first = try OpenSSLServer(
            workshop, "first", showing: "intermediate",
            answer: "HTTP/1.1 302 Found\r\nLocation: \(second.url)\r\nContent-Length: 0\r\n\r\n")
        let manager = SessionManager.asking(believing: workshop.file("root.pem"))
        let pins = try (pinsBoth ? ["first", "second"] : ["first"]).map { try workshop.certificate($0) }
        manager.securityPolicy = try SecurityPolicy(pinningMode: .publicKey, pinnedCertificates: Set(pins))
        let error = try await run(manager, first.url).error as? SessionError
        #expect(error?.code == (pinsBoth ? nil : .certificate) && first.answerCount == 1)
        #expect(second.hasReceivedNothing == !pinsBoth && second.answerCount == (pinsBoth ? 1 : 0))
    }

    @Test("A connection that was made without a pin is not used with one, and with the right pin it is")
    func pinAndReuse() async throws {
        let workshop = try CertificateWorkshop()
        try workshop.make("server")
        let server = try OpenSSLServer(workshop, "server", showing: "intermediate")
        let manager = SessionManager.asking(believing: workshop.file("root.pem"))
        manager.securityPolicy = try SecurityPolicy(
            pinningMode: .certificate, pinnedCertificates: [try workshop.certificate("intermediate")])
        #expect(try await run(manager, server.url).error == nil)
        let again = try await run(manager, server.url)
        #expect(again.error == nil && again.metrics.reusedConnection && server.answerCount == 2)
    }
}
