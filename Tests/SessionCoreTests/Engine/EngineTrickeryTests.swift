import FuzzTestSupport
import LoopbackServer
import SessionSupport
import Testing

@testable import SessionCore

/// Many downloads at once from servers that answer every request in another wrong way, paused and resumed meanwhile.
///
/// Whatever happens, a file is one version of what the server had, from its first byte to its last.
@Suite("Downloads from tricky servers", .timeLimit(.minutes(1)))
struct EngineTrickeryTests {
    /// A file that changes from time to time, and a server that does everything but serve it.
    private final class Trickster: Sendable {
        private struct State {
            var random: SeededGenerator
            var version: UInt64 = 1
            var answers = 0
        }

        private static let lengths: [Int64] = [1, 60_000, 65_537, 300_000, 900_000]
        private static let patience = 12

        let seed: UInt64
        let length: Int64
        private let hasTag: Bool
        private let state: Locked<State>

        init(seed: UInt64) {
            var random = SeededGenerator(seed: seed)
            self.seed = seed
            length = Self.lengths.randomElement(using: &random) ?? 1
            hasTag = Int.random(in: 0..<4, using: &random) > 0
            state = Locked(State(random: random))
        }

        /// What the server had so far.
        var versions: [DeterministicContent] {
            (1...state.withLock(\.version)).map { DeterministicContent(seed: seed << 8 | $0, count: length) }
        }

        func answer(_ request: RecordedRequest) -> Behaviour {
            let (trick, version, offset) = state.withLock { state -> (Int, UInt64, Int64) in
                state.answers += 1
                // At last it is honest, so that the download can end.
                guard state.answers < Self.patience else { return (0, state.version, 0) }
                if Int.random(in: 0..<5, using: &state.random) == 0 { state.version += 1 }
                let offset = Int64.random(in: 0...length, using: &state.random)
                return (Int.random(in: 0..<12, using: &state.random), state.version, offset)
            }
            return behaviour(trick, resource(version), asked: Self.first(request), offset)
        }

        private func resource(_ version: UInt64) -> ServedResource {
            var resource = ServedResource(seed: seed << 8 | version, count: length)
            if !hasTag {
                resource.entityTag = nil
                resource.lastModified = 1_000_000_000 + Int(version)
            }
            return resource
        }

        private static func first(_ request: RecordedRequest) -> Int64? {
            request.header("Range").flatMap { Int64($0.dropFirst(6).dropLast()) }
        }

        private func behaviour(
            _ trick: Int, _ resource: ServedResource, asked: Int64?, _ offset: Int64
        ) -> Behaviour {
            var changed = resource
            switch trick {
            case 1, 2, 3: return Behaviour.resource(resource).cutting(after: offset, .close)
            case 4: return Behaviour.resource(resource).cutting(after: offset, .reset)
            case 5: changed.honoursRange = false
            // A range of whatever is there now, although If-Range asked for something else.
            case 6, 7: changed.honoursIfRange = false
            case 8: changed.entityTag = changed.entityTag.map { "W/" + $0 }
            case 9: return Behaviour.resource(resource).framed(.chunked).cutting(after: offset)
            case 10:
                guard let asked, asked < length else { break }
                return .respond(part(resource, min(offset, asked)..<max(asked, offset)))
            case 11:
                guard let asked else { break }
                var answer = ScriptedResponse(416)
                answer.headers["Content-Range"] = "bytes */\(offset < length / 2 ? asked : length + 1)"
                return .respond(answer)
            default: break
            }
            return .resource(changed)
        }

        private func part(_ resource: ServedResource, _ range: Range<Int64>) -> ScriptedResponse {
            let end = max(range.upperBound, range.lowerBound + 1)
            var response = ScriptedResponse(206, body: .slice(resource.body, range.lowerBound..<end))
            response.headers["Content-Range"] = "bytes \(range.lowerBound)-\(end - 1)/\(length)"
            response.headers["ETag"] = resource.entityTag
            return response
        }
    }

    @Test("A file is never a mixture", arguments: [1, 2] as [UInt64])
    func mixture(_ round: UInt64) throws {
        let server = LoopbackServer()
        try server.start()
        let harness = try EngineHarness {
            $0.maximumRetries = 3
            $0.holdTimeout = 0.02
        }
        var random = SeededGenerator(seed: round)
        let tricksters = (0..<40).map { Trickster(seed: round * 100 + $0) }
        for trickster in tricksters { server.setRoute("/\(trickster.seed)", .choosing { trickster.answer($0) }) }
        let ids = tricksters.map { harness.download(server.url("/\($0.seed)"), name: .fixed("\($0.seed)")) }
        for id in ids { harness.resume(id) }
        for id in ids + ids.shuffled(using: &random) {
            let mark = Int64.random(in: 1...200_000, using: &random)
            let waits = Bool.random(using: &random)
            _ = harness.wait(id) { events in !waits || events.contains { $0.isEnd || $0.hasReceived(mark) } }
            harness.suspend(id)
            if Bool.random(using: &random) { #expect(harness.waitForRestOrEnd(id)) }
            harness.resume(id)
        }
        for (id, trickster) in zip(ids, tricksters) {
            let outcome = try #require(harness.outcome(of: id, resuming: false), "seed \(trickster.seed)")
            let bytes = harness.folder.bytes(of: "\(trickster.seed)")
            if outcome.error == nil {
                let found = try #require(bytes, "seed \(trickster.seed)")
                #expect(trickster.versions.contains { $0.bytes == found }, "seed \(trickster.seed)")
            } else {
                #expect(bytes == nil, "seed \(trickster.seed)")
            }
            let parts = harness.folder.names.filter { $0.hasPrefix(".\(trickster.seed).") && $0.hasSuffix(".part") }
            #expect(parts.count <= (outcome.error == nil ? 0 : 1), "seed \(trickster.seed): \(parts)")
        }
    }
}

extension EngineHarness {
    /// Waits until a transfer that was suspended is paused; one that had not begun stays in the queue.
    fileprivate func waitForRestOrEnd(_ id: TransferID) -> Bool {
        wait(id) { events in
            switch events.last {
            case .status(_, let status): status.phase == .paused || status.phase == .queued
            case let event?: event.isEnd
            case nil: false
            }
        }
    }
}
