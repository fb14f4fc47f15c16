import Dashboard

/// A question: its text, the tasks that it names, and its buttons.
struct QuestionView {
    /// The number of transfers named one by one; further ones are counted.
    static let namedLimit = 8
    /// The minimum rows for more than the question itself.
    private static let roomy = 8
    /// The minimum rows for the gap before the buttons of a question without tasks.
    private static let low = 6

    let model: Model
    let question: Question

    func panel(in canvas: Canvas) -> Panel {
        let text = question.text(in: model)
        let isRoomy = canvas.size.rows >= Self.roomy
        let titles = model.buttons.map { $0.buttonWords(in: model) }
        let buttons = OverlayView.buttons(titles, selected: question.button, in: canvas)
        var lines = tasks(text.tasks, beside: buttons.count + text.lines.count, in: canvas)
        let room = canvas.size.columns - (canvas.size.columns < 40 ? 5 : 7)
        var sentences = text.lines.flatMap { isRoomy ? $0.wrapped(room, in: canvas) : [$0] }
            .map { Panel.Line(" " + $0) }
        if isRoomy || text.keepsGap && canvas.size.rows >= Self.low { sentences.append(Panel.Line()) }
        if isRoomy {
            lines += names(text, beside: sentences.count + buttons.count, in: canvas)
        } else if !text.names.isEmpty {
            // Which task it is says more than what becomes of it, and the highlighted button needs a line.
            sentences = sentences.suffix(max(canvas.size.rows - 4, 0))
            lines += names(text, beside: sentences.count + 1, in: canvas)
        }
        lines += sentences
        let focus = lines.count + (buttons.count > 1 ? question.button : 0)
        return Panel(
            title: text.title, lines: lines + buttons, hints: PanelHints(of: model), focus: focus,
            contentWidth: text.width)
    }

    /// The names that fit, at least one; the last one says how many tasks have no line.
    private func names(_ text: QuestionText, beside others: Int, in canvas: Canvas) -> [Panel.Line] {
        let shown = text.names.prefix(max(canvas.size.rows - others - 2, 1))
        let rest = text.count - shown.count
        return shown.enumerated().map { index, name in
            let tail = rest > 0 && index == shown.count - 1 ? " " + QuestionLines.andMore(rest) : ""
            let room = max(min(canvas.size.columns - 7, 60) - canvas.width(tail), 4)
            return Panel.Line(spans: [
                Panel.Span(text: " " + name.middleCut(room, in: canvas)), Panel.Span(text: tail, role: .dim),
            ])
        }
    }

    /// The lines of the tasks that fit, and the total number of tasks.
    private func tasks(_ ids: [UInt64], beside buttons: Int, in canvas: Canvas) -> [Panel.Line] {
        let rows = ids.compactMap { model.rows[$0] }
        let room = min(max(canvas.size.rows - buttons - 4, 1), Self.namedLimit)
        let named = rows.dropFirst(min(question.top, max(rows.count - room, 0))).prefix(room)
        let words = model.distinctions(of: named.map(\.id))
        var lines = named.map { line(for: $0, words[$0.id], in: canvas) }
        // In a very low window the title has the number, and a name says more than repeating it.
        if rows.count > named.count, canvas.size.rows >= Self.roomy {
            lines.append(Panel.Line(DialogLabels.moreTasks(rows.count), role: .dim))
        }
        return lines
    }

    /// - Parameter words: what tells it from tasks of the same name.
    private func line(for row: RowSnapshot, _ words: SafeText?, in canvas: Canvas) -> Panel.Line {
        let width = min(canvas.size.columns - 6, 70)
        let percent = PercentText.percent(model.rates.shownBytes(of: row.figures), of: row.expected) ?? "-"
        let moved = SizeText.short(model.rates.shownBytes(of: row.figures), units: model.units)
        let amount =
            row.expected.map { DialogLabels.share(moved, of: SizeText.short($0, units: model.units)) } ?? moved
        let loss: SafeText =
            switch row.continuation {
            case .yes: DialogLabels.resumable
            case .unknown: DialogLabels.resumeUnsure
            case .no: row.moved > 0 ? DialogLabels.notResumable : row.state.word
            }
        let tail = width >= 56 ? "  " + percent + "  " + amount + "  " + loss : " " + percent
        let room = max(width - canvas.width(tail) - 1, 4)
        let name = [row.name, words ?? ""].joined(by: " ").middleCut(room, in: canvas)
        let space = SafeText(" ") * (width - canvas.width(name) - canvas.width(tail) - 1)
        return Panel.Line(spans: [Panel.Span(text: " " + name), Panel.Span(text: space + tail, role: .dim)])
    }
}
