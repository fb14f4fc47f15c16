import FuzzTestSupport
import LoopbackServer
import Testing

@testable import SessionCore

/// Pausing, as far as the engine is concerned: what stops, what is kept, and what goes on.
@Suite("Pausing in the engine", .timeLimit(.minutes(1)))
struct EnginePausingTests {
    let server: LoopbackServer
    let harness: EngineHarness
    let content = DeterministicContent(seed: 11, count: 8_000_000)

    init() throws {
        server = LoopbackServer()
        try server.start()
        harness = try EngineHarness { $0.holdTimeout = 600 }
    }

    /// Opened by a test once it has paused or cancelled what must not be whole before.
    private var rest: Gate { get throws { try server.gate(named: "rest") } }

    /// A file whose last bytes wait for ``rest``.
    private func slowFile() throws -> Behaviour {
        .file(seed: 11, count: content.count).limited(to: 20_000_000).stalling(after: 7_500_000, until: try rest)
    }

    @Test("A short pause holds the connection and loses nothing")
    func hold() throws {
        server.setRoute("/file", try slowFile())
        let id = harness.download(server.url("/file"))
        harness.resume(id)
        #expect(harness.waitForReceived(1_000_000, id))
        harness.suspend(id)
        #expect(harness.waitForPhase(.paused, id))
        try rest.release()
        let outcome = try #require(harness.outcome(of: id))
        #expect(outcome.error == nil)
        #expect(harness.folder.bytes(of: "file") == content.bytes)
        #expect(server.requests(for: "/file").count == 1)
    }

    @Test("A part has every byte that was received as soon as its download is paused", arguments: [1, 4])
    func written(connections: Int) throws {
        server.setRoute("/file", try slowFile())
        let id = harness.download(server.url("/file")) {
            $0.segmentation = Segmentation(connections: .exactly(connections), minimumSegment: 64 << 10)
        }
        harness.resume(id)
        for pause in 1...6 {
            #expect(harness.waitForReceived(Int64(pause) * 1_000_000 + 12_345, id))
            // Several connections may have brought the end before the pause has come to them.
            guard harness.suspendOrEnd(id) else { break }
            // A byte at each range that is not compared yet keeps it apart from the one before.
            let missing = try harness.status(id).received - keptBytes()
            #expect(connections == 1 ? missing == 0 : (0...16).contains(missing), "\(missing)")
            harness.resume(id)
        }
        try rest.release()
        #expect(harness.outcome(of: id)?.error == nil)
        #expect(harness.folder.bytes(of: "file") == content.bytes)
    }

    @Test("So has that of a small file, which would never have had one")
    func writtenSmall() throws {
        let gate = try server.gate(named: "end")
        server.setRoute("/file", .file(seed: 11, count: 60_000).stalling(after: 30_000, until: gate))
        let id = harness.download(server.url("/file"))
        harness.resume(id)
        #expect(harness.waitForReceived(30_000, id))
        #expect(harness.suspendAndWait(id))
        harness.waitForStorage(of: id)
        #expect(try keptBytes() == 30_000)
        gate.release()
        #expect(harness.outcome(of: id)?.error == nil)
        #expect(harness.folder.bytes(of: "file") == DeterministicContent(seed: 11, count: 60_000).bytes)
        #expect(harness.folder.names == ["file"])
    }

    /// The bytes with which another run would go on if this one were killed now.
    private func keptBytes() throws -> Int64 {
        PartFile.keptBytes(
            in: try Folder(path: harness.folder.path, creating: false), url: server.url("/file"), name: .fixed("file"),
            hasChecksum: false)
    }

    @Test("No pause is counted in the time that a transfer may take", arguments: [false, true])
    func timeLimit(givingUpConnection: Bool) throws {
        server.setRoute("/file", try slowFile())
        var request = TransferRequest(url: server.url("/file"))
        request.options = RequestOptions()
        request.options?.timeLimit = 600
        let target = DownloadTarget(folder: harness.folder.path, name: .fixed("file"))
        let id = harness.add(request, kind: .download, sink: .file(target))
        harness.resume(id)
        #expect(harness.waitForReceived(1_000_000, id))
        #expect(harness.suspendAndWait(id))
        if givingUpConnection {
            harness.expireHold(id)
            #expect(server.waitForFinishedRequests(count: 1))
        }
        #expect(harness.timeStands(of: id) == true)
        try rest.release()
        harness.comeToTimeLimit(id)
        let outcome = try #require(harness.outcome(of: id))
        #expect(outcome.error == nil)
        #expect(harness.folder.bytes(of: "file") == content.bytes)
    }

