import Dashboard

/// The question before transfers are cancelled: it names them and what is lost.
struct CancelDialogView {
    /// Transfers named one by one; further ones are counted.
    static let namedLimit = 8

    let model: Model
    let dialog: CancelDialog

    func panel(in canvas: Canvas) -> Panel {
        let rows = dialog.ids.compactMap { model.rows[$0] }
        let hasParts = model.hasParts(dialog.ids)
        let titles: [SafeText] =
            hasParts
            ? ["No", "Cancel, keep partial files", "Cancel and delete"]
            : ["No", dialog.ids.count == 1 ? "Cancel it" : "Cancel them"]
        let buttons = OverlayView.buttons(titles, selected: dialog.button.rawValue, in: canvas)
        let room = min(max(canvas.size.rows - buttons.count - 4, 1), CancelDialogView.namedLimit)
        let named = rows.dropFirst(min(dialog.top, max(rows.count - room, 0))).prefix(room)
        var lines = named.map { line(for: $0, in: canvas) }
        // Where there is hardly room the title says how many there are, and a name says more than that again.
        let isTiny = canvas.size.rows < 8
        if rows.count > named.count, !isTiny {
            lines.append(
                Panel.Line(spans: [Panel.Span(text: "… " + SafeText.tasks(rows.count) + " in all", role: .dim)]))
        }
        if !isTiny { lines.append(Panel.Line()) }
        let focus = lines.count + (buttons.count > 1 ? dialog.button.rawValue : 0)
        lines += buttons
        return Panel(
            title: "Cancel " + SafeText.tasks(dialog.ids.count) + "?", lines: lines,
            hints: hasParts
                ? OverlayView.hints(.cancelDialog)
                : OverlayView.hints(
                    .cancelDialog, without: .cancelDeletingParts, titles: [.cancelKeepingParts: "cancel"]),
            focus: focus)
    }

    private func line(for row: RowSnapshot, in canvas: Canvas) -> Panel.Line {
        let width = min(canvas.size.columns - 6, 70)
        let percent = PercentText.whole(model.rates.shownBytes(of: row.figures), of: row.expected) ?? "-"
        let amount =
            SizeText.short(model.rates.shownBytes(of: row.figures), units: model.units)
            + (row.expected.map { " of " + SizeText.short($0, units: model.units) } ?? "")
        let loss: SafeText =
            switch row.continuation {
            case .yes: "can resume"
            case .unknown: "may start again"
            case .no: row.moved > 0 ? "starts again" : row.state.word
            }
        let tail = width >= 56 ? "  " + percent + "  " + amount + "  " + loss : " " + percent
        let room = max(width - canvas.width(tail) - 1, 4)
        let name = row.name.middleCut(room, in: canvas)
        let space = SafeText(" ") * (width - canvas.width(name) - canvas.width(tail) - 1)
        return Panel.Line(spans: [Panel.Span(text: " " + name), Panel.Span(text: space + tail, role: .dim)])
    }
}

/// The question before failed and cancelled rows leave the list: it says how many of each there are.
struct ClearDialogView {
    let model: Model
    let dialog: ClearDialog

    func panel(in canvas: Canvas) -> Panel {
        var numbers: [RowState: Int] = [:]
        for id in dialog.ids { if let state = model.rows.figures(of: id)?.state { numbers[state, default: 0] += 1 } }
        let counts = [RowState.done, .failed, .cancelled].compactMap { state -> SafeText? in
            numbers[state].map { SafeText($0) + " " + state.word }
        }
        var lines = [Panel.Line(spans: [Panel.Span(text: " Out of the list: " + counts.joined(by: ", ") + ".")])]
        let hidden = model.rows.counts.ended - dialog.ids.count
        if hidden > 0 {
            let text = " " + SafeText(hidden) + " more that the tab or the filter hides will stay."
            lines.append(Panel.Line(spans: [Panel.Span(text: text)]))
        }
        let left = Leftovers(of: dialog.ids.compactMap { model.rows.figures(of: $0) })
        if left.files + left.parts > 0 {
            let what: SafeText =
                left.parts == 0 ? "Files" : left.files == 0 ? "Partial files" : "Files and partial files"
            lines.append(Panel.Line(spans: [Panel.Span(text: " " + what + " stay.")]))
        }
        lines.append(Panel.Line())
        let buttons = OverlayView.buttons(["No", "Clear"], selected: dialog.button.rawValue, in: canvas)
        let focus = lines.count + (buttons.count > 1 ? dialog.button.rawValue : 0)
        lines += buttons
        return Panel(
            title: "Clear " + SafeText.tasks(dialog.ids.count) + "?", lines: lines,
            hints: OverlayView.hints(.clearDialog), focus: focus)
    }
}

/// The question before the program leaves while transfers are live: it says what could go on next time.
///
/// Leaving keeps whatever can be kept, so there is one button for it; the other one waits for the end.
struct QuitDialogView {
    let model: Model
    let dialog: QuitDialog

    func panel(in canvas: Canvas) -> Panel {
        let live = model.rows.all.filter(\.state.isLive)
        let texts = live.isEmpty ? [" Nothing is interrupted by leaving."] : whatLeavingMeans(for: live)
        var lines = texts.map { Panel.Line(spans: [Panel.Span(text: $0)]) } + [Panel.Line()]
        let buttons = OverlayView.buttons(
            ["Stay", model.isSaved ? "Save and quit" : "Quit now", "Wait, then quit"], selected: dialog.button.rawValue,
            in: canvas)
        let focus = lines.count + (buttons.count > 1 ? dialog.button.rawValue : 0)
        lines += buttons
        // The title is seen at every size.
        return Panel(
            title: title(live.count), lines: lines, hints: OverlayView.hints(.quitDialog), focus: focus,
            contentWidth: 46)
    }

    /// The last transfer may end while the question stands.
    private func title(_ live: Int) -> SafeText {
        guard live > 0 else { return "Everything has ended" }
        let count = SafeText(live) + (live == 1 ? " transfer" : " transfers")
        return model.leavesWhenDone ? "Waiting for " + count : count + (live == 1 ? " is" : " are") + " under way"
    }

    private func whatLeavingMeans(for live: [RowFigures]) -> [SafeText] {
        let waiting: [SafeText] = model.leavesWhenDone ? [" netdash leaves when they have ended."] : []
        return waiting + (model.keepsParts ? whatIsKept(of: live) : [" Nothing of the demo is kept."])
    }

    private func whatIsKept(of live: [RowFigures]) -> [SafeText] {
        let resumable = live.filter { $0.canResume || $0.moved == 0 }.count
        let unsure = live.filter { $0.continuation == .unknown && $0.moved > 0 }
        let lost = live.filter { $0.continuation == .no && $0.moved > 0 }
        let next: SafeText = model.isSaved ? "next time" : "when added again"
        var texts: [SafeText] = [
            model.isSaved ? " Save and quit: go on next time." : " This list is not saved; partial files are kept."
        ]
        if resumable > 0 { texts.append(" " + SafeText.tasks(resumable) + " can go on " + next + ".") }
        if !unsure.isEmpty { texts.append(" " + Self.kinds(of: unsure) + " may start again.") }
        if !lost.isEmpty { texts.append(" " + Self.kinds(of: lost) + " would start again.") }
        return texts
    }

    /// The numbers of each kind in words, such as `1 upload and 2 data requests`.
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
