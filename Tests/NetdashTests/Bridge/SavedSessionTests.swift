import Foundation
import LoopbackServer
import SessionSupport
import Testing

@testable import Dashboard
@testable import SessionCore
@testable import TransferService
@testable import netdash

/// One run of the bridge after another on one saved session.
@Suite("The bridge on a saved session", .timeLimit(.minutes(1)))
struct SavedSessionTests {
    private let fixture: SavedSessionFixture
    private var server: LoopbackServer { fixture.server }
    private var folder: URL { fixture.folder }
    private static let busy = Behaviour.respond(ScriptedResponse(503, headers: ["Retry-After": "1"]))

    init() throws { fixture = try SavedSessionFixture() }

    private func end() { fixture.end() }

    private func run(_ observer: EffectsObserver = EffectsObserver()) throws -> LocalService {
        try fixture.run(observer)
    }

    private func job(_ path: String, _ kind: Job.Kind = .download) -> Job { Job(kind: kind, url: server.url(path)) }

    private func states(_ bridge: LocalService) -> [RowState] { bridge.allSnapshots.map(\.state) }

    @Test("A saved session's first rows are shown as they will be")
    func firstRowsAreFound() throws {
        defer { end() }
        let first = try run()
        first.add(
            (1...3).map { number in
                var job = job("/file-\(number)")
                job.startsPaused = true
                return job
            })
        _ = first.close()
        let found = Locked<[RowSnapshot]>([])
        var settings = Settings()
        settings.directory = folder.path
        settings.retries = 0
        let second = LocalService(
            settings: settings.forService, printsBodies: false, observer: EffectsObserver(), session: "test",
            folder: folder.path + "/state", found: { rows in found.withLock { $0 = rows } })
        defer { _ = second.close() }
        _ = second.begin()
        let rows = found.withLock { $0 }
        #expect(rows.count == 3)
        #expect(rows == second.allSnapshots)
    }

    @Test("Rows come back under their numbers, as they were: done, failed, cancelled, paused, running")
    func rowsComeBack() throws {
        defer { end() }
        let gate = try server.gate(named: "half")
        server.setRoute("/done", .file(seed: 1, count: 1_000))
        server.setRoute("/slow", .file(seed: 2, count: 400_000).stalling(after: 100_000, until: gate))
        let observer = EffectsObserver()
        let first = try run(observer)
        first.add([job("/done"), job("/missing", .data), job("/slow"), job("/later"), job("/never")])
        let ids = first.allSnapshots.map(\.id)
        try #require(observer.waitForEnds(2))
        try #require(gate.waitForArrivals())
        first.pause([ids[3]])
        first.cancel([ids[4]], deletingParts: false)
        try #require(observer.waitForEnds(3))
        #expect(first.close().results.last == .cancelled)

        let second = try run()
        defer { _ = second.close() }
        #expect(second.allSnapshots.map(\.id) == ids)
        let rows = second.allSnapshots
        #expect(rows[0].state == .done)
        #expect(rows[0].received == 1_000)
        #expect(rows[0].path?.string == folder.path + "/done")
        #expect(rows[1].state == .failed)
        #expect(rows[1].error?.string.contains("404") == true)
        #expect([.queued, .running].contains(rows[2].state))
        #expect(rows[3].state == .paused)
        #expect(rows[4].state == .cancelled)
        #expect(second.results == [.unfinished, .unfinished])
    }

