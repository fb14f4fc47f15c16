import SessionCore
import Testing

@testable import Dashboard
@testable import TransferService
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

    @Test("A row that is changed in its slot is the table's row, until it is removed")
    func changesInPlace() throws {
        var table = table()
        let found = table.slot(of: 1)
        let slot = try #require(found)
        slot.row.priority = 1
        let changed = table[1]
        #expect(changed?.priority == 1)
        table[1]?.run.result = .completed
        #expect(slot.row.run.result == .completed)

        let removed = table.remove(1)
        #expect(removed?.priority == 1)
        let again = table.slot(of: 1)
        #expect(again == nil)
    }

    @Test("Questions are answered alike before and after a row was touched")
    func answersAlike() {
        var table = table()
        table[2]?.priority = 0

        for id in [1, 2] as [UInt64] {
            let (wantsTask, key, source) = (table.wantsTask(id), table.queueKey(of: id), table.source(of: id))
            #expect(wantsTask)
            #expect(key == TransferRow.QueueKey(priority: 0, position: id))
            #expect(source?.last.received == 0)
        }
        table[2]?.run.result = .cancelled
        let (wantsTask, source) = (table.wantsTask(2), table.source(of: 2))
        #expect(!wantsTask)
        #expect(source == nil)
    }

    @Test("A row that is not there can be asked for, changed and removed without effect")
    func ignoresUnknown() {
        var table = table()
        table[9]?.priority = 1

        let (unknown, wantsTask, removed) = (table[9], table.wantsTask(9), table.remove(9))
        #expect(unknown == nil)
        #expect(!wantsTask)
        #expect(removed == nil)
        let known = table.remove(3)
        #expect(known?.id == 3)
        let gone = table[3]
        #expect(gone == nil)
    }
}
