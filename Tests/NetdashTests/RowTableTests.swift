import SessionCore
import Testing

@testable import netdash

@Suite("The bridge's rows by id")
struct RowTableTests {
    private func table() -> RowTable {
        var table = RowTable()
        for id in 1...3 as ClosedRange<UInt64> {
            table.insert(id, Job(kind: .download, url: "http://example.org/\(id)"))
        }
        return table
    }

    @Test("Changing a copy of the table leaves the other alone")
    func isValue() {
        var original = table()
        original[1]?.priority = 1
        var copy = original
        copy[1]?.priority = 2
        copy[1]?.result = .completed

        #expect(original[1]?.priority == 1)
        #expect(original.result(of: 1) == nil)
        #expect(copy[1]?.priority == 2)
        #expect(copy.result(of: 1) == .completed)
    }

    @Test("Questions are answered alike before and after a row was touched")
    func answersAlike() {
        var table = table()
        table[2]?.priority = 0

        for id in [1, 2] as [UInt64] {
            #expect(table.wantsTask(id))
            #expect(table.queueKey(of: id) == TransferRow.QueueKey(priority: 0, place: id))
            #expect(table.source(of: id)?.last.received == 0)
        }
        table[2]?.result = .cancelled
        #expect(!table.wantsTask(2))
        #expect(table.source(of: 2) == nil)
    }

    @Test("A row that is not there can be asked for, changed and removed without effect")
    func ignoresUnknown() {
        var table = table()
        table[9]?.priority = 1

        #expect(table[9] == nil)
        #expect(!table.wantsTask(9))
        #expect(table.remove(9) == nil)
        #expect(table.remove(3)?.id == 3)
        #expect(table[3] == nil)
    }
}
