import DashboardTestSupport
import Testing

@testable import Dashboard
@testable import DashboardView

@Suite("What the header says of everything")
struct ModelTotalsTests {
    private func row(
        _ id: UInt64, _ state: RowState, received: Int64 = 0, expected: Int64? = nil, endedAt: Int64? = nil
    ) -> RowSnapshot {
        var row = RowSnapshot(id: id, kind: .download, name: "row" + SafeText(id), url: "http://a/")
        row.state = state
        row.received = received
        row.expected = expected
        row.endedAt = endedAt
        return row
    }

    private func header(_ model: Model, columns: Int) -> String {
        let surface = view(model, size: Size(columns: columns, rows: 24), capabilities: ViewCapabilities())
        return String(GoldenFiles.text(of: surface).prefix { $0 != "\n" })
    }

    /// A thousand files of 10 KB, of which a hundred end each second without ever having been seen to run.
    private func smallFiles(seconds: Int) -> Model {
        var model = Model()
        _ = update(&model, .clock(10_000))
        _ = update(&model, .rows((1...1000).map { row($0, .queued) }))
        var next: UInt64 = 1
        for step in 1...(seconds * 10) {
            let time = 10_000 + Int64(step) * 100
            _ = update(&model, .clock(time))
            let rows = (0..<10).map { _ -> RowSnapshot in
                defer { next += 1 }
                return row(next, .done, received: 10_000, expected: 10_000, endedAt: time)
            }
            _ = update(&model, .rows(rows))
            // The loop wakes when the model asks for it.
            if let deadline = model.nextDeadline { #expect(deadline <= time + 500 || !model.toasts.toasts.isEmpty) }
        }
        return model
    }

    @Test(
        "Rows that begin and end between two measurements make a speed, a curve and an ETA")
    func smallFiles() throws {
        let model = smallFiles(seconds: 5)
        #expect(abs(model.rates.down - 1_000_000) < 100_000)
        #expect(abs(model.rates.rowsPerSecond - 100) < 10)
        #expect(model.rates.downHistory.values.count >= 4)
        #expect(model.rates.downHistory.values.dropFirst().allSatisfy { $0 > 500_000 })
        let seconds = try #require(model.rates.totalRemainingSeconds)
        #expect(abs(seconds - 5) < 1.5)
        #expect(model.rates.unpredicted == 0)
        #expect(header(model, columns: 120).contains("files/s  ·  500 of 1000 files"))
        #expect(header(model, columns: 80).contains("of 1000 files"))
        #expect(header(model, columns: 40).contains("50%"))
    }

    @Test("When the last row has ended nothing moves any more, and nobody is woken")
    func ended() {
        var model = smallFiles(seconds: 10)
        #expect(model.rates.down == 0 && model.rates.rowsPerSecond == 0)
        _ = update(&model, .clock(100_000))
        #expect(model.nextDeadline == nil)
        #expect(header(model, columns: 80).contains("↓ 0B/s"))
    }

    @Test("Rows of an earlier run make no speed, those that are new and over at once do")
    func earlierRows() {
        var model = Model()
        _ = update(&model, .clock(10_000))
        let earlier = (1...100).map { row($0, .done, received: 1_000_000, expected: 1_000_000, endedAt: 9000) }
        _ = update(&model, .rows(earlier + [row(500, .running)]))
        _ = update(&model, .clock(10_600))
        #expect(model.rates.down == 0)
        let new = (101...200).map { row($0, .done, received: 1000, expected: 1000, endedAt: 10_700) }
        _ = update(&model, .rows(new))
        _ = update(&model, .clock(11_100))
        #expect(model.rates.down > 10_000)
    }

    @Test("A file that ends takes nothing of its speed into the next one's, and the last bytes count")
    func handover() {
        var model = Model()
        _ = update(&model, .clock(0))
        for file in 0..<10 {
            for step in 1...20 {
                let time = Int64(file) * 10_000 + Int64(step) * 500
                _ = update(&model, .clock(time))
                let bytes = Int64(step) * 500_000
                let isLast = step == 20
                _ = update(
                    &model,
                    .rows([
                        row(UInt64(file + 1), isLast ? .done : .running, received: bytes, expected: 10_000_000),
                        row(UInt64(file + 2), isLast ? .running : .queued, expected: 10_000_000),
                    ]))
                if file > 0 { #expect(model.rates.down < 1_400_000, "file \(file), step \(step): \(model.rates.down)") }
            }
        }
    }

    @Test("The time left is at least that of the longest row, and says how many rows it leaves out")
    func longestRow() throws {
        var model = Model()
        for step in Int64(0)...10 {
            _ = update(&model, .clock(1000 + step * 500))
            _ = update(
                &model,
                .rows([
                    row(1, .running, received: step * 500_000, expected: 10_000_000),
                    row(2, .running, received: step * 500, expected: 300_000),
                    row(3, .running, received: step * 500), row(4, .queued), row(5, .paused),
                ]))
        }
        let seconds = try #require(model.rates.totalRemainingSeconds)
        #expect(abs(seconds - 295) < 2)
        #expect(model.rates.unpredicted == 2)
        #expect(header(model, columns: 120).contains("MiB+  ·  ETA 4:55+  ·  2 sizes unknown"))
        #expect(header(model, columns: 80).contains("M+  ETA 4:55+, 2 sizes unknown"))
        #expect(header(model, columns: 60).contains("ETA 4:55+"))
        #expect(header(model, columns: 40).contains("0/5 done 4:55+"))
    }

    @Test("What a row moved before it was paused predicts nothing of the others")
    func pausedRow() {
        var model = Model()
        _ = update(&model, .clock(1000))
        _ = update(&model, .rows((1...3).map { row($0, .running, received: 0, expected: 40_000_000) }))
        _ = update(&model, .clock(1500))
        _ = update(&model, .rows([row(1, .paused, received: 20_000, expected: 40_000_000)]))
        for step in Int64(1)...3 {
            let rows = (2...3).map { row($0, .running, received: step * 1_000_000, expected: 40_000_000) }
            _ = update(&model, .rows(rows))
            _ = update(&model, .clock(1500 + step * 500))
            #expect(model.rates.totalRemainingSeconds == nil)
        }
        #expect(!header(model, columns: 80).contains("ETA"))
    }

    @Test("At least no time at all is not said")
    func leastOfNothing() throws {
        var model = Model()
        for step in Int64(0)...8 {
            _ = update(&model, .clock(1000 + step * 500))
            let first = row(1, .running, received: step * 500_000, expected: 4_000_001)
            _ = update(&model, .rows([first, row(2, .queued)]))
        }
        #expect(try #require(model.rates.totalRemainingSeconds) < 1)
        let text = header(model, columns: 80)
        #expect(!text.contains("ETA") && text.contains("1 size unknown"))
    }

    @Test("Bytes without any size are no share of a total", arguments: [120, 80])
    func openEnded(columns: Int) {
        var model = Model()
        _ = update(&model, .clock(1000))
        _ = update(&model, .rows([row(1, .running, received: 49_152)]))
        _ = update(&model, .clock(1500))
        let text = header(model, columns: columns)
        #expect(text.contains("so far") && !text.contains(" of "), "\(text)")
    }

    @Test("Header and tabs count the same tasks as done")
    func sameCounts() {
        var model = smallFiles(seconds: 5)
        _ = update(&model, .clock(15_010))
        _ = update(&model, .rows([row(999, .done, received: 10_000, expected: 10_000, endedAt: 15_010)]))
        #expect(header(model, columns: 120).contains("  501 of 1000 files"))
        #expect(header(model, columns: 80).contains(" 501 of 1000 files"))
    }

    @Test("A row that failed and is done before anybody saw it run makes a speed")
    func doneAgain() {
        var model = Model()
        _ = update(&model, .clock(10_000))
        _ = update(&model, .rows((1...20).map { row($0, .failed, received: 500, expected: 1000, endedAt: 9000) }))
        _ = update(&model, .rows([row(99, .running)]))
        _ = update(&model, .clock(10_600))
        #expect(model.rates.down == 0)
        _ = update(&model, .rows((1...20).map { row($0, .done, received: 1000, expected: 1000, endedAt: 10_700) }))
        _ = update(&model, .clock(11_100))
        #expect(model.rates.down > 5000)
    }

    @Test("The ends that a restarted service has read from its session are no new ones: no speed, no failure is told")
    func restartedService() {
        func rows(movedBy shift: Int64) -> [RowSnapshot] {
            (1...20).map { (id: UInt64) -> RowSnapshot in
                var row = row(id, id == 20 ? .failed : .done, received: 5_000_000, expected: 5_000_000)
                (row.startedAt, row.endedAt) = (8000 + shift, 9000 + shift)
                return row
            }
        }
        var model = Model()
        _ = update(&model, .clock(10_000))
        _ = update(&model, .rows(rows(movedBy: 0) + [row(99, .running)]))
        _ = update(&model, .clock(10_600))
        _ = update(&model, .rows(rows(movedBy: 3)))
        _ = update(&model, .clock(11_200))
        #expect(model.rates.down == 0 && model.rates.peakDown == 0 && model.toasts.current == nil)
        // A further run is one.
        _ = update(&model, .rows(rows(movedBy: 2500)))
        _ = update(&model, .clock(11_800))
        #expect(model.rates.down > 0 && model.toasts.current?.isError == true)
    }

    @Test("A row whose bytes are all there is of no unknown length")
    func complete() {
        var model = Model()
        _ = update(&model, .clock(0))
        _ = update(&model, .rows([row(1, .saving), row(2, .verifying), row(3, .retrying)]))
        #expect(model.rows.counts.unknown == 1)
        _ = update(&model, .removed([3]))
        #expect(model.rows.counts.unknown == 0)
    }
}
