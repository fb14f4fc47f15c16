import Foundation
import LoopbackServer
import SessionSupport
import Testing

@testable import Dashboard
@testable import TransferService
@testable import netdash

@Suite("The history of ended transfers", .timeLimit(.minutes(1)))
struct TransferHistoryTests {
    private func entry(_ number: Int, reason: SafeText? = nil) -> HistoryEntry {
        HistoryEntry(
            endedAt: Int64(number), kind: .download, outcome: reason == nil ? .done : .failed,
            name: "f" + SafeText(number), host: "h", url: "http://h/f", bytes: Int64(number), reason: reason)
    }

    /// A folder that is gone at the end of a test.
    private func inFolder(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("history-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder.path)
    }

    @Test("Entries are read newest first, in a later run too, by their user alone")
    func kept() throws {
        try inFolder { folder in
            let first = TransferHistory(session: "s", folder: folder)
            #expect(first.entries().isEmpty)
            for number in 1...3 { first.add(entry(number)) }
            #expect(first.entries() == [3, 2, 1].map { entry($0) })
            let second = TransferHistory(session: "s", folder: folder)
            second.add(entry(4, reason: "404"))
            second.close()
            #expect(TransferHistory(session: "s", folder: folder).entries().map(\.endedAt) == [4, 3, 2, 1])
            let mode = try FileManager.default.attributesOfItem(atPath: folder + "/s.history")[.posixPermissions]
            #expect(mode as? Int == 0o600 && first.problem == nil && second.problem == nil)
        }
    }

    @Test("A pipe in place of the file is said to be unusable, and holds nobody up")
    func pipe() throws {
        try inFolder { folder in
            try #require(mkfifo(folder + "/s.history", 0o600) == 0)
            let history = TransferHistory(session: "s", folder: folder)
            history.add(entry(1))
            history.close()
            #expect(history.problem != nil)
        }
    }

    @Test("Half a line of a crash, a damaged line and a file that is none lose themselves and no other line")
    func damaged() throws {
        try inFolder { folder in
            let path = folder + "/s.history"
            let first = TransferHistory(session: "s", folder: folder)
            first.add(entry(1))
            // Written later, it would continue the half line below.
            first.close()
            let whole = TransferHistory(session: "s", folder: folder)
            whole.add(entry(2))
            whole.close()
            var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
            bytes += Data("{\"endedAt\":3,\"kind\":\"mystery\"}\n\u{0}\u{0}\n{\"endedAt\":4".utf8)
            try bytes.write(to: URL(fileURLWithPath: path))
            let later = TransferHistory(session: "s", folder: folder)
            later.add(entry(5))
            #expect(Set(later.entries().map(\.endedAt)).isSuperset(of: [2, 5]))
            #expect(later.entries().allSatisfy { ![3, 4].contains($0.endedAt) })
            // The half line of a crash is no damage.
            #expect(later.damage?.string == "2 lines of the history \(path) cannot be read")
            #expect(whole.damage == nil && later.problem == nil)
        }
        let unreadable = TransferHistory(session: "s", folder: "/proc/no/such")
        unreadable.add(entry(1))
        #expect(unreadable.entries().isEmpty && unreadable.problem != nil)
    }

    @Test("A long history keeps its latest entries, and its file does not grow for ever")
    func bounded() throws {
        try inFolder { folder in
            let history = TransferHistory(session: "s", folder: folder)
            let count = 2 * TransferHistory.limit + 500
            for number in 1...count { history.add(entry(number)) }
            let entries = history.entries()
            #expect(entries.count == TransferHistory.limit && entries.first?.endedAt == Int64(count))
            let lines = try Data(contentsOf: URL(fileURLWithPath: folder + "/s.history")).count { $0 == 10 }
            #expect(lines <= 2 * TransferHistory.limit)
        }
    }

    @Test("Forgotten entries are gone, others stay, and all can be forgotten; later ones are kept")
    func forgotten() throws {
        try inFolder { folder in
            let history = TransferHistory(session: "s", folder: folder)
            for number in 1...4 { history.add(entry(number)) }
            history.forget([entry(2), entry(9)])
            #expect(history.entries().map(\.endedAt) == [4, 3, 1])
            history.forget(nil)
            history.add(entry(5))
            #expect(history.entries().map(\.endedAt) == [5])
            #expect(TransferHistory(session: "s", folder: folder).entries() == [entry(5)] && history.problem == nil)
        }
    }

    @Test("A long text is cut, and a long URL is left out, so that ten thousand entries fit one message")
    func longTexts() throws {
        let text = SafeText(untrusted: String(repeating: "ä", count: 3_000))
        func entry(_ url: SafeText) -> HistoryEntry {
            HistoryEntry(
                endedAt: 1, kind: .download, outcome: .failed, name: text, host: text, url: url, bytes: 1,
                reason: text)
        }
        #expect(entry(text).url.isEmpty && entry(text).name.string.utf8.count == HistoryEntry.textLimit)
        let longest = SafeText(untrusted: String(repeating: "x", count: HistoryEntry.urlLimit))
        #expect(entry(longest).url == longest)
        let size = try JSONEncoder().encode(entry(longest)).count
        #expect(size * TransferHistory.limit < 32 << 20, "\(size) bytes each")
        #expect(
            HistoryEntry(
                endedAt: 1, kind: .download, outcome: .done, name: "", host: "", url: "", bytes: 3, milliseconds: 1500
            ).rate == 2)
    }

