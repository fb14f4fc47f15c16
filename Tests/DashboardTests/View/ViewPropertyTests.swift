import DashboardTestSupport
import Testing

@testable import Dashboard
@testable import DashboardView

@Suite("What holds for every screen", .timeLimit(.minutes(1)))
struct ViewPropertyTests {
    /// A model after a random walk of rows, keys, pastes and time.
    static func walked(seed: UInt64, steps: Int) -> Model {
        var random = GoldenRandom(seed: seed)
        var model = Model()
        let count = UInt64.random(in: 0...60, using: &random)
        _ = update(
            &model,
            .resized(
                Size(columns: Int.random(in: 1...140, using: &random), rows: Int.random(in: 1...50, using: &random))))
        for step in 0..<steps {
            _ = update(&model, .clock(Int64(step) * 170))
            if step % 5 == 0, count > 0 {
                let rows = (0..<8).map { _ in random.row(id: UInt64.random(in: 1...count, using: &random)) }
                _ = update(&model, .rows(rows))
            }
            if step % 31 == 0, count > 0 {
                _ = update(&model, .removed([UInt64.random(in: 1...count, using: &random)]))
            }
            _ = update(&model, .key(random.key()))
        }
        return model
    }

    @Test("Every size from 1x1 to 140x50 can be drawn, with whole cells and nothing but safe scalars", arguments: 0..<6)
    func everySizeIsSound(seed: Int) {
        let model = ViewPropertyTests.walked(seed: UInt64(seed), steps: 60)
        for columns in stride(from: 1 + seed, through: 140, by: 6) {
            for rows in stride(from: 1 + seed % 4, through: 50, by: 4) {
                let size = Size(columns: columns, rows: rows)
                let problem = ViewPropertyTests.problem(in: view(model, size: size, capabilities: ViewCapabilities()))
                #expect(problem == nil, "seed \(seed), \(columns)x\(rows)")
            }
        }
    }

    @Test("Every small size can be drawn for every scene", arguments: GoldenScenes.all)
    func smallSizesAreSound(scene: GoldenScenes.Scene) {
        var model = scene.build(Size(columns: 24, rows: 8))
        for columns in stride(from: 24, through: 0, by: -1) {
            for rows in 0...8 {
                let size = Size(columns: columns, rows: rows)
                _ = update(&model, .resized(size))
                // Half of them, as the fields of a chessboard: each width and each height is among them.
                if (columns + rows) % 2 == 1 { continue }
                let problem = ViewPropertyTests.problem(in: view(model, size: size, capabilities: ViewCapabilities()))
                #expect(problem == nil, "\(columns)x\(rows)")
            }
        }
    }

    @Test("The selected row is on the screen at every size", arguments: [1, 2, 3, 5, 9, 12, 20, 30, 50])
    func cursorIsVisible(rows: Int) {
        let size = Size(columns: 80, rows: rows)
        var model = GoldenScenes.start(size, rows: GoldenRows.mockUp)
        for _ in 0..<20 {
            _ = update(&model, .key(.down))
            let layout = ScreenLayout(size: size, pane: model.details.pane)
            let surface = view(model, size: size, capabilities: ViewCapabilities())
            #expect(layout.table.contains { surface[$0, 0].cluster == "▌" })
        }
    }

    @Test(
        "Help and the way out are in the footer wherever there is one",
        arguments: Array(20...44) + [59, 60, 79, 80, 99, 100, 120, 139, 140])
    func footerNamesHelpAndQuit(columns: Int) {
        let model = GoldenScenes.start(Size(columns: columns, rows: 24), rows: GoldenRows.mockUp)
        for rows in [4, 5, 7, 8, 11, 12, 19, 20, 30, 40] {
            let size = Size(columns: columns, rows: rows)
            let surface = view(model, size: size, capabilities: ViewCapabilities())
            let footer = (0..<columns).map { surface[rows - 1, $0].cluster.text }.joined()
            #expect(footer.contains("? Help"))
            #expect(footer.contains("q Quit"))
        }
    }

