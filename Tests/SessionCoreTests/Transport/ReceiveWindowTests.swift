import CLinux
import Dispatch
import LoopbackServer
import SessionSupport
import Testing

@testable import SessionCore

/// What the kernel takes in, or sends, while a transfer is paused.
@Suite("Buffers during a pause", .timeLimit(.minutes(1)))
struct ReceiveWindowTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var name: String
        /// Bytes that arrive in a quarter of a second.
        var bytes: Int64
        /// Microseconds, and the same as estimated from what arrives.
        var roundTrip: Int64
        var estimate: Int64 = 0
        var buffer: Int64
        var isFixed = true
        var change: ReceiveWindow.Change?
        var testDescription: String { name }
    }

    static let rows: [Row] = [
        Row(name: "a near server needs no more than there is", bytes: 1_750_000, roundTrip: 50, buffer: 131_072),
        Row(
            name: "a far one whose line the buffer fills gets room for four round trips", bytes: 250_000,
            roundTrip: 100_000, buffer: 131_072, change: .grow(400_000)),
        Row(
            name: "the kernel makes its own buffers larger", bytes: 250_000, roundTrip: 100_000, buffer: 131_072,
            isFixed: false),
        Row(name: "a large buffer stays that the line may need", bytes: 400_000, roundTrip: 100_000, buffer: 1 << 20),
        Row(
            name: "one that is far too large gets smaller", bytes: 250_000, roundTrip: 100_000, buffer: 6 << 20,
            isFixed: false, change: .shrink(800_000)),
        Row(
            name: "one that a fast read has made large, too", bytes: 2_000_000, roundTrip: 50, buffer: 3 << 20,
            change: .shrink(400_000)),
        Row(
            name: "a buffer that is no trouble stays, whatever the line needs", bytes: 250_000, roundTrip: 100,
            buffer: 1_000_000, isFixed: false),
        Row(
            name: "an estimate from what arrives counts", bytes: 250_000, roundTrip: 50, estimate: 40_000,
            buffer: 131_072, change: .grow(160_000)),
        Row(
            name: "a silent sender's estimate counts little", bytes: 250_000, roundTrip: 50, estimate: 9_000_000,
            buffer: 400_000),
        Row(name: "nothing arrives", bytes: 0, roundTrip: 100_000, buffer: 6 << 20),
    ]

    @Test("A buffer has the size that the line may need, and is let alone where it does no harm", arguments: rows)
    func size(_ row: Row) {
        var window = ReceiveWindow(isFixed: row.isFixed)
        var figures = ReceiveWindow.Figures(
            received: 1000, roundTrip: row.roundTrip, receiveRoundTrip: row.estimate, buffer: row.buffer)
        #expect(window.look(figures, now: 500) == nil)
        figures.received += row.bytes
        #expect(window.look(figures, now: 750) == row.change)
        window.pause()
        figures.received += row.bytes
        #expect(window.look(figures, now: 1000) == nil)
    }

    @Test("However often a download is paused, the kernel takes little of it, and it goes on at full speed")
    func pauses() throws {
        let server = LoopbackServer()
        try server.start()
        let harness = try EngineHarness { $0.holdTimeout = 600 }
        server.setRoute("/file", .file(seed: 1, count: 120_000_000).limited(to: 7_000_000))
        // Another download of the same speed tells how much time has passed for the server.
        let clock = harness.download(server.url("/file"), name: .fixed("clock"))
        let id = harness.download(server.url("/file"), name: .fixed("file"))
        harness.resume(clock)
        harness.resume(id)
        // What the line needed before the first pause, or the room that the longest estimate asks for at this speed; and no
        // more for all the pauses.
        var most: Int64 = 3 << 19
        for pause in 1...4 {
            let before = harness.status(id).received
            #expect(harness.waitForReceived(before + 1_000_000, id))
            harness.suspend(id)
            try #require(phase(of: id, in: harness) == .paused)
            #expect(harness.waitForReceived(harness.status(clock).received + 6_000_000, clock))
            let waiting = waitingBytes(of: id, in: harness)
            if pause == 1 { most = max(most, waiting) }
            #expect(waiting <= most + (256 << 10), "pause \(pause)")
            let (start, startOfClock) = (harness.status(id).received, harness.status(clock).received)
            harness.resume(id)
            // Both are served at the same speed; a half is far from what a starved window brings. A server's thread that has
            // slept makes up for it.
            var keepsUp = false
            #expect(
                harness.waitForEvents { events in
                    let passed = received(clock, events) - startOfClock
                    keepsUp = passed >= 3_500_000 && (received(id, events) - start) * 2 > passed
                    return keepsUp || passed >= 10_000_000
                })
            #expect(keepsUp, "pause \(pause)")
        }
        harness.intent(.cancelled(keepsPart: false), clock)
        harness.intent(.cancelled(keepsPart: false), id)
    }

    @Test("A paused upload has little left in the kernel that goes on its way")
    func upload() throws {
        let server = LoopbackServer()
        try server.start()
        let harness = try EngineHarness()
        let gate = try server.gate(named: "reading")
        server.setRoute(
            "/sink",
            .respond(.text("ok")).receiving(
                UploadPolicy(delivery: Delivery(stalls: [Stall(after: 8_000_000, gate: gate)]))))
        let content = DeterministicContent(seed: 2, count: 30_000_000)
        let request = TransferRequest(url: server.url("/sink"), method: "PUT", body: .bytes(content.bytes))
        let id = harness.add(request, kind: .upload)
        harness.resume(id)
        #expect(gate.waitForArrivals())
        harness.suspend(id)
        try #require(phase(of: id, in: harness) == .paused)
        let unsent = onLoop(of: harness) { core -> Int64 in
            guard let attempt = core.transfer(id)?.attempt else { return -1 }
            return core.bytesInFlight(for: attempt)
        }
        // What is not acknowledged while nobody reads was not sent; one segment may go over the mark.
        #expect((0...400_000).contains(unsent), "\(unsent)")
        gate.release()
        #expect(harness.outcome(of: id)?.error == nil)
        #expect(server.requests(for: "/sink").last?.bodyChecksum == BodyChecksum(of: content))
    }

    /// The phase once the loop has seen everything that was asked before.
    private func received(_ id: TransferID, _ events: [EngineEvent]) -> Int64 {
        let latest = events.last { if case .status(id, _) = $0 { true } else { false } }
        return if case .status(_, let status)? = latest { status.received } else { 0 }
    }

    private func phase(of id: TransferID, in harness: EngineHarness) -> Phase? {
        onLoop(of: harness) { $0.transfer(id)?.machine.phase }
    }

    /// Bytes that the kernel holds for a transfer.
    private func waitingBytes(of id: TransferID, in harness: EngineHarness) -> Int64 {
        onLoop(of: harness) { core in
            guard let attempt = core.transfer(id)?.attempt else { return .max }
            return core.bytesWaiting(for: attempt) ?? .max
        }
    }

    private func onLoop<Value: Sendable>(
        of harness: EngineHarness, _ question: @escaping @Sendable (LoopCore) -> Value
    ) -> Value {
        let answer = Locked<Value?>(nil)
        let answered = DispatchSemaphore(value: 0)
        harness.engine.run { core in
            let value = question(core)
            answer.withLock { $0 = value }
            answered.signal()
        }
        answered.wait()
        guard let value = answer.withLock({ $0 }) else { preconditionFailure("the loop gave no answer") }
        return value
    }
}
