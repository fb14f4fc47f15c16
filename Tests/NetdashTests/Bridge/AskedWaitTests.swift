import Foundation
import LoopbackServer
import SessionSupport
import Testing

@testable import Dashboard
@testable import SessionCore
@testable import TransferService
@testable import netdash

@Suite("Waits that servers ask for, over the end of the service", .timeLimit(.minutes(1)))
struct AskedWaitTests {
    @Test(
        "The next run does not ask a server before the time that it has asked for, whatever options a task has",
        arguments: [503, 429], [false, true])
    func kept(status: Int, hasOptions: Bool) throws {
        let fixture = try SavedSessionFixture()
        defer { fixture.end() }
        let busy = Behaviour.respond(ScriptedResponse(status, headers: ["Retry-After": "3600"]))
        fixture.server.setRoute("/f", .sequence([busy, .file(seed: 1, count: 1000)]))
        let began = Int64(Date().timeIntervalSince1970)
        let observer = EffectsObserver()
        let first = try fixture.run(observer, retries: 5)
        var job = Job(kind: .download, url: fixture.server.url("/f"))
        // The library makes no task of it in the next run.
        if hasOptions { job.options.set(try JobOption.Value(checking: .noProxy, "127.0.0.1")) }
        let ids = first.send(.add([job]), from: 1).added
        try #require(observer.wait { $0.contains { if case .retrying = $0.what { true } else { false } } })
        #expect(first.unsavedAfterWriting() == nil)
        _ = first.close()
        // Another run that ends at once keeps it too.
        _ = try fixture.run(EffectsObserver(), retries: 5).close()
        let later = EffectsObserver()
        let third = try fixture.run(later, retries: 5)
        defer { _ = third.close() }
        let row = try #require(third.snapshots(of: ids).first)
        #expect(!row.state.isFinal && row.figures.opening.minute != nil, "\(row)")
        let opening = try #require(third.state.withLock { $0.opening(of: ids[0]) })
        #expect((began + 3_600...began + 3_700).contains(opening))
        third.send(.pause(ids))
        #expect(third.figures(of: ids).map(\.state) == [.paused])
        third.send(.resume(ids))
        #expect(third.figures(of: ids).map(\.opening.minute) == [row.figures.opening.minute], "A pause ends no wait.")
        #expect(fixture.server.requests(for: "/f").count == 1)
        third.send(.resume(ids))
        try #require(later.waitForEnds())
        #expect(third.results == [.completed])
        #expect(fixture.server.requests(for: "/f").count == 2)
    }

    @Test("A short wait is kept too, where the server is busy", arguments: [503, 429])
    func short(status: Int) throws {
        let fixture = try SavedSessionFixture()
        defer { fixture.end() }
        fixture.server.setRoute("/f", .respond(ScriptedResponse(status, headers: ["Retry-After": "45"])))
        let observer = EffectsObserver()
        let first = try fixture.run(observer, retries: 5)
        let ids = first.send(.add([Job(kind: .download, url: fixture.server.url("/f"))]), from: 1).added
        try #require(observer.wait { $0.contains { if case .retrying = $0.what { true } else { false } } })
        #expect(first.unsavedAfterWriting() == nil)
        _ = first.close()
        let second = try fixture.run(EffectsObserver(), retries: 5)
        defer { _ = second.close() }
        #expect(second.state.withLock { $0.opening(of: ids[0]) } != nil)
        #expect(fixture.server.requestCount == 1)
    }

    /// What ends a wait before its time.
    enum End: CaseIterable { case startedByUser, resumedInNextRun, answered }

    @Test("A wait that has ended before its time holds nothing in the next run", arguments: End.allCases)
    func ended(by end: End) throws {
        let fixture = try SavedSessionFixture()
        defer { fixture.end() }
        let gate = try fixture.server.gate(named: "half")
        let busy = Behaviour.respond(ScriptedResponse(503, headers: ["Retry-After": "3600"]))
        let file = Behaviour.file(seed: 1, count: 400_000)
        fixture.server.setRoute("/f", .sequence([busy, file.stalling(after: 200_000, until: gate), file]))
        var observer = EffectsObserver()
        var bridge = try fixture.run(observer, retries: 5)
        let ids = bridge.send(.add([Job(kind: .download, url: fixture.server.url("/f"))]), from: 1).added
        try #require(observer.wait { _ in bridge.figures(of: ids).map(\.state) == [.retrying] })
        switch end {
        case .startedByUser: bridge.send(.startNow(ids))
        case .resumedInNextRun:
            _ = bridge.close()
            observer = EffectsObserver()
            bridge = try fixture.run(observer, retries: 5)
            bridge.send(.resume(ids))
        // The library asks by itself, as it does when the time has come.
        case .answered: bridge.row(ids[0])?.run.task?.ignoresLimits = true
        }
        try #require(gate.waitForArrivals())
        try #require(observer.wait { _ in (bridge.figures(of: ids).first?.received ?? 0) > 0 })
        bridge.waitForDelivery()
        #expect(bridge.unsavedAfterWriting() == nil)
        _ = bridge.close()
        gate.release()
        let last = EffectsObserver()
        let next = try fixture.run(last, retries: 5)
        defer { _ = next.close() }
        #expect(next.figures(of: ids).map(\.opening.minute) == [nil])
        try #require(last.waitForEnds())
        #expect(next.figures(of: ids).map(\.state) == [.done])
    }

    @Test("A held task that is refused and goes on with another secret leaves nothing of its wait")
    func refusedAfterHold() throws {
        let fixture = try SavedSessionFixture()
        defer { fixture.end() }
        let busy = Behaviour.respond(ScriptedResponse(503, headers: ["Retry-After": "3600"]))
        let refusal = Behaviour.respond(.text("no", status: 401))
        fixture.server.setRoute("/f", .sequence([busy, refusal, .file(seed: 1, count: 10)]))
        var job = Job(kind: .download, url: fixture.server.url("/f"))
        let command = "X-Key: @cmd:cat /proc/sys/kernel/random/uuid"
        job.options.set(try JobOption.Value(checking: .secretHeader, command))
        let observer = EffectsObserver()
        let first = try fixture.run(observer, retries: 5)
        let ids = first.send(.add([job]), from: 1).added
        try #require(observer.wait { $0.contains { if case .retrying = $0.what { true } else { false } } })
        #expect(first.unsavedAfterWriting() == nil)
        _ = first.close()
        let later = EffectsObserver()
        let second = try fixture.run(later, retries: 5)
        defer { _ = second.close() }
        #expect(second.figures(of: ids).map { $0.opening.minute != nil } == [true])
        second.send(.resume(ids))
        try #require(later.waitForEnds())
        #expect(second.results == [.completed] && second.state.withLock { $0.hours.isEmpty })
    }

    @Test("A wait that is over holds nothing, and none is longer than an hour")
    func bounds() {
        let now = Int64(Date().timeIntervalSince1970)
        var row = TransferRow(id: 1, job: Job(kind: .download, url: "http://h/f"))
        row.restoreWait(now - 1)
        #expect(row.hours == nil && row.run.wait.until == nil)
        row.restoreWait(now + 10_000_000)
        let start = row.hours?.start ?? 0
        #expect((now + 3_600...now + 3_700).contains(start))
        #expect(SavedJob.askedUntil(in: row.annotation()) == start)
        var later = Job(kind: .download, url: "http://h/f")
        later.start = start + 60
        row = TransferRow(id: 1, job: later)
        row.restoreWait(start)
        #expect(row.hours?.start == start + 60)
    }
}
