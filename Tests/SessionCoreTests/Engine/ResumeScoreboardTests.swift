import LoopbackServer
import Testing

@testable import SessionCore

/// The client holds 400,000 of 1,048,576 bytes of an earlier run; the server then misbehaves in one of many ways.
///
/// Each case ends with the server's present bytes under the name, or with an error, the part kept and nothing under it.
@Suite("Resume scoreboard", .timeLimit(.minutes(1)))
struct ResumeScoreboardTests {
    static let length: Int64 = 1_048_576
    static let partSize: Int64 = 400_000
    static let old = ServedResource(seed: 1, count: length)
    static let changed = ServedResource(seed: 2, count: length)

    /// How a case has to end.
    enum Ending: Sendable {
        /// The file holds generated content of this seed and length.
        case file(seed: UInt64, count: Int64)
        case failure(SessionError.Code)
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var behaviour: Behaviour
        var ending = Ending.file(seed: 1, count: length)
        var extraRoutes: [String: Behaviour] = [:]
        var change: @Sendable (inout StoredMetadata) -> Void = { _ in }
        var partBytes: Int64 = partSize
        var testDescription: String { name }
    }

    /// One answer to the range request; what follows it is the honest file.
    static func once(_ answer: ScriptedResponse, then rest: ServedResource = old) -> Behaviour {
        .sequence([.respond(answer), .resource(rest)])
    }

    static func part(
        _ range: Range<Int64>, contentRange: String?, tag: String? = old.entityTag, body: ServedBody? = nil
    ) -> ScriptedResponse {
        var response = ScriptedResponse(206, body: body ?? .slice(old.body, range))
        response.headers["Content-Range"] = contentRange
        response.headers["ETag"] = tag
        return response
    }

    static let remainder = partSize..<length
    static let honestRange = "bytes \(partSize)-\(length - 1)/\(length)"

    static let cases: [Case] = [
        Case(name: "an unchanged file goes on", behaviour: .resource(old)),
        Case(
            name: "RS-02 the file changed and kept its size", behaviour: .resource(changed),
            ending: .file(seed: 2, count: length)),
        Case(
            name: "RS-03 the file changed and grew", behaviour: .file(seed: 3, count: 1_500_000),
            ending: .file(seed: 3, count: 1_500_000)),
        Case(name: "RS-05 the server ignores ranges", behaviour: .resource(with(old) { $0.honoursRange = false })),
        Case(
            name: "RS-06 the range begins at byte 0",
            behaviour: once(part(0..<length, contentRange: "bytes 0-\(length - 1)/\(length)"))),
        Case(name: "RS-07 a 206 without Content-Range", behaviour: once(part(remainder, contentRange: nil))),
        Case(
            name: "RS-08 a 206 of another file",
            behaviour: once(
                part(remainder, contentRange: "bytes \(partSize)-\(length - 1)/\(length + 7)", tag: "\"other\""),
                then: changed),
            ending: .file(seed: 2, count: length)),
        Case(name: "RS-20 everything is here already", behaviour: .respond(.text("", status: 416)), partBytes: length),
        Case(
            name: "everything is here already, of a length that was never announced",
            behaviour: .sequence([.respond(with(part(0..<0, contentRange: "bytes */\(length)")) { $0.status = 416 })]),
            change: { $0.length = nil }, partBytes: length),
        Case(
            name: "RS-21 the file became shorter", behaviour: .file(seed: 4, count: 300_000),
            ending: .file(seed: 4, count: 300_000)),
        Case(
            name: "RS-19 a whole answer as long as the part", behaviour: .file(seed: 5, count: partSize),
            ending: .file(seed: 5, count: partSize)),
        Case(
            name: "RS-17 several parts in answer to one range",
            behaviour: once(multipart())),
        Case(
            name: "RS-14 a body longer than its range",
            behaviour: once(
                with(part(remainder, contentRange: honestRange, body: .joined([honestBody, .text(extra)]))) {
                    $0.framing = .untilClose
                })),
        Case(
            name: "RS-15 a body shorter than announced",
            behaviour: .sequence([Behaviour.resource(old).cutting(after: 100_000), .resource(old)])),
        Case(name: "RS-13 a shorter range than was asked for", behaviour: .handler { windows($0) }),
        Case(
            name: "RS-31 a 503 with a page",
            behaviour: once(
                with(.html("<p>later</p>", status: 503)) { $0.headers["Retry-After"] = "0" })),
        Case(
            name: "RS-33 a login page behind a redirect", behaviour: .redirect(to: "/login"),
            ending: .failure(.unexpectedContent), extraRoutes: ["/login": .respond(.html("<p>log in</p>"))]),
        Case(
            name: "RS-18 a whole answer with a lying Content-Range",
            behaviour: .sequence([
                Behaviour.resource(with(changed) { $0.honoursRange = false }).header("Content-Range", honestRange)
            ]), ending: .file(seed: 2, count: length)),
        Case(
            name: "RS-32 the file is gone", behaviour: .respond(.html("<p>gone</p>", status: 404)),
            ending: .failure(.http)),
        Case(
            name: "RS-29 the part came in a content coding", behaviour: .resource(old),
            change: { $0.contentEncoding = "gzip" }),
        Case(
            name: "RS-16 chunks cut in the middle",
            behaviour: .sequence([
                Behaviour.resource(old).framed(.chunked).cutting(after: 123_456), .resource(old),
            ])),
        Case(
            name: "RS-23 only a weak tag vouches for the part",
            behaviour: .resource(with(changed) { $0.entityTag = "W/\"same\"" }),
            ending: .file(seed: 2, count: length), change: { $0.entityTag = "W/\"same\"" }),
    ]

