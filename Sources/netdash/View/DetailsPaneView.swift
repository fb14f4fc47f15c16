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
        DetailsLines.draw(content.lines(of: .overview), rows: lines, columns: 1..<split - 1, on: &canvas)
        guard isWide else { return }
        for line in lines { canvas.draw("│", row: line, column: split, role: .rule) }
        DetailsLines.draw(content.timing, rows: lines, columns: (split + 2)..<(columns - 1), on: &canvas)
    }
}
