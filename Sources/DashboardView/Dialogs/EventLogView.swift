import Dashboard

/// The log of events, newest last.
struct EventLogView {
    let model: Model
    let state: EventLogState
    /// The filter while it is being typed; nil for the accepted one.
    var typed: String?
    /// The fault of the filter as a sentence: cut in a narrow prompt, but complete in the log's own lines.
    var problem: SafeText?

    func panel(in canvas: Canvas) -> Panel {
        let filter = typed ?? state.filter
        let entries = model.logEntries(filter: filter)
        let scroll = typed == nil ? state.scroll : 0
        let shown = entries.dropLast(scroll).suffix(max(canvas.size.rows, 1))
        let words = model.distinctions(of: shown.compactMap(\.id))
        let entryLines = shown.map { self.lines(of: $0, $0.id.flatMap { words[$0] }, in: canvas) }
        let lines = entryLines.flatMap(\.self)
        let none: SafeText = filter.isEmpty ? DialogLabels.noEvents : DialogLabels.noMatchingEvents
        let body = lines.isEmpty ? [Panel.Line(spans: [Panel.Span(text: none, role: .dim)])] : lines
        let remarks = problem.map { $0.wrapped(canvas.size.columns - 4, in: canvas) } ?? []
        let all = body + remarks.map { Panel.Line(spans: [Panel.Span(text: $0, role: .error)]) }
        // Of an event longer than the window the beginning is shown, which says whose it is.
        let hidden = remarks.isEmpty ? max((entryLines.last?.count ?? 0) - max(canvas.size.rows - 2, 1), 0) : 0
        return Panel(
            title: filter.isEmpty ? DialogLabels.eventLog : DialogLabels.eventLog(SafeText(untrusted: filter)),
            lines: all,
            hints: PanelHints(of: .eventLog, model), focus: all.count - 1 - hidden, fillsScreen: true)
    }

    /// The lines of an entry, which is shown to its end.
    ///
    /// - Parameter words: what tells its transfer from others of the same name.
    private func lines(of entry: LogEntry, _ words: SafeText?, in canvas: Canvas) -> [Panel.Line] {
        var entry = entry
        if let words { entry.name = [entry.name, words].joined(by: " ") }
        let time: SafeText = canvas.size.columns >= 40 ? clock(entry.time) + "  " : ""
        let width = canvas.width(time)
        let room = canvas.size.columns - 4 - width
        return entry.sentence.wrapped(room, in: canvas).enumerated().map { index, text in
            Panel.Line(spans: [
                Panel.Span(text: index == 0 ? time : SafeText(" ") * width, role: .dim),
                Panel.Span(text: text, role: entry.isError ? .error : .dialogText),
            ])
        }
    }

    /// The time of day, with the seconds; the time since the start if the time of day is unknown.
    private func clock(_ time: Int64) -> SafeText {
        guard let offset = model.dayClock.offset(at: time) else {
            return DurationText.uptime(milliseconds: time - (model.startedAt ?? 0))
        }
        return DurationText.clockTime(milliseconds: time + offset)
    }
}
