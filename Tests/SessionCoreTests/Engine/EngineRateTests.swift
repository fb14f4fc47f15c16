import Foundation
import LoopbackServer
import Testing

@testable import SessionCore

/// Limits on how fast bodies move, with real connections.
@Suite("Rates in the engine", .timeLimit(.minutes(1)))
struct EngineRateTests {
    let server: LoopbackServer
    let content = DeterministicContent(seed: 5, count: 1_000_000)

    init() throws {
        server = LoopbackServer()
        try server.start()
        server.setRoute("/file", .file(seed: 5, count: content.count))
        server.setRoute("/upload", .uploadSink())
    }

    private func harness(_ limits: RateLimits, _ change: (inout SessionConfiguration) -> Void = { _ in }) throws
        -> EngineHarness
    {
        try EngineHarness {
            $0.rateLimits = limits
            change(&$0)
        }
    }

    /// Waits for the end.
    private func hasSucceeded(_ id: TransferID, _ harness: EngineHarness) -> Bool {
        harness.outcome(of: id).map { $0.error == nil } ?? false
    }

    /// Seconds that a piece of work takes.
    private func seconds(_ work: () -> Void) -> Double {
        let start = ContinuousClock.now
        work()
        return (ContinuousClock.now - start) / .seconds(1)
    }

