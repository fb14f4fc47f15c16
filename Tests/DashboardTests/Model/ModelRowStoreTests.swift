import DashboardTestSupport
import Testing

@testable import Dashboard

@Suite("Rows of the model", .timeLimit(.minutes(1)))
struct ModelRowStoreTests {
    @Test(
        "The kept order is the one a fresh sort gives, whatever changes", arguments: SortOrder.Column.allCases,
        [false, true])
    func orderIsKept(column: SortOrder.Column, isInverted: Bool) {
        let order = SortOrder(column: column, isInverted: isInverted)
        let others = SortOrder.Column.allCases.filter { $0 != column }
        for order in [order] + others.map({ SortOrder(column: $0, isInverted: !isInverted).followed(by: column) }) {
            checkOrderIsKept(order, batches: 1...4)
            checkOrderIsKept(order, batches: 60...90)
            checkOrderIsKept(order, states: [.queued, .done, .failed], batches: 60...90)
        }
    }

    private func checkOrderIsKept(_ order: SortOrder, states: Set<RowState> = [], batches: ClosedRange<Int>) {
        var random = GoldenRandom(seed: UInt64(order.column.rawValue))
        var store = RowStore()
        let rates = RateBoard()
        var query = RowQuery(order: order)
        query.states = states
        store.apply(query, rates: rates, now: 0)
        for _ in 0..<(batches.upperBound > 48 ? 6 : 60) {
            let rows = (0..<Int.random(in: batches, using: &random)).map { _ in
                random.row(id: UInt64.random(in: 1...UInt64(batches.upperBound * 10), using: &random))
            }
            store.upsert(rows, rates: rates, now: 0)
            store.remove([UInt64.random(in: 1...UInt64(batches.upperBound * 10), using: &random)])
            if order.isMoving { store.refreshOrder(rates: rates, now: 0) }
            let kept = store.shownIDs
            store.refreshOrder(rates: rates, now: 0)
            #expect(kept == store.shownIDs)
            #expect(states.isEmpty ? Set(kept).count == store.count : Set(kept).count == kept.count)
            #expect(kept.enumerated().allSatisfy { store.position(of: $1) == $0 })
        }
    }

    @Test("A hidden row that changes leaves the order alone, and is found once it matches")
    func hiddenRows() {
        var random = GoldenRandom(seed: 5)
        var store = RowStore()
        let rates = RateBoard()
        var query = RowQuery()
        query.states = [.done]
        store.apply(query, rates: rates, now: 0)
        var rows = (1...100).map { random.row(id: $0) }
        for index in rows.indices { rows[index].state = .running }
        store.upsert(rows, rates: rates, now: 0)
        #expect(store.shownIDs.isEmpty)
        for index in rows.indices where index % 2 == 0 { rows[index].state = .done }
        store.upsert(rows, rates: rates, now: 0)
        #expect(store.shownCount == 50)
        store.upsert(rows + rows, rates: rates, now: 0)
        #expect(store.shownCount == 50 && Set(store.shownIDs).count == 50)
    }

    @Test("Rows that are equal stand as they did before the latest order, and those that wait as in the queue")
    func ties() {
        var store = RowStore()
        let rates = RateBoard()
        func row(_ id: UInt64, _ state: RowState, size: Int64, _ host: SafeText) -> RowSnapshot {
            var row = RowSnapshot(id: id, kind: .download, name: "n", url: "http://a/")
            row.state = state
            row.expected = size
            row.host = host
            row.position = id
            return row
        }
        store.upsert(
            [
                row(1, .done, size: 1, "b"), row(2, .queued, size: 5, "a"), row(3, .done, size: 9, "a"),
                row(4, .queued, size: 7, "b"), row(5, .done, size: 5, "b"), row(6, .failed, size: 5, "a"),
            ], rates: rates, now: 0)
        func ids(_ order: SortOrder) -> [UInt64] {
            store.apply(RowQuery(order: order), rates: rates, now: 0)
            return store.shownIDs
        }
        let bySize = SortOrder().followed(by: .size)
        #expect(ids(bySize) == [3, 4, 2, 6, 5, 1])
        #expect(ids(bySize.followed(by: .state)) == [2, 4, 6, 3, 5, 1])
        #expect(ids(bySize.followed(by: .host)) == [3, 2, 6, 4, 5, 1])
        let inverted = bySize.followed(by: .size, isInverted: true)
        #expect(ids(inverted.followed(by: .host)) == [2, 6, 3, 1, 5, 4])
        #expect(ids(inverted.followed(by: .host, isInverted: true)) == [1, 5, 4, 2, 6, 3])
        #expect(ids(SortOrder(column: .host).followed(by: .size)) == [3, 4, 2, 6, 5, 1])
        for order in [SortOrder(), bySize, inverted] {
            #expect(order.advanced(by: 3).advanced(by: -3) == order)
            #expect(order.followed(by: order.column, isInverted: true).tieBreaker == order.tieBreaker)
        }
    }

