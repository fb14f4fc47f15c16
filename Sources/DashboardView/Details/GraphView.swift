import Dashboard

/// The rates of the latest minutes as a graph with axes.
struct GraphView {
    let history: RateHistory
    /// The words before the figures, such as an arrow.
    let title: SafeText
    let role: Role
    /// The rate at this moment, which the history does not have yet.
    var now = 0.0
    let model: Model

    /// Cells of the numbers at the left.
    private static let labelWidth = 8
    /// The minimum size with axes.
    private static let leastSize = Size(columns: 26, rows: 3)

    /// Draws the graph; in a small area only the title, and a curve of one line without axes.
    func draw(rows: Range<Int>, columns: Range<Int>, on canvas: inout Canvas) {
        guard !rows.isEmpty, columns.count > 4 else { return }
        guard rows.count >= Self.leastSize.rows, columns.count >= Self.leastSize.columns else {
            return drawLine(row: rows.lowerBound, columns: columns, on: &canvas)
        }
        let start = columns.lowerBound + Self.labelWidth + 1
        let plot = (rows.lowerBound + 1)..<(rows.upperBound - 1)
        let graph = RateGraph(
            history, width: columns.upperBound - start, units: model.units, dayOffset: model.dayClock.offset)
        drawTitle(graph, row: rows.lowerBound, columns: columns, on: &canvas)
        drawCurve(graph, rows: plot, start: start, on: &canvas)
        drawSpeeds(graph, rows: plot, start: start, on: &canvas)
        drawTimes(graph, row: plot.upperBound, start: start, end: columns.upperBound, on: &canvas)
    }

    private func drawTitle(_ graph: RateGraph, row: Int, columns: Range<Int>, on canvas: inout Canvas) {
        let start = canvas.draw(title, row: row, column: columns.lowerBound, limit: columns.count, role: role)
        guard !history.isEmpty else { return }
        let scale: SafeText =
            graph.secondsPerColumn == 1
            ? PaneLabels.secondPerColumn : PaneLabels.secondsPerColumn(graph.secondsPerColumn)
        let peak = SizeText.rate(max(graph.highest, now), units: model.units)
        let words = ["  " + PaneLabels.peak(peak), scale].joined(by: " · ")
        canvas.drawCut(words, row: row, column: start, limit: columns.upperBound - start, role: .dim)
    }

    private func drawCurve(_ graph: RateGraph, rows: Range<Int>, start: Int, on canvas: inout Canvas) {
        let steps = Glyphs.curve(in: canvas.capabilities.glyphs)
        for column in graph.columns.indices {
            var height = graph.height(of: column, rows: rows.count, parts: steps.count)
            for row in rows.reversed() where height > 0 {
                let step = min(height, steps.count)
                canvas.draw(steps[step - 1], row: row, column: start + column, limit: 1, role: role)
                height -= step
            }
            // Unmeasured seconds are not zeros.
            if graph.columns[column] == nil, isWithin(column, of: graph), let row = rows.last {
                canvas.draw("·", row: row, column: start + column, limit: 1, role: .dim)
            }
        }
    }

    /// Whether a column stands for seconds after the first one that was recorded.
    private func isWithin(_ column: Int, of graph: RateGraph) -> Bool {
        graph.columns[..<column].contains { $0 != nil }
    }

    /// The numbers of the left axis: the top, the middle if it fits, and nothing at the bottom.
    private func drawSpeeds(_ graph: RateGraph, rows: Range<Int>, start: Int, on canvas: inout Canvas) {
        for row in rows { canvas.draw("│", row: row, column: start - 1, role: .rule) }
        guard !history.isEmpty, let first = rows.first else { return }
        func label(_ speed: Double, row: Int) {
            canvas.drawRight(SizeText.rate(speed, units: model.units), row: row, end: start - 1, role: .dim)
        }
        label(graph.top, row: first)
        // Half of the scale is only labelled if half of the cells are below it.
        if rows.count >= 6, rows.count.isMultiple(of: 2) { label(graph.top / 2, row: first + rows.count / 2) }
    }

