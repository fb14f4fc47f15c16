import Foundation
import LoopbackServer
import SessionSupport
import Testing

@testable import SessionCore

/// Downloads whose first source's server is in trouble, for whatever reason: a mirror is asked at once.
@Suite("Sources of servers in trouble", .timeLimit(.minutes(1)))
struct HeldSourceTests {
    private let first = LoopbackServer()
    private let second = LoopbackServer()
    private let harness: EngineHarness
    private let resource = ServedResource(seed: 7, count: 200_000)
    private let bytes = DeterministicContent(seed: 7, count: 200_000).bytes

    init() throws {
        for server in [first, second] { try server.start() }
        harness = try EngineHarness { ($0.maximumRetries, $0.outagePatience) = (9, 300) }
    }

    private var good: Behaviour { .resource(resource) }
    private static let busy = Behaviour.respond(ScriptedResponse(503, headers: ["Retry-After": "3600"]))

    private func download(_ url: String? = nil, name: String = "file", mirrors: [String]? = nil) -> TransferID {
        harness.download(url ?? first.url("/file"), name: .fixed(name)) {
            $0.mirrors = Mirrors(urls: mirrors ?? [second.url("/file")])
        }
    }

    private func hasFile(_ id: TransferID, name: String = "file", resuming: Bool = true) -> Bool {
        harness.outcome(of: id, resuming: resuming)?.error == nil && harness.folder.bytes(of: name) == bytes
    }

    /// Has another transfer find out that a server is in trouble.
    private func hold(_ server: LoopbackServer) -> TransferID {
        let id = harness.add(TransferRequest(url: server.url("/other")))
        harness.resume(id)
        #expect(harness.waitForPhase(.retrying, id))
        return id
    }

    private func turns(_ id: TransferID) -> [String] {
        harness.events(of: id).compactMap {
            if case .source(_, .switched(_, _, let reason)) = $0 { reason } else { nil }
        }
    }

    @Test(
        "A server that others found busy or away is not waited for where there is a mirror", arguments: [true, false])
    func held(isBusy: Bool) throws {
        second.setRoute("/file", good)
        first.setRoute("/other", Self.busy)
        if !isBusy { first.stop() }
        _ = hold(first)
        let id = download()
        #expect(hasFile(id))
        #expect(first.requests(for: "/file").isEmpty)
        #expect(turns(id).count == 1, "\(turns(id))")
    }

    @Test("One that waits in line goes on when its server is found to be away, and one whose servers all are waits")
    func waiting() throws {
        let harness = try EngineHarness {
            ($0.maximumRetries, $0.outagePatience, $0.maximumConcurrentTransfersPerHost) = (9, 300, 1)
        }
        let gate = try first.gate(named: "busy")
        second.setRoute("/file", good)
        first.setRoute("/file", good)
        first.setRoute("/other", Self.busy.waiting(for: gate))
        let other = harness.add(TransferRequest(url: first.url("/other")), kind: .download)
        harness.resume(other)
        #expect(gate.waitForArrivals())
        let id = harness.download(first.url("/file")) { $0.mirrors = Mirrors(urls: [second.url("/file")]) }
        let alone = harness.download(first.url("/file"), name: .fixed("alone")) {
            $0.mirrors = Mirrors(urls: [first.url("/alone")])
        }
        for id in [id, alone] { harness.resume(id) }
        gate.release()
        #expect(harness.outcome(of: id, resuming: false)?.error == nil)
        #expect(harness.folder.bytes(of: "file") == bytes)
        #expect(harness.status(alone).phase == .queued)
        #expect(first.requests(for: "/file").isEmpty)
    }