    @Test("Rows that have ended know in the next run how long each step took, and a 401 its status")
    func steps() throws {
        defer { end() }
        server.setRoute("/done", .file(seed: 1, count: 1_000))
        server.setRoute("/closed", .respond(.text("no\n", status: 401)))
        let observer = EffectsObserver()
        let first = try run(observer)
        first.add([job("/done"), job("/missing"), job("/closed")])
        try #require(observer.waitForEnds(3))
        let ids = first.allSnapshots.map(\.id)
        let before = ids.map { first.details(of: $0) }
        _ = first.close()
        let second = try run()
        defer { _ = second.close() }
        for (id, before) in zip(ids, before) {
            let (details, before) = (try #require(second.details(of: id)), try #require(before))
            #expect(details.total == before.total && details.total != nil)
            #expect(details.connect == before.connect && details.firstByte == before.firstByte)
            #expect(details.nameLookup == before.nameLookup && details.requestSent == before.requestSent)
        }
        #expect(second.snapshots(of: [ids[2]]).first?.statusCode == 401)
        let done = try #require(second.snapshots(of: [ids[0]]).first)
        #expect(try #require(done.startedAt) <= #require(done.endedAt))
        let log = try #require(second.details(of: ids[0])).log.map(\.text.string)
        #expect(log.prefix(2) == ["started", "response 200"])
        #expect(log.last?.hasPrefix("completed, ") == true, "\(log)")
        let missing = try #require(second.snapshots(of: [ids[1]]).first)
        #expect(missing.error?.string == "404 Not Found from \(missing.host)")
        let failed = try #require(second.details(of: ids[1])).log.last
        #expect(failed?.text.string == "failed: 404 Not Found from \(missing.host)")
        guard case .failed(let failure) = second.row(ids[2])?.run.result else { return #expect(Bool(false), "no end") }
        #expect(failure.httpStatus == 401)
    }

    @Test("A failed row knows in the next run what it knew, and one that does not run shows the bytes it kept")
    func knowledge() throws {
        defer { end() }
        let gate = try server.gate(named: "half")
        server.setRoute("/slow", .file(seed: 2, count: 400_000).stalling(after: 100_000, until: gate))
        let observer = EffectsObserver()
        let first = try fixture.run(observer, retries: 1)
        server.setRoute("/missing", .choosing { $0.index == 0 ? Self.busy : .respond(.text("no", status: 404)) })
        first.add([job("/missing"), job("/slow")])
        let ids = first.allSnapshots.map(\.id)
        try #require(observer.waitForEnds())
        try #require(gate.waitForArrivals())
        try #require(observer.wait { _ in first.snapshots(of: [ids[1]]).contains { $0.received > 0 } })
        first.pause([ids[1]])
        try #require(observer.wait { _ in first.snapshots(of: [ids[1]]).contains { $0.state == .paused } })
        let before = first.allSnapshots
        _ = first.close()

        let second = try run()
        defer { _ = second.close() }
        let rows = second.allSnapshots
        #expect(rows[0].statusCode == 404)
        #expect(rows[0].failedAttempts == before[0].failedAttempts)
        let (start, end) = (try #require(rows[0].startedAt), try #require(rows[0].endedAt))
        let (oldStart, oldEnd) = (try #require(before[0].startedAt), try #require(before[0].endedAt))
        #expect(oldEnd - oldStart >= 1000 && abs((end - start) - (oldEnd - oldStart)) <= 500, "With its wait")
        #expect(rows[1].state == .paused)
        #expect(rows[1].received >= before[1].received && rows[1].received > 0)
        #expect(rows[1].expected == 400_000)
        #expect(rows[1].continuation == .yes && before[1].continuation == .yes, "The part has not changed")
        #expect(second.summary.moved.total == 0, "They are no bytes of this run")
    }

    @Test("What ran goes on from its part to the right bytes, and paused rows do not keep a run from ending")
    func goesOn() throws {
        defer { end() }
        let gate = try server.gate(named: "half")
        let content = DeterministicContent(seed: 2, count: 400_000)
        let complete = Behaviour.resource(ServedResource(seed: 2, count: 400_000))
        server.setRoute("/slow", .sequence([complete.stalling(after: 100_000, until: gate), complete]))
        let watcher = EffectsObserver()
        let first = try run(watcher)
        var paused = job("/later")
        paused.startsPaused = true
        first.add([job("/slow"), paused])
        try #require(gate.waitForArrivals())
        let id = try #require(first.allSnapshots.first?.id)
        // Sent is not received.
        try #require(watcher.wait { _ in first.snapshots(of: [id]).contains { $0.received > 0 } })
        _ = first.close()
        let observer = EffectsObserver()
        let second = try run(observer)
        defer { _ = second.close() }
        try #require(observer.waitForEnds())
        #expect(second.snapshots(of: [id]).map(\.state) == [.done])
        #expect(second.isIdle)
        #expect(server.requests.last?.header("Range")?.hasPrefix("bytes=") == true)
        #expect(try Data(contentsOf: folder.appendingPathComponent("slow")) == Data(content.bytes))
        #expect(states(second).last == .paused)
    }

    @Test("Rows without tasks of their own are saved like the others, and rows that were cleared are not")
    func waitingRows() throws {
        defer { end() }
        let gate = try server.gate(named: "all")
        server.setRoute("/f/*", .file(seed: 1, count: 10).stalling(after: 0, until: gate))
        let observer = EffectsObserver()
        let first = try run(observer)
        first.add((1...200).map { job("/f/\($0)") })
        let ids = first.allSnapshots.map(\.id)
        first.pause([ids[150]])
        first.cancel([ids[160], ids[170]], deletingParts: false)
        try #require(observer.waitForEnds(2))
        first.clear([ids[170]])
        first.prioritise([ids[199]], by: 1)
        _ = first.close()
        let second = try run()
        defer { _ = second.close() }
        let rows = second.allSnapshots
        #expect(rows.map(\.id) == ids.filter { $0 != ids[170] })
        #expect(second.snapshots(of: [ids[150], ids[160]]).map(\.state) == [.paused, .cancelled])
        #expect(second.counts.live == 198)
        #expect(second.row(ids[199])?.priority == 1)
    }

    @Test("A failed row that is tried again is one row, also in the next run")
    func retry() throws {
        defer { end() }
        server.setRoute("/f", .sequence([.respond(ScriptedResponse(500)), .file(seed: 1, count: 10)]))
        let observer = EffectsObserver()
        let first = try run(observer)
        first.add([job("/f")])
        try #require(observer.waitForEnds())
        _ = first.close()
        let again = EffectsObserver()
        let second = try run(again)
        let id = try #require(second.allSnapshots.first?.id)
        #expect(states(second) == [.failed])
        second.resume([id])
        try #require(again.waitForEnds())
        #expect(second.results == [.completed])
        _ = second.close()
        let third = try run()
        defer { _ = third.close() }
        #expect(third.allSnapshots.map(\.id) == [id])
        #expect(states(third) == [.done])
        #expect(third.results.isEmpty)
    }

    @Test("A new row is written down once, although it gets its task at once; a retry once more")
    func writtenOnce() throws {
        defer { end() }
        server.setRoute("/f", .sequence([.respond(ScriptedResponse(500)), .file(seed: 1, count: 10)]))
        let observer = EffectsObserver()
        let bridge = try run(observer)
        defer { _ = bridge.close() }
        let store = try #require(bridge.manager.session.store)
        /// The rows that are queued for the store by `body` and by the task that follows; its thread stands still meanwhile.
        func rowsWritten(by body: () -> Void) -> Int {
            let (isTaken, isFree) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            store.flush { _ in
                isTaken.signal()
                isFree.wait()
            }
            isTaken.wait()
            defer { isFree.signal() }
            body()
            while bridge.allSnapshots.isEmpty
                || bridge.allSnapshots.contains(where: { bridge.row($0.id)?.run.task == nil })
            {
                // The task is made on this queue.
                bridge.waitForDelivery()
            }
            return store.monitor.withLock { state in
                state.inbox.changes.count { if case .add = $0 { true } else { false } }
            }
        }
        #expect(rowsWritten { bridge.add([job("/f")]) } == 1)
        let id = try #require(bridge.allSnapshots.first?.id)
        try #require(observer.waitForEnds())
        #expect(rowsWritten { bridge.resume([id]) } == 1)
        try #require(observer.waitForEnds(2))
        #expect(bridge.results == [.completed])
    }

    @Test("A text too long to be saved is sent all the same, as a row of this run alone")
    func longText() throws {
        defer { end() }
        server.setRoute("/in", .uploadSink())
        let observer = EffectsObserver()
        let first = try run(observer)
        var long = Job(kind: .data, url: server.url("/in"))
        long.method = "POST"
        long.body = .text(String(repeating: "x", count: 1 << 20 + 1))
        first.add([long])
        try #require(observer.waitForEnds())
        #expect(first.results == [.completed])
        _ = first.close()
        let second = try run()
        defer { _ = second.close() }
        #expect(second.allSnapshots.isEmpty)
    }

    @Test("A row that was cancelled while it was paused waits, and is not paused, once it is tried again")
    func retryAfterPause() throws {
        defer { end() }
        let gate = try server.gate(named: "half")
        server.setRoute("/f", .file(seed: 1, count: 100_000).stalling(after: 50_000, until: gate))
        let observer = EffectsObserver()
        let bridge = try run(observer)
        defer { _ = bridge.close() }
        bridge.add([job("/f")])
        let id = try #require(bridge.allSnapshots.first?.id)
        try #require(gate.waitForArrivals())
        bridge.pause([id])
        try #require(observer.wait { $0.contains { $0.what == .paused } })
        bridge.cancel([id], deletingParts: true)
        try #require(observer.waitForEnds())
        let row = try #require(bridge.row(id))
        bridge.retry(row)
        // The end of the run before may admit it at once.
        #expect(states(bridge) != [.paused])
        let run = try #require(bridge.row(id)?.run)
        #expect(run.isRetry && run.endedAt == nil && !run.isSuspended)
        gate.release()
        bridge.tellQueue()
        try #require(observer.waitForEnds(2))
        #expect(bridge.results == [.completed])
    }

    @Test("Secrets are not saved: the row says so, and is not sent without them")
    func secrets() throws {
        defer { end() }
        server.setRoute("/f", .file(seed: 1, count: 10))
        let first = try run()
        var secret = job("/f")
        secret.headers = ["Authorization": "Bearer sesame"]
        secret.startsPaused = true
        first.add([secret])
        _ = first.close()
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path + "/state") {
            let bytes = try Data(contentsOf: folder.appendingPathComponent("state/" + name))
            #expect(!String(decoding: bytes, as: UTF8.self).contains("sesame"))
        }
        let observer = EffectsObserver()
        let second = try run(observer)
        defer { _ = second.close() }
        let row = try #require(second.allSnapshots.first)
        #expect(row.state == .failed)
        #expect(row.error?.string.contains("Secrets are not saved (Authorization)") == true)
        second.resume([row.id])
        try #require(observer.waitForEnds())
        #expect(states(second) == [.failed])
        #expect(server.requests.isEmpty)
    }

    @Test("A row is found again with its options, goes on with them, and says which of them was a secret")
    func options() throws {
        defer { end() }
        server.setRoute("/f", .file(seed: 1, count: 10))
        server.setRoute("/g", .file(seed: 1, count: 10))
        let gate = try server.gate(named: "first")
        server.setRoute("/f", Behaviour.file(seed: 1, count: 10).waiting(for: gate))
        let first = try run()
        var kept = job("/f")
        kept.options = [JobOption.Value(.referer, "http://from.example/"), JobOption.Value(.maximumTime, "99")]
        var secret = job("/g")
        secret.options = [JobOption.Value(.user, "me:sesame"), JobOption.Value(.referer, "http://from.example/")]
        secret.startsPaused = true
        first.add([kept, secret])
        try #require(gate.waitForArrivals())
        _ = first.close()
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path + "/state") {
            let bytes = try Data(contentsOf: folder.appendingPathComponent("state/" + name))
            #expect(!String(decoding: bytes, as: UTF8.self).contains("sesame"))
        }
        gate.release()
        let observer = EffectsObserver()
        let second = try run(observer)
        defer { _ = second.close() }
        try #require(observer.waitForEnds())
        #expect(states(second) == [.done, .failed])
        #expect(server.requests.map { $0.headers["Referer"] } == ["http://from.example/", "http://from.example/"])
        let row = try #require(second.allSnapshots.last)
        #expect(row.error?.string.contains("Secrets are not saved (--user)") == true)
        #expect(second.row(row.id)?.job.options.map(\.line) == ["user=me:***", "referer=http://from.example/"])
    }

    @Test("A session that is open elsewhere is refused with status 6, and a name is not a place")
    func inUse() throws {
        defer { end() }
        let first = try run()
        defer { _ = first.close() }
        let second = LocalService(
            settings: ServiceSettings(), printsBodies: false, observer: EffectsObserver(), session: "test",
            folder: folder.path + "/state")
        #expect(second.refusal?.exitCode == .sessionInUse)
        #expect(second.refusal?.isInUse == true)
        #expect(second.refusal?.message.contains("\"test\"") == true)
    }
}
