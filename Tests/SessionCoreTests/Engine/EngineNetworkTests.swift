import LoopbackServer
import SessionSupport
import Testing

@testable import SessionCore

/// A network that is gone.
@Suite("Networks that are gone", .timeLimit(.minutes(2)))
struct EngineNetworkTests {
    let server: LoopbackServer

    init() throws {
        server = LoopbackServer()
        try server.start()
    }

    /// A network that a test switches on.
    private func network(_ source: ScriptedReachability) -> NetworkView {
        NetworkView(
            hasRoute: { address in address?.hasPrefix("127.") == true || source.currentLink() != .none },
            watch: { source.watch($0) })
    }

    @Test("Without a network nothing costs a try, and its return is acted on at once")
    func noNetwork() throws {
        let source = ScriptedReachability(.none)
        let harness = try EngineHarness(network: network(source)) { $0.maximumRetries = 1 }
        let ids = (0..<3).map { harness.add(TransferRequest(url: "http://nohost.invalid/\($0)")) }
        harness.resumeTogether(ids)
        for id in ids { try #require(harness.waitForPhase(.retrying, id)) }
        // One probe more than the one retry that each has.
        try #require(harness.waitForRetries(4))
        for id in ids {
            #expect(harness.outcomeIfAny(id) == nil)
            #expect(harness.status(id).failedAttempts == 0)
        }
        let before = harness.retries(of: ids)
        source.change(to: .wired)
        // The name is not known either way, which counts from now on.
        try #require(harness.waitForRetries(before + 1))
        for id in ids { #expect(harness.outcome(of: id, resuming: false)?.error?.code == .unknownHost) }
    }

    @Test("Patience with a missing network ends for all hosts together, and who follows fails at once")
    func networkPatience() throws {
        let source = ScriptedReachability(.none)
        let harness = try EngineHarness(network: network(source)) { ($0.maximumRetries, $0.networkPatience) = (9, 2) }
        let ids = (0..<6).map { harness.add(TransferRequest(url: "http://nohost\($0 % 2).invalid/\($0)")) }
        for id in ids { harness.resume(id) }
        for id in ids {
            let error = harness.outcome(of: id, resuming: false)?.error
            #expect(error?.code == .unknownHost && error?.message.hasPrefix("No network: ") == true)
        }
        let before = harness.retries(of: ids)
        let later = ["nohost0", "nohost2"].map { harness.add(TransferRequest(url: "http://\($0).invalid/later")) }
        for id in later { #expect(harness.outcome(of: id)?.error?.code == .unknownHost) }
        #expect(harness.retries(of: later) == 0 && harness.retries(of: ids) == before)
    }

    @Test("This machine itself needs no network")
    func loopback() throws {
        let source = ScriptedReachability(.none)
        let harness = try EngineHarness(network: network(source)) { $0.maximumRetries = 1 }
        server.setRoute("/a", .respond(.text("a")))
        let id = harness.add(TransferRequest(url: server.url("/a")))
        #expect(harness.outcome(of: id)?.error == nil)
        server.stop()
        let refused = harness.add(TransferRequest(url: server.url("/a")))
        #expect(harness.outcome(of: refused)?.error?.code == .connectionRefused)
    }

    @Test("A download that stood still while the network was gone goes on when it is back, on a new connection")
    func standingDownload() throws {
        let source = ScriptedReachability(.none)
        let harness = try EngineHarness(network: network(source)) {
            ($0.maximumRetries, $0.stallTimeout) = (1, 20)
        }
        let gate = try server.gate(named: "middle")
        let stands = Behaviour.file(seed: 4, count: 900_000).stalling(after: 400_000, until: gate)
        server.setRoute("/file", .sequence([stands, .file(seed: 4, count: 900_000)]))
        let id = harness.download(server.url("/file"))
        harness.resume(id)
        try #require(gate.waitForArrivals())
        try #require(harness.waitForReceived(1, id))
        // The watch over it has to have looked twice, an eighth of the limit apart.
        try #require(source.waitForWatcher())
        source.change(to: .wired)
        #expect(harness.outcome(of: id, resuming: false)?.error == nil)
        #expect(harness.folder.bytes(of: "file") == DeterministicContent(seed: 4, count: 900_000).bytes)
        #expect(server.requests(for: "/file").count == 2)
    }
}
