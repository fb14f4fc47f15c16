import Foundation
import LoopbackServer
import Testing

@testable import SessionCore

/// Bodies that are passed on in order while several connections bring them.
@Suite("Ordered bodies", .timeLimit(.minutes(1)))
struct OrderedBodyTests {
    private let server = LoopbackServer()
    private let harness: EngineHarness
    private static let count: Int64 = 2 << 20
    private static let window: Int64 = 1 << 20
    private let resource = ServedResource(seed: 7, count: Self.count)
    private let bytes = DeterministicContent(seed: 7, count: Self.count).bytes

    init() throws {
        try server.start()
        harness = try EngineHarness()
    }

    /// The file, as each connection gets it.
    private var slow: Behaviour { Behaviour.resource(resource).limited(to: 1 << 20) }
    private var requests: [RecordedRequest] { server.requests(for: "/file") }

    private func stream(
        _ connections: Int = 8, _ options: RequestOptions? = nil, _ harness: EngineHarness? = nil
    ) -> TransferID {
        var request = TransferRequest(url: server.url("/file"), headers: ["Accept-Encoding": "identity"])
        request.options = options
        return (harness ?? self.harness).add(request, sink: .stream) {
            $0.segmentation = Segmentation(connections: .exactly(connections))
            $0.orderedWindow = Self.window
        }
    }

    private func body(_ events: [EngineEvent]) -> [UInt8] {
        events.flatMap { if case .data(_, let bytes) = $0 { bytes } else { [UInt8]() } }
    }

    private func byteCount(_ events: [EngineEvent]) -> Int {
        events.reduce(0) { if case .data(_, let bytes) = $1 { $0 + bytes.count } else { $0 } }
    }

    /// Reads a body to its end; nil where something waits in vain.
    ///
    /// - Parameter step: sees how many bytes were read before each look.
    private func read(
        _ id: TransferID, _ other: EngineHarness? = nil, step: (Int) -> Void = { _ in }
    ) -> (bytes: [UInt8], error: SessionError?)? {
        let harness = other ?? self.harness
        harness.resume(id)
        var consumed = 0
        while true {
            let known = consumed
            guard harness.wait(id, until: { $0.contains(where: \.isEnd) || byteCount($0) > known }) else { return nil }
            let events = harness.events(of: id)
            step(consumed)
            harness.engine.submit(.consumed(id, bytes: byteCount(events) - consumed))
            consumed = byteCount(events)
            if let end = events.compactMap({ TransferEnd($0) }).first { return (body(events), end.error) }
        }
    }

    private func isComplete(_ result: (bytes: [UInt8], error: SessionError?)?) -> Bool {
        result?.error == nil && result?.bytes == bytes
    }

    @Test("Eight connections bring every byte about once, and it comes in order")
    func eight() throws {
        server.setRoute("/file", slow.stalling(after: 50_000, until: try Gate(opensAt: 6)))
        let result = read(stream())
        #expect(isComplete(result))
        #expect(requests.map(\.simultaneousCount).max() ?? 0 >= 6)
        #expect(requests.dropFirst().allSatisfy { $0.header("If-Range") == resource.entityTag })
        // A busy machine ends a connection late, when its server has sent some of the next one's bytes too.
        let sent = requests.reduce(0) { $0 + $1.responseBodyBytesSent }
        #expect(sent < 2 * Self.count)
    }

    @Test("One connection asks once, and so does a server that proves no version", arguments: [true, false])
    func one(isSingle: Bool) throws {
        let weak = ResumeScoreboardTests.with(resource) { $0.entityTag = "W/\"1\"" }
        server.setRoute("/file", isSingle ? slow : .resource(weak))
        #expect(isComplete(read(stream(isSingle ? 1 : 8))))
        #expect(requests.count == 1)
    }

    @Test(
        "A length beside chunks says nothing of a body that is passed on",
        arguments: [10, Self.count - 1, 2 * Self.count])
    func falseLength(length: Int64) {
        server.setRoute("/file", .resource(resource).framed(.chunked).header("Content-Length", "\(length)"))
        let id = stream()
        #expect(isComplete(read(id)))
        #expect(requests.count == 1 && harness.status(id).expectedToReceive == nil)
    }

