import DashboardTestSupport
import Testing

@testable import Dashboard

@Suite("Rows that only moved")
struct UpdateFiguresTests {
    private func row(_ id: UInt64, _ state: RowState = .running, received: Int64 = 0) -> RowSnapshot {
        var row = RowSnapshot(id: id, kind: .download, name: "row" + SafeText(id), url: "http://a/")
        row.state = state
        row.received = received
        row.expected = 1000
        return row
    }

    private func model(_ rows: RowSnapshot...) -> Model {
        var model = Model()
        _ = update(&model, .clock(1000))
        _ = update(&model, .rows(rows))
        return model
    }

    @Test("Numbers come with figures and texts stay; ids that are not in the table are left out")
    func numbers() {
        var model = model(row(1), row(2))
        var moved = row(1, received: 400).figures
        moved.statusCode = 200
        _ = update(&model, .figures([moved, row(7).figures]))
        #expect(model.rows[1]?.figures == moved)
        #expect(model.rows[1]?.name == "row1")
        #expect(model.rows[2]?.received == 0)
        #expect(model.rows[7] == nil)
        #expect(model.rows.counts.moved == 400)
    }

    @Test("A row gets its place, its speed and its tab's count from its figures")
    func places() {
        var model = model(row(1), row(2), row(3))
        var waiting = row(2).figures
        waiting.state = .queued
        _ = update(&model, .figures([waiting]))
        #expect(model.rows.shownIDs == [1, 3, 2])
        #expect(model.rows.counts[nil, .queued] == 1)
        #expect(Set(model.rates.meters.keys) == [1, 3])
    }

    @Test("Figures that overtake a row's end do not take away the news of it")
    func ends() {
        var model = model(row(1))
        var failed = row(1, .failed)
        failed.error = "gone"
        _ = update(&model, .figures([failed.figures]))
        #expect(model.rows[1]?.state == .running)
        _ = update(&model, .rows([failed]))
        #expect(model.rows[1]?.state == .failed)
        #expect(model.toasts.current?.text.string.contains("row1 failed: gone") == true)
    }

    @Test("A frozen display keeps the latest of either kind, and a cleared row stays cleared")
    func frozen() {
        var model = model(row(1), row(2), row(3, .done))
        _ = update(&model, .key(.character("Z")))
        _ = update(&model, .figures([row(1, received: 100).figures, row(2, received: 100).figures]))
        _ = update(&model, .rows([row(2, received: 200)]))
        #expect(model.rows[1]?.received == 0)
        _ = update(&model, .key(.character("Z")))
        #expect(model.rows[1]?.received == 100)
        #expect(model.rows[2]?.received == 200)
        _ = update(&model, .key(.character("c")))
        _ = update(&model, .figures([row(3, .done).figures]))
        #expect(model.rows.shownIDs == [1, 2])
    }

    @Test("What was removed while the connection was lost does not come back when a frozen display goes on")
    func frozenLoss() {
        var model = model(row(1), row(2))
        _ = update(&model, .key(.character("Z")))
        _ = update(&model, .rows([row(3), row(4)]))
        _ = update(&model, .figures([row(1, received: 100).figures]))
        _ = update(&model, .remaining([2, 4]))
        #expect(model.rows.shownIDs == [1, 2])
        _ = update(&model, .key(.character("Z")))
        #expect(model.rows.shownIDs == [2, 4])
    }

    @Test("Figures lead to the same table as whole rows", arguments: SortOrder.Column.allCases)
    func sameTable(column: SortOrder.Column) {
        var random = GoldenRandom(seed: UInt64(column.rawValue) + 99)
        let rates = RateBoard()
        var byRows = RowStore()
        byRows.apply(RowQuery(filter: "e", order: SortOrder(column: column)), rates: rates, now: 0)
        byRows.upsert((1...30).map { random.row(id: $0) }, rates: rates, now: 0)
        var byFigures = byRows
        for _ in 0..<40 {
            var moved: [RowSnapshot] = []
            for id in Set(
                (0..<Int.random(in: 1...60, using: &random)).map { _ in UInt64.random(in: 1...30, using: &random) })
            {
                guard var row = byRows[id] else { continue }
                row.figures = random.row(id: id).figures
                moved.append(row)
            }
            byRows.upsert(moved, rates: rates, now: 0)
            byFigures.update(moved.map(\.figures), rates: rates, now: 0)
            if column.isMoving {
                byRows.refreshOrder(rates: rates, now: 0)
                byFigures.refreshOrder(rates: rates, now: 0)
            }
            #expect(byFigures.shownIDs == byRows.shownIDs)
            #expect(byFigures.counts == byRows.counts)
        }
    }
}