    @Test("The first to be refused tells the others, who do not ask there at all")
    func told() throws {
        first.setRoute("/file", Self.busy)
        second.setRoute("/file", good)
        #expect(hasFile(download()))
        for name in ["second", "third"] { #expect(hasFile(download(name: name), name: name)) }
        #expect(first.requests(for: "/file").count == 1)
        #expect(second.requests(for: "/file").count == 3)
    }

    @Test("One that has asked a server for all others, and turned to a mirror, leaves that to the next")
    func probe() throws {
        let gate = try second.gate(named: "slow")
        first.setRoute("/other", .respond(ScriptedResponse(429, headers: ["Retry-After": "0"])))
        first.setRoute("/file", .respond(ScriptedResponse(429, headers: ["Retry-After": "0"])))
        first.setRoute("/done", .respond(.text("done")))
        second.setRoute("/file", good.stalling(after: 100_000, until: gate))
        let other = hold(first)
        let mirrored = download(mirrors: [first.url("/file2"), second.url("/file")])
        // Both of its first sources are the server's that is held, so that it asks for all once the other has left.
        harness.intent(.cancelled(keepsPart: true), other)
        harness.resume(mirrored)
        #expect(gate.waitForArrivals())
        #expect(harness.outcome(of: harness.add(TransferRequest(url: first.url("/done"))))?.head?.statusCode == 200)
        gate.release()
        #expect(hasFile(mirrored, resuming: false))
    }

    @Test("A name that is not known, and a server that does not answer, are done without at once")
    func others() throws {
        let harness = try EngineHarness { ($0.maximumRetries, $0.stallTimeout) = (9, 8) }
        let gate = try first.gate(named: "never")
        first.setRoute("/file", good.waiting(for: gate))
        second.setRoute("/file", good)
        for (name, url) in [("silent", first.url("/file")), ("unknown", "http://no-such-name.invalid/file")] {
            let id = harness.download(url, name: .fixed(name)) { $0.mirrors = Mirrors(urls: [second.url("/file")]) }
            #expect(harness.outcome(of: id)?.error == nil)
            #expect(harness.folder.bytes(of: name) == bytes)
            #expect(!harness.events(of: id).contains { if case .retrying = $0 { true } else { false } })
        }
    }

    @Test("A first source that takes the connection and says nothing is not waited for as long as one without others")
    func silentFirst() throws {
        let harness = try EngineHarness { ($0.maximumRetries, $0.stallTimeout) = (9, 8) }
        let gate = try first.gate(named: "never")
        first.setRoute("/file", good.waiting(for: gate))
        second.setRoute("/file", good)
        for name in ["a", "b"] {
            let id = harness.download(first.url("/file"), name: .fixed(name)) {
                $0.mirrors = Mirrors(urls: [second.url("/file")])
            }
            #expect(harness.outcome(of: id)?.error == nil && harness.folder.bytes(of: name) == bytes)
            let turns = harness.events(of: id).compactMap {
                if case .source(_, .switched(_, _, let reason)) = $0 { reason } else { nil }
            }
            #expect(turns.count == 1 && turns.first?.contains("127.0.0.1") == true, "\(turns)")
        }
        // The second download does not even ask it, and nobody without a mirror is kept from asking.
        #expect(first.requestCount <= 1 && harness.hostBackoffs.isEmpty)
        gate.release()
    }

    @Test("Without a network no source is to blame, and nothing costs a try")
    func noNetwork() throws {
        let source = ScriptedReachability(.none)
        let network = NetworkView(hasRoute: { _ in source.currentLink() != .none }, watch: { source.watch($0) })
        let harness = try EngineHarness(network: network) { $0.maximumRetries = 1 }
        let id = harness.download("http://nohost0.invalid/f") {
            $0.mirrors = Mirrors(urls: ["http://nohost1.invalid/f", "http://nohost2.invalid/f"])
        }
        harness.resume(id)
        for rounds in 1...2 {
            let isRepeated = harness.wait(id) { $0.count { if case .retrying = $0 { true } else { false } } >= rounds }
            #expect(isRepeated)
        }
        #expect(harness.outcomeIfAny(id) == nil)
        #expect(harness.status(id).failedAttempts == 0)
        #expect(harness.status(id).backoffReason == .noNetwork)
    }
}
