import Glibc
import LoopbackServer
import Testing

@testable import Dashboard
@testable import TransferService
@testable import netdash

/// Each byte of a download counts in one entry of the history.
@Suite("The bytes of the history", .timeLimit(.minutes(1)))
struct HistoryBytesTests {
    /// Adds a download, and returns when it has two thirds of its file.
    private func begin(_ run: LocalService, _ saved: SavedSessionFixture, _ gate: Gate) throws -> [UInt64] {
        saved.server.setRoute("/f", .file(seed: 2, count: 900_000).stalling(after: 600_000, until: gate))
        let ids = run.send(.add([Job(kind: .download, url: saved.server.url("/f"))])).added
        try #require(gate.waitForArrivals())
        while run.figures(of: ids).first?.received != 600_000 { usleep(1_000) }
        return ids
    }

    @Test("A try that got no byte has no bytes in its entry, though it found the ones of an earlier try")
    func foundAlone() throws {
        let saved = try SavedSessionFixture()
        defer { saved.end() }
        let gate = try saved.server.gate(named: "half")
        let observer = EffectsObserver()
        let run = try saved.run(observer)
        defer { _ = run.close() }
        let ids = try begin(run, saved, gate)
        run.send(.cancel(ids, deletingParts: false))
        try #require(observer.waitForEnds())
        gate.release()
        saved.server.setRoute("/f", .respond(.text("no", status: 403)))
        run.send(.resume(ids))
        try #require(observer.waitForEnds(2))
        let entries = try run.history().get()
        #expect(entries.map(\.outcome) == [.failed, .cancelled])
        #expect(entries.map(\.bytes) == [0, 600_000])
    }

    @Test("A download that is cancelled and resumed at once has one end, with all bytes, after a restart too")
    func resumedAtOnce() throws {
        let saved = try SavedSessionFixture()
        defer { saved.end() }
        let gates = try ["first", "second"].map { try saved.server.gate(named: $0) }
        var observer = EffectsObserver()
        let first = try saved.run(observer)
        let ids = try begin(first, saved, gates[0])
        saved.server.setRoute("/f", .file(seed: 2, count: 900_000).stalling(after: 200_000, until: gates[1]))
        first.send(.cancel(ids, deletingParts: false))
        first.send(.resume(ids))
        try #require(gates[1].waitForArrivals())
        // Before, the first request would end in time.
        gates[0].release()
        while (first.figures(of: ids).first?.received ?? 0) < 790_000 { usleep(1_000) }
        _ = first.close()
        gates[1].release()
        observer = EffectsObserver()
        let second = try saved.run(observer)
        defer { _ = second.close() }
        try #require(observer.waitForEnds())
        let sum = try second.history().get().reduce(0) { $0 + $1.bytes }
        // Whether the cancellation has ended first, with an entry of its own, is chance.
        #expect((900_000...901_000).contains(sum), "\(sum)")
    }
}
