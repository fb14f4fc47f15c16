import DashboardTestSupport
import Testing

@testable import Dashboard
@testable import DashboardView

@Suite("Columns that are chosen, sized and sorted by", .timeLimit(.minutes(1)))
struct UpdateColumnTests {
    private static func width(_ column: TableColumns.Kind, in columns: TableColumns) -> Int? {
        columns.columns.first { $0.kind == column }?.width
    }

    @Test(
        "A column with a width of its own has it, also where it would not be shown, while names keep their least room",
        arguments: [
            (40, 12, nil), (60, 12, nil), (80, 9, nil), (80, 40, nil), (100, 11, 11), (100, 12, nil), (140, 28, 28),
            (140, 60, 28),
        ] as [(Int, Int, Int?)])
    func widths(window: Int, wanted: Int, given: Int?) {
        let columns = TableColumns(width: window, widths: [.host: wanted])
        #expect(Self.width(.host, in: columns) == given)
        #expect(columns.columns.last?.end == TableColumns(width: window).columns.last?.end)
        for (left, right) in zip(columns.columns, columns.columns.dropFirst()) { #expect(left.end <= right.start) }
        #expect(Self.width(.name, in: columns) ?? 0 >= 16)
    }

    @Test("No width breaks a line", arguments: [0, 5, 19, 20, 39, 40, 60, 80, 100, 139, 140, 200])
    func everyWidthFits(window: Int) {
        for wanted in [9, 20, 60] {
            let widths = Dictionary(uniqueKeysWithValues: TableColumn.allCases.map { ($0, wanted) })
            let columns = TableColumns(width: window, shown: [.host, .size, .gauge, .speed], widths: widths).columns
            for (left, right) in zip(columns, columns.dropFirst()) { #expect(left.end <= right.start) }
            #expect(columns.last?.end ?? 0 <= max(window, 6))
        }
    }

    private func pressed(_ model: inout Model, _ keys: String) -> [Effect] {
        keys.flatMap { update(&model, .key(.character($0))) }
    }

    @Test("Keys in the options size the highlighted column, as far as there is room")
    func sizing() {
        var model = GoldenScenes.start(Size(columns: 100, rows: 24), rows: GoldenRows.mockUp)
        #expect(pressed(&model, "oGkk+").isEmpty)
        #expect(model.options.columnWidths == [.host: 9])
        #expect(model.tableColumns.columns.last?.kind == .host)
        for _ in 0..<5 { _ = pressed(&model, "+") }
        #expect(model.options.columnWidths == [.host: 11])
        #expect(model.toasts.current?.text == ViewToasts.noRoomForColumn)
        _ = pressed(&model, "-")
        #expect(model.options.columnWidths == [.host: 9])
        for _ in 0..<9 { _ = pressed(&model, "-") }
        #expect(model.options.columnWidths == [.host: 9])
        _ = pressed(&model, "0")
        #expect(model.options.columnWidths.isEmpty)
        // What is no column has no width.
        _ = pressed(&model, "g+")
        #expect(model.toasts.current?.text.string == "Only columns can be moved and sized")
    }

    @Test("A hidden column that is sized is shown")
    func sizingShows() {
        var model = Model()
        model.size = Size(columns: 120, rows: 30)
        model.options.hiddenColumns = [.host]
        _ = pressed(&model, "oGkk+")
        #expect(model.options.hiddenColumns.isEmpty)
        #expect(model.settings.contains(SettingLine(name: "columns", value: Self.allWithHost)))
    }

    private static let allWithHost = "progress done size speed rates time state protocol host:9"

    private static func titles(_ model: Model, glyphs: GlyphSet = .blocks) throws -> String {
        let capabilities = ViewCapabilities(glyphs: glyphs, showsUnicode: glyphs != .ascii)
        let surface = view(model, size: model.size, capabilities: capabilities)
        let row = try #require(ScreenLayout(size: model.size, pane: model.details.pane).columnTitles)
        return (0..<model.size.columns).map { surface[row, $0].cluster.text }.joined()
    }

    @Test(
        "The title of the column that rows are sorted by has an arrow",
        arguments: [
            (SortOrder.Column.state, 80, "  ▾  "), (.state, 100, "STATE▾"), (.state, 40, " ▾  NAME"),
            (.name, 80, "NAME▾"),
            (.size, 80, "SIZE▾"), (.speed, 80, "SPEED▾"), (.eta, 60, "ETA▾"), (.progress, 80, "PROGRESS▾"),
            (.progress, 40, "%▾"), (.host, 140, "HOST▾"),
        ])
    func sortedTitle(column: SortOrder.Column, width: Int, title: String) throws {
        var model = GoldenScenes.start(Size(columns: width, rows: 24), rows: GoldenRows.mockUp)
        model.sortRows(by: SortOrder(column: column))
        let line = try Self.titles(model)
        #expect(line.contains(title), "\(line)")
        #expect(line.count { $0 == "▾" } == 1)
        model.sortRows(by: SortOrder(column: column, isInverted: true))
        #expect(try Self.titles(model).contains(title.replacing("▾", with: "▴")))
        #expect(try Self.titles(model, glyphs: .ascii).contains(title.replacing("▾", with: "^")))
        #expect(try Self.titles(model, glyphs: .console).contains(title.replacing("▾", with: "▲")))
    }

    @Test("An order by what no column shows marks none")
    func sortedByNoColumn() throws {
        var model = GoldenScenes.start(Size(columns: 80, rows: 24), rows: GoldenRows.mockUp)
        for column in [SortOrder.Column.added, .host] {
            model.sortRows(by: SortOrder(column: column))
            #expect(try !Self.titles(model).contains("▾"))
        }
    }

    @Test(
        "The words of an order are read back",
        arguments: SortOrder.Column.allCases, [nil, SortOrder.TieBreaker(column: .name, isInverted: true)])
    func orderWords(column: SortOrder.Column, tieBreaker: SortOrder.TieBreaker?) {
        for isInverted in [false, true] {
            let order = SortOrder(column: column, isInverted: isInverted, tieBreaker: tieBreaker)
            #expect(SortOrder(words: order.words) == order)
        }
    }

    @Test("What is no order is refused", arguments: ["", "fast", "name,", "name size", "name, size, host", "reversed"])
    func wrongOrders(words: String) {
        #expect(SortOrder(words: words) == nil)
    }

    private static func rule(_ model: Model) throws -> String {
        let surface = view(model, size: model.size, capabilities: ViewCapabilities())
        let row = try #require(ScreenLayout(size: model.size, pane: model.details.pane).rule)
        return (0..<model.size.columns).map { surface[row, $0].cluster.text }.joined()
    }

    @Test("The rule names the session, or says that nothing is saved", arguments: [40, 60, 80, 120])
    func sessionName(width: Int) throws {
        var model = GoldenScenes.start(Size(columns: width, rows: 24), rows: GoldenRows.mockUp)
        model.sessionName = "nightly"
        #expect(try Self.rule(model).contains("session nightly"))
        _ = update(&model, .notSaved)
        let line = try Self.rule(model)
        #expect(line.contains(RuleLabels.unsaved.string) && !line.contains("nightly"))
        // It lasts, also beside a toast.
        _ = update(&model, .clock(90_000))
        #expect(try Self.rule(model).contains(RuleLabels.unsaved.string))
        let surface = view(model, size: model.size, capabilities: ViewCapabilities())
        let row = try #require(ScreenLayout(size: model.size, pane: model.details.pane).rule)
        let marked = (0..<width).filter { surface[row, $0].role == .filter }
        #expect(marked.map { surface[row, $0].cluster.text }.joined() == RuleLabels.unsaved.string)
    }

    @Test("A low window without a rule says in its footer that nothing is saved")
    func footerSaysUnsaved() {
        var model = GoldenScenes.start(Size(columns: 60, rows: 8), rows: GoldenRows.mockUp)
        _ = update(&model, .notSaved)
        let surface = view(model, size: model.size, capabilities: ViewCapabilities())
        let footer = (0..<60).map { surface[7, $0].cluster.text }.joined()
        #expect(footer.contains(RuleLabels.unsaved.string) && footer.contains("? Help") && footer.contains("q Quit"))
    }
}
