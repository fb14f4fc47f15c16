import LoopbackServer
import Testing

@testable import SessionCore

/// Servers that have a whole request and take their time, or never say what became of it.
@Suite("Answers that are awaited", .timeLimit(.minutes(1)))
struct EngineAnswerTests {
    let server: LoopbackServer
    private static let body = [UInt8](repeating: 7, count: 300_000)

    init() throws {
        server = LoopbackServer()
        try server.start()
    }

    /// The beginning of the body, which the kernel takes and acknowledges however long the server's thread sleeps.
    private static let beginning = Array(body.prefix(10_000))

    private func request(_ method: String, _ path: String) -> TransferRequest {
        TransferRequest(
            url: server.url(path), method: method, body: method == "GET" ? .none : .bytes(Self.body))
    }

    /// Waits until a download that stands still has been given up: so long a stall takes, and longer.
    private func waitForStall(_ harness: EngineHarness, _ gate: Gate) throws {
        server.setRoute("/standing", .file(count: 900_000).stalling(after: 100_000, until: gate))
        for number in 0..<2 {
            let standing = harness.download(server.url("/standing"), name: .fixed("standing\(number)"))
            let error = try #require(harness.outcome(of: standing)?.error)
            #expect(error.code == .stalled)
        }
    }

    @Test("A server may think longer than a stall takes, and has the request once", arguments: ["GET", "POST", "PUT"])
    func thinking(method: String) throws {
        let harness = try EngineHarness { ($0.stallTimeout, $0.maximumRetries) = (0.2, 0) }
        let gate = try server.gate(named: "thought")
        let never = try server.gate(named: "never")
        server.setRoute("/think", Behaviour.respond(.text("thought")).waiting(for: gate))
        var request = request(method, "/think")
        if method != "GET" { request.body = .bytes(Self.beginning) }
        let id = harness.add(request, kind: method == "PUT" ? .upload : .data)
        harness.resume(id)
        #expect(gate.waitForArrivals())
        #expect(harness.wait(id) { $0.contains { $0.isAwaitedStatus } })
        try waitForStall(harness, never)
        #expect(harness.outcomeIfAny(id) == nil)
        gate.release()
        let outcome = try #require(harness.outcome(of: id, resuming: false))
        #expect(outcome.error == nil && String(decoding: outcome.body, as: UTF8.self) == "thought")
        #expect(server.requests(for: "/think").count == 1)
        #expect(harness.status(id).answerAwaitedSince == nil)
    }