    /// Draws the time axis, with full minutes of the day.
    private func drawTimes(_ graph: RateGraph, row: Int, start: Int, end: Int, on canvas: inout Canvas) {
        canvas.drawRight("0", row: row, end: start - 1, role: .dim)
        canvas.draw("└", row: row, column: start - 1, role: .rule)
        canvas.fill(row: row, columns: start..<end, with: "─", role: .rule)
        for tick in graph.ticks {
            let column = start + tick.column
            guard column + 1 + canvas.width(tick.text) <= end else { continue }
            canvas.draw("│", row: row, column: column, limit: 1, role: .rule)
            canvas.draw(tick.text, row: row, column: column + 1, limit: end - column - 1, role: .dim)
        }
    }

    private func drawLine(row: Int, columns: Range<Int>, on canvas: inout Canvas) {
        let start = canvas.draw(title + " ", row: row, column: columns.lowerBound, limit: columns.count, role: role)
        let room = columns.upperBound - start - Self.labelWidth - 1
        guard room > 0, !history.isEmpty else { return }
        let graph = RateGraph(history, width: room, units: model.units, dayOffset: nil)
        let steps = Glyphs.curve(in: canvas.capabilities.glyphs)
        for column in graph.columns.indices {
            let height = graph.height(of: column, rows: 1, parts: steps.count)
            guard height > 0 else { continue }
            canvas.draw(steps[height - 1], row: row, column: start + column, limit: 1, role: role)
        }
        canvas.drawRight(
            SizeText.rate(max(graph.highest, now), units: model.units), row: row, end: columns.upperBound, role: .dim)
    }
}

/// The graph of both directions, shown beside the list instead of the details.
struct GraphPaneView {
    let model: Model

    /// The minimum columns for both side by side.
    private static let wide = 60
    /// The minimum lines for both with axes, one over the other.
    private static let tall = 8

    func draw(lines: Range<Int>, on canvas: inout Canvas) {
        guard !lines.isEmpty else { return }
        let isPlain = canvas.capabilities.glyphs == .ascii
        let down = GraphView(
            history: model.rates.downHistory, title: isPlain ? PaneLabels.downPlain : PaneLabels.down, role: .rateDown,
            now: model.rates.down, model: model)
        let up = GraphView(
            history: model.rates.upHistory, title: isPlain ? PaneLabels.upPlain : PaneLabels.up, role: .rateUp,
            now: model.rates.up, model: model)
        let all = 1..<max(canvas.size.columns - 1, 1)
        if canvas.size.columns >= Self.wide, lines.count >= 3 {
            let split = all.lowerBound + all.count * 3 / 5
            down.draw(rows: lines, columns: all.lowerBound..<split - 1, on: &canvas)
            up.draw(rows: lines, columns: split + 1..<all.upperBound, on: &canvas)
        } else if lines.count >= Self.tall {
            let split = lines.lowerBound + (lines.count + 1) / 2
            down.draw(rows: lines.lowerBound..<split, columns: all, on: &canvas)
            up.draw(rows: split..<lines.upperBound, columns: all, on: &canvas)
        } else {
            down.draw(rows: lines.prefix(1), columns: all, on: &canvas)
            up.draw(rows: lines.dropFirst().prefix(1), columns: all, on: &canvas)
        }
    }
}

/// The graph of one task, in its part of the details.
struct TaskGraphView {
    let model: Model
    let row: RowSnapshot

    func draw(rows: Range<Int>, columns: Range<Int>, on canvas: inout Canvas) {
        guard let history = model.rates.history(of: row.id) else { return }
        let speed = model.rates.speed(of: row.id)
        let now = speed.map { PaneLabels.now(SizeText.rate($0, units: model.units)) }
        let role: Role = row.kind == .upload ? .rateUp : .rateDown
        let title = now ?? model.plainStateWord(of: row.figures)
        GraphView(history: history, title: title, role: role, now: speed ?? 0, model: model)
            .draw(rows: rows, columns: columns, on: &canvas)
    }
}