    @Test("Ends of a saved session outlive cleared rows and the run, without their secrets")
    func session() throws {
        let saved = try SavedSessionFixture()
        defer { saved.end() }
        saved.server.setRoute("/f", .file(count: 1000))
        let observer = EffectsObserver()
        let first = try saved.run(observer)
        let ids = first.send(
            .add(
                ["/f?token=abcsecret&n=1", "/gone?token=abcsecret"].map {
                    Job(kind: .download, url: saved.server.url($0))
                })
        ).added
        try #require(observer.waitForEnds(2))
        first.send(.clear(ids))
        _ = first.close()
        let second = try saved.run(EffectsObserver())
        defer { _ = second.close() }
        #expect(second.allSnapshots.isEmpty)
        let entries = try second.history().get()
        // They run at the same time, so either may end first.
        let (done, failed) = (entries.first { $0.outcome == .done }, entries.first { $0.outcome == .failed })
        #expect(entries.count == 2 && done?.bytes == 1000 && done?.name == "f")
        #expect(failed?.reason != nil)
        #expect(entries.allSatisfy { $0.host == "127.0.0.1" || $0.host.string.hasPrefix("127.0.0.1:") })
        let text = try String(contentsOfFile: saved.folder.path + "/state/test.history", encoding: .utf8)
        #expect(!text.contains("abcsecret") && text.contains("n=1"))
        second.send(.forgetEnds(nil))
        #expect(try second.history().get().isEmpty)
    }

    @Test("An entry says whether URL and method were all of its request")
    func complete() throws {
        let saved = try SavedSessionFixture()
        defer { saved.end() }
        let observer = EffectsObserver()
        let run = try saved.run(observer)
        defer { _ = run.close() }
        let plain = Job(kind: .data, url: saved.server.url("/plain"))
        var other = Job(kind: .data, url: saved.server.url("/other"))
        other.headers = ["X-A": "1"]
        run.send(.add([plain, other]))
        try #require(observer.waitForEnds(2))
        let entries = try run.history().get()
        #expect(entries.first { $0.url.string.hasSuffix("/plain") }?.isComplete == true)
        #expect(entries.first { $0.url.string.hasSuffix("/other") }.map { $0.isComplete == nil } == true)
    }

    @Test("A download that goes on in a later run of its session counts with the bytes of both")
    func overRuns() throws {
        let saved = try SavedSessionFixture()
        defer { saved.end() }
        let gate = try saved.server.gate(named: "half")
        saved.server.setRoute("/f", .file(seed: 2, count: 900_000).stalling(after: 600_000, until: gate))
        let first = try saved.run(EffectsObserver())
        first.send(.add([Job(kind: .download, url: saved.server.url("/f"))]))
        try #require(gate.waitForArrivals())
        _ = first.close()
        gate.release()
        let observer = EffectsObserver()
        let second = try saved.run(observer)
        defer { _ = second.close() }
        try #require(observer.waitForEnds())
        let entry = try #require(try second.history().get().first)
        #expect(entry.outcome == .done && entry.bytes == 900_000 && entry.rate == nil)
    }

