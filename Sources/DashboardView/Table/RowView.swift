import Dashboard

/// One row of the table.
struct RowView {
    let model: Model
    let row: RowSnapshot
    let columns: TableColumns

    /// Numbers that are read through the row are key paths, since it belongs to another module: a tenth of a frame.
    private var figures: RowFigures { row.figures }

    func draw(line: Int, isSelected: Bool, on canvas: inout Canvas) {
        let isMarked = model.list.marks.contains(figures.id)
        for column in columns.columns { draw(column, line: line, isMarked: isMarked, on: &canvas) }
        if isSelected {
            var unpainted: Range<Int> = 0..<0
            if let gauge = columns.columns.first(where: { $0.kind == .gauge }) { unpainted = gauge.start..<gauge.end }
            canvas.paint(row: line, columns: 0..<max(unpainted.lowerBound, 0), role: .rowSelected)
            canvas.paint(
                row: line, columns: unpainted.upperBound..<max(canvas.size.columns, unpainted.upperBound),
                role: .rowSelected)
            canvas.draw(
                Glyphs.cursor(in: canvas.capabilities.glyphs), row: line, column: 0,
                role: isMarked && columns.sharesMarkCell ? .rowMarked : .rowSelected)
        } else if isMarked, columns.sharesMarkCell {
            canvas.draw(Glyphs.mark(in: canvas.capabilities.glyphs), row: line, column: 0, role: .rowMarked)
        }
    }

    private func draw(_ column: TableColumns.Column, line: Int, isMarked: Bool, on canvas: inout Canvas) {
        let set = canvas.capabilities.glyphs
        let stateRole = RowView.role(of: figures.state)
        switch column.kind {
        case .mark:
            if isMarked { canvas.draw(Glyphs.mark(in: set), row: line, column: column.start, role: .rowMarked) }
        case .state: canvas.draw(Glyphs.state(figures.state, in: set), row: line, column: column.start, role: stateRole)
        case .kind: canvas.draw(Glyphs.kind(figures.kind, in: set), row: line, column: column.start)
        case .name: drawName(column, line: line, on: &canvas)
        case .gauge: GaugeView(figures: figures).draw(line: line, column: column, on: &canvas)
        case .percent: drawNumber(percent, column, line: line, on: &canvas)
        case .done: drawNumber(SizeText.short(shownBytes, units: model.units), column, line: line, on: &canvas)
        case .size: drawNumber(size, column, line: line, on: &canvas)
        case .speed: drawNumber(speed, column, line: line, on: &canvas)
        case .standing: drawStanding(column, line: line, on: &canvas)
        case .time:
            let time = RowTime(model: model, row: row, cells: column.width, saysWhy: !columns.hasStateWord)
            drawNumber(time.text, column, line: line, on: &canvas)
        case .stateWord:
            let word = RowStateWord(model: model, row: row, cells: column.width).text
            canvas.drawCut(word, row: line, column: column.start, limit: column.width, role: stateRole)
        case .protocolName:
            let text = row.protocolName.isEmpty ? "-" : row.protocolName
            canvas.drawCut(text, row: line, column: column.start, limit: column.width)
        case .host: canvas.drawCut(row.host, row: line, column: column.start, limit: column.width)
        }
    }

    private func drawName(_ column: TableColumns.Column, line: Int, on canvas: inout Canvas) {
        var run = canvas.run(row.name)
        if model.list.nameOffset > 0, run.width > column.width {
            run = run.dropping(min(model.list.nameOffset, run.width - column.width))
                .cut(column.width, ellipsis: canvas.ellipsis)
        } else {
            run = run.middleCut(column.width, ellipsis: canvas.ellipsis)
        }
        canvas.draw(run, row: line, column: column.start, limit: column.width)
    }

    private func drawStanding(_ column: TableColumns.Column, line: Int, on canvas: inout Canvas) {
        guard let standing = figures.standing else { return }
        let role: Role =
            switch standing {
            case .yes: .dim
            case .unknown: .plain
            case .no: .stateRetrying
            }
        canvas.draw(
            Glyphs.standing(standing, in: canvas.capabilities.glyphs), row: line, column: column.start, role: role)
    }

    private func drawNumber(_ text: SafeText, _ column: TableColumns.Column, line: Int, on canvas: inout Canvas) {
        let run = canvas.run(text).prefix(column.width)
        canvas.draw(run, row: line, column: column.end - run.width)
    }

    private var shownBytes: Int64 { model.rates.shownBytes(of: row) }

