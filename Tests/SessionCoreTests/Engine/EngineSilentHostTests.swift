import LoopbackServer
import Testing

@testable import SessionCore

/// Servers that leave some requests unanswered.
@Suite("Silent hosts", .timeLimit(.minutes(1)))
struct EngineSilentHostTests {
    let server: LoopbackServer

    init() throws {
        server = LoopbackServer()
        try server.start()
    }

    @Test("A request that a server leaves unanswered does not ask again and again for the transfers behind it")
    func silentRequest() throws {
        let harness = try EngineHarness {
            ($0.maximumRetries, $0.outagePatience, $0.maximumConcurrentTransfers) = (5, 300, 1)
            $0.options = RequestOptions()
            $0.options?.answerTimeout = 3
        }
        let gate = try server.gate(named: "never")
        server.setRoute("/silent", Behaviour.respond(.text("late")).waiting(for: gate))
        server.setRoute("/other", .respond(.text("other")))
        let silent = harness.add(TransferRequest(url: server.url("/silent")))
        let late = harness.add(TransferRequest(url: server.url("/silent")))
        let others = (0..<2).map { _ in harness.add(TransferRequest(url: server.url("/other"))) }
        // As the tasks of a saved session have them.
        for (position, id) in ([silent, late] + others).enumerated() {
            harness.changeRank(of: id) { $0.position = UInt64(position + 1) }
        }
        harness.resumeTogether([silent, late] + others)
        for id in others {
            let outcome = try #require(harness.outcome(of: id, resuming: false))
            #expect(outcome.error == nil)
        }
        // One each: the first neither asks again before the second, nor both before the others.
        #expect(server.requests.map(\.path).prefix(3) == ["/silent", "/silent", "/other"])
        gate.release()
        for id in [silent, late] { #expect(harness.outcome(of: id, resuming: false)?.error == nil) }
    }
}
