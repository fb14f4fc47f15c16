import LoopbackServer
import SessionSupport
import Testing

@testable import SessionCore

/// Tickets, as far as they can be looked at without a server that grants some; `script/real-parts kerberos` has one.
@Suite("Kerberos tickets", .timeLimit(.minutes(1)))
struct NegotiateTests {
    private let offer = AuthenticationOffer(scheme: "negotiate")

    @Test("A ticket is shown once, to the server that it was got for")
    func once() throws {
        var credentials = OriginCredentials()
        let request = TransferRequest(url: "https://a.example/x")
        let origin = try Origin(request.url)
        #expect(!credentials.hasShownTicket(to: origin))
        credentials.give(HTTPCredentials(offer: offer, user: "", password: "dGlja2V0"), to: origin)
        #expect(!credentials.hasShownTicket(to: origin))
        #expect(credentials.field(for: TransferRequest(url: "https://b.example/x")) == nil)
        #expect(credentials.field(for: request) == "Negotiate dGlja2V0")
        #expect(credentials.hasShownTicket(to: origin))
        #expect(credentials.field(for: request) == nil)
        #expect(!credentials.hasShownTicket(to: origin))
    }

    @Test(
        "Without a ticket the transfer says what is missing, and asks nobody twice",
        arguments: ["Negotiate", "Basic realm=\"r\", negotiate"])
    func noTicket(_ challenge: String) throws {
        let server = LoopbackServer()
        try server.start()
        let harness = try EngineHarness()
        var refusal = ScriptedResponse.text("no", status: 401)
        refusal.headers["WWW-Authenticate"] = challenge
        server.setRoute("/x", .respond(refusal))
        var request = TransferRequest(url: server.url("/x"))
        request.options = RequestOptions()
        request.options?.credentials = .negotiate
        let end = harness.outcome(of: harness.add(request))
        #expect(end?.error?.code == .authenticationRequired)
        #expect(end?.error?.message.hasPrefix("No Kerberos ticket for 127.0.0.1 ") == true)
        #expect(server.requests.count == 1 && server.requests[0].headers["Authorization"] == nil)
    }

    @Test("A server that asks for something else gets no ticket")
    func otherOffer() throws {
        let server = LoopbackServer()
        try server.start()
        let harness = try EngineHarness()
        var refusal = ScriptedResponse.text("no", status: 401)
        refusal.headers["WWW-Authenticate"] = "Basic realm=\"r\""
        server.setRoute("/x", .respond(refusal))
        var request = TransferRequest(url: server.url("/x"))
        request.options = RequestOptions()
        request.options?.credentials = .negotiate
        #expect(harness.outcome(of: harness.add(request))?.head?.statusCode == 401)
        #expect(server.requests.count == 1 && server.requests[0].headers["Authorization"] == nil)
    }
}
