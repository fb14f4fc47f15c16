/// The question before the program leaves while transfers are live: it says what could go on next time.
///
/// Leaving keeps whatever can be kept, so there is one button for it; the other one waits for the end.
struct QuitDialogView {
    let model: Model
    let dialog: QuitDialog

    func panel(in canvas: Canvas) -> Panel {
        let live = model.rows.all.filter(\.state.isLive)
        var texts: [SafeText] = model.leavesWhenDone ? [" netdash leaves when they have ended."] : []
        texts += model.keepsParts ? whatIsKept(of: live) : [" Nothing of the demo is kept."]
        var lines = texts.map { Panel.Line(spans: [Panel.Span(text: $0)]) } + [Panel.Line()]
        let buttons = OverlayView.buttons(
            ["Stay", model.isSaved ? "Save and quit" : "Quit now", "Wait, then quit"], selected: dialog.button.rawValue,
            in: canvas)
        let focus = lines.count + (buttons.count > 1 ? dialog.button.rawValue : 0)
        lines += buttons
        // The title is seen at every size.
        let count = SafeText(live.count) + (live.count == 1 ? " transfer" : " transfers")
        let title =
            model.leavesWhenDone ? "Waiting for " + count : count + (live.count == 1 ? " is" : " are") + " under way"
        return Panel(
            title: title, lines: lines, hints: OverlayView.hints(.quitDialog), focus: focus,
            contentWidth: 46)
    }

    private func whatIsKept(of live: [RowFigures]) -> [SafeText] {
        let resumable = live.filter { $0.canResume || $0.moved == 0 }.count
        let lost = live.filter { !$0.canResume && $0.moved > 0 }
        let next: SafeText = model.isSaved ? "next time" : "when added again"
        var texts: [SafeText] = [
            model.isSaved ? " Save and quit: go on next time." : " This list is not saved; partial files are kept."
        ]
        if resumable > 0 { texts.append(" " + Model.tasks(resumable) + " can go on " + next + ".") }
        if !lost.isEmpty { texts.append(" " + Self.kinds(of: lost) + " would start again.") }
        return texts
    }

    /// How many there are of each kind, such as `1 upload and 2 data requests`.
    private static func kinds(of rows: [RowFigures]) -> SafeText {
        let kinds: [(kind: Job.Kind, one: SafeText)] = [
            (.download, "download"), (.upload, "upload"), (.data, "data request"),
        ]
        let parts = kinds.compactMap { kind, one -> SafeText? in
            let count = rows.count { $0.kind == kind }
            return count > 0 ? SafeText(count) + " " + one + (count == 1 ? "" : "s") : nil
        }
        guard let last = parts.last, parts.count > 1 else { return parts.joined(by: "") }
        return parts.dropLast().joined(by: ", ") + " and " + last
    }
}
