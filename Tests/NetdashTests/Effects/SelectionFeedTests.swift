import Dashboard
import SessionSupport
import Testing
import TransferService

@testable import netdash

/// The rows and counts of a service that selects for its window.
@Suite("Feed of a selection", .timeLimit(.minutes(1)))
struct SelectionFeedTests {
    @Test("When the counts are old the speeds are gone, the counts stay, and it is said until the next answer")
    func oldCounts() throws {
        let service = ScriptedService()
        service.setSelection(bytesPerSecond: 50_000)
        let told = Monitor<[RowTotals]>([])
        let toasts = Locked<[String]>([])
        let feed = SelectionFeed(service) { message in
            switch message {
            case .totals(let totals): told.change { $0.append(totals) }
            case .toast(let sentence, _): toasts.withLock { $0.append(sentence.string) }
            case .withdrawn(let sentence): toasts.withLock { $0.append("-" + sentence.string) }
            default: break
            }
        }
        try feed.start()
        defer { feed.end() }
        let first = told.wait { $0.last?.bytesPerSecond == 50_000 ? $0.last : nil }
        let away = TransferFailure(kind: "away", category: .ordinary, message: "away")
        service.setSelection(bytesPerSecond: 50_000, refusal: away)
        let last = told.wait { $0.last?.bytesPerSecond == nil ? $0.last : nil }
        #expect(last.matching == first.matching)
        service.setSelection(bytesPerSecond: 1)
        _ = told.wait { $0.last?.bytesPerSecond == 1 ? $0.last : nil }
        #expect(toasts.withLock { $0 } == ["away", "-away"])
    }

    @Test("A row that an update has brought is not taken back by the answer to an earlier question")
    func updatedMeanwhile() throws {
        let service = ScriptedService(
            rows: (1...2).map { RowSnapshot(id: $0, kind: .download, name: "f", url: "http://h/f") })
        let posted = Monitor<[[UInt64]]>([])
        let feed = SelectionFeed(service) { message in
            if case .rows(let rows) = message { posted.change { $0.append(rows.map(\.id)) } }
        }
        try feed.start()
        defer { feed.end() }
        posted.wait { $0.isEmpty ? nil : () }
        #expect(!feed.takes(3))
        service.isBusy = true
        feed.select(RowRequest(limit: 100))
        service.waitForCaller()
        #expect(feed.takes(1))
        service.isBusy = false
        posted.wait { $0.contains([2]) ? () : nil }
        posted.wait { $0.last == [1, 2] ? () : nil }
    }
}
