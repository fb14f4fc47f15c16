import LoopbackServer
import Testing

@testable import SessionCore

/// Whether a download is said to go on after its connection, and what a pause does while nobody knows.
@Suite("What is said about going on", .timeLimit(.minutes(1)))
struct ResumabilityTests {
    let server: LoopbackServer
    let harness: EngineHarness
    let content = DeterministicContent(seed: 11, count: 3_000_000)

    init() throws {
        server = LoopbackServer()
        try server.start()
        harness = try EngineHarness { $0.holdTimeout = 600 }
    }

    /// A file that stops in its middle until the gate opens.
    private func file(_ gate: Gate) -> Behaviour {
        .file(seed: 11, count: content.count).stalling(after: 1_000_000, until: gate)
    }

    @Test("A pause that may cost the bytes holds the connection, however long it lasts")
    func unannounced() throws {
        let gate = try server.gate(named: "middle")
        server.setRoute("/file", file(gate).header("Accept-Ranges", nil))
        let id = harness.download(server.url("/file"))
        harness.resume(id)
        #expect(harness.waitForReceived(900_000, id))
        #expect(harness.status(id).resumability != .yes)
        #expect(harness.suspendAndWait(id))
        harness.expireHold(id)
        gate.release()
        let outcome = try #require(harness.outcome(of: id))
        #expect(outcome.error == nil)
        #expect(harness.folder.bytes(of: "file") == content.bytes)
        #expect(server.requests(for: "/file").count == 1)
    }

    @Test("Ranges that the server announces and a version of the file make it sure")
    func announced() throws {
        let gate = try server.gate(named: "middle")
        server.setRoute("/file", file(gate))
        let id = harness.download(server.url("/file"))
        harness.resume(id)
        #expect(harness.waitForReceived(900_000, id))
        #expect(harness.status(id).resumability == .yes)
        gate.release()
        #expect(try #require(harness.outcome(of: id)).error == nil)
    }

    @Test("A server that has continued the file once can do so again, though it does not announce it")
    func seen() throws {
        let gate = try server.gate(named: "later")
        let cut = Behaviour.file(seed: 11, count: content.count).header("Accept-Ranges", nil).cutting(after: 500_000)
        let rest = Behaviour.file(seed: 11, count: content.count).header("Accept-Ranges", nil)
            .stalling(after: 1_000_000, until: gate)
        server.setRoute("/file", .choosing { $0.header("Range") == nil ? cut : rest })
        let id = harness.download(server.url("/file"))
        harness.resume(id)
        #expect(harness.waitForReceived(1_000_000, id))
        #expect(harness.status(id).resumability == .yes)
        gate.release()
        #expect(try #require(harness.outcome(of: id)).error == nil)
        #expect(harness.folder.bytes(of: "file") == content.bytes)
    }

    @Test("A file whose checksum was wrong is not gone on with")
    func wrongChecksum() throws {
        server.setRoute("/file", .file(seed: 11, count: content.count))
        let id = harness.download(server.url("/file")) { target in
            target.checksum = Checksum(algorithm: .sha256, digest: [UInt8](repeating: 1, count: 32))
        }
        let outcome = try #require(harness.outcome(of: id))
        #expect(outcome.error?.code == .checksum)
        #expect(outcome.status.resumability != .yes)
    }
}
