import LoopbackServer
import Testing

@testable import SessionCore

/// Servers that give good ranges, and now and then something else.
@Suite("Odd answers within a download", .timeLimit(.minutes(1)))
struct EngineOddAnswerTests {
    private static let length: Int64 = 4 << 20
    private static let resource = ServedResource(seed: 5, count: length)
    private static let content = DeterministicContent(seed: 5, count: length).bytes
    private let server = LoopbackServer()
    private let harness: EngineHarness

    init() throws {
        try server.start()
        harness = try EngineHarness()
    }

    enum Odd: String, CaseIterable, Sendable {
        case noContentRange, otherRange, noTag, unsatisfied, unsatisfiedOfLength

        fileprivate var behaviour: Behaviour {
            let honest = Behaviour.resource(resource)
            return switch self {
            case .noContentRange: honest.header("Content-Range", nil)
            case .otherRange: honest.header("Content-Range", "bytes 5-9/\(length)")
            case .noTag: honest.header("ETag", nil)
            case .unsatisfied: .respond(.text("odd", status: 416))
            case .unsatisfiedOfLength:
                Behaviour.respond(.text("odd", status: 416)).header("Content-Range", "bytes */\(length)")
            }
        }
    }

    private func download(connections: Int) -> TransferID {
        harness.download(server.url("/file")) {
            $0.segmentation = Segmentation(connections: .exactly(connections), minimumSegment: 64 << 10)
        }
    }

    /// A part of an earlier run.
    private func leavePart(connections: Int) throws -> Int64 {
        // One connection stands still before its end; several, of which none may stand, leave three seconds for the cancel.
        let gate = try server.gate(named: "part")
        let honest = Behaviour.resource(Self.resource)
        server.setRoute(
            "/file", connections == 1 ? honest.stalling(after: 1_500_000, until: gate) : honest.limited(to: 250_000))
        let id = download(connections: connections)
        harness.resume(id)
        #expect(harness.waitForReceived(1_000_000, id))
        harness.intent(.cancelled(keepsPart: true), id)
        let end = try #require(harness.outcome(of: id, resuming: false))
        server.clearRequests()
        return end.status.received
    }

    @Test("Two in a row cost no byte of the part, with one connection and with four", arguments: Odd.allCases, [1, 4])
    func passing(odd: Odd, connections: Int) throws {
        let kept = try leavePart(connections: connections)
        let honest = Behaviour.resource(Self.resource)
        server.setRoute("/file", .sequence([odd.behaviour, odd.behaviour, honest]))
        let id = download(connections: connections)
        let outcome = try #require(harness.outcome(of: id))
        #expect(outcome.error == nil && harness.restarts(of: id) == [])
        let isRight = harness.folder.bytes(of: "file") == Self.content
        #expect(isRight)
        #expect(server.requests(for: "/file").allSatisfy { $0.header("Range") != nil })
        let needless = harness.events(of: id).contains { if case .retrying = $0 { true } else { false } }
        #expect(!needless && kept >= 1_000_000)
    }

    @Test("A server that gives nothing else is asked for all of the file in the end", arguments: Odd.allCases)
    func lasting(odd: Odd) throws {
        _ = try leavePart(connections: 1)
        let (honest, odd) = (Behaviour.resource(Self.resource), odd.behaviour)
        server.setRoute("/file", .choosing { $0.header("Range") == nil ? honest : odd })
        let id = download(connections: 1)
        let outcome = try #require(harness.outcome(of: id))
        #expect(outcome.error == nil && harness.restarts(of: id).count == 1)
        let isRight = harness.folder.bytes(of: "file") == Self.content
        #expect(isRight)
        #expect(server.requests(for: "/file").count(where: { $0.header("Range") != nil }) == 3)
    }

    @Test("A refusal that passes costs no byte of what several connections brought", arguments: [403, 404, 416])
    func refusal(status: Int) throws {
        let (kept, honest) = (try leavePart(connections: 4), Behaviour.resource(Self.resource))
        let refusal = Behaviour.respond(.text("no", status: status))
        server.setRoute("/file", .sequence([refusal, refusal, honest]))
        let id = download(connections: 4)
        let outcome = try #require(harness.outcome(of: id))
        #expect(outcome.error == nil && harness.restarts(of: id) == [])
        let isRight = harness.folder.bytes(of: "file") == Self.content
        #expect(isRight)
        #expect(server.requests(for: "/file").allSatisfy { $0.header("Range") != nil })
        #expect(kept >= 1_000_000)
    }

    @Test("What is counted stays while a run that got nothing ends", arguments: [503, 429])
    func countedToTheEnd(status: Int) throws {
        let kept = try leavePart(connections: 4)
        let harness = harness
        server.setRoute("/file", Behaviour.respond(.text("later", status: status)).header("Retry-After", "0"))
        let id = download(connections: 4)
        let outcome = try #require(harness.outcome(of: id))
        // The first bytes of each range are not counted until they are compared.
        let counted = kept - 4 * RangeJoins.length...kept
        #expect(outcome.error?.statusCode == status && counted.contains(outcome.status.received))
        let counts = harness.events(of: id).compactMap { event -> Int64? in
            if case .status(_, let status) = event { status.received } else { nil }
        }
        #expect(counts.drop { $0 == 0 }.allSatisfy { counted.contains($0) }, "\(counts) of \(kept)")
    }

    /// How much a server sends of each range.
    enum Share: String, CaseIterable, Sendable {
        case oneByte, half

        fileprivate func part(of range: Range<Int64>) -> Range<Int64> {
            switch self {
            case .oneByte: range.lowerBound..<range.lowerBound + 1
            case .half: range.lowerBound..<range.lowerBound + max(Int64(range.count) / 2, 1)
            }
        }
    }

    @Test(
        "A server that sends a little of each range is asked for all of the file in the end, and not for ever",
        arguments: Share.allCases.flatMap { share in [(share, 1, true), (share, 1, false), (share, 4, true)] })
    func meagre(share: Share, connections: Int, hasTag: Bool) throws {
        let stamped: @Sendable (Behaviour) -> Behaviour = { behaviour in
            guard !hasTag else { return behaviour }
            return behaviour.header("ETag", nil).header("Last-Modified", "Wed, 01 Jan 2025 00:00:00 GMT")
        }
        let resource = Self.resource
        server.setRoute(
            "/file",
            .choosing { request in
                guard let range = EngineLoneTests.range(request) else {
                    let complete = Behaviour.resource(resource)
                    return stamped(request.index == 0 ? complete.cutting(after: 1_500_000) : complete)
                }
                let part = share.part(of: range.lowerBound..<min(range.upperBound, Self.length))
                var response = ScriptedResponse(206, body: .slice(resource.body, part), framing: .contentLength)
                response.headers["Content-Range"] = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(Self.length)"
                response.headers["ETag"] = resource.entityTag
                response.headers["Accept-Ranges"] = "bytes"
                return stamped(.respond(response))
            })
        let id = download(connections: connections)
        let outcome = try #require(harness.outcome(of: id))
        #expect(outcome.error == nil, "\(String(describing: outcome.error))")
        let isRight = harness.folder.bytes(of: "file") == Self.content
        #expect(isRight)
        #expect(server.requests(for: "/file").count < 80)
    }
}
