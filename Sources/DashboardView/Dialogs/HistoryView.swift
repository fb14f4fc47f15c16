import Dashboard

/// The ended tasks of all runs, newest first, with the sums of each day, and the question before some are forgotten.
struct HistoryView {
    /// The minimum rows for a question below the list; in lower windows the title asks it.
    private static let roomy = 8
    /// The minimum cells of a line for sizes and hosts.
    private static let wide = 50
    /// The minimum cells of a line for rates too.
    private static let wider = 90

    let model: Model
    let state: HistoryState
    /// The filter while it is being typed; nil for the accepted one.
    var typed: String?
    /// The fault of the filter as a sentence.
    var problem: SafeText?

    func panel(in canvas: Canvas) -> Panel {
        let filter = typed ?? state.filter
        let items =
            typed.map { typed in state.page.map { HistoryState.items(of: $0, filter: typed) } ?? [] }
            ?? state.items
        let height = max(canvas.size.rows - 2, 1)
        let position = typed == nil ? state.position ?? 0 : 0
        // Only lines near the window are made, with one more so that the frame shows that the list continues.
        let first = max(position - height, 0)
        let numbers = Self.numbers(of: items)
        var lines = items.indices.dropFirst(first).prefix(height + 2).map { index in
            line(items[index], numbers[index], isHighlighted: typed == nil && index == position, in: canvas)
        }
        var focus = position - first
        if lines.isEmpty, state.problem == nil { lines = [Panel.Line(nothing(filter), role: .dim)] }
        let question = typed == nil ? state.question.map { self.question($0) } : nil
        let asksInTitle = question != nil && canvas.size.rows < Self.roomy
        let sentences = [state.problem, problem, asksInTitle ? nil : question].compactMap(\.self)
        if !sentences.isEmpty {
            let told = sentences.flatMap { $0.wrapped(canvas.size.columns - 4, in: canvas) }
            // The sentences follow the highlighted line, so that both are on the screen.
            lines = lines.prefix(max(focus + 1, height - told.count)) + told.map { Panel.Line($0, role: .error) }
            focus = lines.count - 1
        }
        return Panel(
            title: asksInTitle ? question ?? title(filter) : title(filter), lines: lines,
            hints: PanelHints(of: .history, model), focus: focus, fillsScreen: true)
    }

    /// The number of each task among the lines; nil for a day.
    private static func numbers(of items: [HistoryState.Item]) -> [Int?] {
        var count = 0
        return items.map { item in
            guard item.entry != nil else { return nil }
            count += 1
            return count - 1
        }
    }

    private func title(_ filter: String) -> SafeText {
        filter.isEmpty ? DialogLabels.history : DialogLabels.history(SafeText(untrusted: filter))
    }

    private func question(_ question: HistoryState.Question) -> SafeText {
        Questions.forget(question == .shown ? state.count : 1)
    }

    private func nothing(_ filter: String) -> SafeText {
        if state.page == nil { return DialogLabels.readingHistory }
        return filter.isEmpty ? DialogLabels.noHistory : DialogLabels.noMatchingHistory
    }

    private func line(
        _ item: HistoryState.Item, _ number: Int?, isHighlighted: Bool, in canvas: Canvas
    ) -> Panel.Line {
        switch item {
        case .day(let day):
            let sum = DialogLabels.day(day.day, day.count, SizeText.long(day.bytes, units: model.units))
            let failures = day.failures > 0 ? [DialogLabels.failed(day.failures)] : []
            return Panel.Line(([sum] + failures).joined(by: ", "), role: .header)
        case .end(let line):
            let failed = line.entry.outcome == .failed
            let role: Role = isHighlighted ? .dialogButtonSelected : failed ? .error : .dialogText
            return Panel.Line(spans: [Panel.Span(text: text(of: line, in: canvas), role: role)], choice: number)
        }
    }

    private func text(of line: HistoryLine, in canvas: Canvas) -> SafeText {
        let entry = line.entry
        let room = canvas.size.columns - 4
        let isWide = room >= Self.wide
        var text = line.time + "  " + padded(entry.outcome.state.word, isWide ? 9 : 4, in: canvas) + "  "
        if isWide { text += padded(SizeText.short(entry.bytes, units: model.units), 5, in: canvas) + "  " }
        if room >= Self.wider {
            let rate = entry.rate.map { SizeText.rate($0, units: model.units) } ?? "-"
            text += padded(rate, 9, in: canvas) + "  "
        }
        text += entry.name
        if isWide, !entry.host.isEmpty { text += "  " + entry.host }
        if let reason = entry.reason { text += "  " + reason }
        return text
    }

    private func padded(_ text: SafeText, _ width: Int, in canvas: Canvas) -> SafeText {
        text + SafeText(" ") * max(width - canvas.width(text), 0)
    }
}
