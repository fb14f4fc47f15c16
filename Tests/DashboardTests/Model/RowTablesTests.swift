import DashboardTestSupport
import Testing

@testable import Dashboard
@testable import TransferValues

@Suite("What the table keeps of each row", .timeLimit(.minutes(1)))
struct RowTablesTests {
    @Test("Numbers come out as they were put in, whether a row shares its shape or has begun")
    func figures() {
        var random = GoldenRandom(seed: 3)
        var table = FigureTable()
        var known: [RowFigures] = []
        for number in 0..<2_000 {
            var row = RowFigures(id: UInt64(number % 50 + 1), kind: .download)
            row.state = RowState.allCases.randomElement(using: &random) ?? .queued
            row.priority = Int8.random(in: -2...2, using: &random)
            if Bool.random(using: &random) { row.position = UInt64.random(in: 1...60, using: &random) }
            if Bool.random(using: &random) { row.received = Int64.random(in: 0...9, using: &random) }
            if number < 50 {
                table.append(row)
                known.append(row)
            } else {
                table[number % 50] = row
                known[number % 50] = row
            }
        }
        #expect(table.indices.map { table[$0] } == known)
        #expect(table.ids == known.map(\.id))
        table.clear(7)
        #expect(table.present.map(\.id) == known.map(\.id).filter { $0 != 8 })
    }

    @Test("A row that has not begun is its id and a number, and one that is as it was again gives its room back")
    func waitingFigures() {
        var table = FigureTable()
        for id in UInt64(1)...3 { table.append(RowFigures(id: id, kind: .download)) }
        #expect(table.expandedCount == 0)
        for _ in 0..<3 {
            for slot in 0..<2 { table[slot].received = 1 }
            #expect(table.expandedCount == 2)
            for slot in 0..<2 { table[slot] = RowFigures(id: UInt64(slot) + 1, kind: .download) }
            #expect(table.expandedCount == 0)
        }
    }

    @Test("Each id leads to its slot for as long as it has one, near the others and far away")
    func slots() {
        var random = GoldenRandom(seed: 5)
        var index = SlotIndex()
        var known: [UInt64: Int32] = [:]
        let ids = Array(1...200) + [1 << 32, 1 << 63, UInt64.max]
        for slot in 0..<Int32(3_000) {
            guard let id = ids.randomElement(using: &random) else { return }
            if Bool.random(using: &random) {
                index.set(id, slot)
                known[id] = slot
            } else {
                let removed = index.remove(id)
                #expect(removed == known.removeValue(forKey: id))
            }
        }
        #expect(index.count == known.count)
        for id in ids { #expect(index[id] == known[id]) }
    }

    @Test("Texts of every length come out, beside others and after those have gone", arguments: [10, 4_000])
    func texts(length: Int) {
        var store = RowStore()
        let name = String(repeating: "n", count: length)
        var rows: [RowSnapshot] = []
        for id in UInt64(1)...20 {
            let longName = SafeText(untrusted: "\(name).\(id)")
            var row = RowSnapshot(
                id: id, kind: .download, name: id % 3 == 0 ? longName : "short", url: "http://h/" + longName)
            row.host = "h"
            row.path = "/srv/" + longName
            rows.append(row)
        }
        store.upsert(rows, rates: RateBoard(), now: 0)
        store.remove([1, 3, 5, 7])
        // More words than a byte can number.
        for number in 0..<300 {
            rows[1].method = SafeText(untrusted: "WORD\(number)")
            store.upsert([rows[1]], rates: RateBoard(), now: 0)
        }
        for row in rows where ![1, 3, 5, 7].contains(row.id) { #expect(store[row.id] == row) }
    }
}
