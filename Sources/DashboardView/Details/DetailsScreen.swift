import Dashboard

/// One transfer's details on the full screen.
struct DetailsScreen {
    let model: Model
    let row: RowSnapshot

    func draw(on canvas: inout Canvas) {
        let height = canvas.size.rows
        let hasFooter = height >= 4
        let hasTabs = height >= 6
        drawTitle(on: &canvas)
        if hasTabs { drawTabs(on: &canvas) }
        let rows = ScreenLayout.detailsRows(height: height)
        if !rows.isEmpty {
            let lines = DetailsContent(model: model, row: row).lines(of: model.details.tab)
            let top = min(model.details.top, max(lines.count - 1, 0))
            let columns = 1..<max(canvas.size.columns - 1, 1)
            DetailsLines.draw(
                lines, rows: rows, columns: columns, from: top, left: model.details.left, search: model.details.search,
                saysMore: true, on: &canvas)
            if model.details.tab == .graph {
                TaskGraphView(model: model, row: row).draw(rows: rows, columns: columns, on: &canvas)
            }
        }
        guard hasFooter else {
            if height > 1, let toast = model.toasts.current ?? model.tourLine {
                ToastView.draw(toast, row: 0, on: &canvas)
            }
            return
        }
        FooterView(model: model, screen: .details).draw(row: height - 1, on: &canvas)
        // The tour's line does not move; messages appear above it.
        if let tour = model.tourLine { ToastView.draw(tour, row: height - 2, on: &canvas) }
        if let toast = model.toasts.current {
            let isBelow = model.tourLine == nil || height < 6
            ToastView.draw(toast, row: height - (isBelow ? 2 : 3), on: &canvas)
        }
    }

    /// Draws the parts' names, and at the end the search.
    private func drawTabs(on canvas: inout Canvas) {
        let end = DetailsLines.drawTabs(model.details.tab, row: 1, on: &canvas)
        guard let search = model.details.search else { return }
        let ordinal = search.match.map { PaneLabels.match($0.ordinal, of: $0.count) } ?? ""
        let text = canvas.run([PaneLabels.search(SafeText(untrusted: search.text.text)), ordinal].joined(by: " ")).cut(
            max(canvas.size.columns - end - 3, 0), ellipsis: canvas.ellipsis)
        canvas.draw(text, row: 1, column: canvas.size.columns - 1 - text.width, role: .filter)
    }

    private func drawTitle(on canvas: inout Canvas) {
        let set = canvas.capabilities.glyphs
        let marks = " " + Glyphs.state(row.state, in: set) + " " + Glyphs.kind(row.kind, in: set) + " "
        let column = canvas.draw(marks, row: 0, column: 0, role: RowView.role(of: row.state))
        let percent = PercentText.percent(model.rates.shownBytes(of: row.figures), of: row.expected) ?? ""
        let speed = model.rates.speed(of: row.id).map { SizeText.rate($0, units: model.units) } ?? ""
        let tail = [model.plainStateWord(of: row.figures), percent, speed].joined(by: " · ")
        let tailWidth = canvas.size.columns >= 40 ? canvas.width(tail) + 2 : 0
        let room = max(canvas.size.columns - column - tailWidth - 1, 0)
        canvas.draw(
            canvas.run(row.name).middleCut(room, ellipsis: canvas.ellipsis), row: 0, column: column, limit: room,
            role: .title)
        if tailWidth > 0 { canvas.drawRight(tail, row: 0, end: canvas.size.columns - 1, role: .header) }
    }
}

/// The selected row's details beside the list.
struct DetailsPaneView {
    let model: Model

    func draw(lines: Range<Int>, on canvas: inout Canvas) {
        guard !lines.isEmpty, let row = model.current else { return }
        let content = DetailsContent(model: model, row: row)
        let columns = canvas.size.columns
        guard lines.count >= 8, columns >= 60 else {
            DetailsLines.draw(
                DetailLineList(content.brief), rows: lines, columns: 1..<max(columns - 1, 1), saysMore: true,
                on: &canvas)
            return
        }
        let isWide = columns >= DetailsContent.widthOfTwoParts
        let split = isWide ? columns / 2 : columns - 1
        let tab = model.details.tab
        DetailsLines.drawTabs(tab, row: lines.lowerBound, on: &canvas)
        drawHint(row: lines.lowerBound, on: &canvas)
        let lines = (lines.lowerBound + 1)..<lines.upperBound
        if tab == .graph {
            TaskGraphView(model: model, row: row).draw(rows: lines, columns: 1..<columns - 1, on: &canvas)
        }
        guard isWide, tab == .overview else {
            DetailsLines.draw(
                content.lines(of: tab), rows: lines, columns: 1..<max(columns - 1, 1), saysMore: true, on: &canvas)
            return
        }
        DetailsLines.draw(content.lines(of: tab), rows: lines, columns: 1..<split - 1, saysMore: true, on: &canvas)
        for line in lines { canvas.draw("│", row: line, column: split, role: .rule) }
        DetailsLines.draw(
            DetailLineList(content.phases), rows: lines, columns: (split + 2)..<(columns - 1), on: &canvas)
    }

    private func drawHint(row: Int, on canvas: inout Canvas) {
        guard canvas.size.columns >= 100 else { return }
        let keys = model.keys
        let hints =
            PaneHints.keys(keys.key(of: .previousPart), keys.key(of: .nextPart), keys.key(of: .details))
        canvas.drawRight(hints, row: row, end: canvas.size.columns - 1, role: .dim)
    }
}