    @Test("A long pause gives the connection up and goes on with a range")
    func park() throws {
        let harness = try EngineHarness { $0.holdTimeout = 0.01 }
        server.setRoute("/file", try slowFile())
        let id = harness.download(server.url("/file"))
        harness.resume(id)
        #expect(harness.waitForReceived(1_000_000, id))
        harness.suspend(id)
        #expect(server.waitForFinishedRequests(count: 1))
        try rest.release()
        #expect(harness.folder.names.contains { $0.hasSuffix(".part.meta") })
        let outcome = try #require(harness.outcome(of: id))
        #expect(outcome.error == nil)
        #expect(harness.folder.bytes(of: "file") == content.bytes)
        #expect(server.requests(for: "/file").last?.header("Range") != nil)
        #expect(harness.restarts(of: id) == [])
    }

    @Test("What arrives during a pause is taken before the connection is given up")
    func drain() throws {
        // So little comes during the pause that the smallest buffer takes it.
        let (gate, end) = (try server.gate(named: "middle"), try server.gate(named: "end"))
        server.setRoute(
            "/file",
            .file(seed: 11, count: content.count).stalling(after: 1_000_000, until: gate)
                .stalling(after: 1_060_000, until: end))
        let id = harness.download(server.url("/file"))
        harness.resume(id)
        #expect(harness.waitForReceived(1_000_000, id))
        #expect(harness.suspendAndWait(id))
        gate.release()
        #expect(harness.waitForKernel(1_060_000, id))
        harness.expireHold(id)
        #expect(server.waitForFinishedRequests(count: 1))
        #expect(harness.waitForReceived(1_060_000, id))
        end.release()
        let outcome = try #require(harness.outcome(of: id))
        #expect(outcome.error == nil)
        #expect(harness.folder.bytes(of: "file") == content.bytes)
        let range = try #require(server.requests(for: "/file").last?.header("Range"))
        #expect(range == "bytes=1059744-")
    }