    @Test("A limit of its own ends the wait for an answer", arguments: ["GET", "POST"])
    func limited(method: String) throws {
        let harness = try EngineHarness { ($0.stallTimeout, $0.maximumRetries) = (60, 0) }
        let gate = try server.gate(named: "never")
        server.setRoute("/think", Behaviour.respond(.text("thought")).waiting(for: gate))
        var request = request(method, "/think")
        request.options = RequestOptions()
        request.options?.answerTimeout = 0.2
        let error = try #require(harness.outcome(of: harness.add(request))?.error)
        #expect(
            error.code == .stalled && error.message.hasPrefix(TransportErrors.noResponseInTime("127.0.0.1")), "\(error)"
        )
        #expect(error.message.contains("may have stored the body") == (method == "POST"))
    }

    @Test("An answer that stops in the middle of its head is a stall", arguments: ["GET", "POST"])
    func halfHead(method: String) throws {
        let harness = try EngineHarness { ($0.stallTimeout, $0.maximumRetries) = (0.3, 0) }
        let gate = try server.gate(named: "never")
        let text = "HTTP/1.1 200 OK\r\nServer: half\r\n"
        let whole = Behaviour.raw(text + "Date: never\r\n\r\n")
        server.setRoute("/half", whole.stalling(after: Int64(text.utf8.count), until: gate))
        var request = request(method, "/half")
        // One that the kernel takes whole, whenever the server reads it.
        if method != "GET" { request.body = .bytes(Self.beginning) }
        let error = try #require(harness.outcome(of: harness.add(request))?.error)
        #expect(
            error.code == .stalled && error.message.hasPrefix(TransportErrors.stoppedSending("127.0.0.1")), "\(error)")
    }

    @Test("A response that is late by the limit of its own request holds back no other request of the host")
    func lateForOne() throws {
        let harness = try EngineHarness { ($0.stallTimeout, $0.maximumRetries, $0.outagePatience) = (60, 100, 300) }
        let gate = try server.gate(named: "never")
        server.setRoute("/think", Behaviour.respond(.text("thought")).waiting(for: gate))
        server.setRoute("/fast", .respond(.text("fast")))
        var late = request("GET", "/think")
        late.options = RequestOptions()
        late.options?.answerTimeout = 0.2
        let id = harness.add(late)
        harness.resume(id)
        try #require(harness.waitForPhase(.retrying, id))
        #expect(harness.status(id).backoffReason == nil)
        let outcome = try #require(harness.outcome(of: harness.add(request("GET", "/fast"))))
        #expect(String(decoding: outcome.body, as: UTF8.self) == "fast")
    }

    @Test(
        "A body that was taken whole goes out again by itself only where method and user allow it",
        arguments: ["PUT", "POST"], [true, false])
    func taken(method: String, isAllowed: Bool) throws {
        let harness = try EngineHarness()
        server.setRoute("/in", .sequence([.silence(), .uploadSink()]))
        var request = request(method, "/in")
        request.options = RequestOptions()
        request.options?.repeatsUnansweredBodies = isAllowed
        let outcome = try #require(harness.outcome(of: harness.add(request, kind: .upload)))
        let isRepeated = method == "PUT" && isAllowed
        #expect((outcome.error == nil) == isRepeated, "\(String(describing: outcome.error))")
        #expect(server.requests(for: "/in").count == (isRepeated ? 2 : 1))
        #expect(outcome.error?.message.contains("may have stored the body") ?? isRepeated)
    }

    @Test(
        "A refusal whose page is cut is an answer: it is said, and nothing is sent again",
        arguments: [401, 403, 404, 413], ["PUT", "GET"])
    func cutRefusal(status: Int, method: String) throws {
        let harness = try EngineHarness()
        let refusal = Behaviour.respond(.text("the reason why", status: status)).cutting(after: 5, .reset)
        server.setRoute("/in", refusal)
        let id = harness.add(request(method, "/in"), kind: method == "PUT" ? .upload : .data)
        let outcome = try #require(harness.outcome(of: id))
        #expect(
            outcome.error?.code == .http && outcome.error?.statusCode == status, "\(String(describing: outcome.error))")
        #expect(outcome.error?.message.contains("may have stored the body") == false)
        #expect(outcome.head?.statusCode == status)
        #expect(server.requests(for: "/in").count == 1)
    }

    @Test("A gateway that waited in vain does not know either; a busy server has refused", arguments: [504, 503])
    func gateway(status: Int) throws {
        let harness = try EngineHarness()
        server.setRoute("/in", .sequence([.respond(.text("later", status: status)), .uploadSink()]))
        let outcome = try #require(harness.outcome(of: harness.add(request("PUT", "/in"), kind: .upload)))
        #expect(outcome.error == nil && outcome.head?.statusCode == (status == 503 ? 201 : 504))
        #expect(server.requests(for: "/in").count == (status == 503 ? 2 : 1))
    }

    @Test(
        "A kept connection that ends without an answer does not have a request sent twice that must not be",
        arguments: [0, 300_000])
    func keptConnection(count: Int) throws {
        let harness = try EngineHarness { $0.maximumConcurrentTransfers = 1 }
        server.setRoute("/first", .respond(.text("first")))
        server.setRoute("/in", .sequence([.silence(), .respond(.text("again"))]))
        #expect(harness.outcome(of: harness.add(request("GET", "/first")))?.error == nil)
        let post = TransferRequest(
            url: server.url("/in"), method: "POST", body: .bytes(Array(Self.body.prefix(count))))
        let error = try #require(harness.outcome(of: harness.add(post))?.error)
        #expect(error.code == .connectionLost, "\(error)")
        #expect(server.requests(for: "/in").count == 1)
    }
}

extension EngineEvent {
    /// Whether it reports that an answer is awaited.
    fileprivate var isAwaitedStatus: Bool {
        if case .status(_, let status) = self { status.answerAwaitedSince != nil } else { false }
    }
}
