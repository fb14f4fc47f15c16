import DashboardTestSupport
import Testing

@testable import Dashboard
@testable import DashboardView

@Suite("A service with more rows than the table", .timeLimit(.minutes(1)))
struct UpdateSelectingServiceTests {
    private static func row(_ id: UInt64, host: SafeText = "h", _ state: RowState = .queued) -> RowSnapshot {
        var row = RowSnapshot(id: id, kind: .download, name: "f" + SafeText(id), url: "http://h/f" + SafeText(id))
        (row.host, row.state) = (host, state)
        return row
    }

    private static func totals(matching: Int = 1_000_000, hasMore: Bool = false, problem: SafeText? = nil) -> RowTotals
    {
        let cells = [
            RowTotals.Cell(.download, .queued, count: 900_000, unmeasured: 900_000),
            RowTotals.Cell(.download, .done, count: 99_998, moved: 5_000, expected: 5_000),
            RowTotals.Cell(.download, .failed, count: 2),
        ]
        let host = RowTotals.Group(title: "h", cells: [RowTotals.Cell(.download, .queued, count: 900_000)])
        var totals = RowTotals(cells: cells, hosts: [host], matching: matching, hasMore: hasMore, problem: problem)
        (totals.bytesPerSecond, totals.rowsPerSecond) = (3_000_000, 50)
        return totals
    }

    private func model(rows: UInt64 = 500, size: Size = Size(columns: 120, rows: 36)) -> (Model, [Effect]) {
        var model = Model()
        _ = update(&model, .resized(size))
        _ = update(&model, .clock(1000))
        let effects = update(&model, .totals(Self.totals()))
        _ = update(&model, .rows((1...rows).map { Self.row($0) }))
        return (model, effects)
    }

    private func requests(_ effects: [Effect]) -> [RowRequest] {
        effects.compactMap { if case .select(let request) = $0 { request } else { nil } }
    }

    private func press(_ model: inout Model, _ text: String, _ keys: KeyPress...) -> [Effect] {
        (text.map(KeyPress.character) + keys).flatMap { update(&model, .key($0)) }
    }

    @Test("Its counts are the screen's, and the speed is the service's")
    func counts() {
        let (model, _) = model()
        #expect(model.rows.count == 1_000_000 && model.rows.counts[nil, .queued] == 900_000)
        #expect(model.rows.matchCount == 1_000_000 && model.rows.shownCount == 500)
        #expect(model.rates.down == 3_000_000 && model.rates.rowsPerSecond == 50)
        let screen = GoldenFiles.text(of: view(model, size: model.size, capabilities: ViewCapabilities()))
        #expect(screen.contains("first 500 of 1000000") && screen.contains("queued 900000"))
    }

    @Test("A cancelled job's partial file is on a worker's disk: the question says so and offers no deletion")
    func cancelling() {
        var (model, _) = model(rows: 3)
        var begun = Self.row(1, .paused)
        (begun.received, begun.expected) = (5, 10)
        _ = update(&model, .rows([begun]))
        _ = press(&model, "", .home)
        _ = press(&model, "x")
        #expect(model.question?.screen == .cancelDialog && !model.buttons.map(\.id).contains("cancelDeletingParts"))
        let screen = GoldenFiles.text(of: view(model, size: model.size, capabilities: ViewCapabilities()))
        #expect(screen.contains(QuestionLines.partsAtWorkers.string) && !screen.contains("Cancel and delete"))
        #expect(press(&model, "d").isEmpty && model.question != nil)
        let sent = press(&model, "k").contains { effect in
            if case .send(.cancel(_, deletingParts: false)) = effect { true } else { false }
        }
        #expect(sent)
    }