    @Test("A gauge never shrinks while bytes arrive, and is full only at the end")
    func gaugeIsMonotone() {
        var last = -1
        for part in Int64(0)...1000 {
            let steps = GaugeView.steps(part, of: 1000, count: 96)
            #expect(steps >= last)
            #expect((steps == 96) == (part == 1000))
            last = steps
        }
    }

    @Test("A view asked for another size than the model knows still shows the selected row")
    func foreignSizeShowsCursor() {
        var model = GoldenScenes.start(Size(columns: 80, rows: 50), rows: GoldenRows.mockUp)
        _ = update(&model, .key(.end))
        let surface = view(model, size: Size(columns: 40, rows: 6), capabilities: ViewCapabilities())
        #expect((0..<6).contains { surface[$0, 0].cluster == "▌" })
    }

    @Test("A toast covers no row of the table", arguments: [4, 5, 8, 11, 12, 19, 20, 30])
    func toastCoversNoRow(rows: Int) {
        let size = Size(columns: 60, rows: rows)
        var model = GoldenScenes.start(size, rows: GoldenRows.mockUp)
        _ = update(&model, .key(.character("d")))
        _ = update(&model, .key(.character("d")))
        let before = view(model, size: size, capabilities: ViewCapabilities())
        _ = update(&model, .toast("something happened", isError: true))
        let after = view(model, size: size, capabilities: ViewCapabilities())
        for row in ScreenLayout(size: size, pane: model.details.pane).table {
            for column in 0..<size.columns { #expect(before[row, column] == after[row, column]) }
        }
        #expect(before != after)
    }

    @Test("The wide table drops its columns at the documented widths")
    func columnsAreDropped() {
        func kinds(_ width: Int) -> [TableColumns.Kind] { TableColumns(width: width).columns.map(\.kind) }
        #expect(kinds(160).contains(.rates) && !kinds(159).contains(.rates))
        #expect(kinds(140).contains(.host) && !kinds(139).contains(.host))
        #expect(kinds(100).contains(.stateWord) && !kinds(99).contains(.stateWord))
        #expect(kinds(80).contains(.size) && !kinds(79).contains(.size))
        #expect(kinds(80).contains(.mark) && !kinds(79).contains(.mark))
        #expect(kinds(60).contains(.gauge) && !kinds(59).contains(.gauge))
        #expect(kinds(40).contains(.speed) && !kinds(39).contains(.speed))
        #expect(kinds(60).contains(.standing) && !kinds(59).contains(.standing))
        #expect(kinds(20) == [.state, .kind, .name, .percent])
        #expect(kinds(19) == [.percent, .name])
        for width in 20...300 {
            #expect(TableColumns(width: width).columns.allSatisfy { $0.end <= width && $0.width > 0 }, "\(width)")
        }
    }

    /// What is wrong with a surface; nil when nothing is.
    static func problem(in surface: Surface) -> String? {
        guard surface.cells.count == surface.size.columns * surface.size.rows else { return "wrong number of cells" }
        for row in 0..<surface.size.rows {
            var column = 0
            while column < surface.size.columns {
                let cell = surface[row, column]
                // Most cells are plain, and a million of them are looked at.
                if cell.width == 1, cell.cluster.count == 1, 0x20..<0x7F ~= cell.cluster[0] {
                    column += 1
                    continue
                }
                guard cell.width == 1 || cell.width == 2 else { return "half a wide cell at \(row),\(column)" }
                let scalars = cell.cluster.scalars
                guard let first = scalars.first else { return "empty cell at \(row),\(column)" }
                guard CellWidth.builtIn(first) == Int(cell.width) else { return "wrong width at \(row),\(column)" }
                guard scalars.count <= 5 else { return "too many marks at \(row),\(column)" }
                guard scalars.allSatisfy(isSafe) else { return "unsafe scalar at \(row),\(column)" }
                if cell.width == 2 {
                    guard column + 1 < surface.size.columns, surface[row, column + 1].width == 0 else {
                        return "half a wide cell at \(row),\(column)"
                    }
                }
                column += Int(cell.width)
            }
        }
        return nil
    }

    static func isSafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x61C, 0xAD, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFE00...0xFE0F,
            0xFEFF,
            0xE000...0xF8FF, 0x1F1E6...0x1F1FF, 0xE0000...0x10FFFF:
            false
        default: true
        }
    }
}
