import LoopbackServer
import Testing

@testable import SessionCore

/// Servers with which several connections fail, and one does not.
@Suite("Where several connections fail", .timeLimit(.minutes(1)))
struct EngineLoneTests {
    private static let length: Int64 = 4 << 20
    private static let resource = ServedResource(seed: 5, count: length)
    private static let content = DeterministicContent(seed: 5, count: length).bytes

    /// What happens to every second range, or to all from the third on.
    enum Trouble: String, CaseIterable, Sendable {
        case misdirected, useProxy, unknownStatus, forbidden, shortChunks, wrongBytes, allForbidden

        fileprivate func answer(_ range: Range<Int64>, number: Int) -> Behaviour? {
            switch self {
            case .misdirected where number % 2 == 0: .respond(.text("odd", status: 421))
            case .useProxy where number % 2 == 0: .respond(.text("odd", status: 305))
            case .unknownStatus where number % 2 == 0: .respond(.text("odd", status: 600))
            case .forbidden where number % 2 == 0: .respond(.text("odd", status: 403))
            case .allForbidden where number > 2: .respond(.text("odd", status: 403))
            case .shortChunks: .respond(part(range, .slice(resource.body, range.lowerBound..<range.middle), .chunked))
            case .wrongBytes:
                .respond(part(range, .bytes([UInt8](repeating: 7, count: range.count)), .contentLength))
            default: nil
            }
        }

        private func part(_ range: Range<Int64>, _ body: ServedBody, _ framing: Framing) -> ScriptedResponse {
            var response = ScriptedResponse(206, body: body, framing: framing)
            response.headers["Content-Range"] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(length)"
            response.headers["ETag"] = resource.entityTag
            response.headers["Accept-Ranges"] = "bytes"
            return response
        }
    }

    static func range(_ request: RecordedRequest) -> Range<Int64>? {
        guard let field = request.header("Range") else { return nil }
        let ends = field.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard let first = Int64(ends[0]) else { return nil }
        return first..<(Int64(ends[1]).map { $0 + 1 } ?? length)
    }

    @Test("Eight connections bring what one would, at the latest with one", arguments: Trouble.allCases)
    func eight(trouble: Trouble) throws {
        let server = LoopbackServer()
        try server.start()
        let harness = try EngineHarness()
        let honest = Behaviour.resource(Self.resource).limited(to: 4 << 20)
        server.setRoute(
            "/file",
            .choosing { request in
                guard let range = Self.range(request) else { return honest }
                return trouble.answer(range, number: request.index) ?? honest
            })
        let digest = try Digest.of(Self.content, .sha256)
        let id = harness.download(server.url("/file")) {
            $0.segmentation = Segmentation(connections: .exactly(8), minimumSegment: 64 << 10)
            $0.checksum = Checksum(algorithm: .sha256, digest: digest)
        }
        let end = try #require(harness.outcome(of: id))
        #expect(end.error == nil)
        let isRight = harness.folder.bytes(of: "file") == Self.content
        #expect(isRight)
        #expect(harness.folder.names == ["file"])
        if trouble == .allForbidden {
            #expect(harness.restarts(of: id).allSatisfy { $0.contains("403") }, "\(harness.restarts(of: id))")
        }
    }

    @Test("What several connections have brought stays, also where ranges are refused and a whole answer is cut")
    func keepsTheLargerPart() throws {
        let server = LoopbackServer()
        try server.start()
        let harness = try EngineHarness { $0.maximumRetries = 0 }
        let honest = Behaviour.resource(Self.resource)
        server.setRoute(
            "/file",
            .choosing { request in
                if request.index <= 4 { return honest.limited(to: 400_000).cutting(after: 200_000) }
                return request.header("Range") == nil
                    ? honest.cutting(after: 100_000) : .respond(.text("odd", status: 403))
            })
        let first = harness.download(server.url("/file")) {
            $0.segmentation = Segmentation(connections: .exactly(4), minimumSegment: 64 << 10)
        }
        let failure = try #require(harness.outcome(of: first))
        let kept = failure.status.received
        #expect(failure.error != nil && kept >= 600_000, "\(kept) \(String(describing: failure.error))")
        #expect(server.requests(for: "/file").contains { $0.index > 4 && $0.header("Range") == nil })
        let count = server.ended("/file").count
        server.setRoute("/file", honest)
        let second = try #require(harness.outcome(of: harness.download(server.url("/file"))))
        #expect(second.error == nil)
        let isRight = harness.folder.bytes(of: "file") == Self.content
        #expect(isRight)
        let sent = server.ended("/file")[count...].reduce(0) { $0 + $1.responseBodyBytesSent }
        // The first bytes of each range that was kept are compared, and so is the end of what comes before them.
        #expect((0..<8 * RangeJoins.length).contains(sent - (Self.length - kept)), "\(sent) of \(Self.length), \(kept)")
    }
}

extension Range<Int64> {
    fileprivate var middle: Int64 { lowerBound + (upperBound - lowerBound) / 2 }
}
