/// The selected row's details beside the list.
struct DetailsPaneView {
    let model: Model

    func draw(lines: Range<Int>, on canvas: inout Canvas) {
        guard !lines.isEmpty, let row = model.current else { return }
        let content = DetailsContent(model: model, row: row)
        let columns = canvas.size.columns
        guard lines.count >= 8, columns >= 60 else {
            DetailsLines.draw(content.brief, rows: lines, columns: 1..<max(columns - 1, 1), on: &canvas)
            return
        }
        let isWide = columns >= 140
        let split = isWide ? columns / 2 : columns - 1
        let tab = model.details.tab
        DetailsLines.drawTabs(tab, row: lines.lowerBound, on: &canvas)
        drawHint(row: lines.lowerBound, on: &canvas)
        let lines = (lines.lowerBound + 1)..<lines.upperBound
        guard isWide, tab == .overview else {
            DetailsLines.draw(content.lines(of: tab), rows: lines, columns: 1..<max(columns - 1, 1), on: &canvas)
            return
        }
        DetailsLines.draw(content.lines(of: tab), rows: lines, columns: 1..<split - 1, on: &canvas)
        for line in lines { canvas.draw("│", row: line, column: split, role: .rule) }
        DetailsLines.draw(content.phases, rows: lines, columns: (split + 2)..<(columns - 1), on: &canvas)
    }

    private func drawHint(row: Int, on canvas: inout Canvas) {
        guard canvas.size.columns >= 100 else { return }
        let keys = model.keys
        let hints =
            keys.key(of: "previous-part") + " " + keys.key(of: "next-part") + " switch · " + keys.key(of: "details")
            + " full screen"
        canvas.drawRight(hints, row: row, end: canvas.size.columns - 1, role: .dim)
    }
}
