/// What happened so far, newest last.
struct EventLogView {
    let model: Model
    /// Lines scrolled up from the end.
    let top: Int

    func panel(in canvas: Canvas) -> Panel {
        let start = model.startedAt ?? 0
        let events = model.toasts.events.dropLast(top).suffix(max(canvas.size.rows, 1))
        let lines = events.flatMap { event -> [Panel.Line] in
            let hasTime = canvas.size.columns >= 40
            let time = hasTime ? DurationText.uptime(milliseconds: event.time - start) + "  " : ""
            let width = canvas.width(time)
            // What has gone wrong is worth reading to its end, where that leaves room for others.
            let isTall = canvas.size.rows >= 8
            let texts = isTall ? event.text.wrapped(canvas.size.columns - 4 - width, in: canvas) : [event.text]
            return texts.enumerated().map { index, text in
                Panel.Line(spans: [
                    Panel.Span(text: index == 0 ? time : SafeText(" ") * width, role: .dim),
                    Panel.Span(text: text, role: event.isError ? .error : .dialogText),
                ])
            }
        }
        return Panel(
            title: "Event log",
            lines: lines.isEmpty ? [Panel.Line(spans: [Panel.Span(text: "Nothing happened yet", role: .dim)])] : lines,
            hints: OverlayView.hints(.eventLog), focus: max(lines.count - 1, 0), fillsScreen: true)
    }
}
