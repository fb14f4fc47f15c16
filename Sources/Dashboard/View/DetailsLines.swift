/// Draws lines of details into a rectangle.
enum DetailsLines {
    /// Cells of the label column.
    private static let labelWidth = 11

    /// Draws as many lines as there are rows, from a line and a cell on.
    static func draw(
        _ lines: [DetailLine], rows: Range<Int>, columns: Range<Int>, from top: Int = 0, left: Int = 0,
        search: DetailsSearch? = nil, on canvas: inout Canvas
    ) {
        for (offset, line) in lines.dropFirst(top).prefix(rows.count).enumerated() {
            let row = rows.lowerBound + offset
            var column = columns.lowerBound
            let isLabelled = lines.contains { !$0.label.isEmpty } && columns.count >= 40
            if isLabelled, !line.label.isEmpty || line.role == .plain && offset > 0 {
                canvas.drawCut(line.label, row: row, column: column, limit: labelWidth - 1, role: .dim)
                column += labelWidth
            } else if !line.label.isEmpty {
                let end = canvas.draw(line.label + " ", row: row, column: column, limit: columns.count, role: .dim)
                column = max(end, columns.lowerBound + line.labelCells)
            }
            let limit = columns.upperBound - column
            guard limit > 0 else { continue }
            let run = canvas.run(line.text)
            let isFound = search?.place?.line == top + offset
            let start = isFound ? Self.start(of: run, from: left, search: search, limit: limit) : left
            let text = CutText(
                run, line.isURL && start == 0 ? .ends : .from(start), limit: limit, ellipsis: canvas.ellipsis)
            canvas.draw(text.run, row: row, column: column, limit: limit, role: line.role)
            guard let search else { continue }
            let role: Role = isFound ? .matchSelected : .match
            paint(search.text, in: line.label, row: row, column: columns.lowerBound, role: role, on: &canvas)
            for cells in text.cells(of: search.text) {
                canvas.paint(row: row, columns: column + cells.lowerBound..<column + cells.upperBound, role: role)
            }
        }
    }

    private static func start(of run: TextRun, from left: Int, search: DetailsSearch?, limit: Int) -> Int {
        search.map { CutText.start(showing: $0.text, in: run, from: left, limit: limit) } ?? left
    }

    /// Shows where a label has what is looked for.
    private static func paint(
        _ search: TextSearch, in label: SafeText, row: Int, column: Int, role: Role, on canvas: inout Canvas
    ) {
        for cells in canvas.run(label).cells(of: search) {
            canvas.paint(row: row, columns: column + cells.lowerBound..<column + cells.upperBound, role: role)
        }
    }

    /// The line of the parts' names; answers the column after them.
    @discardableResult
    static func drawTabs(_ selected: DetailsTab, row: Int, on canvas: inout Canvas) -> Int {
        let isPlain = canvas.capabilities.glyphs == .ascii
        let isNarrow = canvas.size.columns < 66
        var column = 1
        for tab in DetailsTab.allCases where tab == selected || !isNarrow {
            let isSelected = tab == selected
            let text = isSelected ? (isPlain ? "<" : "┃") + tab.title + (isPlain ? ">" : "┃") : " " + tab.title + " "
            let start = column
            column = canvas.draw(text, row: row, column: column, role: isSelected ? .tabSelected : .tab)
            canvas.addTarget(.detailsTab(tab), row: row, columns: start..<column)
        }
        if isNarrow {
            let place = SafeText(selected.rawValue + 1) + " of " + SafeText(DetailsTab.allCases.count)
            column = canvas.draw(place, row: row, column: column + 1, role: .dim)
        }
        return column
    }
}
