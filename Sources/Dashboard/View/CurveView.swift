/// The last seconds' speeds as curves, one column a second.
struct CurveView {
    let model: Model

    /// Both directions in one line, with their peaks.
    func drawLine(row: Int, on canvas: inout Canvas) {
        let columns = canvas.size.columns
        guard columns >= 60, !model.rates.downHistory.isEmpty else { return }
        let isPlain = canvas.capabilities.glyphs == .ascii
        let room = columns - 30
        let downRoom = min(room * 3 / 5, 60)
        let upRoom = min(room - downRoom, 40)
        var column = draw(
            isPlain ? "v" : "↓", model.rates.downHistory, peak: model.rates.peakDown, width: downRoom, row: row,
            column: 1,
            role: .rateDown, on: &canvas)
        column = canvas.draw(" │ ", row: row, column: column, role: .dim)
        column = draw(
            isPlain ? "^" : "↑", model.rates.upHistory, peak: model.rates.peakUp, width: upRoom, row: row,
            column: column,
            role: .rateUp, on: &canvas)
        let seconds = min(max(downRoom, upRoom), model.rates.downHistory.count)
        canvas.draw(" │ " + SafeText(seconds) + " s", row: row, column: column, role: .dim)
    }

    /// All directions together, in what the header leaves free.
    func drawCorner(row: Int, after column: Int, on canvas: inout Canvas) {
        let room = min(canvas.size.columns - column - 1, 12)
        guard room >= 6, canvas.size.columns >= 80, !model.rates.downHistory.isEmpty else { return }
        let sums = zip(model.rates.downHistory, model.rates.upHistory).map { $0 + $1 }
        let text = Self.curve(sums, width: room, peak: sums.max() ?? 0, in: canvas.capabilities.glyphs)
        canvas.drawRight(text, row: row, end: canvas.size.columns - 1, role: .rateDown)
    }

    private func draw(
        _ arrow: SafeText, _ values: [Double], peak: Double, width: Int, row: Int, column: Int, role: Role,
        on canvas: inout Canvas
    ) -> Int {
        let text = Self.curve(values, width: width, peak: peak, in: canvas.capabilities.glyphs)
        let next = canvas.draw(arrow + " ", row: row, column: column, role: role)
        let end = canvas.draw(text, row: row, column: next, role: role)
        return canvas.draw(
            "  " + SizeText.rateWithoutUnit(peak, units: model.units), row: row, column: end, role: .dim)
    }

    /// A curve as text.
    static func curve(_ values: [Double], width: Int, peak: Double, in set: GlyphSet) -> SafeText {
        let steps = Glyphs.curve(in: set)
        var text = SafeText.empty
        for value in values.suffix(max(width, 0)) {
            let level = peak > 0 ? Int(value / peak * Double(steps.count)) : 0
            text += steps[min(max(level, 0), steps.count - 1)]
        }
        return text
    }
}
