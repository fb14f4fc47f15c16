import Dashboard

/// The table.
///
/// Only visible rows are formatted.
struct TableView {
    let model: Model
    let columns: TableColumns

    /// Draws the line of column titles; an arrow marks the one that the rows are sorted by.
    func drawTitles(row: Int, on canvas: inout Canvas) {
        let sorted = sortedColumn
        for column in columns.columns {
            let title = title(of: column)
            defer { if column == sorted { drawArrow(of: column, title: title, row: row, on: &canvas) } }
            if let order = column.kind.order {
                canvas.addTarget(.order(order), row: row, columns: column.start..<column.end)
            }
            if isRightAligned(column.kind) {
                let end = column.end - (column == sorted ? 1 : 0)
                canvas.drawRight(title, row: row, end: end, role: .columnHeader)
            } else {
                let limit = max(column.width, column.kind == .standing ? title.string.utf8.count : 0)
                canvas.draw(title, row: row, column: column.start, limit: limit, role: .columnHeader)
            }
        }
    }

    /// The column whose title shows the order; the state's word rather than its mark.
    private var sortedColumn: TableColumns.Column? {
        let fitting = columns.columns.filter { $0.kind.order == model.rows.query.order.column }
        return fitting.first { $0.kind == .stateWord } ?? fitting.first
    }

    /// Draws the arrow after a title, or before it if no cell is free.
    private func drawArrow(of column: TableColumns.Column, title: SafeText, row: Int, on canvas: inout Canvas) {
        let next = columns.columns.first { $0.start >= column.end }?.start ?? canvas.size.columns
        let end = isRightAligned(column.kind) ? column.end - 1 : column.start + canvas.width(title)
        let arrow: SafeText = model.rows.query.order.isInverted ? "▴" : "▾"
        canvas.draw(arrow, row: row, column: end < next ? end : column.start - 1, limit: 1, role: .columnHeader)
    }

    /// Draws rows into lines and returns the visible positions.
    func draw(lines: Range<Int>, on canvas: inout Canvas) -> Range<Int> {
        guard !lines.isEmpty else { return 0..<0 }
        guard model.rows.lineCount > 0 else {
            drawEmpty(lines: lines, on: &canvas)
            return 0..<0
        }
        let top = firstPosition(height: lines.count)
        let end = min(top + lines.count, model.rows.lineCount)
        let slots = (top..<end).map { model.rows.slot(at: $0) }
        let rows = RowView(model: model, columns: columns, distinctions: distinctions(of: slots))
        let connections = model.rows.query.grouping == .host ? model.connectionUses : [:]
        let speeds = model.rows.query.grouping == .none ? [:] : GroupContent.speeds(model)
        for position in top..<end {
            if let group = model.rows.group(at: position) {
                let line = lines.lowerBound + position - top
                canvas.addTarget(.group(group.number), row: line, columns: 0..<canvas.size.columns)
                let isSelected = position == model.list.position
                if isSelected { canvas.parkCursor(row: line) }
                GroupView(
                    model: model, group: group, speed: speeds[group.number] ?? 0,
                    connections: connections[group.number], columns: columns
                ).draw(line: line, isSelected: isSelected, on: &canvas)
                continue
            }
            guard let slot = slots[position - top] else { continue }
            let line = lines.lowerBound + position - top
            let id = model.rows.figures[Int(slot)].id
            canvas.addTarget(.row(id), row: line, columns: 0..<canvas.size.columns)
            let isSelected = position == model.list.position
            if isSelected { canvas.parkCursor(row: line) }
            rows.draw(slot: slot, line: line, isSelected: isSelected, on: &canvas)
        }
        return top..<end
    }

    /// What tells visible rows with the same name apart, by slot.
    private func distinctions(of lines: [Int32?]) -> [Int32: SafeText] {
        let slots = lines.compactMap { $0 }
        let hosts = columns.columns.first { $0.kind == .host }?.width ?? 0
        let words = NameDistinction.words(
            of: slots.map { model.rows.name(inSlot: $0) },
            shownHost: model.rows.query.grouping == .host ? .max : hosts
        ) { index in
            let slot = slots[index]
            return NameDistinction.Origin(
                url: model.rows.url(inSlot: slot), host: model.rows.host(inSlot: slot),
                path: model.rows.path(inSlot: slot))
        }
        return Dictionary(uniqueKeysWithValues: words.map { (slots[$0.key], $0.value) })
    }

    /// The first position; the model scrolls for the reported size, which may differ from this one for a moment.
    private func firstPosition(height: Int) -> Int {
        let count = model.rows.lineCount
        let top = min(max(model.list.top, 0), max(count - height, 0))
        return model.list.follows ? ScreenLayout.top(top, showing: model.list.position, height: height) : top
    }

    private func drawEmpty(lines: Range<Int>, on canvas: inout Canvas) {
        let texts: [SafeText]
        if model.rows.query.isFiltering {
            texts = [EmptyLines.noMatch, EmptyLines.clearFilter(model.keys.key(of: .stepBack))]
        } else if model.rows.count > 0 {
            texts = [EmptyLines.noneOfKind, EmptyLines.showAll(model.keys.key(of: .all))]
        } else {
            texts = [EmptyLines.noTasks, EmptyLines.addTask(model.keys.key(of: .add))]
        }
        let indent = canvas.size.columns >= 40 ? 3 : 1
        let skipped = lines.count >= 5 ? 1 : 0
        for (offset, text) in texts.enumerated() where lines.lowerBound + skipped + offset < lines.upperBound {
            let limit = canvas.size.columns - indent - 1
            canvas.drawCut(
                text, row: lines.lowerBound + skipped + offset, column: indent, limit: limit,
                role: offset == 0 ? .plain : .dim)
        }
    }

    private func isRightAligned(_ kind: TableColumns.Kind) -> Bool {
        switch kind {
        case .percent, .done, .size, .speed, .time: true
        case .mark, .state, .kind, .name, .gauge, .standing, .rates, .stateWord, .protocolName, .host: false
        }
    }

    /// The head of a column; signs of one cell that stand before the names have none.
    private func title(of column: TableColumns.Column) -> SafeText {
        switch column.kind {
        case .mark, .state, .kind: ""
        case .name: HeadStates.name
        case .gauge: HeadStates.progress
        case .percent: HeadStates.percent
        case .standing: HeadStates.resume
        case .done: HeadStates.done
        case .size: HeadStates.size
        case .speed: HeadStates.speed
        case .rates: HeadStates.rates
        case .time: model.list.timeColumn.title
        case .stateWord: HeadStates.state
        case .protocolName: HeadStates.version
        case .host: HeadStates.host
        }
    }
}
