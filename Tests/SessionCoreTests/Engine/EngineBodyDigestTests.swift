import Foundation
import LoopbackServer
import SessionSupport
import Testing

@testable import SessionCore

/// Digests of a request's body, which are computed before it is sent (RFC 9530).
@Suite("Digests of bodies", .timeLimit(.minutes(1)))
struct EngineBodyDigestTests {
    private static let content = DeterministicContent(seed: 9, count: 1_000_000).bytes
    private let server: LoopbackServer

    init() throws {
        var configuration = LoopbackServer.Configuration()
        configuration.keptBodyByteCount = 2 << 20
        server = LoopbackServer(configuration: configuration)
        try server.start()
    }

    private func request(_ way: UploadResumption, body: BodySpecification = .bytes(content)) -> TransferRequest {
        var request = TransferRequest(url: server.url("/files"), method: "PUT", body: body)
        request.options = RequestOptions()
        request.options?.bodyDigest = .sha256
        request.uploadResumption = way
        return request
    }

    private func field(_ bytes: some Sequence<UInt8>) throws -> String {
        "sha-256=:\(Base64.encode(try Digest.of(bytes, .sha256))):"
    }

    @Test("A file is hashed before it is sent, and again when it has changed before a retry")
    func file() throws {
        let harness = try EngineHarness()
        let path = harness.folder.path + "/body"
        try Data(Self.content).write(to: URL(fileURLWithPath: path))
        let gate = try server.gate(named: "again")
        let later = Behaviour.respond(ScriptedResponse(503, headers: ["Retry-After": "0"])).waiting(for: gate)
        server.setRoute("/files", .sequence([later, .uploadSink()]))
        let id = harness.add(request(.off, body: .file(path: path)), kind: .upload)
        harness.resume(id)
        #expect(server.wait { $0.contains { $0.bodyIsComplete } })
        let other = Array(Self.content.reversed())
        try Data(other).write(to: URL(fileURLWithPath: path))
        gate.release()
        let outcome = try #require(harness.outcome(of: id, resuming: false))
        #expect(outcome.error == nil && outcome.head?.statusCode == 201)
        for (request, bytes) in zip(server.requests, [Self.content, other]) {
            let expected = try field(bytes)
            #expect(request.header("Content-Digest") == expected && request.header("Repr-Digest") == expected)
        }
        #expect(server.requests.count == 2 && server.requests.last?.bodyPrefix == other)
    }

    @Test("A piece that was answered counts once while the digest of the next one is computed")
    func countOfPieces() throws {
        let harness = try EngineHarness()
        var keeper = UploadKeeper(.draft, at: "/files")
        keeper.limits = "max-append-size=300000"
        server.keepUploads(keeper)
        let id = harness.add(request(.automatic), kind: .upload)
        #expect(try #require(harness.outcome(of: id)).error == nil)
        let sent = harness.events(of: id).compactMap { event -> Int64? in
            if case .status(_, let status) = event { status.sent } else { nil }
        }
        #expect(harness.status(id).sent == 1_000_000 && sent == sent.sorted(), "\(sent)")
        #expect(server.requests.filter { $0.bodyByteCount > 0 }.count == 4)
    }

    @Test(
        "After a cut the digest of a request covers its own bytes", arguments: [UploadKeeper.Style.tus, .contentRange])
    func pieces(style: UploadKeeper.Style) throws {
        let harness = try EngineHarness()
        var keeper = UploadKeeper(style, at: "/files")
        keeper.cuts = [400_000]
        server.keepUploads(keeper)
        let id = harness.add(request(style == .tus ? .tus : .contentRange), kind: .upload)
        #expect(try #require(harness.outcome(of: id)).error == nil)
        let sent = server.requests.filter { $0.bodyByteCount > 0 }
        try #require(sent.count == 2)
        let (whole, rest) = (try field(Self.content), try field(Self.content[400_000...]))
        #expect(sent.map { $0.header("Content-Digest") } == [whole, rest])
        // The bytes that tus appends are no content of their URL.
        #expect(sent.map { $0.header("Repr-Digest") } == (style == .tus ? [nil, nil] : [whole, whole]))
        let asked = server.requests.filter { $0.bodyByteCount == 0 }
        #expect(!asked.isEmpty && asked.allSatisfy { $0.header("Content-Digest") == nil })
    }

    @Test("A body that can be read only once fails before anything is sent")
    func stream() throws {
        let harness = try EngineHarness()
        server.setRoute("/files", .uploadSink())
        let file = open("/dev/null", O_RDONLY)
        defer { close(file) }
        let outcome = try #require(
            harness.outcome(of: harness.add(request(.off, body: .descriptor(file)), kind: .upload)))
        #expect(outcome.error?.code == .invalidRequest && outcome.error?.message == BodyErrors.noDigest)
        #expect(server.requestCount == 0)
    }

    @Test("The caller's own field stays")
    func ownField() throws {
        let harness = try EngineHarness()
        server.setRoute("/files", .uploadSink())
        var request = request(.off)
        request.headers["Repr-Digest"] = "sha-256=:own:"
        #expect(try #require(harness.outcome(of: harness.add(request, kind: .upload))).error == nil)
        #expect(server.requests.last?.header("Repr-Digest") == "sha-256=:own:")
        #expect(try server.requests.last?.header("Content-Digest") == field(Self.content))
    }

    @Test("A range is hashed alone, by several functions at once, and only as long as that is wanted")
    func ranges() throws {
        let folder = try EngineHarness().folder
        let path = folder.path + "/body"
        try Data(Self.content).write(to: URL(fileURLWithPath: path))
        let expected = [
            try Digest.of(Self.content[10..<999_999], .sha256), try Digest.of(Self.content[10..<999_999], .md5),
        ]
        for body in [BodySpecification.bytes(Self.content), .file(path: path)] {
            #expect(try BodyDigest.of(10..<999_999, in: body, [.sha256, .md5]) { true } == expected)
        }
        #expect(try BodyDigest.of(0..<10, in: .file(path: path), [.sha256]) { false } == nil)
        #expect(throws: SessionError.self) {
            try BodyDigest.of(0..<1_000_001, in: .file(path: path), [.sha256]) { true }
        }
        #expect(throws: SessionError.self) { try BodyDigest.of(0..<1, in: .none, [.sha256]) { true } }
    }

    @Test("What the fields cover is hashed once")
    func subjects() {
        let both = DigestFields(algorithm: .sha512, piece: 0..<5, whole: 0..<5)
        #expect(both.subjects == [BodyDigests.Subject(range: 0..<5, algorithm: .sha512)])
        let part = DigestFields(algorithm: .sha256, piece: 3..<5, whole: 0..<5)
        #expect(part.subjects.map(\.range) == [3..<5, 0..<5])
        let digests = BodyDigests(UploadContent(length: 5, modified: 0))
        digests[part.subjects[0]] = [1]
        #expect(part.fields(digests, own: [:]) == ["Content-Digest": "sha-256=:AQ==:"])
        #expect(part.fields(nil, own: [:]).isEmpty)
    }
}
