/// How far a row is, in eighths of a cell.
///
/// It changes only when an eighth changes, and is full only when the last byte is there.
struct GaugeView {
    let row: RowSnapshot

    func draw(line: Int, column: TableColumns.Column, on canvas: inout Canvas) {
        let limit = column.width
        let whole = row.state == .done ? row.moved : row.expected
        guard let whole, whole > 0 || row.state == .done else {
            if row.state == .running || row.moved > 0 {
                canvas.draw("░" * limit, row: line, column: column.start, limit: limit, role: .gaugeEmpty)
            }
            return
        }
        switch canvas.capabilities.glyphs {
        case .ascii: drawPlain(whole: whole, line: line, column: column, on: &canvas)
        case .blocks, .braille: drawBlocks(whole: whole, line: line, column: column, on: &canvas)
        }
    }

    private func drawBlocks(whole: Int64, line: Int, column: TableColumns.Column, on canvas: inout Canvas) {
        var eighths = GaugeView.steps(row.moved, of: whole, count: column.width * 8)
        if !canvas.capabilities.hasEighths { eighths = eighths / 4 * 4 }
        let text = SafeText("█") * (eighths / 8) + Glyphs.eighths[eighths % 8]
        canvas.draw(text, row: line, column: column.start, limit: column.width, role: .gaugeFill)
    }

    private func drawPlain(whole: Int64, line: Int, column: TableColumns.Column, on canvas: inout Canvas) {
        let room = max(column.width - 2, 0)
        let full = GaugeView.steps(row.moved, of: whole, count: room)
        let text = "[" + SafeText("#") * full + SafeText("-") * (room - full) + "]"
        canvas.draw(text, row: line, column: column.start, limit: column.width, role: .gaugeFill)
    }

    /// Steps of so many that are done; all of them only when nothing is missing.
    static func steps(_ part: Int64, of whole: Int64, count: Int) -> Int {
        guard count > 0 else { return 0 }
        if part >= whole { return count }
        return min(Int(Double(max(part, 0)) / Double(whole) * Double(count)), count - 1)
    }
}
