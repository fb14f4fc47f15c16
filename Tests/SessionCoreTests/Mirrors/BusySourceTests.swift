import Foundation
import LoopbackServer
import SessionSupport
import Testing

@testable import SessionCore

/// Downloads with a source whose server asks to be left alone for a while: nobody asks it before, and the other sources
/// are used meanwhile.
@Suite("Sources that ask to be left alone", .timeLimit(.minutes(1)))
struct BusySourceTests {
    private let first = LoopbackServer()
    private let second = LoopbackServer()
    private static let count: Int64 = 2 << 20
    private let resource = ServedResource(seed: 7, count: count)
    private let bytes = DeterministicContent(seed: 7, count: count).bytes
    private let asked = Locked<[Asked]>([])

    /// A request that has arrived.
    private struct Asked: Equatable {
        var server: Int
        var time: ContinuousClock.Instant
    }

    init() throws { for server in [first, second] { try server.start() } }

    private var good: Behaviour { .resource(resource) }
    private var missing: Behaviour { .respond(.text("no", status: 404)) }

    private static func busy(_ seconds: Int) -> Behaviour {
        .respond(ScriptedResponse(503, headers: ["Retry-After": "\(seconds)"]))
    }

    /// Has a server answer, and notes when it was asked.
    private func serve(_ server: LoopbackServer, _ answer: @escaping @Sendable (RecordedRequest) -> Behaviour) {
        let (asked, number) = (asked, server === first ? 1 : 2)
        server.setRoute(
            "/file",
            .choosing { request in
                asked.withLock { $0.append(Asked(server: number, time: .now)) }
                return answer(request)
            })
    }

    /// Has a server answer its first request in one way, and all further ones in another.
    private func serve(_ server: LoopbackServer, _ once: Behaviour, then further: Behaviour) {
        serve(server) { $0.index == 0 ? once : further }
    }

    private func download(_ harness: EngineHarness, _ connections: Int = 1) -> TransferID {
        harness.download(first.url("/file")) {
            $0.segmentation = Segmentation(connections: .exactly(connections), minimumSegment: 64 << 10)
            $0.mirrors = Mirrors(urls: [second.url("/file")])
        }
    }

    private func hasFile(_ harness: EngineHarness, _ outcome: TransferEnd?) -> Bool {
        outcome?.error == nil && harness.folder.bytes(of: "file") == bytes
    }

    private var order: [Int] { asked.withLock { $0.map(\.server) } }

    private func turns(_ harness: EngineHarness, _ id: TransferID) -> [String] {
        harness.events(of: id).compactMap {
            if case .source(_, .switched(let url, _, _)) = $0 { url } else { nil }
        }
    }

    @Test(
        "A source that breaks off each time brings the file beside one that asks to be left alone", arguments: [1, 2])
    func brokenBesideBusy(connections: Int) throws {
        let harness = try EngineHarness { $0.maximumRetries = 1 }
        // Where there are several connections, the mirror has refused before the first source breaks off.
        let gate = try Gate()
        let broken = good.limited(to: 1 << 20).stalling(after: 140_000, until: gate).cutting(after: 200_000)
        serve(first) { _ in broken }
        serve(second) { _ in Self.busy(30) }
        let id = download(harness, connections)
        harness.resume(id)
        if connections > 1 { #expect(second.waitForFinishedRequests(count: 1)) }
        harness.waitForLoop()
        gate.release()
        let outcome = harness.outcome(of: id, resuming: false)
        #expect(hasFile(harness, outcome), "\(String(describing: outcome?.error))")
        #expect(order.count { $0 == 2 } == 1, "\(order)")
    }

    @Test(
        "Of two that ask to be left alone the one whose time ends first is asked first, and not sooner",
        arguments: [1, 2])
    func bothBusy(sooner: Int) throws {
        let harness = try EngineHarness { $0.maximumRetries = 1 }
        serve(first, Self.busy(sooner == 1 ? 1 : 9), then: good)
        serve(second, Self.busy(sooner == 2 ? 1 : 9), then: good)
        let id = download(harness)
        #expect(hasFile(harness, harness.outcome(of: id)))
        #expect(order == [1, 2, sooner])
        let times = asked.withLock { $0.map(\.time) }
        #expect(times.count == 3 && times[2] - times[sooner - 1] >= .seconds(1))
        // The user is told which source is asked again.
        let urls = turns(harness, id)
        #expect(urls == [second.url("/file")] + (sooner == 1 ? [first.url("/file")] : []))
    }

    @Test("Others learn for how long a server is to be left alone, although the download goes on at another one")
    func told() throws {
        let harness = try EngineHarness { $0.maximumRetries = 9 }
        let (good, refusal) = (good, Behaviour.respond(.text("no", status: 503)))
        serve(first, refusal, then: Self.busy(3600))
        serve(second) { $0.index < 2 ? refusal : good }
        let id = download(harness)
        #expect(hasFile(harness, harness.outcome(of: id)))
        #expect(order == [1, 2, 2, 1, 2])
        #expect(harness.hostBackoffs.last?.map(\.reason) == [.busy])
        let other = harness.add(TransferRequest(url: first.url("/file")))
        harness.resume(other)
        harness.waitForLoop()
        #expect(order == [1, 2, 2, 1, 2])
    }

    @Test("One that is paused while both are left alone goes on waiting when it is resumed")
    func paused() throws {
        let harness = try EngineHarness { $0.maximumRetries = 1 }
        serve(first) { _ in Self.busy(3600) }
        serve(second) { _ in Self.busy(1800) }
        let id = download(harness)
        harness.resume(id)
        #expect(harness.waitForPhase(.retrying, id))
        #expect(harness.suspendAndWait(id))
        harness.resume(id)
        harness.waitForLoop()
        #expect(harness.status(id).phase == .retrying)
        #expect(order == [1, 2])
    }

    @Test("A mirror that asks to be left alone when it is compared is waited for where no other source is left")
    func busyProbe() throws {
        let harness = try EngineHarness { $0.maximumRetries = 1 }
        let gate = try first.gate(named: "compared")
        let (good, missing, tail) = (good, missing, "bytes=\(Self.count - 65_536)-\(Self.count - 1)")
        let broken = good.stalling(after: 1 << 20, until: gate).cutting(after: 1_200_000)
        serve(first) { $0.index == 0 ? broken : $0.header("Range") == tail ? good : missing }
        serve(second, Self.busy(1), then: good)
        let id = download(harness, 2)
        harness.resume(id)
        #expect(second.waitForFinishedRequests(count: 1))
        gate.release()
        #expect(hasFile(harness, harness.outcome(of: id, resuming: false)))
        let times = asked.withLock { $0.filter { $0.server == 2 }.map(\.time) }
        #expect(times.count > 1 && times[1] - times[0] >= .seconds(1))
    }
}
