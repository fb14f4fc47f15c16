import DashboardTestSupport
import Testing

@testable import Dashboard
@testable import DashboardView

@Suite("The latest minutes of speeds, and their graphs", .timeLimit(.minutes(1)))
struct RateHistoryTests {
    private static func history(_ values: [Double], from second: Int64 = 1) -> RateHistory {
        var history = RateHistory()
        for (index, value) in values.enumerated() { history.record(value, at: second + Int64(index)) }
        return history
    }

    @Test("A second has one value, rest is zeros, and what nobody measured is unknown")
    func gaps() {
        var history = Self.history([5, 6])
        history.record(7, at: 2)
        #expect(history.values == [5, 6])
        history.record(8, at: 5, wasIdle: true)
        #expect(history.values == [5, 6, 0, 0, 8])
        history.record(9, at: 7, wasIdle: false)
        #expect(history.values == [5, 6, 0, 0, 8, 9, 9])
        history.record(1, at: 11, wasIdle: false)
        #expect(history.values.suffix(4).map(\.isNaN) == [true, true, true, false])
        #expect(history.suffix(4) == [0, 0, 0, 1])
        #expect(history.last == 11)
    }

    @Test("No more than ten minutes are kept, however long the rest was")
    func bounded() {
        var history = Self.history([Double](repeating: 1, count: 2000))
        #expect(history.values.count == 600)
        history.record(2, at: 1_000_000)
        #expect(history.values.count == 600)
        #expect(history.values.dropLast().allSatisfy { $0 == 0 } && history.values.last == 2)
    }

    @Test(
        "The top of the scale is the least round number that nothing exceeds",
        arguments: [
            (0.0, 1.0), (1, 1), (1.5, 2), (3, 3), (4, 5), (999, 1024), (1025, 2048), (51_200, 51_200),
            (600_000, 819_200),
            (20_200_000, 20_971_520), (20_971_521, 31_457_280),
        ])
    func scale(highest: Double, top: Double) {
        #expect(RateGraph.roundNumber(atLeast: highest, step: Units.binary.step) == top)
    }

    @Test("Decimal units have decimal scales")
    func decimalScale() {
        #expect(RateGraph.roundNumber(atLeast: 600_000, step: Units.decimal.step) == 800_000)
        #expect(RateGraph.roundNumber(atLeast: .infinity, step: 1000) == .infinity)
    }

    @Test("Columns are means of the same seconds for as long as they are shown")
    func columnsStay() {
        let values = (0..<150).map { Double($0 * $0 % 97) }
        let before = RateGraph(Self.history(values, from: 0), width: 60, units: .binary, dayOffset: nil)
        #expect(before.secondsPerColumn == 3)
        // The newest seconds are 147 to 149, which are all of a column.
        let newest = values.suffix(3).reduce(0, +) / 3
        #expect(before.columns.last == newest)
        let after = RateGraph(Self.history(values + [1, 2, 3], from: 0), width: 60, units: .binary, dayOffset: nil)
        #expect(Array(after.columns.dropLast()) == Array(before.columns.dropFirst()))
        #expect(after.highest == 96, "the highest second, although its column levels it out")
        #expect(after.top >= after.highest)
    }

    @Test("Seconds that are missing leave their column empty, and do not lower the mean of others")
    func unknownColumns() {
        var history = Self.history([8, 8])
        history.record(8, at: 10, wasIdle: false)
        let graph = RateGraph(history, width: 60, units: .binary, dayOffset: nil)
        #expect(graph.secondsPerColumn == 1)
        #expect(graph.columns.suffix(11).map { $0 ?? -1 } == [-1, 8, 8, -1, -1, -1, -1, -1, -1, -1, 8])
    }