    @Test("What arrives whole during a pause becomes a file on the resume, not before")
    func wholeDuringPause() throws {
        let gate = try server.gate(named: "end")
        // So little comes during the pause that the smallest buffer takes it.
        let content = DeterministicContent(seed: 11, count: 1_060_000)
        server.setRoute("/file", .file(seed: 11, count: content.count).stalling(after: 1_000_000, until: gate))
        let id = harness.download(server.url("/file"))
        harness.resume(id)
        #expect(harness.waitForReceived(1_000_000, id))
        harness.suspend(id)
        #expect(harness.waitForPhase(.paused, id))
        gate.release()
        #expect(harness.waitForKernel(content.count, id))
        harness.expireHold(id)
        #expect(
            harness.wait(id) { events in
                events.contains(where: \.isEnd)
                    || events.contains { $0.hasReceived(content.count) && $0.isPausedStatus }
            })
        #expect(harness.outcomeIfAny(id) == nil)
        #expect(harness.folder.bytes(of: "file") == nil)
        let outcome = try #require(harness.outcome(of: id))
        #expect(outcome.error == nil)
        #expect(harness.folder.bytes(of: "file") == content.bytes)
        #expect(harness.folder.names == ["file"])
        #expect(server.requests(for: "/file").count == 1)
    }

    @Test("Without a strong validator a pause goes on holding")
    func unresumable() throws {
        let harness = try EngineHarness { $0.holdTimeout = 0.01 }
        server.setRoute("/file", try slowFile().header("ETag", nil).header("Last-Modified", nil))
        let id = harness.download(server.url("/file"))
        harness.resume(id)
        #expect(harness.waitForReceived(1_000_000, id))
        harness.suspend(id)
        #expect(harness.waitForPhase(.paused, id))
        #expect(harness.status(id).resumability != .yes)
        try rest.release()
        let outcome = try #require(harness.outcome(of: id))
        #expect(outcome.error == nil)
        #expect(server.requests(for: "/file").count == 1)
        #expect(harness.folder.bytes(of: "file") == content.bytes)
    }

    @Test("Pausing gives the slot to the next transfer at once")
    func slots() throws {
        let harness = try EngineHarness { $0.maximumConcurrentTransfers = 1 }
        server.setRoute("/file", try slowFile())
        server.setRoute("/other", .respond(.text("x")))
        let first = harness.download(server.url("/file"))
        harness.resume(first)
        #expect(harness.waitForReceived(500_000, first))
        let second = harness.add(TransferRequest(url: server.url("/other")))
        harness.resume(second)
        #expect(harness.waitForPhase(.queued, second))
        harness.suspend(first)
        #expect(harness.outcome(of: second, resuming: false)?.error == nil)
        try rest.release()
        #expect(harness.outcome(of: first)?.error == nil)
    }

    @Test("A slot that comes after a pause is not used, though the loop has not been told of the pause yet")
    func pauseBeforeSlot() throws {
        let harness = try EngineHarness { $0.maximumConcurrentTransfers = 1 }
        server.setRoute("/file", try slowFile())
        server.setRoute("/paused", .respond(.text("x")))
        server.setRoute("/other", .respond(.text("x")))
        let first = harness.download(server.url("/file"))
        harness.resume(first)
        #expect(harness.waitForReceived(500_000, first))
        let paused = harness.add(TransferRequest(url: server.url("/paused")))
        let other = harness.add(TransferRequest(url: server.url("/other")))
        harness.resume(paused)
        harness.resume(other)
        #expect(harness.waitForPhase(.queued, other))
        harness.wishUntold(.suspended, paused)
        harness.suspend(first)
        #expect(harness.outcome(of: other, resuming: false)?.error == nil)
        #expect(server.requests(for: "/paused").isEmpty)
        #expect(harness.outcome(of: paused)?.error == nil)
    }

    @Test("A pause before the first byte keeps it from coming")
    func beforeFirstByte() throws {
        let gate = try server.gate(named: "head")
        server.setRoute("/file", .file(seed: 11, count: content.count).waiting(for: gate))
        let id = harness.download(server.url("/file"))
        harness.resume(id)
        #expect(gate.waitForArrivals())
        harness.suspend(id)
        #expect(harness.waitForPhase(.paused, id))
        gate.release()
        let outcome = try #require(harness.outcome(of: id))
        #expect(outcome.error == nil)
        #expect(harness.folder.bytes(of: "file") == content.bytes)
    }

    @Test("A paused upload sends nothing and arrives whole")
    func upload() throws {
        let gate = try server.gate(named: "reading")
        server.setRoute(
            "/sink",
            .respond(.text("ok")).receiving(
                UploadPolicy(delivery: Delivery(stalls: [Stall(after: 200_000, gate: gate)]))))
        let request = TransferRequest(url: server.url("/sink"), method: "PUT", body: .bytes(content.bytes))
        let id = harness.add(request, kind: .upload)
        harness.resume(id)
        #expect(gate.waitForArrivals())
        harness.suspend(id)
        #expect(harness.waitForPhase(.paused, id))
        gate.release()  // What the kernel has goes on its way.
        #expect(harness.status(id).sent < content.count)
        let outcome = try #require(harness.outcome(of: id))
        #expect(outcome.error == nil)
        let recorded = try #require(server.requests(for: "/sink").last)
        #expect(recorded.bodyChecksum == BodyChecksum(of: content))
        #expect(server.requests(for: "/sink").count == 1)
    }

    @Test("A paused data request goes on and ends whole")
    func dataRequest() throws {
        server.setRoute("/data", try slowFile())
        let id = harness.add(TransferRequest(url: server.url("/data")), sink: .memory(limit: 10_000_000))
        harness.resume(id)
        #expect(harness.waitForReceived(1_000_000, id))
        harness.suspend(id)
        #expect(harness.waitForPhase(.paused, id))
        try rest.release()
        let outcome = try #require(harness.outcome(of: id))
        #expect(outcome.body == content.bytes)
    }

    @Test("Pausing and resuming as fast as possible ends with the right bytes", arguments: [0.0, 600])
    func storm(_ holdTimeout: Double) throws {
        let harness = try EngineHarness { $0.holdTimeout = holdTimeout }
        server.setRoute("/file", .file(seed: 11, count: content.count).limited(to: 60_000_000))
        let id = harness.download(server.url("/file"))
        harness.resume(id)
        var pauses = 0
        while harness.outcomeIfAny(id) == nil, pauses < 200 {
            let target = content.count * Int64(pauses + 1) / 201
            guard harness.wait(id, until: { $0.contains { $0.hasReceived(target) || $0.isEnd } }) else { break }
            harness.suspend(id)
            harness.resume(id)
            pauses += 1
        }
        let outcome = try #require(harness.outcome(of: id))
        #expect(outcome.error == nil)
        let isRight = harness.folder.bytes(of: "file") == content.bytes
        #expect(isRight)
        #expect(harness.folder.names == ["file"])
    }

    @Test(
        "Pauses at any places end with the right bytes; for each at most 64 KiB of every connection come twice",
        arguments: [(true, 1), (false, 1), (false, 8)])
    func places(keepsOpen: Bool, connections: Int) throws {
        server.setRoute("/file", .file(seed: 11, count: content.count).limited(to: 60_000_000))
        let id = harness.download(server.url("/file")) {
            $0.segmentation = Segmentation(connections: .exactly(connections), minimumSegment: 64 << 10)
        }
        var random = SeededGenerator(seed: 44)
        let offsets = (0..<200).map { _ in Int64.random(in: 1..<content.count, using: &random) }.sorted()
        harness.resume(id)
        var pauses = 0
        for offset in offsets where harness.outcomeIfAny(id) == nil {
            guard harness.wait(id, until: { $0.contains { $0.hasReceived(offset) || $0.isEnd } }) else { break }
            // One that the end overtakes may have ended connections too.
            pauses += 1
            guard harness.suspendOrEnd(id) else { break }
            if !keepsOpen { harness.expireHold(id) }
            harness.resume(id)
        }
        let outcome = try #require(harness.outcome(of: id))
        #expect(outcome.error == nil)
        let isRight = harness.folder.bytes(of: "file") == content.bytes
        #expect(isRight && harness.folder.names == ["file"])
        let sent = server.requests(for: "/file").map(\.responseBodyBytesSent).reduce(0, +)
        #expect(sent <= content.count + Int64(pauses * connections) * 64 << 10, "\(sent) bytes, \(pauses) pauses")
    }

    @Test("Cancelling keeps the part or deletes it, as asked", arguments: [true, false])
    func cancelling(_ keepsPart: Bool) throws {
        server.setRoute("/file", try slowFile())
        let id = harness.download(server.url("/file"))
        harness.resume(id)
        #expect(harness.waitForReceived(1_000_000, id))
        harness.intent(.cancelled(keepsPart: keepsPart), id)
        let outcome = try #require(harness.outcome(of: id, resuming: false))
        #expect(outcome.error?.code == .cancelled)
        #expect(outcome.status.phase == .cancelled)
        #expect((outcome.resumeData != nil) == keepsPart)
        #expect(harness.folder.names.contains { $0.hasSuffix(".part") } == keepsPart)
        #expect(harness.folder.bytes(of: "file") == nil)
    }

    @Test("A later run adopts the part")
    func adoption() throws {
        server.setRoute("/file", try slowFile())
        let first = harness.download(server.url("/file"))
        harness.resume(first)
        #expect(harness.waitForReceived(2_000_000, first))
        harness.intent(.cancelled(keepsPart: true), first)
        _ = harness.outcome(of: first, resuming: false)
        try rest.release()
        let second = harness.download(server.url("/file"))
        let outcome = try #require(harness.outcome(of: second))
        #expect(outcome.error == nil)
        #expect(outcome.status.resumedAt >= 2_000_000)
        #expect(harness.folder.bytes(of: "file") == content.bytes)
        #expect(harness.folder.names == ["file"])
    }
}
