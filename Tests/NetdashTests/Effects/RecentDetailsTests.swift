import Testing
import TransferValues

@testable import TransferService
@testable import netdash

/// What a window keeps of the details of rows it has shown.
@Suite("Recent details")
struct RecentDetailsTests {
    private static func details(_ path: String) -> RowDetails {
        var details = RowDetails()
        details.requestHeaders = [RowDetails.Header(name: "X", value: SafeText(untrusted: path))]
        return details
    }

    private static func row(_ id: UInt64) -> RowSnapshot {
        RowSnapshot(id: id, kind: .download, name: "n", url: "http://h/")
    }

    private static func update(rows: [RowSnapshot] = [], figures: [RowFigures] = []) -> TransferUpdate {
        var update = TransferUpdate()
        (update.rows, update.figures) = (rows, figures)
        return update
    }

    @Test("A row's details are kept until it changes, is removed, or updates were missed")
    func forgetting() {
        let changes: [(TransferUpdate, [UInt64])] = [
            (TransferUpdate(), [1, 2, 3]),
            (TransferUpdate(notices: [.idle]), [1, 2, 3]),
            (TransferUpdate(notices: [.removed([2, 9])]), [1, 3]),
            (TransferUpdate(isCut: true), []),
            (Self.update(rows: [Self.row(1)]), [2, 3]),
            (Self.update(figures: [Self.row(3).figures]), [1, 2]),
        ]
        for (update, kept) in changes {
            var recent = RecentDetails()
            for id in 1...3 as ClosedRange<UInt64> { recent.keep(Self.details("\(id)"), of: id) }
            recent.forget(update)
            #expect((1...3).filter { recent[$0] != nil } == kept, "\(update)")
            // A reply that was asked for before a change is not kept.
            #expect(recent.changeCount == (update.isEmpty ? 0 : 1), "\(update)")
        }
    }

    @Test("The latest sixteen are kept, each with its newest value; a missing row has none")
    func limit() {
        var recent = RecentDetails()
        for id in 1...16 as ClosedRange<UInt64> { recent.keep(Self.details("\(id)"), of: id) }
        recent.keep(Self.details("new"), of: 1)
        recent.keep(Self.details("17"), of: 17)
        #expect(recent[1] == Self.details("new") && recent[2] == nil && recent[3] != nil)
        recent.keep(nil, of: 3)
        #expect(recent[3] == nil)
    }
}
