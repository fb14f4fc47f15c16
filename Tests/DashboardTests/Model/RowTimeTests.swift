import Testing

@testable import Dashboard

@Suite("The time column")
struct RowTimeTests {
    /// Ten seconds into a transfer of a thousand bytes a second, at a quarter to midnight.
    private func model() -> Model {
        var model = Model()
        _ = update(&model, .clock(0))
        _ = update(&model, .timeOfDay(85_500_000))
        var row = RowSnapshot(id: 1, kind: .download, name: "a", url: "http://a/")
        row.state = .running
        row.startedAt = 0
        row.expected = 1_810_000
        for second in 0...10 {
            row.received = Int64(second) * 1000
            _ = update(&model, .clock(Int64(second) * 1000))
            _ = update(&model, .rows([row]))
        }
        return model
    }

    private func text(_ model: Model) throws -> String {
        model.timeText(of: try #require(model.rows[1]).figures).string
    }

    @Test("t goes from time left to time taken to the time of day at the end, and back")
    func columns() throws {
        var model = model()
        #expect(try text(model) == "30m")
        _ = update(&model, .key(.character("t")))
        #expect(try text(model) == "0:00:10")
        _ = update(&model, .key(.character("t")))
        #expect(try text(model) == "00:15")
        #expect(model.list.timeColumn.title == "ENDS")
        _ = update(&model, .key(.character("t")))
        #expect(model.list.timeColumn == .eta)
    }

    @Test("After a sleep, a step of the clock or midnight new times are right, and old ones stay")
    func steps() throws {
        var model = model()
        model.list.timeColumn = .finish
        var row = try #require(model.rows[1])
        (row.state, row.endedAt) = (.done, 10_000)
        _ = update(&model, .rows([row]))
        // Midnight passes while nothing happens.
        _ = update(&model, .clock(910_000))
        _ = update(&model, .timeOfDay(10_000))
        #expect(model.dayClock.offset == 85_500_000)
        // The machine sleeps for two hours, in which its monotonic clock stands.
        _ = update(&model, .clock(920_000))
        _ = update(&model, .timeOfDay(7_220_000))
        // What ends between two looks has its time after the sleep.
        (row.id, row.endedAt) = (4, 915_000)
        _ = update(&model, .rows([row]))
        #expect(model.timeText(of: try #require(model.rows[4]).figures).string == "02:00")
        (row.id, row.endedAt) = (2, 930_000)
        _ = update(&model, .clock(930_000))
        _ = update(&model, .timeOfDay(7_230_400))
        _ = update(&model, .rows([row]))
        #expect(try text(model) == "23:45")
        #expect(model.timeText(of: try #require(model.rows[2]).figures).string == "02:00")
        // Summer time begins a few moments later.
        _ = update(&model, .clock(940_000))
        _ = update(&model, .timeOfDay(10_840_000))
        (row.id, row.endedAt) = (3, 940_000)
        _ = update(&model, .rows([row]))
        #expect(model.timeText(of: try #require(model.rows[2]).figures).string == "02:00")
        #expect(model.timeText(of: try #require(model.rows[3]).figures).string == "03:00")
    }

    @Test(
        "The time taken is never cut: it is coarser where the cells are few",
        arguments: [
            (67, [7: "0:01:07", 6: "1:07", 5: "1:07"]), (3_725, [7: "1:02:05", 6: "1h02m", 5: "1h02m"]),
            (59_999, [8: "16:39:59", 7: "16h39m", 6: "16h39m", 5: "16h"]), (900_000, [7: "10d", 5: "10d"]),
        ] as [(Int64, [Int: String])])
    func narrow(seconds: Int64, texts: [Int: String]) throws {
        var model = model()
        model.list.timeColumn = .elapsed
        let running = try #require(model.rows[1]).figures
        _ = update(&model, .clock(seconds * 1000))
        for (cells, text) in texts { #expect(model.timeText(of: running, cells: cells).string == text) }
        var done = running
        (done.state, done.endedAt) = (.done, seconds * 1000)
        for cells in 5...8 { #expect(model.timeText(of: done, cells: cells).string.count <= cells) }
    }

    @Test("The time left is never cut either", arguments: [7, 6, 5])
    func narrowRemaining(cells: Int) {
        for seconds in [1, 61, 601, 3_601, 36_001, 86_399, 86_401] as [Double] {
            #expect(DurationText.remaining(seconds, cells: cells).string.count <= cells, "\(seconds)")
        }
        #expect(DurationText.remaining(60_000, cells: 5).string == "16h")
    }

    @Test("What is done shows when it was, an earlier day only that it was")
    func done() throws {
        var model = model()
        model.list.timeColumn = .finish
        var row = try #require(model.rows[1])
        row.state = .done
        row.endedAt = 0
        _ = update(&model, .rows([row]))
        #expect(try text(model) == "23:45")
        _ = update(&model, .clock(90_000_000))
        #expect(try text(model) == "> 1d")
        model.dayClock = DayClock()
        #expect(try text(model) == "-")
    }
}