    @Test("A download that is cancelled before it goes on counts with what an earlier run of its session received")
    func cancelledRestored() throws {
        let saved = try SavedSessionFixture()
        defer { saved.end() }
        let gate = try saved.server.gate(named: "half")
        saved.server.setRoute("/f", .file(seed: 2, count: 900_000).stalling(after: 600_000, until: gate))
        let first = try saved.run(EffectsObserver())
        let ids = first.send(.add([Job(kind: .download, url: saved.server.url("/f"))])).added
        try #require(gate.waitForArrivals())
        while first.figures(of: ids).first?.received != 600_000 { usleep(1_000) }
        first.send(.pause(ids))
        while first.figures(of: ids).first?.state != .paused { usleep(1_000) }
        _ = first.close()
        gate.release()
        let observer = EffectsObserver()
        let second = try saved.run(observer)
        defer { _ = second.close() }
        let received = try #require(second.figures(of: ids).first?.received)
        #expect(received >= 500_000)
        second.send(.cancel(ids, deletingParts: false))
        try #require(observer.waitForEnds())
        let entry = try #require(try second.history().get().first)
        #expect(entry.outcome == .cancelled && entry.bytes == received)
    }

    @Test("What an entry has of a download is not counted again by a later run of its session")
    func toldOnce() throws {
        let saved = try SavedSessionFixture()
        defer { saved.end() }
        let gates = try ["first", "second"].map { try saved.server.gate(named: $0) }
        saved.server.setRoute("/f", .file(seed: 2, count: 900_000).stalling(after: 600_000, until: gates[0]))
        var observer = EffectsObserver()
        let first = try saved.run(observer)
        let ids = first.send(.add([Job(kind: .download, url: saved.server.url("/f"))])).added
        try #require(gates[0].waitForArrivals())
        while first.figures(of: ids).first?.received != 600_000 { usleep(1_000) }
        first.send(.cancel(ids, deletingParts: false))
        try #require(observer.waitForEnds())
        saved.server.setRoute("/f", .file(seed: 2, count: 900_000).stalling(after: 200_000, until: gates[1]))
        gates[0].release()
        first.send(.resume(ids))
        try #require(gates[1].waitForArrivals())
        while (first.figures(of: ids).first?.received ?? 0) < 790_000 { usleep(1_000) }
        _ = first.close()
        gates[1].release()
        observer = EffectsObserver()
        let second = try saved.run(observer)
        defer { _ = second.close() }
        try #require(observer.waitForEnds())
        let entries = try second.history().get()
        #expect(entries.map(\.outcome) == [.done, .cancelled])
        // The bytes that a resumed download fetches for a comparison may count in both.
        #expect((900_000...901_000).contains(entries.reduce(0) { $0 + $1.bytes }), "\(entries.map(\.bytes))")
    }

    @Test("A download that is edited on its way has one end, with the bytes before the change too")
    func edited() throws {
        let saved = try SavedSessionFixture()
        defer { saved.end() }
        let gate = try saved.server.gate(named: "half")
        saved.server.setRoute("/f", .file(seed: 2, count: 900_000).stalling(after: 600_000, until: gate))
        let observer = EffectsObserver()
        let run = try saved.run(observer)
        defer { _ = run.close() }
        var job = Job(kind: .download, url: saved.server.url("/f"))
        let ids = run.send(.add([job])).added
        try #require(gate.waitForArrivals())
        while run.figures(of: ids).first?.received != 600_000 { usleep(1_000) }
        saved.server.setRoute("/f", .file(seed: 2, count: 900_000))
        job.headers = ["X-Key": "a"]
        run.send(.replace(ids[0], with: job))
        try #require(observer.waitForEnds())
        gate.release()
        let entries = try run.history().get()
        #expect(entries.map(\.outcome) == [.done] && entries.map(\.bytes) == [900_000])
    }

