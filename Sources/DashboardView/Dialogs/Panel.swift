import Dashboard

/// A framed box over the screen: a title, lines, and hints in its lower edge.
///
/// It is as large as its content, at most as large as the screen, and fills a screen narrower than 40 cells. Lines that
/// do not fit scroll, so that the focused one is visible.
struct Panel {
    /// A piece of a line with its role.
    struct Span {
        var text: SafeText
        var role: Role = .dialogText
        /// The number of the button, if it is one.
        var choice: Int?
    }

    /// A line: its pieces, or a field to edit.
    struct Line {
        var spans: [Span] = []
        /// The field that the line edits; nil for a line of text.
        var field: TextField?
        var fieldHasFocus = false
        /// The number of the choice or field of the full line.
        var choice: Int?
    }

    var title: SafeText
    var lines: [Line]
    var hints: PanelHints
    /// The line that must be visible.
    var focus = 0
    /// The requested cells of the content; nil for as many as the lines need.
    var contentWidth: Int?
    var fillsScreen = false

    func draw(on canvas: inout Canvas) {
        let (rows, columns) = frame(in: canvas)
        guard !rows.isEmpty, !columns.isEmpty else { return }
        for row in rows { canvas.fill(row: row, columns: columns, role: .dialogText) }
        guard rows.count >= 3, columns.count >= 4 else {
            drawLines(rows: rows, columns: columns, on: &canvas)
            return
        }
        drawFrame(rows: rows, columns: columns, on: &canvas)
        drawLines(
            rows: (rows.lowerBound + 1)..<(rows.upperBound - 1),
            columns: (columns.lowerBound + 2)..<max(columns.upperBound - 2, columns.lowerBound + 2), on: &canvas)
    }

    private func frame(in canvas: Canvas) -> (rows: Range<Int>, columns: Range<Int>) {
        let size = canvas.size
        if fillsScreen || size.columns < 40 { return (0..<size.rows, 0..<size.columns) }
        let widest = lines.map { line in line.spans.reduce(0) { $0 + canvas.width($1.text) } }.max() ?? 0
        let wanted = max(max(contentWidth ?? 0, widest) + 4, max(canvas.width(title), canvas.width(hints.text)) + 5)
        let width = min(wanted, size.columns - 2)
        let height = min(lines.count + 2, size.rows)
        let left = (size.columns - width) / 2
        let top = (size.rows - height) / 2
        return (top..<(top + height), left..<(left + width))
    }

    private func drawFrame(rows: Range<Int>, columns: Range<Int>, on canvas: inout Canvas) {
        let last = rows.upperBound - 1
        for row in [rows.lowerBound, last] { canvas.fill(row: row, columns: columns, with: "─", role: .dialogBorder) }
        for row in (rows.lowerBound + 1)..<last {
            canvas.draw("│", row: row, column: columns.lowerBound, role: .dialogBorder)
            canvas.draw("│", row: row, column: columns.upperBound - 1, role: .dialogBorder)
        }
        canvas.draw("┌", row: rows.lowerBound, column: columns.lowerBound, role: .dialogBorder)
        canvas.draw("┐", row: rows.lowerBound, column: columns.upperBound - 1, role: .dialogBorder)
        canvas.draw("└", row: last, column: columns.lowerBound, role: .dialogBorder)
        canvas.draw("┘", row: last, column: columns.upperBound - 1, role: .dialogBorder)
        let limit = columns.count - 3
        canvas.drawCut(
            " " + title + " ", row: rows.lowerBound, column: columns.lowerBound + 1, limit: limit, role: .title)
        let shown = " " + hints.fitting(limit - 2, in: canvas) + " "
        canvas.drawCut(shown, row: last, column: columns.lowerBound + 1, limit: limit, role: .footerText)
    }

    /// Shows in the frame on which sides there are more lines.
    private func drawMore(from top: Int, rows: Range<Int>, end: Int, on canvas: inout Canvas) {
        guard end + 1 < canvas.size.columns || end + 2 == canvas.size.columns else { return }
        if top > 0 { canvas.draw("▴", row: rows.lowerBound, column: end + 1, limit: 1, role: .title) }
        if top + rows.count < lines.count {
            canvas.draw("▾", row: rows.upperBound - 1, column: end + 1, limit: 1, role: .title)
        }
    }

    private func drawLines(rows: Range<Int>, columns: Range<Int>, on canvas: inout Canvas) {
        let top = ScreenLayout.top(0, showing: min(max(focus, 0), max(lines.count - 1, 0)), height: rows.count)
        drawMore(from: top, rows: rows, end: columns.upperBound, on: &canvas)
        for (offset, line) in lines.dropFirst(top).prefix(rows.count).enumerated() {
            let row = rows.lowerBound + offset
            var column = columns.lowerBound
            if top + offset == focus { canvas.parkCursor(row: row) }
            if let choice = line.choice { canvas.addTarget(.choice(choice), row: row, columns: columns) }
            for span in line.spans where column < columns.upperBound {
                let start = column
                let run = canvas.run(span.text).cut(columns.upperBound - column, ellipsis: canvas.ellipsis)
                column = canvas.draw(
                    run, row: row, column: column, limit: columns.upperBound - column, role: span.role)
                if let choice = span.choice { canvas.addTarget(.choice(choice), row: row, columns: start..<column) }
            }
            if let field = line.field {
                FieldView.draw(
                    field, row: row, column: column, width: columns.upperBound - column,
                    role: line.fieldHasFocus ? .fieldSelected : .field, hasFocus: line.fieldHasFocus, on: &canvas)
            }
        }
    }
}

/// The hints in the lower edge of a panel: complete ones are dropped if they do not fit, never the ones that close it.
struct PanelHints {
    /// A key and its action.
    struct Item {
        var text: SafeText
        /// The rank by which it is dropped, 0 being never.
        var rank: Int
    }

    var items: [Item]

    var text: SafeText { items.map(\.text).joined(by: "  ") }

    /// The hints that fit.
    func fitting(_ limit: Int, in canvas: Canvas) -> SafeText {
        var rest = self
        while canvas.width(rest.text) > limit, let worst = rest.items.map(\.rank).max(), worst > 0,
            let index = rest.items.lastIndex(where: { $0.rank == worst })
        {
            rest.items.remove(at: index)
        }
        return rest.text
    }
}

extension PanelHints {
    /// The hints of the screen that receives the keys.
    ///
    /// The ones that close it show their second key too; commands of a question or of the leftovers that would do
    /// nothing now have no hint.
    init(of model: Model) {
        self.init(of: model.screen, model)
    }

    /// The hints of a screen, which may lie below another one.
    init(of screen: Screen, _ model: Model) {
        let hidesIdle = model.question != nil || screen == .leftovers || screen == .history
        items = model.keys.commands(on: screen).compactMap { command in
            guard let rank = command.footerRank, !command.keys.contains(.character("?")) else { return nil }
            if hidesIdle, command.reason(in: model) != nil { return nil }
            let keys = command.keys(on: screen).prefix(rank == 0 ? 2 : 1)
            return Item(text: keys.map(KeyName.text).joined(by: "/") + " " + command.hint(in: model), rank: rank)
        }
    }
}

extension Panel.Line {
    init(_ text: SafeText, role: Role = .dialogText) {
        self.init(spans: [Panel.Span(text: text, role: role)])
    }
}
