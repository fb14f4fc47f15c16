import Dashboard

/// The rows of the table.
///
/// One value draws them all: a copy of the model for each was a twelfth of a frame.
struct RowView {
    let model: Model
    let columns: TableColumns
    /// What tells visible rows with the same name apart, by slot.
    let distinctions: [Int32: SafeText]

    func draw(slot: Int32, line: Int, isSelected: Bool, on canvas: inout Canvas) {
        let row = model.rows.figures[Int(slot)]
        let isMarked = model.list.marks.contains(row.id)
        let shown = model.rates.shownBytes(of: row)
        for column in columns.columns {
            draw(column, of: row, shown: shown, slot: slot, line: line, isMarked: isMarked, on: &canvas)
        }
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

    /// - Parameter shown: the bytes that the row's numbers and its gauge show.
    private func draw(
        _ column: TableColumns.Column, of row: RowFigures, shown: Int64, slot: Int32, line: Int, isMarked: Bool,
        on canvas: inout Canvas
    ) {
        let set = canvas.capabilities.glyphs
        switch column.kind {
        case .mark:
            if isMarked { canvas.draw(Glyphs.mark(in: set), row: line, column: column.start, role: .rowMarked) }
        case .state:
            let role = RowView.role(of: row.state)
            canvas.draw(Glyphs.state(row.state, in: set), row: line, column: column.start, role: role)
        case .kind: canvas.draw(Glyphs.kind(row.kind, in: set), row: line, column: column.start)
        case .name:
            let name = model.rows.name(inSlot: slot)
            if let words = distinctions[slot] {
                drawName(name, and: words, column, line: line, on: &canvas)
            } else {
                drawName(name, column, line: line, on: &canvas)
            }
        case .gauge: GaugeView(figures: row, moved: shown).draw(line: line, column: column, on: &canvas)
        case .percent: drawNumber(percent(of: row, shown: shown), column, line: line, on: &canvas)
        case .done: drawNumber(SizeText.short(shown, units: model.units), column, line: line, on: &canvas)
        case .size: drawNumber(size(of: row, shown: shown), column, line: line, on: &canvas)
        case .speed:
            if wideReason(of: row, on: canvas) == nil { drawNumber(speed(of: row), column, line: line, on: &canvas) }
        case .rates: drawRates(of: row, column, line: line, on: &canvas)
        case .standing: drawResumability(of: row, column, line: line, on: &canvas)
        case .time:
            if let (text, wide) = wideReason(of: row, on: canvas) {
                return drawNumber(text, wide, line: line, on: &canvas)
            }
            let text = model.timeText(of: row, cells: column.width, saysWhy: !columns.hasStateWord)
            drawNumber(text, column, line: line, on: &canvas)
        case .stateWord:
            let word = model.stateWord(of: row, cells: column.width)
            let role = RowView.role(of: row.state)
            canvas.drawCut(word, row: line, column: column.start, limit: column.width, role: role)
        case .protocolName:
            let text = RowStates.versionNumber(model.rows.protocolName(inSlot: slot))
            canvas.drawCut(text.isEmpty ? "-" : text, row: line, column: column.start, limit: column.width)
        case .host:
            canvas.drawCut(model.rows.host(inSlot: slot), row: line, column: column.start, limit: column.width)
        }
    }

    private func drawName(_ name: SafeText, _ column: TableColumns.Column, line: Int, on canvas: inout Canvas) {
        guard canvas.width(name) > column.width else {
            canvas.draw(name, row: line, column: column.start, limit: column.width)
            return
        }
        var run = canvas.run(name)
        if model.list.nameOffset > 0 {
            run = run.dropping(min(model.list.nameOffset, run.width - column.width))
                .cut(column.width, ellipsis: canvas.ellipsis)
        } else {
            run = run.middleCut(column.width, ellipsis: canvas.ellipsis)
        }
        canvas.draw(run, row: line, column: column.start, limit: column.width)
    }

    /// Draws a name and what tells it apart from its likes, which keeps half of a narrow column.
    private func drawName(
        _ name: SafeText, and words: SafeText, _ column: TableColumns.Column, line: Int, on canvas: inout Canvas
    ) {
        let (name, words) = (canvas.run(name), canvas.run(words))
        guard model.list.nameOffset == 0 || name.width + 1 + words.width <= column.width else {
            let both = name + canvas.run(" ") + words
            let run = both.dropping(min(model.list.nameOffset, both.width - column.width))
            canvas.draw(
                run.cut(column.width, ellipsis: canvas.ellipsis), row: line, column: column.start,
                limit: column.width)
            return
        }
        let room = min(words.width, max(column.width - name.width - 1, column.width / 2))
        let shown = name.middleCut(column.width - room - 1, ellipsis: canvas.ellipsis)
        let start = canvas.draw(shown, row: line, column: column.start, limit: column.width)
        canvas.draw(
            words.middleCut(room, ellipsis: canvas.ellipsis), row: line, column: start + 1, limit: room, role: .dim)
    }

    private func drawResumability(
        of row: RowFigures, _ column: TableColumns.Column, line: Int, on canvas: inout Canvas
    ) {
        guard let standing = row.standing else { return }
        let role: Role =
            switch standing {
            case .yes: .dim
            case .unknown: .plain
            case .no: .stateRetrying
            }
        canvas.draw(ResumeStates.word(standing), row: line, column: column.start, role: role)
    }

    /// Draws the rates of the latest seconds as a curve below the row's own peak.
    private func drawRates(of row: RowFigures, _ column: TableColumns.Column, line: Int, on canvas: inout Canvas) {
        guard let values = model.rates.meters[row.id]?.recent, let peak = values.max(), peak > 0 else { return }
        let text = Glyphs.curve(values, width: column.width, peak: peak, in: canvas.capabilities.glyphs)
        canvas.draw(text, row: line, column: column.start, limit: column.width, role: .gaugeFill)
    }

    /// The cells of the shortest whole word for any reason.
    private static let reasonCells = 7

    /// The reason of a failure, or of a wait for hours or other tasks, with the cells of the time and of the speed,
    /// which is none; nil where the time's cells suffice, and for another row.
    private func wideReason(of row: RowFigures, on canvas: Canvas) -> (text: SafeText, column: TableColumns.Column)? {
        guard row.state == .failed || row.state == .queued || row.state == .paused, !columns.hasStateWord,
            let index = columns.columns.firstIndex(where: { $0.kind == .time }), index > 0,
            case let (time, speed) = (columns.columns[index], columns.columns[index - 1]), speed.kind == .speed,
            row.state != .failed || time.width < Self.reasonCells,
            let text = row.state == .failed
                ? model.timeText(of: row, cells: Self.reasonCells, saysWhy: true) : row.heldWord
        else { return nil }
        guard canvas.width(text) > time.width else { return nil }
        var wide = time
        (wide.start, wide.width) = (speed.start, time.end - speed.start)
        return (text, wide)
    }

    private func drawNumber(_ text: SafeText, _ column: TableColumns.Column, line: Int, on canvas: inout Canvas) {
        canvas.drawRight(text, row: line, end: column.end, limit: column.width)
    }

    private func percent(of row: RowFigures, shown: Int64) -> SafeText {
        guard !row.receivesErrorBody else { return "-" }
        let total = row.state == .done ? shown : row.expected
        let text =
            columns.percentHasTenths ? PercentText.tenths(shown, of: total) : PercentText.percent(shown, of: total)
        return text ?? (row.state == .queued ? "0%" : "-")
    }

    private func size(of row: RowFigures, shown: Int64) -> SafeText {
        guard let expected = row.expected else {
            return shown > 0 ? SizeText.short(shown, units: model.units) : "-"
        }
        return SizeText.short(expected, units: model.units)
    }

    private func speed(of row: RowFigures) -> SafeText {
        guard let speed = model.rates.speed(of: row.id) else { return "-" }
        return columns.speedHasUnit
            ? SizeText.rate(speed, units: model.units) : SizeText.rateWithoutUnit(speed, units: model.units)
    }

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
/// It changes only when an eighth changes, and is full only when the last byte has arrived. Its colour and, without
/// colours, its fill character show the state; the body of an error fills nothing, and neither does a request whose
/// response has not begun.
struct GaugeView {
    let figures: RowFigures
    /// The bytes that the numbers beside it show, which are stable between two measurements.
    let moved: Int64

    func draw(line: Int, column: TableColumns.Column, on canvas: inout Canvas) {
        guard !figures.receivesErrorBody else { return }
        let total = figures.state == .done ? moved : figures.expected
        guard let total, total > 0 || figures.state == .done else {
            if figures.moved > 0, !figures.state.isFinal {
                canvas.fill(row: line, columns: column.start..<column.end, with: "░", role: .gaugeEmpty)
            }
            return
        }
        if canvas.capabilities.glyphs == .ascii {
            return drawPlain(total: total, line: line, column: column, on: &canvas)
        }
        var eighths = GaugeView.steps(moved, of: total, count: column.width * 8)
        if !canvas.capabilities.hasEighths { eighths = eighths / 4 * 4 }
        if canvas.capabilities.glyphs == .console { eighths = eighths / 8 * 8 }
        let end = column.start + eighths / 8
        let filling = Glyphs.gauge(figures.state, in: canvas.capabilities.glyphs)
        canvas.fill(row: line, columns: column.start..<end, with: filling, role: role)
        if filling == "█", eighths % 8 > 0 {
            canvas.fill(row: line, columns: end..<end + 1, with: Glyphs.eighths[eighths % 8], role: role)
        }
    }

    private func drawPlain(total: Int64, line: Int, column: TableColumns.Column, on canvas: inout Canvas) {
        let room = max(column.width - 2, 0)
        let full = GaugeView.steps(moved, of: total, count: room)
        let filling = Glyphs.gauge(figures.state, in: .ascii)
        let text = "[" + filling * full + SafeText("-") * (room - full) + "]"
        canvas.draw(text, row: line, column: column.start, limit: column.width, role: role)
    }

    private var role: Role {
        switch figures.state {
        case .running, .verifying, .saving: .gaugeFill
        case .retrying, .queued, .pausing, .paused: .gaugeWaiting
        case .failed: .gaugeFailed
        case .done: .gaugeDone
        case .cancelled: .stateCancelled
        }
    }

    /// The number of completed steps; all of them only if nothing is missing.
    static func steps(_ part: Int64, of total: Int64, count: Int) -> Int {
        guard count > 0 else { return 0 }
        if part >= total { return count }
        return min(Int(Double(max(part, 0)) / Double(total) * Double(count)), count - 1)
    }
}