    @Test("A row that was cancelled to be removed has no end once it came back")
    func restored() throws {
        let saved = try SavedSessionFixture()
        defer { saved.end() }
        let gate = try saved.server.gate(named: "half")
        saved.server.setRoute("/f", .file(seed: 2, count: 900_000).stalling(after: 600_000, until: gate))
        let observer = EffectsObserver()
        let run = try saved.run(observer)
        defer { _ = run.close() }
        let ids = run.send(.add([Job(kind: .download, url: saved.server.url("/f"))])).added
        try #require(gate.waitForArrivals())
        run.send(.remove(ids, deletingParts: false))
        try #require(observer.waitForEnds())
        #expect(try run.history().get().map(\.outcome) == [.cancelled])
        #expect(run.send(.restore(ids)).added == ids)
        #expect(try run.history().get().isEmpty)
        run.send(.resume(ids))
        gate.release()
        try #require(observer.waitForEnds(2))
        #expect(try run.history().get().map(\.outcome) == [.done])
    }

    @Test("A history that cannot be read is told as an answer, and at the end")
    func unreadable() throws {
        let saved = try SavedSessionFixture()
        defer { saved.end() }
        let service = try saved.run(EffectsObserver())
        try FileManager.default.createDirectory(
            atPath: saved.folder.path + "/state/test.history", withIntermediateDirectories: false)
        guard case .failure(let failure) = service.history() else {
            Issue.record("A folder was read as a file")
            _ = service.close()
            return
        }
        #expect(failure.message.contains("test.history"))
        #expect(service.close().complaints.contains { $0.string.contains("test.history") })
    }

    @Test("A history without a readable line is told, not shown as empty")
    func destroyed() throws {
        let saved = try SavedSessionFixture()
        defer { saved.end() }
        let service = try saved.run(EffectsObserver())
        defer { _ = service.close() }
        try Data(repeating: 0, count: 300).write(
            to: URL(fileURLWithPath: saved.folder.path + "/state/test.history"))
        guard case .failure(let failure) = service.history() else {
            Issue.record("Unreadable lines were shown as no lines")
            return
        }
        #expect(failure.message.contains("cannot be read"))
    }

    @Test("A run without a saved session has no history")
    func none() throws {
        let fixture = try BridgeFixture { _ in }
        defer { fixture.end() }
        fixture.server.setRoute("/f", .file(count: 10))
        fixture.bridge.add([fixture.job(.download, "/f")])
        try #require(fixture.observer.waitForEnds())
        #expect(try fixture.bridge.history().get().isEmpty)
    }

    @Test("A run that cannot save its session shows the history of earlier runs, and adds nothing to it")
    func earlier() throws {
        try inFolder { folder in
            let first = TransferHistory(session: "s", folder: folder)
            first.add(entry(1))
            first.close()
            let service = LocalService(
                settings: ServiceSettings(), printsBodies: false, for: Interest(showsRows: true), earlier: "s",
                folder: folder)
            let entries = try service.history().get()
            #expect(entries == [entry(1)] && service.history == nil)
            _ = service.close(leaving: [])
            let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(names == ["s.history"])
        }
    }

    @Test("An end that was told is in the file, so that a kill right after it loses none")
    func told() throws {
        let saved = try SavedSessionFixture()
        defer { saved.end() }
        saved.server.setRoute("/*", .file(count: 10))
        let observer = EffectsObserver()
        let service = try saved.run(observer)
        defer { _ = service.close() }
        let reader = EndReader(of: saved.folder.path + "/state/test.history")
        service.observe(reader)
        service.send(.add((1...20).map { Job(kind: .download, url: saved.server.url("/f\($0)")) }))
        try #require(observer.waitForEnds(20))
        #expect(reader.missing == 0)
    }
}

/// Looks for each end in the file of a history when it is told.
private final class EndReader: TransferObserver {
    let interest = Interest(showsRows: true)
    private let path: String
    private let counts = Locked((told: 0, missing: 0))

    init(of path: String) { self.path = path }

    /// The most ends that were told and not in the file.
    var missing: Int { counts.withLock(\.missing) }

    func receive(_ notice: TransferNotice) {
        guard case .event(let event) = notice, case .completed = event.what else { return }
        let lines = (FileManager.default.contents(atPath: path) ?? Data()).count { $0 == 10 }
        counts.withLock { counts in
            counts.told += 1
            counts.missing = max(counts.missing, counts.told - lines)
        }
    }
}
