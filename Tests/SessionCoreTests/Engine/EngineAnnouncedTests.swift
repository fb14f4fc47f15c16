import LoopbackServer
import SessionSupport
import Testing

@testable import SessionCore

/// Downloads whose server says what they are.
@Suite("Announced digests on the wire", .timeLimit(.minutes(1)))
struct EngineAnnouncedTests {
    private let server = LoopbackServer()

    init() throws { try server.start() }

    private func digest(_ count: Int) throws -> [UInt8] {
        try Digest.of(DeterministicContent(seed: 4, count: Int64(count)).bytes, .sha256)
    }

    private func field(_ digest: [UInt8]) -> String { "sha-256=:\(Base64.encode(digest)):" }

    @Test("A download is compared with what its server announces, small or large", arguments: [1_000, 300_000])
    func verified(count: Int) throws {
        let harness = try EngineHarness()
        let file = Behaviour.file(seed: 4, count: Int64(count))
        let right = try digest(count)
        server.setRoute("/right", file.header("Repr-Digest", field(right)))
        let end = harness.outcome(of: harness.download(server.url("/right"), name: .fixed("right")))
        #expect(end?.error == nil && end?.result.verifiedDigest == ByteText.hexadecimal(right))
        #expect(end?.result.verifiedAlgorithm == .sha256)

        let wrong = [UInt8](repeating: 0, count: 32)
        server.setRoute("/wrong", file.header("Repr-Digest", field(wrong)))
        let failure = harness.outcome(of: harness.download(server.url("/wrong"), name: .fixed("wrong")))
        #expect(failure?.error?.code == .checksum && failure?.error?.message.contains("announced") == true)
        #expect(harness.folder.bytes(of: "wrong") == nil)
        // Whoever has a checksum of their own is believed.
        let asked = harness.download(server.url("/wrong"), name: .fixed("asked")) {
            $0.checksum = Checksum(algorithm: .sha256, digest: right)
        }
        #expect(harness.outcome(of: asked)?.error == nil)
    }

    @Test("What the first answer has announced holds when the rest comes in another one")
    func continued() throws {
        let harness = try EngineHarness { $0.maximumRetries = 2 }
        let file = Behaviour.file(seed: 4, count: 900_000)
        let wrong = [UInt8](repeating: 0, count: 32)
        server.setRoute(
            "/file", .sequence([file.cutting(after: 400_000).header("Repr-Digest", field(wrong)), file]))
        let failure = harness.outcome(of: harness.download(server.url("/file")))
        #expect(failure?.error?.code == .checksum && harness.folder.bytes(of: "file") == nil)
    }

    // MARK: - Bodies that are passed on

    @Test(
        "A body that is passed on ends with an error where it is not what was announced",
        arguments: ["Repr-Digest", "Content-Digest"], [1, 4])
    func passedOn(field name: String, connections: Int) throws {
        let harness = try EngineHarness()
        let count = 1_000_000
        let file = Behaviour.file(seed: 4, count: Int64(count)).limited(to: 4 << 20)
        for (path, digest) in [("/right", try digest(count)), ("/wrong", [UInt8](repeating: 0, count: 32))] {
            server.setRoute(path, .choosing { $0.header("Range") == nil ? file.header(name, field(digest)) : file })
            let request = TransferRequest(url: server.url(path), headers: ["Accept-Encoding": "identity"])
            let id = harness.add(request, sink: .stream) {
                guard connections > 1 else { return }
                $0.segmentation = Segmentation(connections: .exactly(connections), minimumSegment: 64 << 10)
                $0.orderedWindow = 2 << 20
            }
            let end = try #require(harness.outcome(of: id))
            #expect(end.error?.code == (path == "/right" ? nil : .checksum))
            #expect(end.error?.message.contains("announced") ?? true)
            #expect(harness.streamed(id).count == count, "the bytes are gone already")
        }
    }

    @Test("A body that is passed on and was cut is compared as one")
    func passedOnInPieces() throws {
        let harness = try EngineHarness { $0.maximumRetries = 2 }
        let file = Behaviour.file(seed: 4, count: 900_000)
        for (path, digest) in [("/right", try digest(900_000)), ("/wrong", [UInt8](repeating: 0, count: 32))] {
            server.setRoute(
                path, .sequence([file.cutting(after: 400_000).header("Repr-Digest", field(digest)), file]))
            let end = harness.outcome(of: harness.add(TransferRequest(url: server.url(path)), sink: .stream))
            #expect(end?.error?.code == (path == "/right" ? nil : .checksum))
            #expect(server.requests(for: path).count == 2)
        }
    }

    @Test("A head without a body is compared with nothing")
    func headAlone() throws {
        let harness = try EngineHarness()
        server.setRoute("/file", Behaviour.file(seed: 4, count: 1_000).header("Repr-Digest", field(try digest(1_000))))
        let id = harness.add(TransferRequest(url: server.url("/file"), method: "HEAD"), sink: .stream)
        #expect(harness.outcome(of: id)?.error == nil)
    }