    @Test("Many rows that go at once leave the others in their order, and some that are gone already change nothing")
    func manyGo() {
        var random = GoldenRandom(seed: 7)
        var store = RowStore()
        let rates = RateBoard()
        store.upsert((1...400).map { random.row(id: $0) }, rates: rates, now: 0)
        let kept = store.shownIDs.filter { $0 % 3 == 0 }
        let gone = (1...500).filter { $0 % 3 != 0 }.map { UInt64($0) }
        store.remove(gone + gone.prefix(9))
        #expect(store.shownIDs == kept)
        #expect(store.count == kept.count)
        for (position, id) in kept.enumerated() { #expect(store.position(of: id) == position) }
        store.upsert((401...420).map { random.row(id: $0) }, rates: rates, now: 0)
        let shown = store.shownIDs
        store.refreshOrder(rates: rates, now: 0)
        #expect(store.shownIDs == shown)
    }

    @Test("Counts kept row by row are those of counting all rows")
    func countsAreKept() {
        var random = GoldenRandom(seed: 3)
        var store = RowStore()
        for _ in 0..<200 {
            store.upsert([random.row(id: UInt64.random(in: 1...30, using: &random))], rates: RateBoard(), now: 0)
            store.remove([UInt64.random(in: 1...30, using: &random)])
        }
        var fresh = RowCounts()
        for row in store.all { fresh.count(row) }
        #expect(store.counts == fresh)
        #expect(store.counts[nil, nil] == store.count)
    }

    @Test("A filter finds names and URLs without regard to case, and nothing else")
    func filterFinds() {
        var store = RowStore()
        let names = ["Debian.ISO", "ubuntu.iso", "ÄRGER.txt", "data"]
        store.upsert(
            names.enumerated().map { index, name in
                RowSnapshot(
                    id: UInt64(index + 1), kind: .download, name: SafeText(untrusted: name),
                    url: "http://Host.example/x")
            }, rates: RateBoard(), now: 0)
        func found(_ filter: String) -> [UInt64] {
            store.apply(RowQuery(filter: filter), rates: RateBoard(), now: 0)
            return store.shownIDs
        }
        #expect(found("iso") == [1, 2])
        #expect(found("ärger") == [3])
        #expect(found("host.EXAMPLE") == [1, 2, 3, 4])
        #expect(found("nowhere").isEmpty)
        #expect(found("") == [1, 2, 3, 4])
    }

    @Test("A filter finds new names after many changes have been packed away")
    func filterSurvivesPacking() {
        var store = RowStore()
        for round in 0..<400 {
            let rows = (1...10).map { id in
                RowSnapshot(
                    id: UInt64(id), kind: .data,
                    name: SafeText(untrusted: "round-\(round)-row-\(id)-\(String(repeating: "x", count: 40))"),
                    url: "http://a/")
            }
            store.upsert(rows, rates: RateBoard(), now: 0)
        }
        store.apply(RowQuery(filter: "round-399-row-7-"), rates: RateBoard(), now: 0)
        #expect(store.shownIDs == [7])
        store.apply(RowQuery(filter: "round-398"), rates: RateBoard(), now: 0)
        #expect(store.shownIDs.isEmpty)
    }

    @Test("An order by moving values is refreshed once a second at most")
    func movingOrderIsCalm() {
        var model = Model()
        func rows(_ first: Int64, _ second: Int64) -> [RowSnapshot] {
            ([(1, first), (2, second)] as [(UInt64, Int64)]).map { id, received in
                var row = RowSnapshot(id: id, kind: .download, name: "a", url: "http://a/")
                row.state = .running
                row.received = received
                row.expected = 1000
                return row
            }
        }
        _ = update(&model, .clock(10_000))
        _ = update(&model, .rows(rows(1, 2)))
        model.sortRows(by: SortOrder(column: .progress))
        let before = model.rows.shownIDs
        _ = update(&model, .rows(rows(900, 20)))
        _ = update(&model, .clock(10_600))
        #expect(model.rows.shownIDs == before)
        _ = update(&model, .clock(11_200))
        #expect(model.rows.shownIDs == before.reversed())
    }
}
