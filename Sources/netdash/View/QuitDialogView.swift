/// The question before the program leaves while transfers are live: it says what could go on next time.
struct QuitDialogView {
    let model: Model
    let dialog: QuitDialog

    func panel(in canvas: Canvas) -> Panel {
        let live = model.rows.all.filter(\.state.isLive)
        let resumable = live.filter { $0.canResume || $0.moved == 0 }.count
        let lost = live.count - resumable
        let next: SafeText = model.isSaved ? "next time" : "when added again"
        var texts: [SafeText] = [
            model.isSaved ? " Save and quit: go on next time." : " This list is not saved; partial files are kept."
        ]
        if resumable > 0 { texts.append(" " + Model.tasks(resumable) + " can go on " + next + ".") }
        if lost > 0 { texts.append(" " + Model.tasks(lost) + " would start again.") }
        var lines = texts.map { Panel.Line(spans: [Panel.Span(text: $0)]) } + [Panel.Line()]
        let buttons = OverlayView.buttons(
            ["Stay", "Save and quit", "Quit now"], selected: dialog.button.rawValue, in: canvas)
        let focus = lines.count + (buttons.count > 1 ? dialog.button.rawValue : 0)
        lines += buttons
        let count = SafeText(live.count) + (live.count == 1 ? " transfer is" : " transfers are")
        return Panel(
            title: count + " under way", lines: lines, hints: OverlayView.hints(.quitDialog), focus: focus,
            contentWidth: 46)
    }
}