    // MARK: - Ranges

    /// A server with a digest for each range, whose ranges have a false byte after their first kilobyte as long as it
    /// lies.
    private func lying(count: Int, lies: @escaping @Sendable (Int) -> Bool) -> Behaviour {
        let resource = ServedResource(seed: 4, count: Int64(count))
        let content = DeterministicContent(seed: 4, count: Int64(count)).bytes
        return .choosing { request in
            let response = resource.response(to: request)
            guard response.status == 206, let field = request.header("Range")?.dropFirst(6),
                let first = field.split(separator: "-").first.flatMap({ Int($0) })
            else { return .respond(response) }
            let last = field.split(separator: "-").dropFirst().first.flatMap { Int($0) } ?? count - 1
            let right = Array(content[first...last])
            var sent = right
            if lies(request.index) { sent[min(1_500, sent.count - 1)] ^= 1 }
            var answer = response
            answer.body = .bytes(sent)
            let digest = (try? Digest.of(right, .sha256)) ?? []
            answer.headers["Content-Digest"] = "sha-256=:\(Base64.encode(digest)):"
            return .respond(answer)
        }
    }

    /// The ranges that are false.
    enum Lies: String, CaseIterable, Sendable {
        case some, all, none

        fileprivate func apply(to index: Int) -> Bool {
            switch self {
            case .some: index % 3 == 1
            case .all: true
            case .none: false
            }
        }
    }

    @Test("A range that is not what its own digest says is fetched again", arguments: [2, 4, 16], Lies.allCases)
    func falseRange(connections: Int, lies: Lies) throws {
        let harness = try EngineHarness()
        let content = DeterministicContent(seed: 4, count: 2_000_000).bytes
        server.setRoute("/file", lying(count: content.count) { lies.apply(to: $0) }.limited(to: 4 << 20))
        let id = harness.download(server.url("/file")) {
            $0.segmentation = Segmentation(connections: .exactly(connections), minimumSegment: 64 << 10)
        }
        #expect(harness.outcome(of: id)?.error == nil)
        let isRight = harness.folder.bytes(of: "file") == content
        #expect(isRight)
    }

    @Test("The rest of a cut download that is not what its own digest says is fetched again", arguments: [1, 2])
    func falseRest(lies: Int) throws {
        let harness = try EngineHarness { $0.maximumRetries = 2 }
        let content = DeterministicContent(seed: 4, count: 900_000).bytes
        let answer = lying(count: content.count) { $0 <= lies }
        server.setRoute(
            "/file",
            .choosing { request in
                request.index == 0 ? Behaviour.file(seed: 4, count: 900_000).cutting(after: 400_000) : answer
            })
        #expect(harness.outcome(of: harness.download(server.url("/file")))?.error == nil)
        let isRight = harness.folder.bytes(of: "file") == content
        #expect(isRight)
        #expect(server.requests.count == 2 + lies)
    }

    @Test("A server that sends the file's digest with each of its ranges is believed")
    func digestOfFile() throws {
        let harness = try EngineHarness { $0.maximumRetries = 2 }
        let file = Behaviour.file(seed: 4, count: 900_000).header("Content-Digest", field(try digest(900_000)))
        server.setRoute("/file", .sequence([file.cutting(after: 400_000), file]))
        #expect(harness.outcome(of: harness.download(server.url("/file")))?.error == nil)
        #expect(server.requests.count == 2)
    }

    @Test("A range that the caller asks for is not the file that a digest is of")
    func ownRange() throws {
        let harness = try EngineHarness()
        server.setRoute("/file", Behaviour.file(seed: 4, count: 1_000).header("Repr-Digest", field(try digest(1_000))))
        let request = TransferRequest(url: server.url("/file"), headers: ["Range": "bytes=0-9"])
        let id = harness.add(
            request, kind: .download,
            sink: .file(DownloadTarget(folder: harness.folder.path, name: .fixed("ten"))))
        #expect(harness.outcome(of: id)?.error == nil)
        #expect(harness.folder.bytes(of: "ten")?.count == 10)
        #expect(harness.outcome(of: harness.add(request, sink: .stream))?.error == nil)
    }

    @Test("A file that is left where it is needs not be what the server announces")
    func skipped() throws {
        let harness = try EngineHarness()
        try harness.folder.write(Array("old".utf8), to: "file")
        server.setRoute("/file", Behaviour.file(seed: 4, count: 1_000).header("Repr-Digest", field(try digest(1_000))))
        let id = harness.download(server.url("/file")) { $0.collision = .skip }
        let end = harness.outcome(of: id)
        #expect(end?.error == nil && end?.result.wasSkipped == true)
    }
}
