/// What happened so far, newest last.
struct EventLogView {
    let model: Model
    /// Lines scrolled up from the end.
    let top: Int

    func panel(in canvas: Canvas) -> Panel {
        let start = model.startedAt ?? 0
        let events = model.toasts.events.dropLast(top).suffix(max(canvas.size.rows, 1))
        let lines = events.map { event in
            Panel.Line(spans: [
                Panel.Span(text: DurationText.uptime(milliseconds: event.time - start) + "  ", role: .dim),
                Panel.Span(text: event.text, role: event.isError ? .error : .dialogText),
            ])
        }
        return Panel(
            title: "Event log",
            lines: lines.isEmpty ? [Panel.Line(spans: [Panel.Span(text: "Nothing happened yet", role: .dim)])] : lines,
            hints: OverlayView.hints(.eventLog), focus: max(lines.count - 1, 0), fillsScreen: true)
    }
}