    static let honestBody = ServedBody.slice(old.body, remainder)
    static let extra = String(repeating: "x", count: 1_000)

    static func with<Value>(_ value: Value, _ change: (inout Value) -> Void) -> Value {
        var copy = value
        change(&copy)
        return copy
    }

    static func multipart() -> ScriptedResponse {
        var response = ScriptedResponse(206, body: .joined([.text("--b\r\n\r\n"), .slice(old.body, remainder)]))
        response.headers["Content-Type"] = "multipart/byteranges; boundary=b"
        response.headers["ETag"] = old.entityTag
        return response
    }

    /// Answers every range with at most 200,000 bytes of it.
    static func windows(_ request: RecordedRequest) -> ScriptedResponse {
        let first = request.header("Range").flatMap { Int64($0.dropFirst(6).dropLast()) } ?? 0
        let end = min(first + 200_000, length)
        return part(first..<end, contentRange: "bytes \(first)-\(end - 1)/\(length)")
    }

    /// With several connections the server is slow enough for them to be made.
    @Test("ends right, with one connection and with eight", arguments: cases, [1, 8])
    func ends(_ scenario: Case, connections: Int) throws {
        let server = LoopbackServer()
        try server.start()
        server.setRoute("/file", connections == 1 ? scenario.behaviour : scenario.behaviour.limited(to: 2_000_000))
        for (path, behaviour) in scenario.extraRoutes { server.setRoute(path, behaviour) }
        let harness = try EngineHarness()
        try leavePart(in: harness.folder.path, url: server.url("/file"), scenario)
        let id = harness.download(server.url("/file")) {
            $0.segmentation = Segmentation(connections: .exactly(connections), minimumSegment: 64 << 10)
        }
        let outcome = try #require(harness.outcome(of: id))
        switch scenario.ending {
        case .file(let seed, let count):
            #expect(outcome.error == nil)
            #expect(harness.folder.bytes(of: "file") == DeterministicContent(seed: seed, count: count).bytes)
            #expect(harness.folder.names == ["file"])
        case .failure(let code):
            #expect(outcome.error?.code == code)
            #expect(harness.folder.bytes(of: "file") == nil)
            let part = try #require(harness.folder.names.first { $0.hasSuffix(".part") })
            let kept = DeterministicContent(seed: 1, count: Self.length).bytes(in: 0..<Self.partSize)
            #expect(harness.folder.bytes(of: part) == kept)
        }
        for request in server.requests(for: "/file") {
            #expect((request.header("If-Range") == nil) || request.header("Range") != nil)
            #expect(request.header("If-Range")?.hasPrefix("W/") != true)
            #expect(request.header("If-Modified-Since") == nil && request.header("If-None-Match") == nil)
        }
    }

    /// What an earlier run has left: the first bytes of the old file, with its facts.
    private func leavePart(in path: String, url: String, _ scenario: Case) throws {
        var metadata = StoredMetadata(url: url, finalURL: url, method: "GET", status: 200)
        metadata.entityTag = Self.old.entityTag
        metadata.length = Self.length
        metadata.contentType = "application/octet-stream"
        metadata.acceptRanges = "bytes"
        scenario.change(&metadata)
        let folder = try Folder(path: path)
        let part = try PartFile.create(
            in: folder, url: url, name: .fixed("file"), finalName: "file", metadata: metadata)
        let bytes = DeterministicContent(seed: 1, count: Self.length).bytes(in: 0..<scenario.partBytes)
        try bytes.withUnsafeBytes { try part.write($0, at: 0) }
        part.close()
    }
}