    @Test("The axis has whole minutes of the day, with room between them", arguments: [30, 38, 60, 100, 200])
    func ticks(width: Int) {
        let graph = RateGraph(
            Self.history([Double](repeating: 1, count: 600)), width: width, units: .binary, dayOffset: 43_200_000)
        #expect(!graph.ticks.isEmpty)
        for tick in graph.ticks {
            #expect((0..<width).contains(tick.column))
            #expect(tick.text.string.hasPrefix("12:0") || ["11:5", "12:1"].contains(tick.text.string.prefix(4)))
        }
        for (left, right) in zip(graph.ticks, graph.ticks.dropFirst()) { #expect(right.column - left.column >= 9) }
    }

    @Test("What moves at all is seen, and only the top is full")
    func heights() {
        let graph = RateGraph(Self.history([0, 1, 512, 1024]), width: 4, units: .binary, dayOffset: nil)
        // Four columns of twenty seconds: one has all of them.
        #expect(graph.height(of: 3, rows: 4, parts: 8) > 0)
        let single = RateGraph(Self.history([0, 1, 512, 1024]), width: 60, units: .binary, dayOffset: nil)
        #expect((56..<60).map { single.height(of: $0, rows: 4, parts: 8) } == [0, 1, 16, 32])
        #expect(single.height(of: 99, rows: 4, parts: 8) == 0)
    }

    private func meter(at time: Int64) -> RateMeter {
        var meter = RateMeter(bytes: 0, now: time)
        meter.sample(bytes: 1000, now: time + 500)
        return meter
    }

    @Test("Few rows have histories, however many run; the row that is looked at is among them")
    func fewHistories() {
        var histories = RowHistories()
        let meters = Dictionary(uniqueKeysWithValues: (1...1000).map { (UInt64($0), meter(at: 0)) })
        histories.record(meters, watched: 77, at: 1, wasIdle: true)
        histories.record(meters, watched: 77, at: 2, wasIdle: true)
        #expect(histories.count == RowHistories.limit)
        #expect(histories[77] != nil)
        histories.forget(77)
        #expect(histories[77] == nil)
    }

    @Test("A row that ended keeps its minutes until another one needs the place")
    func endedHistories() {
        var histories = RowHistories()
        for id in 1...40 as ClosedRange<UInt64> {
            histories.record([id: meter(at: 0)], watched: nil, at: Int64(id), wasIdle: true)
        }
        #expect(histories.count == RowHistories.limit)
        #expect(histories[8] == nil && histories[9] != nil && histories[40] != nil)
    }

    @Test("An idle dashboard with its graph open is not woken, and would draw the same")
    func idleGraph() throws {
        let size = Size(columns: 80, rows: 24)
        let scene = try #require(GoldenScenes.all.first { $0.name == "graph" })
        var model = scene.build(size)
        for id in [UInt64(1), 3] {
            var row = try #require(model.rows[id])
            row.state = .done
            row.expected = row.moved
            _ = update(&model, .rows([row]))
        }
        while let deadline = model.nextDeadline { _ = update(&model, .clock(deadline)) }
        let before = view(model, size: size, capabilities: ViewCapabilities())
        _ = update(&model, .clock(model.now + 60_000))
        #expect(model.nextDeadline == nil)
        #expect(view(model, size: size, capabilities: ViewCapabilities()) == before)
        #expect(before.cells.contains { $0.role == .rateDown })
    }

    @Test("^G shows the graph in place of the details, also where they were off, and says when there is no room")
    func key() {
        var model = GoldenScenes.start(Size(columns: 80, rows: 24), rows: GoldenRows.mockUp)
        model.details.pane = .off
        _ = update(&model, .key(.control("g")))
        #expect(model.details.showsGraph && model.details.pane == .small)
        _ = update(&model, .key(.control("g")))
        #expect(!model.details.showsGraph && model.details.pane == .small)
        _ = update(&model, .resized(Size(columns: 80, rows: 10)))
        _ = update(&model, .key(.control("g")))
        #expect(model.toasts.current?.text == ViewToasts.noRoomForGraph)
    }

    @Test("A task's graph says why it is empty")
    func emptyTaskGraph() throws {
        let model = GoldenScenes.start(Size(columns: 80, rows: 24), rows: GoldenRows.mockUp)
        let done = try #require(model.rows.all.first { $0.state == .done }.flatMap { model.rows[$0.id] })
        let queued = try #require(model.rows.all.first { $0.state == .queued }.flatMap { model.rows[$0.id] })
        func text(_ row: RowSnapshot) -> String? {
            DetailsContent(model: model, row: row).lines(of: .graph).first?.text.string
        }
        #expect(text(done) == DetailsLines.noRecentSpeed.string)
        #expect(text(queued) == DetailsLines.noSpeed.string)
    }
}
