/// The question before failed and cancelled rows leave the list.
struct ClearDialogView {
    let dialog: ClearDialog

    func panel(in canvas: Canvas) -> Panel {
        var lines = [
            Panel.Line(spans: [Panel.Span(text: " Failed and cancelled tasks leave the list too.")]),
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
