import Testing

@testable import SessionCore

@Suite("What of a request is stored", .timeLimit(.minutes(1)))
struct StoredTransferTests {
    private static func stored(_ request: TransferRequest) throws(SessionError) -> StoredTransfer {
        try StoredTransfer(
            storing: request, id: TransferID(rawValue: 1), kind: .upload, destination: .memory, createdAt: 1)
    }

    @Test(
        "Header fields with secrets are left out, and the transfer says that it needs them",
        arguments: [
            ("Authorization", true), ("proxy-authorization", true), ("Cookie", true), ("X-Api-Key", true),
            ("X-Auth-Token", true), ("Accept", false), ("Idempotency-Key", false), ("Content-Type", false),
        ])
    func secretFieldsAreLeftOut(name: String, isSecret: Bool) throws {
        let transfer = try Self.stored(TransferRequest(url: "http://h/", headers: [name: "value-x", "A": "b"]))
        #expect(transfer.request.headers[name] == (isSecret ? nil : "value-x"))
        #expect(transfer.request.headers["A"] == "b")
        #expect(transfer.needsCredentials == isSecret)
        #expect(transfer.canResumeUnattended == !isSecret)
    }

    @Test(
        "Secrets in a URL are masked, and the transfer says that it needs them",
        arguments: [
            ("http://user:pw@h/a", "http://h/a"), ("http://h/a?token=abc&b=1", "http://h/a?token=***&b=1"),
            ("http://h/a?b=1#c", "http://h/a?b=1#c"),
        ])
    func secretsInURLsAreMasked(url: String, expected: String) throws {
        let transfer = try Self.stored(TransferRequest(url: url))
        #expect(transfer.request.url == expected)
        #expect(transfer.needsCredentials == (url != expected))
    }

    @Test(
        "A body with secrets is left out, and the transfer says that it needs it",
        arguments: [("password=x", true), (#"{"token": 1}"#, true), ("a=1", false), ("\u{0}password=x", false)])
    func secretBodiesAreLeftOut(body: String, isSecret: Bool) throws {
        let bytes = BodySpecification.bytes(Array(body.utf8))
        let transfer = try Self.stored(TransferRequest(url: "http://h/", method: "PUT", body: bytes))
        #expect(transfer.request.body == (isSecret ? .none : bytes))
        #expect(transfer.needsCredentials == isSecret)
    }

    @Test("A body of 1 MiB is stored, a larger one and a stream are refused")
    func largeBodiesAreRefused() throws {
        var request = TransferRequest(url: "http://h/", method: "PUT")
        request.body = .bytes([UInt8](repeating: 1, count: 1 << 20))
        #expect(try Self.stored(request).request.body == request.body)
        request.body = .bytes([UInt8](repeating: 1, count: 1 << 20 + 1))
        #expect(throws: SessionError.self) { try Self.stored(request) }
        request.body = .descriptor(0)
        #expect(throws: SessionError.self) { try Self.stored(request) }
    }

    @Test(
        "Only a request that may be repeated goes on by itself after it was sent",
        arguments: [("GET", true), ("PUT", true), ("POST", false), ("PATCH", false)])
    func repeatingIsSafe(method: String, isSafe: Bool) throws {
        var transfer = try Self.stored(TransferRequest(url: "http://h/", method: method))
        #expect(transfer.canResumeUnattended)
        transfer.wasStarted = true
        #expect(transfer.canResumeUnattended == isSafe)
        transfer.request.headers["Idempotency-Key"] = "1"
        #expect(transfer.canResumeUnattended)
        transfer.counts = BodyCounts(sent: 9, expectedToSend: 10)
        #expect(transfer.canResumeUnattended && !transfer.mayHaveArrived)
        transfer.counts.sent = 10
        #expect(!transfer.canResumeUnattended && transfer.mayHaveArrived, "its server had the body")
        transfer.standing = .completed
        #expect(!transfer.mayHaveArrived)
    }
}
