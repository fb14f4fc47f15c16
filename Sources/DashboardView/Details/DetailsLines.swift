import Dashboard

/// Draws lines of details into a rectangle.
enum DetailsLines {
    /// Cells of the label column.
    private static let labelWidth = 11

    /// Draws as many lines as there are rows, from a line and a cell on.
    ///
    /// With `saysMore` the last row says at its end how many lines follow.
    static func draw(
        _ lines: DetailLineList, rows: Range<Int>, columns: Range<Int>, from top: Int = 0, left: Int = 0,
        search: DetailsSearch? = nil, saysMore: Bool = false, on canvas: inout Canvas
    ) {
        let isLabelled = lines.hasLabels && columns.count >= 40
        let more = saysMore ? drawMore(lines.count - top - rows.count, rows: rows, columns: columns, on: &canvas) : 0
        for (offset, line) in lines.dropFirst(top).prefix(rows.count).enumerated() {
            let row = rows.lowerBound + offset
            var column = columns.lowerBound
            let columns = columns.lowerBound..<columns.upperBound - (offset == rows.count - 1 ? more : 0)
            if isLabelled, !line.label.isEmpty || [.plain, .error].contains(line.role) && offset > 0 {
                canvas.drawCut(line.label, row: row, column: column, limit: labelWidth - 1, role: .dim)
                column += labelWidth
            } else if !line.label.isEmpty {
                let end = canvas.draw(line.label + " ", row: row, column: column, limit: columns.count, role: .dim)
                column = max(end, columns.lowerBound + line.labelCells)
            }
            let limit = columns.upperBound - column
            guard limit > 0 else { continue }
            let run = canvas.run(line.text)
            let isFound = search?.match?.line == top + offset
            let start = isFound ? Self.start(of: run, from: left, search: search, limit: limit) : left
            let text = CutText(
                run, line.isURL && start == 0 ? .ends : .from(start), limit: limit, ellipsis: canvas.ellipsis)
            canvas.draw(text.run, row: row, column: column, limit: limit, role: line.role)
            paint(line, text, row: row, column: column, limit: limit, on: &canvas)
            guard let search else { continue }
            let role: Role = isFound ? .matchSelected : .match
            paint(search.text, in: line.label, row: row, column: columns.lowerBound, role: role, on: &canvas)
            for cells in text.cells(of: search.text) {
                canvas.paint(row: row, columns: column + cells.lowerBound..<column + cells.upperBound, role: role)
            }
        }
    }

    /// Says at the end of the last row how many lines follow; returns the cells that this takes.
    private static func drawMore(
        _ count: Int, rows: Range<Int>, columns: Range<Int>, on canvas: inout Canvas
    ) -> Int {
        guard count > 0, let row = rows.last else { return 0 }
        let text = columns.count >= 30 ? PaneLabels.more(count) : PaneLabels.moreNarrow(count)
        let width = canvas.width(text)
        guard columns.count >= 2 * width else { return 0 }
        canvas.drawRight(text, row: row, end: columns.upperBound, role: .dim)
        return width + 1
    }

    /// Draws the roles of a line's pieces, and its selection.
    private static func paint(
        _ line: DetailLine, _ text: CutText, row: Int, column: Int, limit: Int, on canvas: inout Canvas
    ) {
        if line.isSelected {
            canvas.paint(row: row, columns: column..<column + limit, role: .rowSelected)
            canvas.parkCursor(row: row)
            return
        }
        var start = column - text.shift
        for piece in line.pieces {
            let end = start + canvas.width(piece.text)
            let shown = max(start, column)..<max(min(end, column + text.run.width), max(start, column))
            canvas.paint(row: row, columns: shown, role: piece.role)
            start = end
        }
    }

    private static func start(of run: TextRun, from left: Int, search: DetailsSearch?, limit: Int) -> Int {
        search.map { CutText.start(showing: $0.text, in: run, from: left, limit: limit) } ?? left
    }

    /// Highlights the matches in a label.
    private static func paint(
        _ search: TextSearch, in label: SafeText, row: Int, column: Int, role: Role, on canvas: inout Canvas
    ) {
        for cells in canvas.run(label).cells(of: search) {
            canvas.paint(row: row, columns: column + cells.lowerBound..<column + cells.upperBound, role: role)
        }
    }

    /// Draws the line of the parts' names; returns the column after them.
    @discardableResult
    static func drawTabs(_ selected: DetailsTab, row: Int, on canvas: inout Canvas) -> Int {
        let isPlain = canvas.capabilities.glyphs == .ascii
        let isNarrow = canvas.size.columns < 74
        var column = 1
        for tab in DetailsTab.allCases where tab == selected || !isNarrow {
            let isSelected = tab == selected
            let text = isSelected ? (isPlain ? "<" : "┃") + tab.title + (isPlain ? ">" : "┃") : " " + tab.title + " "
            let start = column
            column = canvas.draw(text, row: row, column: column, role: isSelected ? .tabSelected : .tab)
            canvas.addTarget(.detailsTab(tab), row: row, columns: start..<column)
        }
        if isNarrow {
            let label = PaneLabels.tab(selected.rawValue + 1, of: DetailsTab.allCases.count)
            column = canvas.draw(label, row: row, column: column + 1, role: .dim)
        }
        return column
    }
}

/// A line's text cut to the available cells, at its end, in its middle or on both sides.
private struct CutText {
    /// The visible part of a text.
    enum Part {
        case ends
        /// The cells from one on, as many as fit.
        case from(Int)
    }

    let run: TextRun
    private let full: TextRun
    private let ellipsis: TextRun
    /// The cell in `run` at which the ellipsis at the end or in the middle begins.
    private let cut: Int
    /// Cells of the text that are cut at its start.
    private let hidden: Int

    init(_ full: TextRun, _ part: Part, limit: Int, ellipsis: TextRun) {
        self.full = full
        self.ellipsis = ellipsis
        switch part {
        case .ends:
            run = full.middleCut(limit, ellipsis: ellipsis)
            cut = full.prefix((limit - ellipsis.width + 1) / 2).width
            hidden = 0
        case .from(let start) where start > 0 && full.width > 0:
            let rest = full.dropping(start + ellipsis.width)
            run = (ellipsis + rest).cut(limit, ellipsis: ellipsis)
            cut = run.width - ellipsis.width
            hidden = full.width - rest.width
        case .from:
            run = full.cut(limit, ellipsis: ellipsis)
            cut = run.width - ellipsis.width
            hidden = 0
        }
    }

    /// Cells by which the drawn text is further left than in the full text.
    var shift: Int { hidden > 0 ? hidden - ellipsis.width : 0 }

    /// The cells of the matches; an ellipsis stands for matches that were cut.
    func cells(of search: TextSearch) -> [Range<Int>] {
        let all = full.cells(of: search)
        var shown = run.cells(of: search)
        let before = all.count { $0.lowerBound < hidden }
        if before > 0 { shown.append(0..<ellipsis.width) }
        if run.cells(of: search).count + before < all.count { shown.append(cut..<cut + ellipsis.width) }
        return shown
    }

    /// The first cell to draw so that a match is visible.
    ///
    /// Returns `start` if a match is already visible from there.
    static func start(showing search: TextSearch, in full: TextRun, from start: Int, limit: Int) -> Int {
        let all = full.cells(of: search)
        let shown = (start > 0 ? start + 1 : 0)..<(full.width <= start + limit ? full.width : start + limit - 1)
        guard let first = all.first, !all.contains(where: { shown.contains($0) }) else { return start }
        return max(first.lowerBound - limit / 3, 0)
    }
}
