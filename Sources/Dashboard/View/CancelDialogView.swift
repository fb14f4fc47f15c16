/// The question before transfers are cancelled: it names them and what is lost.
struct CancelDialogView {
    /// Transfers named one by one; further ones are counted.
    static let namedLimit = 8

    let model: Model
    let dialog: CancelDialog

    func panel(in canvas: Canvas) -> Panel {
        let rows = dialog.ids.compactMap { model.rows[$0] }
        let buttons = OverlayView.buttons(
            ["No", "Cancel, keep partial files", "Cancel and delete"], selected: dialog.button.rawValue, in: canvas)
        let room = min(max(canvas.size.rows - buttons.count - 4, 1), CancelDialogView.namedLimit)
        let named = rows.dropFirst(min(dialog.top, max(rows.count - room, 0))).prefix(room)
        var lines = named.map { line(for: $0, in: canvas) }
        // Where there is hardly room the title says how many there are, and a name says more than that again.
        let isTiny = canvas.size.rows < 8
        if rows.count > named.count, !isTiny {
            lines.append(Panel.Line(spans: [Panel.Span(text: "… " + Model.tasks(rows.count) + " in all", role: .dim)]))
        }
        if !isTiny { lines.append(Panel.Line()) }
        let focus = lines.count + (buttons.count > 1 ? dialog.button.rawValue : 0)
        lines += buttons
        return Panel(
            title: "Cancel " + Model.tasks(dialog.ids.count) + "?", lines: lines,
            hints: OverlayView.hints(.cancelDialog), focus: focus)
    }

    private func line(for row: RowSnapshot, in canvas: Canvas) -> Panel.Line {
        let width = min(canvas.size.columns - 6, 70)
        let percent = PercentText.whole(model.rates.shownBytes(of: row), of: row.expected) ?? "-"
        let amount =
            SizeText.short(model.rates.shownBytes(of: row), units: model.units)
            + (row.expected.map { " of " + SizeText.short($0, units: model.units) } ?? "")
        let loss: SafeText = row.canResume ? "can resume" : row.moved > 0 ? "starts again" : RowView.word(of: row.state)
        let tail = width >= 56 ? "  " + percent + "  " + amount + "  " + loss : " " + percent
        let room = max(width - canvas.width(tail) - 1, 4)
        let name = row.name.middleCut(room, in: canvas)
        let space = SafeText(" ") * (width - canvas.width(name) - canvas.width(tail) - 1)
        return Panel.Line(spans: [Panel.Span(text: " " + name), Panel.Span(text: space + tail, role: .dim)])
    }
}
