import LoopbackServer
import SessionSupport
import Testing

@testable import Dashboard
@testable import SessionCore
@testable import TransferService
@testable import netdash

/// The limits of tasks, in one run after another of a saved session.
@Suite("Limits of a saved session", .timeLimit(.minutes(1)))
struct SavedLimitsTests {
    private let fixture: SavedSessionFixture

    init() throws { fixture = try SavedSessionFixture() }

    private func job(_ path: String) -> Job { Job(kind: .download, url: fixture.server.url(path)) }

    @Test(
        "Limits that tasks were given while they waited and ran are theirs in the next run", arguments: [true, false])
    func ownLimits(isLimited: Bool) throws {
        defer { fixture.end() }
        let gate = try fixture.server.gate(named: "half")
        defer { gate.release() }
        fixture.server.setRoute("/runs", .file(seed: 1, count: 1_000_000).stalling(after: 500_000, until: gate))
        fixture.server.setRoute("/done", .file(seed: 1, count: 1_000))
        let first = try fixture.run(EffectsObserver())
        var waiting = job("/waits")
        waiting.startsPaused = true
        var limited = job("/done")
        limited.rates = TaskRates(download: 9_000_000)
        let ids = first.send(.add([job("/runs"), waiting, limited])).added
        try #require(gate.waitForArrivals())
        first.send(.limitDownloads(ids, isLimited ? 70_000 : .off))
        #expect(first.unsavedAfterWriting() == nil)
        _ = first.close()
        let second = try fixture.run(EffectsObserver())
        defer { _ = second.close() }
        let wanted = TaskRates(download: isLimited ? 70_000 : .off)
        for id in ids { #expect(second.details(of: id)?.rates == wanted, "\(id)") }
        // The library has made the task of the running one.
        let task = try #require(second.state.withLock { $0.rows.source(of: ids[0])?.task })
        #expect(task.rateLimit == RateLimit(wanted))
    }
}
