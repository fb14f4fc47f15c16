import Foundation
import LoopbackServer
import Testing

@testable import SessionCore
@testable import TransferService

/// Rows that a saved session cannot take: they say so, and harm no other.
@Suite("Rows of one run alone", .timeLimit(.minutes(1)))
struct UnsavedRowsTests {
    @Test("A row that the session could not read again, and one with a long body, are not saved and say so")
    func unsaved() throws {
        let fixture = try SavedSessionFixture()
        defer { fixture.end() }
        let observer = EffectsObserver()
        let first = try fixture.run(observer)
        var (named, long) = (fixture.job("/named"), Job(kind: .data, url: fixture.server.url("/in"), method: "POST"))
        named.output = .name("..")
        long.body = .text(String(repeating: "x", count: 1 << 20 + 1))
        let unsaved = [Job(kind: .download, url: "http://h/\u{1}"), named, long]
        var kept = fixture.job("/kept")
        kept.startsPaused = true
        let ids = first.add(unsaved + [kept]).added
        try #require(ids.count == 4)
        let told = observer.events.filter(\.saysThisRunOnly).map(\.id)
        #expect(told == Array(ids.prefix(3)))
        try #require(observer.waitForEnds(3))
        _ = first.close()
        let second = try fixture.run(EffectsObserver())
        defer { _ = second.close() }
        #expect(second.notice == nil)
        #expect(second.allSnapshots.map(\.url.string) == [kept.url])
    }
}

extension SavedSessionFixture {
    fileprivate func job(_ path: String) -> Job { Job(kind: .download, url: server.url(path)) }
}

extension TransferEvent {
    /// Whether it says that the row is not saved.
    fileprivate var saysThisRunOnly: Bool {
        if case .notice(let sentence) = what { sentence.hasPrefix(ServiceLines.inThisRunOnly("")) } else { false }
    }
}
