import Foundation
import LoopbackServer
import SessionSupport
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
        wait(run, ids, for: 600_000)
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
        wait(first, ids, for: 790_000)
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

    /// Adds a download that fails with two thirds of its file; the next request stalls one ninth later.
    private func fail(_ run: LocalService, _ saved: SavedSessionFixture, _ observer: EffectsObserver, _ gate: Gate)
        throws -> [UInt64]
    {
        saved.server.setRoute("/f", .file(seed: 2, count: 900_000).cutting(after: 600_000))
        let ids = run.send(.add([job(saved)])).added
        try #require(observer.waitForEnds())
        #expect(try run.history().get().map(\.bytes) == [600_000])
        stall(saved, gate)
        return ids
    }

    private func job(_ saved: SavedSessionFixture) -> Job { Job(kind: .download, url: saved.server.url("/f")) }

    /// Lets the next request bring 100 KB.
    private func stall(_ saved: SavedSessionFixture, _ gate: Gate) {
        saved.server.setRoute("/f", .file(seed: 2, count: 900_000).stalling(after: 100_000, until: gate))
    }

    private func wait(_ run: LocalService, _ ids: [UInt64], for received: Int64) {
        while (run.figures(of: ids).first?.received ?? 0) < received { usleep(1_000) }
    }

    /// Stops the service once the stalled request has brought its bytes; returns all bytes of the history once the next
    /// service has the file.
    private func finish(
        _ run: LocalService, _ ids: [UInt64], _ saved: SavedSessionFixture, _ gate: Gate, at received: Int64 = 690_000
    ) throws -> Int64 {
        try #require(gate.waitForArrivals())
        wait(run, ids, for: received)
        _ = run.close()
        saved.server.setRoute("/f", .file(seed: 2, count: 900_000))
        gate.release()
        let observer = EffectsObserver()
        let next = try saved.run(observer)
        defer { _ = next.close() }
        try #require(observer.waitForEnds())
        return try next.history().get().reduce(0) { $0 + $1.bytes }
    }

    /// The bytes that a resumed download fetches for a comparison may count twice.
    private let once: Range<Int64> = 900_000..<901_000

    @Test(
        "A failed download that is edited or added again counts its first bytes once, after a restart too",
        arguments: [true, false])
    func replaced(isEdited: Bool) throws {
        let saved = try SavedSessionFixture()
        defer { saved.end() }
        let gate = try saved.server.gate(named: "rest")
        let observer = EffectsObserver()
        let run = try saved.run(observer)
        let ids = try fail(run, saved, observer, gate)
        if isEdited {
            var edited = job(saved)
            edited.headers = ["Accept": "a/b"]
            run.send(.replace(ids[0], with: edited))
        } else {
            #expect(run.send(.add([job(saved)])).added == ids)
        }
        let sum = try finish(run, ids, saved, gate)
        #expect(once.contains(sum), "\(sum)")
    }

    @Test("A failed download that was removed and added anew counts no byte of the file that it finds")
    func addedAnew() throws {
        let saved = try SavedSessionFixture()
        defer { saved.end() }
        let gate = try saved.server.gate(named: "rest")
        let observer = EffectsObserver()
        let run = try saved.run(observer)
        let old = try fail(run, saved, observer, gate)
        run.send(.clear(old))
        let ids = run.send(.add([job(saved)])).added
        #expect(ids != old)
        let sum = try finish(run, ids, saved, gate)
        #expect(once.contains(sum), "\(sum)")
    }

    @Test("A failed download that waited at the end of a service counts its first bytes once, though limited then")
    func waited() throws {
        let saved = try SavedSessionFixture()
        defer { saved.end() }
        let gates = try ["other", "rest"].map { try saved.server.gate(named: $0) }
        saved.server.setRoute("/other", .file(seed: 3, count: 900_000).stalling(after: 1_000, until: gates[0]))
        let observer = EffectsObserver()
        let first = try saved.run(observer)
        let ids = try fail(first, saved, observer, gates[1])
        let other = first.send(.add([Job(kind: .download, url: saved.server.url("/other"))])).added
        try #require(gates[0].waitForArrivals())
        first.send(.resume(ids))
        _ = first.close()
        let second = try saved.run(EffectsObserver())
        second.send(.limitDownloads(ids, 50_000_000))
        second.send(.remove(other, deletingParts: false))
        gates[0].release()
        let sum = try finish(second, ids, saved, gates[1])
        // The other download has an entry too.
        #expect((900_000..<905_000).contains(sum), "\(sum)")
    }

    @Test("A download whose removal is undone counts all of its bytes, after a restart too", arguments: [true, false])
    func broughtBack(restarts: Bool) throws {
        let saved = try SavedSessionFixture()
        defer { saved.end() }
        let gate = try saved.server.gate(named: "rest")
        let observer = EffectsObserver()
        var run = try saved.run(observer)
        let ids = try begin(run, saved, try saved.server.gate(named: "first"))
        run.send(.remove(ids, deletingParts: false))
        try #require(observer.waitForRemoved(ids))
        #expect(run.send(.restore(ids)).added == ids)
        if restarts {
            _ = run.close()
            run = try saved.run(EffectsObserver())
        }
        stall(saved, gate)
        run.send(.resume(ids))
        let sum = try finish(run, ids, saved, gate)
        #expect(once.contains(sum), "\(sum)")
    }

    @Test("A complete file that only has to get its name counts no bytes again")
    func namedLater() throws {
        let saved = try SavedSessionFixture()
        defer { saved.end() }
        let gate = try saved.server.gate(named: "rest")
        saved.server.setRoute("/f", .file(seed: 2, count: 900_000).stalling(after: 600_000, until: gate))
        let observer = EffectsObserver()
        let run = try saved.run(observer)
        defer { _ = run.close() }
        var job = job(saved)
        job.ifExists = .fail
        let ids = run.send(.add([job])).added
        try #require(gate.waitForArrivals())
        // A name that is taken before the response has come costs no byte.
        wait(run, ids, for: 590_000)
        let path = saved.folder.path + "/f"
        try Data("other".utf8).write(to: URL(fileURLWithPath: path))
        gate.release()
        try #require(observer.waitForEnds())
        #expect(try run.history().get().map(\.bytes) == [900_000])
        try FileManager.default.removeItem(atPath: path)
        run.send(.resume(ids))
        try #require(observer.waitForEnds(2))
        let entries = try run.history().get()
        #expect(entries.map(\.outcome) == [.done, .failed])
        #expect(entries.map(\.bytes) == [0, 900_000])
    }

    @Test("A download that is resumed while its failure is being told counts all bytes of both runs")
    func resumedWhileTold() throws {
        let saved = try SavedSessionFixture()
        defer { saved.end() }
        let gates = try ["half", "rest"].map { try saved.server.gate(named: $0) }
        let observer = ResumingObserver()
        let run = try saved.run(observer.events) { $0.includesHead = true }
        run.observe(observer)
        defer { _ = run.close() }
        let ids = try begin(run, saved, gates[0])
        run.send(.cancel(ids, deletingParts: false))
        try #require(observer.events.waitForEnds())
        gates[0].release()
        let rest = Behaviour.file(seed: 2, count: 900_000).stalling(after: 100_000, until: gates[1])
        saved.server.setRoute("/f", .sequence([.respond(.text("no", status: 403)), rest]))
        observer.resumes(ids, of: run)
        run.send(.resume(ids))
        try #require(gates[1].waitForArrivals())
        wait(run, ids, for: 690_000)
        saved.server.setRoute("/f", .file(seed: 2, count: 900_000))
        var edited = job(saved)
        edited.headers = ["Accept": "a/b"]
        run.send(.replace(ids[0], with: edited))
        gates[1].release()
        try #require(observer.events.waitForEnds(3))
        let entries = try run.history().get()
        #expect(entries.map(\.outcome) == [.done, .failed, .cancelled])
        let sum = entries.reduce(0) { $0 + $1.bytes }
        #expect(once.contains(sum), "\(entries.map(\.bytes))")
    }

    @Test("A failed download that is cancelled later counts its bytes once, where another service goes on")
    func cancelledLater() throws {
        let saved = try SavedSessionFixture()
        defer { saved.end() }
        let gates = try ["rest", "last"].map { try saved.server.gate(named: $0) }
        let observer = EffectsObserver()
        let first = try saved.run(observer)
        let ids = try fail(first, saved, observer, gates[0])
        first.send(.resume(ids))
        try #require(gates[0].waitForArrivals())
        wait(first, ids, for: 690_000)
        first.send(.cancel(ids, deletingParts: false))
        try #require(observer.waitForEnds(2))
        _ = first.close()
        gates[0].release()
        let second = try saved.run(EffectsObserver())
        stall(saved, gates[1])
        second.send(.resume(ids))
        let sum = try finish(second, ids, saved, gates[1], at: 790_000)
        #expect((900_000..<902_000).contains(sum), "\(sum)")
    }

    @Test("A download that is cancelled with its partial file has its bytes in the history")
    func discarded() throws {
        let saved = try SavedSessionFixture()
        defer { saved.end() }
        let gate = try saved.server.gate(named: "half")
        let observer = EffectsObserver()
        let run = try saved.run(observer)
        defer { _ = run.close() }
        let ids = try begin(run, saved, gate)
        run.send(.cancel(ids, deletingParts: true))
        try #require(observer.waitForEnds())
        gate.release()
        saved.server.setRoute("/f", .file(seed: 2, count: 900_000))
        run.send(.resume(ids))
        try #require(observer.waitForEnds(2))
        #expect(try run.history().get().map(\.bytes) == [900_000, 600_000])
    }

    @Test("A download that goes on from a fresh link has one end, with all of its bytes")
    func freshLink() throws {
        let saved = try SavedSessionFixture()
        defer { saved.end() }
        var resource = ServedResource(seed: 2, count: 900_000)
        resource.lastModified = 1_700_000_000
        saved.server.setRoute(
            "/f",
            .sequence([
                .resource(resource).cutting(after: 600_000), .respond(.text("expired", status: 403)),
            ]))
        saved.server.setRoute("/g", .resource(resource))
        let observer = EffectsObserver()
        let link = saved.server.url("/g")
        let run = try saved.run(observer, retries: 3) { $0.expiryCommand = "echo '\(link)'" }
        defer { _ = run.close() }
        run.send(.add([job(saved)]))
        try #require(observer.waitForEnds())
        let entries = try run.history().get()
        #expect(entries.map(\.outcome) == [.done])
        #expect(once.contains(entries[0].bytes), "\(entries.map(\.bytes))")
    }

    @Test("A file that begins again in vain leaves the bytes before that in their entry")
    func begunInVain() throws {
        let saved = try SavedSessionFixture()
        defer { saved.end() }
        let gate = try saved.server.gate(named: "rest")
        let observer = EffectsObserver()
        let run = try saved.run(observer)
        defer { _ = run.close() }
        let ids = try fail(run, saved, observer, gate)
        saved.server.setRoute("/f", .file(seed: 5, count: 900_000).cutting(after: 100_000))
        run.send(.resume(ids))
        try #require(observer.waitForEnds(2))
        saved.server.setRoute("/f", .file(seed: 2, count: 900_000))
        run.send(.resume(ids))
        try #require(observer.waitForEnds(3))
        let sum = try run.history().get().reduce(0) { $0 + $1.bytes }
        #expect(once.contains(sum), "\(sum)")
    }

    @Test("A file that begins again counts with all of its bytes, though a service stopped in between")
    func begunAgain() throws {
        let saved = try SavedSessionFixture()
        defer { saved.end() }
        let gate = try saved.server.gate(named: "rest")
        let observer = EffectsObserver()
        let run = try saved.run(observer)
        let ids = try fail(run, saved, observer, gate)
        saved.server.setRoute("/f", .file(seed: 5, count: 900_000).stalling(after: 700_000, until: gate))
        run.send(.resume(ids))
        try #require(gate.waitForArrivals())
        wait(run, ids, for: 690_000)
        _ = run.close()
        saved.server.setRoute("/f", .file(seed: 5, count: 900_000))
        gate.release()
        let last = EffectsObserver()
        let next = try saved.run(last)
        defer { _ = next.close() }
        try #require(last.waitForEnds())
        let entries = try next.history().get().map(\.bytes)
        #expect(entries == [900_000, 600_000])
    }
}

/// Resumes rows at the response that ends their run, before its end is told.
private final class ResumingObserver: TransferObserver {
    let interest = Interest(showsRows: true, takesCommands: true)
    let events = EffectsObserver()
    private let target = Locked<(LocalService, [UInt64])?>(nil)

    func resumes(_ ids: [UInt64], of run: LocalService) { target.withLock { $0 = (run, ids) } }

    func receive(_ notice: TransferNotice) {
        guard case .event(let event) = notice, case .response = event.what,
            let (run, ids) = target.withLock({ target in
                defer { target = nil }
                return target
            })
        else { return }
        run.send(.resume(ids))
    }
}
