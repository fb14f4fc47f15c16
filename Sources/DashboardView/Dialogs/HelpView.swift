import Dashboard

/// The keys of a screen, its own first, then those that work everywhere; from the key table.
struct HelpView {
    let help: HelpState
    let keys: KeyBindings

    func panel(in canvas: Canvas) -> Panel {
        let columns = canvas.size.columns
        let isPaired = columns >= 100
        let width = isPaired ? (columns - 6) / 2 : max(columns - 4, 1)
        let items = lines(width: width, in: canvas)
        var rows: [[Panel.Span]] = []
        if isPaired {
            let half = (items.count + 1) / 2
            for index in 0..<half {
                var spans = items[index]
                if half + index < items.count {
                    let used = spans.reduce(0) { $0 + canvas.width($1.text) }
                    spans.append(Panel.Span(text: SafeText(" ") * (width + 2 - used)))
                    spans += items[half + index]
                }
                rows.append(spans)
            }
        } else {
            rows = items
        }
        let height = max(canvas.size.rows - (help.filter.isEmpty ? 2 : 3), 1)
        let top = min(help.top, max(rows.count - height, 0))
        var lines = rows.dropFirst(top).prefix(height).map { Panel.Line(spans: $0) }
        if !help.filter.isEmpty {
            lines.insert(
                Panel.Line(spans: [Panel.Span(text: "/ ", role: .footerKey)], field: help.filter, fieldHasFocus: true),
                at: 0)
        }
        var hints = OverlayView.hints(.help)
        hints.items.append(.init(text: "type to filter", rank: 2))
        let last = min(top + height, rows.count)
        let place: SafeText =
            rows.count > height ? " · " + SafeText(top + 1) + "-" + SafeText(last) + " of " + SafeText(rows.count) : ""
        return Panel(title: "Help: " + help.screen.title + place, lines: lines, hints: hints, fillsScreen: true)
    }

    private func lines(width: Int, in canvas: Canvas) -> [[Panel.Span]] {
        let all = keys.commands(on: help.screen)
        let commands = all.filter { !KeyReference.isGlobal($0) } + all.filter(KeyReference.isGlobal)
        let keyWidth = width >= 60 ? 22 : width >= 30 ? 14 : 7
        return commands.filter(isWanted).flatMap { command -> [[Panel.Span]] in
            let keys = canvas.run(KeyName.text(command.keys(on: help.screen))).width
            let text = KeyName.text(command.keys(on: help.screen)).cut(keyWidth - 1, in: canvas)
            let space = SafeText(" ") * (keyWidth - min(keys, keyWidth - 1))
            return command.help.wrapped(max(width - keyWidth, 1), in: canvas).enumerated().map { index, help in
                [
                    Panel.Span(text: index == 0 ? text + space : SafeText(" ") * keyWidth, role: .footerKey),
                    Panel.Span(text: help, role: .help),
                ]
            }
        }
    }

    private func isWanted(_ command: Command) -> Bool {
        guard !help.filter.isEmpty else { return true }
        let needle = help.filter.text.lowercased()
        let keys = KeyName.text(command.keys(on: help.screen)).string
        return command.help.string.lowercased().contains(needle) || keys.lowercased().contains(needle)
    }
}

/// The log of events, newest last.
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
            lines: lines.isEmpty ? [Panel.Line(spans: [Panel.Span(text: "No events yet", role: .dim)])] : lines,
            hints: OverlayView.hints(.eventLog), focus: max(lines.count - 1, 0), fillsScreen: true)
    }
}
