/// One transfer's details on the whole screen.
struct DetailsScreen {
    let model: Model
    let row: RowSnapshot

    func draw(on canvas: inout Canvas) {
        let height = canvas.size.rows
        let hasFooter = height >= 4
        let hasTabs = height >= 6
        drawTitle(on: &canvas)
        if hasTabs { DetailsLines.drawTabs(model.details.tab, row: 1, on: &canvas) }
        let start = hasTabs ? (height >= 12 ? 3 : 2) : 1
        let end = hasFooter ? height - 1 : height
        if start < end {
            let lines = DetailsContent(model: model, row: row).lines(of: model.details.tab)
            let top = min(model.details.top, max(lines.count - 1, 0))
            let columns = 1..<max(canvas.size.columns - 1, 1)
            DetailsLines.draw(lines, rows: start..<end, columns: columns, from: top, on: &canvas)
        }
        guard hasFooter else { return }
        FooterView(model: model, screen: .details).draw(row: height - 1, on: &canvas)
        if let toast = model.toasts.current { ToastView.draw(toast, row: height - 2, on: &canvas) }
    }

    private func drawTitle(on canvas: inout Canvas) {
        let set = canvas.capabilities.glyphs
        let marks = " " + Glyphs.state(row.state, in: set) + " " + Glyphs.kind(row.kind, in: set) + " "
        let column = canvas.draw(marks, row: 0, column: 0, role: RowView.role(of: row.state))
        let percent = PercentText.whole(model.rates.shownBytes(of: row), of: row.expected) ?? ""
        let speed = model.rates.speed(of: row.id).map { SizeText.rate($0, units: model.units) } ?? ""
        let tail = [RowView.word(of: row.state), percent, speed].joined(by: " · ")
        let tailWidth = canvas.size.columns >= 40 ? canvas.width(tail) + 2 : 0
        let room = max(canvas.size.columns - column - tailWidth - 1, 0)
        canvas.draw(
            canvas.run(row.name).middleCut(room, ellipsis: canvas.ellipsis), row: 0, column: column, limit: room,
            role: .title)
        if tailWidth > 0 { canvas.drawRight(tail, row: 0, end: canvas.size.columns - 1, role: .header) }
    }
}
