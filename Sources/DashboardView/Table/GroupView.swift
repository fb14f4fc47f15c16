import Dashboard

/// The line over the rows of a group: its name, its rows by state, and their sums.
struct GroupView {
    let model: Model
    let group: RowGroup
    /// Bytes per second of its rows.
    let speed: Double
    /// The connections of its rows; nil while they are not counted.
    let connections: ConnectionUse?
    let columns: TableColumns

    func draw(line: Int, isSelected: Bool, on canvas: inout Canvas) {
        for column in columns.columns { draw(column, line: line, on: &canvas) }
        guard isSelected else { return }
        canvas.paint(row: line, columns: 0..<canvas.size.columns, role: .rowSelected)
        canvas.draw(Glyphs.cursor(in: canvas.capabilities.glyphs), row: line, column: 0, role: .rowSelected)
    }

    private func draw(_ column: TableColumns.Column, line: Int, on canvas: inout Canvas) {
        let totals = group.totals
        switch column.kind {
        case .name: drawName(column, line: line, on: &canvas)
        case .percent:
            let percent = totals.unmeasured > 0 ? nil : PercentText.percent(totals.moved, of: totals.expected)
            drawNumber(totals.expected > 0 ? percent ?? "-" : "-", column, line: line, on: &canvas)
        case .done: drawNumber(SizeText.short(totals.moved, units: model.units), column, line: line, on: &canvas)
        case .size:
            let more: SafeText = totals.unmeasured > 0 ? "+" : ""
            drawNumber(SizeText.short(totals.expected, units: model.units) + more, column, line: line, on: &canvas)
        case .speed:
            let text =
                columns.speedHasUnit
                ? SizeText.rate(speed, units: model.units) : SizeText.rateWithoutUnit(speed, units: model.units)
            drawNumber(speed > 0 ? text : "-", column, line: line, on: &canvas)
        case .time: if !columns.hasStateWord { drawTrouble(column, line: line, on: &canvas) }
        case .stateWord: drawTrouble(column, line: line, on: &canvas)
        case .mark, .state, .kind, .standing, .gauge, .rates, .protocolName, .host: break
        }
    }

    /// Draws the cause of the latest failure in a host's group in the column where the row's own line would show it.
    private func drawTrouble(_ column: TableColumns.Column, line: Int, on canvas: inout Canvas) {
        guard model.rows.query.grouping == .host, let row = model.rows.latestTrouble(in: group) else { return }
        let word = canvas.run(GroupContent.word(for: row, cells: column.width))
        let start = column.kind == .time ? column.end - word.width : column.start
        canvas.draw(
            word, row: line, column: start, limit: column.width,
            role: row.state == .failed ? .stateFailed : .stateRetrying)
    }

    /// Draws the name from the first cell on, and the counts as far as the columns to the right permit.
    private func drawName(_ column: TableColumns.Column, line: Int, on canvas: inout Canvas) {
        let set = canvas.capabilities.glyphs
        let fold: SafeText = model.rows.isFolded(group) ? "+ " : "- "
        let next = columns.columns.first {
            $0.start > column.start && [.percent, .done, .size, .speed].contains($0.kind)
        }
        let start = min(columns.sharesMarkCell ? 1 : 2, column.start)
        let room = max((next.map { $0.start - 1 } ?? canvas.size.columns) - start, 0)
        let title = fold + model.rows.title(of: group)
        var counts = (columns.sharesMarkCell ? " " : "  ") + self.counts(in: set)
        // The name is more important than the connections, which the lines below the table show too.
        if canvas.width(title + counts + sharedConnections) <= room { counts += sharedConnections }
        let titleRoom = max(room - canvas.width(counts), min(room, 12))
        let run = canvas.run(title).middleCut(titleRoom, ellipsis: canvas.ellipsis)
        let end = canvas.draw(run, row: line, column: start, limit: room, role: .title)
        canvas.drawCut(counts, row: line, column: end, limit: start + room - end, role: .plain)
    }

    private func drawNumber(_ text: SafeText, _ column: TableColumns.Column, line: Int, on canvas: inout Canvas) {
        let run = canvas.run(text).prefix(column.width)
        canvas.draw(run, row: line, column: column.end - run.width, role: .title)
    }

    /// The number of rows, and of the rows in each existing state.
    private func counts(in set: GlyphSet) -> SafeText {
        let totals = group.totals
        func part(_ count: Int32, _ state: RowState) -> SafeText {
            count == 0 ? "" : Glyphs.state(state, in: set) + SafeText(count)
        }
        let limit = model.rows.query.grouping == .host ? "/" + SafeText(model.options.limits.perHost) : ""
        let running = part(totals.running, .running)
        return [
            columns.sharesMarkCell ? SafeText(totals.count) : CountLabels.tasks(totals.count),
            running.isEmpty ? "" : running + limit, part(totals.failed, .failed),
            part(totals.retrying, .retrying), part(totals.queued, .queued),
            part(totals.verifying, .verifying), part(totals.saving, .saving),
            part(totals.paused, .paused), part(totals.done, .done), part(totals.cancelled, .cancelled),
        ].joined(by: " ")
    }

    private var sharedConnections: SafeText {
        guard let words = connections?.words, !words.isEmpty else { return "" }
        return ", " + words
    }
}