    @Test("A coded body is whole where it is decoded, although its coding is longer")
    func shortCoded() throws {
        let harness = try EngineHarness { $0.decodesBodies = true }
        var response = ScriptedResponse(headers: ["Content-Encoding": "gzip"], body: .bytes(GzipForm.stored([7])))
        response.headers["ETag"] = "\"1\""
        server.setRoute("/file", .respond(response))
        let id = harness.add(TransferRequest(url: server.url("/file")), sink: .stream) {
            $0.segmentation = Segmentation(connections: .exactly(8))
            $0.orderedWindow = Self.window
        }
        let result = read(id, harness)
        #expect(result?.error == nil && result?.bytes == [7])
        #expect(requests.count == 1 && requests.first?.header("Accept-Encoding") != nil)
    }

    @Test("A reader that is slow slows the servers down, and no more than the window is in memory")
    func slowReader() throws {
        server.setRoute("/file", .resource(resource))
        let id = stream()
        harness.resume(id)
        // Nobody has read anything, and the window is full.
        let most = Self.window + (1 << 20)
        #expect(harness.waitForReceived(Self.window - (128 << 10), id))
        #expect(harness.status(id).received <= most)
        var worst: Int64 = 0
        let result = read(id) { read in worst = max(worst, harness.status(id).received - Int64(read)) }
        #expect(isComplete(result))
        #expect(worst <= most, "\(worst)")
    }

    @Test("Connections that are too slow together are noticed although the lead changes within each window")
    func tooSlowTogether() throws {
        // A piece takes less than a second.
        server.setRoute("/file", slow.limited(to: 150_000).stalling(after: 50_000, until: try Gate(opensAt: 4)))
        var options = RequestOptions()
        options.leastSpeed = LeastSpeed(bytesPerSecond: 1_000_000, seconds: 2)
        let harness = try EngineHarness { $0.maximumRetries = 0 }
        let result = read(stream(4, options, harness), harness)
        #expect(result?.error?.message == TransportErrors.tooSlow("127.0.0.1", "976 KiB/s", seconds: 2))
        #expect(Set(requests.map { $0.header("Range") }).count > 4, "The lead has changed")
    }

    @Test("Connections that are fast enough together are left alone while the lead changes")
    func fastTogether() throws {
        server.setRoute("/file", slow.limited(to: 200_000).stalling(after: 50_000, until: try Gate(opensAt: 4)))
        var options = RequestOptions()
        options.leastSpeed = LeastSpeed(bytesPerSecond: 300_000, seconds: 2)
        #expect(isComplete(read(stream(4, options))))
    }

    @Test("A connection that is reset in the middle is replaced, whichever it is", arguments: [0, 1, 4])
    func reset(_ index: Int) throws {
        let honest = slow
        server.setRoute("/file", .choosing { $0.index == index ? honest.cutting(after: 50_000, .reset) : honest })
        let result = read(stream(4))
        #expect(result?.error == nil, "\(result?.error?.message ?? "")")
        #expect(result?.bytes.count == bytes.count)
        let isRight = result?.bytes == bytes
        #expect(isRight)
    }

    @Test(
        "Answers that are refused, late, whole or of another version add no byte",
        arguments: ["429", "500", "close", "whole", "other", "noTag"])
    func odd(_ manner: String) throws {
        let (honest, resource) = (slow, resource)
        let other = Behaviour.file(seed: 8, count: Self.count)
        server.setRoute(
            "/file",
            .choosing { request in
                guard request.index == 1 else { return honest }
                switch manner {
                case "close": return .silence(.close)
                case "whole": return .resource(ResumeScoreboardTests.with(resource) { $0.honoursRange = false })
                case "other": return other
                case "noTag": return honest.header("ETag", nil)
                default: return .respond(.text("no", status: Int(manner) ?? 500))
                }
            })
        #expect(isComplete(read(stream(4))))
    }

    @Test("A file that changes in the middle fails, and what was passed on is of one version")
    func changes() throws {
        let (old, new) = (slow, Behaviour.file(seed: 9, count: Self.count))
        server.setRoute(
            "/file", .choosing { $0.index == 0 ? old.cutting(after: 300_000, .reset) : new })
        let result = try #require(read(stream(4)))
        #expect(result.error?.code == .resourceChanged)
        #expect(!result.bytes.isEmpty && bytes.starts(with: result.bytes))
    }

    @Test("A pause ends the further connections, and the order stays")
    func paused() throws {
        server.setRoute("/file", slow)
        let id = stream(4)
        harness.resume(id)
        #expect(harness.waitForReceived(256 << 10, id))
        #expect(harness.suspendAndWait(id))
        harness.expireHold(id)
        #expect(server.wait { $0.allSatisfy { $0.outcome != .running } })
        #expect(isComplete(read(id)))
    }
}
