import LoopbackServer
import SessionSupport
import Testing

@testable import SessionCore

/// Transfers that wait for a host to be asked again, and the one that asks.
@Suite("Probes of busy hosts", .timeLimit(.minutes(2)))
struct EngineProbeTests {
    let server: LoopbackServer

    init() throws {
        server = LoopbackServer()
        try server.start()
    }

    @Test(
        "A transfer that was to be the probe leaves its place to another when it leaves the queue",
        arguments: [true, false])
    func nextProbeLeaves(isCancelled: Bool) throws {
        let harness = try EngineHarness { ($0.maximumRetries, $0.maximumConcurrentTransfers) = (9, 3) }
        let refusing = try server.gate(named: "refusing")
        let other = LoopbackServer()
        try other.start()
        let full = try other.gate(named: "full")
        other.setRoute("/*", Behaviour.respond(.text("other")).waiting(for: full))
        let busy = Behaviour.respond(ScriptedResponse(429, headers: ["Retry-After": "0"])).waiting(for: refusing)
        let ids = (0..<3).map { number in
            server.setRoute("/\(number)", .sequence([busy, .respond(.text("done"))]))
            return harness.add(TransferRequest(url: server.url("/\(number)")))
        }
        for id in ids { harness.resume(id) }
        try #require(refusing.waitForArrivals(3))
        // They take the slots that the refused ones give back, so that the one that is to ask again has to queue.
        let others = (0..<3).map { harness.add(TransferRequest(url: other.url("/\($0)"))) }
        for id in others { harness.resume(id) }
        refusing.release()
        try #require(full.waitForArrivals(3))
        for id in ids { try #require(harness.waitForPhase(.retrying, id)) }
        try #require(harness.waitForEvents { events in ids.contains { events.queuedAgain.contains($0) } })
        let next = try #require(ids.first { harness.events(of: $0).queuedAgain.contains($0) })
        if isCancelled { harness.intent(.cancelled(keepsPart: true), next) } else { harness.suspend(next) }
        full.release()
        for id in ids where id != next {
            #expect(harness.outcome(of: id, resuming: false)?.head?.statusCode == 200)
        }
        if !isCancelled { #expect(harness.outcome(of: next)?.head?.statusCode == 200) }
    }

    @Test("A request that may be refused by every status waits as long for a busy server as any other transfer")
    func busyForRequests() throws {
        let harness = try EngineHarness { ($0.maximumRetries, $0.outagePatience) = (1, 300) }
        let busy = Behaviour.respond(ScriptedResponse(429, headers: ["Retry-After": "0"]))
        server.setRoute("/a", .sequence([busy, busy, .respond(.text("done"))]))
        let outcome = try #require(harness.outcome(of: harness.add(TransferRequest(url: server.url("/a")))))
        #expect(outcome.error == nil && outcome.head?.statusCode == 200)
    }
}

extension [EngineEvent] {
    /// The transfers that wait for a slot after a wait for their host.
    fileprivate var queuedAgain: Set<TransferID> {
        var waited: Set<TransferID> = []
        var queued: Set<TransferID> = []
        for case .status(let id, let status) in self {
            if status.phase == .retrying { waited.insert(id) }
            if status.phase == .queued, waited.contains(id) { queued.insert(id) }
        }
        return queued
    }
}