    @Test("Two downloads together take the time that the limit of all gives them")
    func all() throws {
        let harness = try harness(RateLimits(all: RateLimit(download: 2_000_000)))
        let time = seconds {
            let ids = ["one", "two"].map { harness.download(server.url("/file"), name: .fixed($0)) }
            for id in ids { harness.resume(id) }
            for id in ids { #expect(hasSucceeded(id, harness)) }
        }
        #expect(time > 0.95)
        #expect(harness.folder.bytes(of: "one") == content.bytes)
        #expect(harness.folder.bytes(of: "two") == content.bytes)
    }

    @Test("Each of two downloads gets what one may have")
    func perTask() throws {
        let harness = try harness(RateLimits(perTask: RateLimit(download: 2_000_000)))
        let time = seconds {
            let ids = ["one", "two"].map { harness.download(server.url("/file"), name: .fixed($0)) }
            for id in ids { harness.resume(id) }
            for id in ids { #expect(hasSucceeded(id, harness)) }
        }
        #expect(time > 0.48)
        #expect(harness.folder.bytes(of: "two") == content.bytes)
    }

    @Test("An upload is bounded by the limit of uploads, and a download beside it is not")
    func upload() throws {
        // So slow that it is still under way when a busy machine has ended the download.
        let harness = try harness(RateLimits(all: RateLimit(upload: 20_000)))
        let time = seconds {
            let request = TransferRequest(url: server.url("/upload"), method: "PUT", body: .bytes(content.bytes))
            let id = harness.add(request, kind: .upload)
            let other = harness.download(server.url("/file"))
            harness.resume(id)
            harness.resume(other)
            #expect(hasSucceeded(other, harness))
            #expect(harness.status(id).phase != .completed, "the upload is still under way")
            harness.engine.submit(.setRateLimits(RateLimits(all: RateLimit(upload: 1_000_000))))
            #expect(hasSucceeded(id, harness))
        }
        #expect(time > 0.9)
        #expect(server.requests(for: "/upload").last?.bodyChecksum == BodyChecksum(of: content))
    }

    @Test("Many small files keep to the limit too, although each comes in one piece")
    func smallFiles() throws {
        server.setRoute("/small", .file(seed: 6, count: 10_000))
        let harness = try harness(RateLimits(perHost: RateLimit(download: 500_000)))
        let time = seconds {
            let ids = (0..<50).map { harness.download(server.url("/small"), name: .fixed("\($0)")) }
            for id in ids { harness.resume(id) }
            for id in ids { #expect(hasSucceeded(id, harness)) }
        }
        #expect(time > 0.93)
        #expect(harness.folder.bytes(of: "49") == DeterministicContent(seed: 6, count: 10_000).bytes)
    }

    @Test("A limit that is set and lifted while a download runs holds at once", arguments: [true, false])
    func live(ofItsOwn: Bool) throws {
        let harness = try harness(RateLimits()) { $0.stallTimeout = 0.2 }
        server.setRoute("/long", .file(seed: 7, count: 8_000_000).limited(to: 20_000_000))
        let id = harness.download(server.url("/long"))
        harness.resume(id)
        #expect(harness.waitForReceived(500_000, id))
        func bound(_ limit: RateLimit?) {
            if ofItsOwn {
                harness.changeRank(of: id) { $0.rateLimit = limit }
            } else {
                harness.engine.submit(.setRateLimits(RateLimits(all: limit ?? RateLimit())))
            }
        }
        // So slow that the rest would take a day; the waits for portions are far longer than a stall may be.
        bound(RateLimit(download: 300))
        let before = harness.status(id).received
        #expect(harness.waitForReceived(before + 1, id))
        // Another session's download tells that more time than a stall's has passed; a busy server may have stalled before.
        harness.waitForLoop()
        let retries = harness.retries(of: [id])
        server.setRoute("/clock", .file(count: 6_000).limited(to: 10_000))
        let clock = try EngineHarness()
        #expect(hasSucceeded(clock.download(server.url("/clock")), clock))
        #expect(harness.retries(of: [id]) == retries, "no stall")
        harness.suspend(id)
        #expect(harness.waitForPhase(.paused, id))
        harness.resume(id)
        bound(nil)
        #expect(hasSucceeded(id, harness))
        #expect(harness.folder.bytes(of: "file") == DeterministicContent(seed: 7, count: 8_000_000).bytes)
    }

    /// A limit of one direction before and after a change: none, one that lets a transfer wait, and a higher one.
    enum Bound: CaseIterable, Sendable {
        case none, low, high

        var rate: Int64? {
            switch self {
            case .none: nil
            case .low: 200_000
            case .high: 20_000_000
            }
        }
    }

    /// The limits of both directions at one time.
    struct Bounds: Sendable {
        var download: Bound
        var upload: Bound

        var limits: RateLimits {
            RateLimits(all: RateLimit(download: download.rate, upload: upload.rate))
        }

        static let all = Bound.allCases.flatMap { download in
            Bound.allCases.map { Bounds(download: download, upload: $0) }
        }
    }

    @Test(
        "Any change of the limits of either direction holds at once for a download and an upload that wait for their portions",
        arguments: Bounds.all, Bounds.all)
    func changed(before: Bounds, after: Bounds) throws {
        let harness = try harness(before.limits)
        let shut = try Gate()
        server.setRoute("/half", .file(seed: 5, count: content.count).stalling(after: 500_000, until: shut))
        server.setRoute(
            "/taken",
            .uploadSink(UploadPolicy(delivery: Delivery(stalls: [Stall(after: 500_000, gate: shut)]))))
        let upload = harness.add(
            TransferRequest(url: server.url("/taken"), method: "PUT", body: .bytes(content.bytes)), kind: .upload)
        let download = harness.download(server.url("/half"))
        for id in [upload, download] { harness.resume(id) }
        #expect(harness.waitForReceived(1, download))
        #expect(harness.wait(upload) { $0.contains { $0.hasSent(1) } })
        harness.engine.submit(.setRateLimits(after.limits))
        harness.waitForLoop()
        let (received, sent) = (harness.status(download).received, harness.status(upload).sent)
        shut.release()
        if after.download == .low {
            #expect(harness.wait(download) { $0.contains { $0.isEnd || $0.hasReceived(received + 1) } })
        } else {
            #expect(hasSucceeded(download, harness))
        }
        if after.upload == .low {
            #expect(harness.wait(upload) { $0.contains { $0.isEnd || $0.hasSent(sent + 1) } })
        } else {
            #expect(hasSucceeded(upload, harness))
        }
    }

    @Test("A transfer goes on that waits for a limit of its own when another transfer with one ends")
    func ownLimitEnds() throws {
        let harness = try harness(RateLimits(all: RateLimit(upload: 1_000_000)))
        let bounded = harness.download(server.url("/file"), name: .fixed("bounded"))
        harness.changeRank(of: bounded) { $0.rateLimit = RateLimit(download: 500_000) }
        let others = ["one", "two"].map { harness.download(server.url("/file"), name: .fixed($0)) }
        for id in [bounded] + others { harness.resume(id) }
        #expect(harness.waitForReceived(1, bounded))
        harness.intent(.cancelled(keepsPart: false), bounded)
        for id in others { #expect(hasSucceeded(id, harness)) }
    }

    @Test("A segmented download goes on when its first connection ends while others wait for portions")
    func segments() throws {
        let harness = try harness(RateLimits(perTask: RateLimit(download: 1_500_000)))
        let id = harness.add(
            TransferRequest(url: server.url("/file")), kind: .download,
            sink: .file(DownloadTarget(folder: harness.folder.path, name: .fixed("file")))
        ) { $0.segmentation = Segmentation(connections: .exactly(4), minimumSegment: 65_536) }
        harness.resume(id)
        #expect(hasSucceeded(id, harness))
        #expect(harness.folder.bytes(of: "file") == content.bytes)
    }
}
