import Foundation
import LoopbackServer
import Testing

@testable import SessionCore

/// Bodies that are larger than they may be, and servers that are slower.
@Suite("Limits of size and speed", .timeLimit(.minutes(2)))
struct EngineLimitTests {
    let server: LoopbackServer

    init() throws {
        server = LoopbackServer()
        try server.start()
    }

    private func request(_ path: String, _ change: (inout RequestOptions) -> Void) -> TransferRequest {
        var request = TransferRequest(url: server.url(path))
        var options = RequestOptions()
        change(&options)
        request.options = options
        return request
    }

    private func download(_ harness: EngineHarness, _ request: TransferRequest) -> TransferID {
        let target = DownloadTarget(folder: harness.folder.path, name: .fixed("file"))
        return harness.add(request, kind: .download, sink: .file(target))
    }

    private func names(_ harness: EngineHarness) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: harness.folder.path).filter { $0 != "staging" }
    }

    @Test("A file that announces more than it may have fails before a byte of it is written", arguments: [true, false])
    func announced(isDownload: Bool) throws {
        let harness = try EngineHarness()
        server.setRoute("/a", .file(seed: 3, count: 50_000_000))
        let request = request("/a") { $0.sizeLimit = 49_999_999 }
        let id = isDownload ? download(harness, request) : harness.add(request)
        let outcome = try #require(harness.outcome(of: id))
        #expect(outcome.error?.code == .bodyTooLarge)
        #expect(
            outcome.error?.message == ResponseErrors.tooLarge(50_000_000, limit: 49_999_999))
        #expect(try names(harness).isEmpty)
        #expect(harness.status(id).received == 0 && server.requests(for: "/a").count == 1)
    }

    @Test("A file that is as large as it may be is fetched", arguments: [Framing.contentLength, .chunked(1000)])
    func allowed(framing: Framing) throws {
        let harness = try EngineHarness()
        server.setRoute("/a", .file(seed: 3, count: 300_000).framed(framing))
        let outcome = try #require(
            harness.outcome(of: download(harness, request("/a") { $0.sizeLimit = 300_000 })))
        #expect(outcome.error == nil)
        #expect(try names(harness) == ["file"])
    }

    @Test(
        "A body without a length fails when it goes beyond, and nothing of it stays",
        arguments: [(Framing.chunked(1000), true), (.chunked(1000), false), (.untilClose, true), (.untilClose, false)])
    func unannounced(framing: Framing, isDownload: Bool) throws {
        let harness = try EngineHarness()
        server.setRoute("/a", .file(seed: 3, count: 60_000_000).framed(framing))
        let request = request("/a") { $0.sizeLimit = 600_000 }
        let id = isDownload ? download(harness, request) : harness.add(request)
        let outcome = try #require(harness.outcome(of: id))
        #expect(outcome.error?.code == .bodyTooLarge)
        #expect(outcome.error?.message == ResponseErrors.overLimit(600_000))
        #expect(try names(harness).isEmpty)
        #expect(server.requests(for: "/a").count == 1, "it is not tried again")
    }

    @Test("A length beside chunks does not lift the limit", arguments: [true, false])
    func falseLength(isDownload: Bool) throws {
        let harness = try EngineHarness()
        let file = Behaviour.file(seed: 3, count: 60_000_000).framed(.chunked(1000))
        server.setRoute("/a", file.header("Content-Length", "10"))
        let request = request("/a") { $0.sizeLimit = 600_000 }
        let id = isDownload ? download(harness, request) : harness.add(request)
        let outcome = try #require(harness.outcome(of: id))
        #expect(outcome.error?.message == ResponseErrors.overLimit(600_000))
        #expect(try names(harness).isEmpty)
    }

    @Test("The rest of a file in chunks is refused for the size that its range names")
    func restInChunks() throws {
        let harness = try EngineHarness()
        let file = Behaviour.file(seed: 3, count: 3_000_000).framed(.chunked(1000))
        server.setRoute("/a", .sequence([file.cutting(after: 400_000), file]))
        let id = download(harness, request("/a") { $0.sizeLimit = 1_000_000 })
        let outcome = try #require(harness.outcome(of: id))
        #expect(outcome.error?.message == ResponseErrors.tooLarge(3_000_000, limit: 1_000_000))
        try #require(server.waitForFinishedRequests(count: 2))
        #expect(server.requests(for: "/a").map(\.status) == [200, 206])
    }

    @Test("A range that the caller asks for counts for itself, wherever it lies in the file")
    func ownRange() throws {
        let harness = try EngineHarness()
        server.setRoute("/a", .file(seed: 3, count: 3_000_000))
        var request = request("/a") { $0.sizeLimit = 1_000 }
        request.headers["Range"] = "bytes=2000000-2000999"
        let outcome = try #require(harness.outcome(of: harness.add(request)))
        #expect(outcome.error == nil && outcome.body.count == 1_000)
    }

    @Test("What is at hand belongs to the size of a file that is gone on with")
    func resumed() throws {
        let harness = try EngineHarness()
        let file = Behaviour.file(seed: 3, count: 900_000)
        server.setRoute("/a", .sequence([file.cutting(after: 500_000), file]))
        let free = try #require(harness.outcome(of: download(harness, request("/a") { $0.sizeLimit = 900_000 })))
        #expect(free.error == nil)
        #expect(server.requests(for: "/a").count == 2)
        // The rest alone would be small enough.
        let second = try EngineHarness { $0.maximumRetries = 0 }
        server.setRoute("/b", .sequence([file.cutting(after: 500_000), file]))
        _ = try #require(second.outcome(of: download(second, request("/b") { _ in })))
        let id = download(second, request("/b") { $0.sizeLimit = 899_999 })
        let outcome = try #require(second.outcome(of: id))
        #expect(outcome.error?.code == .bodyTooLarge)
        #expect(try names(second).contains { $0.hasSuffix(".part") }, "what an earlier run has fetched stays")
    }

    @Test("A server that is too slow loses its place to another one, and is not asked for ever")
    func tooSlow() throws {
        let harness = try EngineHarness {
            $0.maximumConcurrentTransfers = 1
            $0.dataTransfersHaveOwnSlots = false
            $0.maximumRetries = 1
            $0.stallTimeout = 60
        }
        server.setRoute("/slow", .file(seed: 3, count: 5_000_000).limited(to: 20_000))
        server.setRoute("/good", .file(seed: 4, count: 100_000))
        let slow = request("/slow") { $0.leastSpeed = LeastSpeed(bytesPerSecond: 1_000_000, seconds: 1) }
        let first = download(harness, slow)
        harness.resume(first)
        #expect(harness.waitForReceived(1, first))
        let second = harness.add(request("/good") { _ in })
        #expect(try #require(harness.outcome(of: second)).error == nil)
        let outcome = try #require(harness.outcome(of: first, resuming: false))
        #expect(outcome.error?.code == .stalled)
        #expect(outcome.error?.message == TransportErrors.tooSlow("127.0.0.1", "976 KiB/s", seconds: 1))
        #expect(server.requests(for: "/slow").count == 2)
    }

    @Test("A server that is too slow over several connections is not asked for ever either", arguments: [0, 1])
    func tooSlowTogether(retries: Int) throws {
        let harness = try EngineHarness {
            $0.maximumRetries = retries
            $0.segmentation = Segmentation(connections: .exactly(3), minimumSegment: 64 << 10)
        }
        server.setRoute("/slow", .file(seed: 3, count: 5_000_000).limited(to: 20_000))
        let slow = request("/slow") { $0.leastSpeed = LeastSpeed(bytesPerSecond: 1_000_000, seconds: 1) }
        let outcome = try #require(harness.outcome(of: download(harness, slow)))
        #expect(outcome.error?.message == TransportErrors.tooSlow("127.0.0.1", "976 KiB/s", seconds: 1))
        #expect(server.requests(for: "/slow").count <= 3 * (retries + 1))
    }

    @Test("Connections that together are fast enough are left alone, though each of them is too slow")
    func fastTogether() throws {
        let harness = try EngineHarness {
            $0.maximumRetries = 0
            $0.segmentation = Segmentation(connections: .exactly(4), minimumSegment: 64 << 10)
        }
        // All are there before any may have been slow for long.
        let all = try Gate(opensAt: 4)
        server.setRoute("/a", .file(seed: 3, count: 1_000_000).limited(to: 100_000).stalling(after: 20_000, until: all))
        let fast = request("/a") { $0.leastSpeed = LeastSpeed(bytesPerSecond: 150_000, seconds: 2) }
        #expect(try #require(harness.outcome(of: download(harness, fast))).error == nil)
    }

    @Test("A transfer that a limit of ours slows down is not too slow")
    func pacedIsNotSlow() throws {
        let harness = try EngineHarness {
            $0.maximumRetries = 0
            $0.rateLimits.perTask.download = 200_000
        }
        // All of it is in the kernel, so that the limit alone makes it slow.
        server.setRoute("/a", .file(seed: 3, count: 300_000))
        let id = download(harness, request("/a") { $0.leastSpeed = LeastSpeed(bytesPerSecond: 250_000, seconds: 0.05) })
        #expect(try #require(harness.outcome(of: id)).error == nil)
    }

    @Test("A server that is fast enough is left alone, and so is a slow one while the transfer is paused")
    func pausedIsNotSlow() throws {
        let harness = try EngineHarness { $0.maximumRetries = 0 }
        let gate = try server.gate(named: "middle")
        server.setRoute("/a", .file(seed: 3, count: 3_000_000).stalling(after: 1_000_000, until: gate))
        let id = download(harness, request("/a") { $0.leastSpeed = LeastSpeed(bytesPerSecond: 1000, seconds: 4) })
        harness.resume(id)
        #expect(harness.waitForReceived(1, id))
        #expect(harness.suspendAndWait(id))
        // The window passes by while it is paused; another transfer's end tells that it has.
        server.setRoute("/clock", .file(seed: 4, count: 50_000).limited(to: 10_000))
        #expect(try #require(harness.outcome(of: harness.add(request("/clock") { _ in }))).error == nil)
        gate.release()
        #expect(try #require(harness.outcome(of: id)).error == nil)
    }
}