    @Test("The table asks for its query at first, and again when filter, order, tab or grouping change")
    func asks() throws {
        var (model, effects) = model()
        #expect(requests(effects) == [RowRequest(limit: 500)])
        effects = press(&model, "/host:b -\"x y\" state:failed", .enter)
        var request = try #require(requests(effects).last)
        #expect(
            request.groups == [
                [
                    RowRequest.Term(.host("b")), RowRequest.Term(.text("x y"), isNegated: true),
                    RowRequest.Term(.states([.failed])),
                ]
            ])
        request = try #require(requests(press(&model, "&")).last)
        #expect(request.grouping == .host)
        _ = update(&model, .ordered(.size))
        #expect(model.selection?.orders == [RowRequest.Order(.size), RowRequest.Order(.state)])
        _ = update(&model, .tabbed(.download))
        #expect(model.selection?.kind == .download)
        // Nothing new is no question.
        #expect(requests(update(&model, .clock(2000))).isEmpty)
    }

    @Test("The selected and the marked rows are asked for whatever becomes of them")
    func kept() throws {
        var (model, _) = model()
        let effects = press(&model, "", .down, .down)
        #expect(try #require(requests(effects).last).kept == [3])
        #expect(try #require(requests(press(&model, " ")).last).kept.contains(3))
    }

    @Test("Near the last row the table asks for more, up to its limit")
    func more() throws {
        var (model, _) = model()
        _ = press(&model, "", .end)
        #expect(model.selection?.limit == 1000)
        _ = update(&model, .rows((501...1000).map { Self.row($0) }))
        #expect(model.selection?.limit == 1000)
        _ = press(&model, "", .end)
        #expect(model.selection?.limit == 1500)
        #expect(model.rows.selectionLimit(now: 5000, at: 4990) == 5000)
    }

    @Test("A group's line has the counts of all its rows")
    func groups() throws {
        var (model, _) = model()
        _ = press(&model, "&")
        #expect(try #require(model.rows.group(at: 0)).totals.queued == 900_000)
    }

    @Test("Only a queue's rows are grouped by worker, and a filter finds them")
    func workers() throws {
        var (model, _) = model(rows: 4)
        var rows = (1...4).map { Self.row($0, .done) }
        for (index, worker) in (["Rack1", "rack2", "rack1"] as [SafeText]).enumerated() { rows[index].worker = worker }
        _ = update(&model, .rows(rows))
        var totals = Self.totals()
        totals.workers = [
            RowTotals.Group(title: "Rack1", cells: [RowTotals.Cell(.download, .done, count: 70_000)]),
            RowTotals.Group(title: "", cells: [RowTotals.Cell(.download, .queued, count: 30_000)]),
        ]
        _ = update(&model, .totals(totals))
        #expect(try #require(requests(press(&model, "&&&&")).last).grouping == .worker)
        let groups = (0..<model.rows.lineCount).compactMap { model.rows.group(at: $0) }
        #expect(groups.map { model.rows.title(of: $0) } == [GroupingLabels.noWorker, "Rack1", "rack1", "rack2"])
        #expect(groups.map(\.totals.count) == [30_000, 70_000, 1, 1])
        let screen = GoldenFiles.text(of: view(model, size: model.size, capabilities: ViewCapabilities()))
        #expect(screen.contains("by worker") && screen.contains("70000"))
        let request = try #require(requests(press(&model, "/worker:RACK1", .enter)).last)
        #expect(request.groups == [[RowRequest.Term(.worker("rack1"))]])
        #expect(model.rows.shownIDs.sorted() == [1, 3])
        // The service has not counted the filter's rows by worker.
        #expect((0..<model.rows.lineCount).compactMap { model.rows.group(at: $0)?.totals.count } == [1, 1])
        var other = Model()
        _ = update(&other, .rows(rows))
        _ = press(&other, "&&&&")
        #expect(other.rows.query.grouping == .none)
    }

    @Test("Rows that come into the table make no speed while the service has not measured its own")
    func unmeasured() {
        var (model, _) = model(rows: 4)
        var totals = Self.totals()
        (totals.bytesPerSecond, totals.rowsPerSecond) = (nil, nil)
        _ = update(&model, .totals(totals))
        let rows = (5...50).map { id -> RowSnapshot in
            var row = Self.row(UInt64(id), .done)
            (row.received, row.expected, row.endedAt) = (9_000_000, 9_000_000, 1500)
            return row
        }
        _ = update(&model, .rows(rows))
        _ = update(&model, .clock(2000))
        _ = update(&model, .clock(3000))
        #expect(model.rates.down == 0 && model.rates.rowsPerSecond == 0)
        // The speed of the first totals.
        #expect(model.rates.peakDown == 3_000_000)
    }

    @Test("The details of a failed row name no key that is not for a queue")
    func failedRow() {
        var (model, _) = model(rows: 4)
        var row = Self.row(1, .failed)
        (row.error, row.cause, row.statusCode) = ("status 404", .http, 404)
        _ = update(&model, .rows([row]))
        _ = press(&model, "", .home)
        let screen = GoldenFiles.text(of: view(model, size: model.size, capabilities: ViewCapabilities()))
        #expect(screen.contains("r retry") && !screen.contains("edit and retry"))
    }

    @Test("A problem of the service stays on the screen")
    func problem() {
        var (model, _) = model()
        _ = update(&model, .totals(Self.totals(matching: 10_000, hasMore: true, problem: "The queue is away")))
        let screen = GoldenFiles.text(of: view(model, size: model.size, capabilities: ViewCapabilities()))
        #expect(screen.contains("The queue is away") && screen.contains("first 500 of 10000+"))
    }

    @Test("Keys for transfers of this computer say why they do nothing")
    func commands() {
        var (model, _) = model()
        #expect(press(&model, "a").allSatisfy { if case .send = $0 { false } else { true } })
        #expect(model.overlay == nil && model.toasts.current?.text == TaskReasons.notOverQueue)
        let known = Set(KeyBindings.standard.commands.map(\.id))
        #expect(Command.ownTransfersOnly.isSubset(of: known))
        #expect(press(&model, "", .down).isEmpty == false)
        #expect(press(&model, "p").contains { if case .send(.pause) = $0 { true } else { false } })
    }
}
