import Foundation
import LoopbackServer
import SessionSupport
import Testing

@testable import SessionCore

/// NTLM as a server on loopback sees it: three messages on one connection.
@Suite("NTLM", .timeLimit(.minutes(1)), .enabled(if: EngineLibraries.hasNTLM))
struct NTLMTests {
    /// A challenge of eight bytes without further information (MS-NLMP, 2.2.1.2).
    private static let challenge: String = {
        var bytes = Array("NTLMSSP\0".utf8) + [2, 0, 0, 0, 0, 0, 0, 0, 48, 0, 0, 0]
        bytes += [1, 2, 0x80, 0] + [1, 2, 3, 4, 5, 6, 7, 8] + [UInt8](repeating: 0, count: 8)
        return Base64.encode(bytes + [4, 0, 4, 0, 48, 0, 0, 0] + [0, 0, 0, 0])
    }()

    /// The number of a message of NTLM in a field; nil for none.
    private static func message(_ field: String?) -> (number: UInt8, bytes: [UInt8])? {
        guard let field, field.hasPrefix("NTLM "), let data = Data(base64Encoded: String(field.dropFirst(5))) else {
            return nil
        }
        return data.count > 12 ? (data[8], [UInt8](data)) : nil
    }

    private static func refusal(_ challenge: String) -> ScriptedResponse {
        var response = ScriptedResponse.text("who are you", status: 401)
        response.headers["WWW-Authenticate"] = challenge
        return response
    }

    /// A server that believes one user, whatever the password.
    private func server(_ user: String = "me") throws -> LoopbackServer {
        let server = LoopbackServer()
        try server.start()
        let name = user.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
        server.setRoute(
            "/x",
            .handler { request in
                switch Self.message(request.header("Authorization")) {
                case (1, _)?: Self.refusal("NTLM " + Self.challenge)
                case (3, let bytes)? where Data(bytes).range(of: Data(name)) != nil: .text("welcome")
                default: Self.refusal("NTLM")
                }
            })
        return server
    }

    private func request(_ server: LoopbackServer, user: String = "me") -> TransferRequest {
        var request = TransferRequest(url: server.url("/x"))
        request.options = RequestOptions()
        request.options?.credentials = RequestCredentials(user: user, password: "pw", scheme: .ntlm)
        return request
    }

    @Test("The three messages go over one connection, and only the last response counts")
    func handshake() throws {
        let server = try server()
        let harness = try EngineHarness()
        let id = harness.add(request(server))
        let end = try #require(harness.outcome(of: id))
        #expect(end.error == nil && end.head?.statusCode == 200 && end.body == Array("welcome".utf8))
        #expect(server.requests.map { Self.message($0.header("Authorization"))?.number } == [1, 3])
        #expect(Set(server.requests.map(\.connectionID)).count == 1)
        #expect(harness.status(id).received == 7)
    }

    @Test("A user who is refused gets the 401, and is not asked for ever")
    func refused() throws {
        let server = try server()
        let harness = try EngineHarness()
        let end = try #require(harness.outcome(of: harness.add(request(server, user: "you"))))
        #expect(end.head?.statusCode == 401 && server.requests.count == 2)
    }

    @Test("A body is sent once, with the last message, also one that can be read only once")
    func body() throws {
        let server = try server()
        let harness = try EngineHarness()
        let text = String(repeating: "once ", count: 500_000)
        var upload = request(server)
        (upload.method, upload.body) = ("PUT", .bytes(Array(text.utf8)))
        let end = try #require(harness.outcome(of: harness.add(upload, kind: .upload)))
        #expect(end.error == nil && end.head?.statusCode == 200)
        #expect(server.requests.map(\.bodyByteCount) == [0, Int64(text.utf8.count)])
    }

    @Test("Another origin gets no message of NTLM")
    func elsewhere() throws {
        let (server, other) = (try server(), LoopbackServer())
        try other.start()
        other.setRoute("/y", .respond(.text("here")))
        server.setRoute("/x", .redirect(to: other.url("/y")))
        let harness = try EngineHarness()
        let end = try #require(harness.outcome(of: harness.add(request(server))))
        #expect(end.head?.statusCode == 200 && other.requests.first?.header("Authorization") == nil)
    }

    @Test(
        "A challenge that cannot be read fails at once as one of credentials",
        arguments: ["AAAA", "!", "TlRMTVNTUAA="])
    func unreadable(challenge: String) throws {
        let server = LoopbackServer()
        try server.start()
        server.setRoute("/x", .respond(Self.refusal("NTLM " + challenge)))
        let harness = try EngineHarness { $0.maximumRetries = 5 }
        let end = try #require(harness.outcome(of: harness.add(request(server))))
        #expect(end.error?.code == .authenticationRequired && server.requests.count == 1)
    }

    @Test("A server that only ever challenges is given up")
    func endless() throws {
        let server = LoopbackServer()
        try server.start()
        server.setRoute("/x", .respond(Self.refusal("NTLM " + Self.challenge)))
        let harness = try EngineHarness { $0.maximumRetries = 0 }
        let end = try #require(harness.outcome(of: harness.add(request(server))))
        #expect(end.error?.message == ResponseErrors.tooManyInterim && server.requests.count <= 103)
    }
}
