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
    @Test("The next run does not ask a server before the time that it has asked for", arguments: [503, 429])
    func kept(status: Int) throws {
        let fixture = try SavedSessionFixture()
        defer { fixture.end() }
        let busy = Behaviour.respond(ScriptedResponse(status, headers: ["Retry-After": "3600"]))
        fixture.server.setRoute("/f", .sequence([busy, .file(seed: 1, count: 1000)]))
        let began = Int64(Date().timeIntervalSince1970)
        let observer = EffectsObserver()
        let first = try fixture.run(observer, retries: 5)
        let ids = first.send(.add([Job(kind: .download, url: fixture.server.url("/f"))]), from: 1).added
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
        #expect(fixture.server.requests(for: "/f").count == 1)
        third.send(.resume(ids))
        try #require(later.waitForEnds())
        #expect(third.results == [.completed])
        #expect(fixture.server.requests(for: "/f").count == 2)
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
