import LoopbackServer
import Testing

@testable import SessionCore

/// Scripts that send the fields of a range and then other bytes than it names.
@Suite("Answers that are not the range they name", .timeLimit(.minutes(1)))
struct EngineFalseRangeTests {
    private static let length: Int64 = 1_000_000
    private static let held: Int64 = 400_000
    private static let content = DeterministicContent(seed: 9, count: length).bytes

    /// What a script sends in place of the range.
    enum Lie: String, CaseIterable, Sendable {
        /// The whole file, in chunks or up to the end of the connection.
        case wholeChunked, wholeUntilClose
        /// As many bytes as the range has, from the file's first one.
        case beginning
        /// The range, and more behind it.
        case surplus
    }

    enum Proof: String, CaseIterable, Sendable {
        case tag, date, checksum

        fileprivate func apply(_ resource: inout ServedResource) {
            switch self {
            case .tag: break
            case .date: (resource.entityTag, resource.lastModified) = (nil, 1_000_000_000)
            case .checksum: resource.entityTag = nil
            }
        }
    }

    private static func resource(_ proof: Proof) -> ServedResource {
        var resource = ServedResource(seed: 9, count: length)
        proof.apply(&resource)
        return resource
    }

    /// The answer of a script to a request for a range.
    private static func answer(_ range: Range<Int64>, _ lie: Lie, _ resource: ServedResource) -> Behaviour {
        let body: ServedBody =
            switch lie {
            case .wholeChunked, .wholeUntilClose: resource.body
            case .beginning: .slice(resource.body, 0..<Int64(range.count))
            case .surplus: .bytes(Array(content[Int(range.lowerBound)..<Int(range.upperBound)]) + [1, 2, 3])
            }
        var response = ScriptedResponse(206, body: body)
        response.framing = lie == .wholeUntilClose ? .untilClose : lie == .beginning ? .contentLength : .chunked
        response.headers["Content-Range"] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(length)"
        response.headers["Accept-Ranges"] = "bytes"
        response.headers["ETag"] = resource.entityTag
        if resource.lastModified != nil { response.headers["Last-Modified"] = "Sun, 09 Sep 2001 01:46:40 GMT" }
        return .respond(response)
    }

    private static func range(_ request: RecordedRequest) -> Range<Int64>? {
        guard let field = request.header("Range") else { return nil }
        let ends = field.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard let first = Int64(ends[0]) else { return nil }
        return first..<(Int64(ends[1]).map { $0 + 1 } ?? length)
    }

    struct Story: Sendable, CustomTestStringConvertible {
        var lie: Lie
        var proof: Proof
        var testDescription: String { "\(lie.rawValue), \(proof.rawValue)" }
    }

    private static let stories = Lie.allCases.flatMap { lie in
        Proof.allCases.map { Story(lie: lie, proof: $0) }
    }.filter { $0.lie != .beginning || $0.proof != .tag }

    @Test("A cut download is the file in the end, whatever the script sends for its rest", arguments: stories)
    func rest(story: Story) throws {
        let server = LoopbackServer()
        try server.start()
        let resource = Self.resource(story.proof)
        server.setRoute(
            "/file",
            .choosing { request in
                if request.index == 0 { return Behaviour.resource(resource).cutting(after: Self.held) }
                guard let range = Self.range(request) else { return .resource(resource) }
                return Self.answer(range, story.lie, resource)
            })
        let harness = try EngineHarness()
        let digest = try Digest.of(Self.content, .sha256)
        let id = harness.download(server.url("/file")) { target in
            if story.proof == .checksum { target.checksum = Checksum(algorithm: .sha256, digest: digest) }
        }
        let end = try #require(harness.outcome(of: id))
        #expect(end.error == nil)
        let isRight = harness.folder.bytes(of: "file") == Self.content
        #expect(isRight)
        #expect(server.requests.count <= 5)
    }

    @Test("Nothing of it is in a file of several connections", arguments: stories)
    func branches(story: Story) throws {
        guard story.proof != .checksum else { return }
        let server = LoopbackServer()
        try server.start()
        let resource = Self.resource(story.proof)
        server.setRoute(
            "/file",
            .choosing { request in
                guard let range = Self.range(request) else {
                    return Behaviour.resource(resource).limited(to: 2 << 20)
                }
                return Self.answer(range, story.lie, resource)
            })
        let harness = try EngineHarness()
        let id = harness.download(server.url("/file")) {
            $0.segmentation = Segmentation(connections: .exactly(4), minimumSegment: 64 << 10)
        }
        let end = try #require(harness.outcome(of: id))
        #expect(end.error == nil)
        let isRight = harness.folder.bytes(of: "file") == Self.content
        #expect(isRight)
    }

    @Test("What is passed on fails where it cannot be taken back", arguments: stories)
    func stream(story: Story) throws {
        guard story.proof != .checksum else { return }
        let server = LoopbackServer()
        try server.start()
        let resource = Self.resource(story.proof)
        server.setRoute(
            "/file",
            .choosing { request in
                if request.index == 0 { return Behaviour.resource(resource).cutting(after: Self.held) }
                guard let range = Self.range(request) else { return .resource(resource) }
                return Self.answer(range, story.lie, resource)
            })
        let harness = try EngineHarness()
        let id = harness.add(TransferRequest(url: server.url("/file")), sink: .stream)
        let end = try #require(harness.outcome(of: id))
        #expect(end.error != nil)
        let isRight = harness.streamed(id) == Array(Self.content[..<Int(Self.held)])
        #expect(isRight)
    }
}