    private var percent: SafeText {
        guard !figures.receivesErrorBody else { return "-" }
        let whole = figures.state == .done ? shownBytes : figures.expected
        let text =
            columns.percentHasTenths
            ? PercentText.tenths(shownBytes, of: whole) : PercentText.whole(shownBytes, of: whole)
        return text ?? (figures.state == .queued ? "0%" : "-")
    }

    private var size: SafeText {
        guard let expected = figures.expected else {
            return shownBytes > 0 ? SizeText.short(shownBytes, units: model.units) : "-"
        }
        return SizeText.short(expected, units: model.units)
    }

    private var speed: SafeText {
        guard let speed = model.rates.speed(of: figures.id) else { return "-" }
        return columns.speedHasUnit
            ? SizeText.rate(speed, units: model.units) : SizeText.rateWithoutUnit(speed, units: model.units)
    }

    /// The role of a state.
    static func role(of state: RowState) -> Role {
        switch state {
        case .running: .stateRunning
        case .retrying: .stateRetrying
        case .queued: .stateQueued
        case .pausing, .paused: .statePaused
        case .verifying, .saving: .stateVerifying
        case .failed: .stateFailed
        case .done: .stateDone
        case .cancelled: .stateCancelled
        }
    }
}

/// The gauge of a row, in eighths of a cell.
///
/// It changes only when an eighth changes, and is full only when the last byte is there. Its colour and, without
/// colours, what it is filled with tell the state; the body of an error fills nothing.
struct GaugeView {
    let figures: RowFigures

    func draw(line: Int, column: TableColumns.Column, on canvas: inout Canvas) {
        let limit = column.width
        guard !figures.receivesErrorBody else { return }
        let whole = figures.state == .done ? figures.moved : figures.expected
        guard let whole, whole > 0 || figures.state == .done else {
            if figures.state == .running || figures.moved > 0 && !figures.state.isFinal {
                canvas.draw("░" * limit, row: line, column: column.start, limit: limit, role: .gaugeEmpty)
            }
            return
        }
        switch canvas.capabilities.glyphs {
        case .ascii: drawPlain(whole: whole, line: line, column: column, on: &canvas)
        case .blocks, .braille, .console: drawBlocks(whole: whole, line: line, column: column, on: &canvas)
        }
    }

    private func drawBlocks(whole: Int64, line: Int, column: TableColumns.Column, on canvas: inout Canvas) {
        var eighths = GaugeView.steps(figures.moved, of: whole, count: column.width * 8)
        if !canvas.capabilities.hasEighths { eighths = eighths / 4 * 4 }
        if canvas.capabilities.glyphs == .console { eighths = eighths / 8 * 8 }
        let filling = filling
        let text = filling.block * (eighths / 8) + (filling.hasParts ? Glyphs.eighths[eighths % 8] : .empty)
        canvas.draw(text, row: line, column: column.start, limit: column.width, role: filling.role)
    }

    private func drawPlain(whole: Int64, line: Int, column: TableColumns.Column, on canvas: inout Canvas) {
        let room = max(column.width - 2, 0)
        let full = GaugeView.steps(figures.moved, of: whole, count: room)
        let filling = filling
        let text = "[" + filling.plain * full + SafeText("-") * (room - full) + "]"
        canvas.draw(text, row: line, column: column.start, limit: column.width, role: filling.role)
    }

    /// What a gauge is filled with.
    private struct Filling {
        var role: Role
        var block: SafeText
        /// The block in ASCII.
        var plain: SafeText
        /// Whether the last cell may be filled in part.
        var hasParts = false
    }

    private var filling: Filling {
        switch figures.state {
        case .running, .verifying, .saving: Filling(role: .gaugeFill, block: "█", plain: "#", hasParts: true)
        case .retrying, .queued, .pausing, .paused: Filling(role: .gaugeWaiting, block: "▒", plain: "=")
        case .failed: Filling(role: .gaugeFailed, block: "×", plain: "x")
        case .done: Filling(role: .gaugeDone, block: "█", plain: "#", hasParts: true)
        case .cancelled: Filling(role: .stateCancelled, block: "▒", plain: "=")
        }
    }

    /// Steps of so many that are done; all of them only when nothing is missing.
    static func steps(_ part: Int64, of whole: Int64, count: Int) -> Int {
        guard count > 0 else { return 0 }
        if part >= whole { return count }
        return min(Int(Double(max(part, 0)) / Double(whole) * Double(count)), count - 1)
    }
}
