/// The question before failed and cancelled rows leave the list: it says how many of each there are.
struct ClearDialogView {
    let model: Model
    let dialog: ClearDialog

    func panel(in canvas: Canvas) -> Panel {
        let counts = [RowState.done, .failed, .cancelled].compactMap { state -> SafeText? in
            let count = model.rows.counts[nil, state]
            return count > 0 ? SafeText(count) + " " + RowView.word(of: state) : nil
        }
        var lines = [
            Panel.Line(spans: [Panel.Span(text: " Out of the list: " + counts.joined(by: ", ") + ".")]),
            Panel.Line(spans: [Panel.Span(text: " Files and partial files stay.")]), Panel.Line(),
        ]
        let buttons = OverlayView.buttons(["No", "Clear"], selected: dialog.button.rawValue, in: canvas)
        let focus = lines.count + (buttons.count > 1 ? dialog.button.rawValue : 0)
        lines += buttons
        return Panel(
            title: "Clear " + Model.tasks(dialog.ids.count) + "?", lines: lines,
            hints: OverlayView.hints(.clearDialog), focus: focus)
    }
}
