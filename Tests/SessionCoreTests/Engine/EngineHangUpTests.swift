import LoopbackServer
import Testing

@testable import SessionCore

/// Servers that hang up.
@Suite("Servers that hang up", .timeLimit(.minutes(1)))
struct EngineHangUpTests {
    let server: LoopbackServer
    let content = DeterministicContent(seed: 11, count: 8_000_000)

    init() throws {
        server = LoopbackServer()
        try server.start()
    }

    /// An engine that repeats nothing that has failed.
    private func harness() throws -> EngineHarness {
        try EngineHarness {
            $0.holdTimeout = 600
            $0.maximumRetries = 0
        }
    }

    @Test("An upload that breaks off says how much has arrived, however fast it was")
    func countsOfCutUpload() throws {
        let harness = try harness()
        let policy = UploadPolicy(delivery: Delivery(cut: Cut(after: 6_000_000, manner: .reset)))
        server.setRoute("/sink", .respond(.text("ok")).receiving(policy))
        let body = DeterministicContent(seed: 3, count: 20_000_000).bytes
        let request = TransferRequest(url: server.url("/sink"), method: "PUT", body: .bytes(body))
        let outcome = try #require(harness.outcome(of: harness.add(request, kind: .upload)))
        #expect(outcome.error?.code == .connectionLost)
        #expect((6_000_000..<20_000_000).contains(outcome.status.sent), "\(outcome.status.sent)")
    }
}
