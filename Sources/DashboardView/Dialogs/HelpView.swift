import Dashboard

/// The keys of a screen by purpose, from the key table, and the meaning of the table's signs.
struct HelpView {
    let model: Model
    let help: HelpState

    /// The lines of a box that leaves the table visible.
    private static let smallHeight = 18

    func panel(in canvas: Canvas) -> Panel {
        let columns = canvas.size.columns
        let isPaired = columns >= 100 && !isSmall(canvas)
        let width = isPaired ? (columns - 6) / 2 : max((isSmall(canvas) ? 90 : columns) - 4, 1)
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
        let room = isSmall(canvas) ? min(canvas.size.rows, Self.smallHeight) : canvas.size.rows
        let height = max(room - (help.filter.isEmpty ? 2 : 3), 1)
        let top = min(help.top, max(rows.count - height, 0))
        var lines = rows.dropFirst(top).prefix(height).map { Panel.Line(spans: $0) }
        if !help.filter.isEmpty {
            lines.insert(
                Panel.Line(spans: [Panel.Span(text: "/ ", role: .footerKey)], field: help.filter, fieldHasFocus: true),
                at: 0)
        }
        var hints = PanelHints(of: model)
        hints.items.append(.init(text: HelpLines.typeToFilter, rank: 2))
        let last = min(top + height, rows.count)
        let screen = ScreenLabels.title(of: help.screen)
        let title =
            rows.count > height
            ? HelpLines.title(screen, top + 1, last, of: rows.count) : HelpLines.title(screen)
        return Panel(
            title: title, lines: lines, hints: hints, fillsScreen: !isSmall(canvas))
    }

    /// Whether the box leaves the table visible: only the filter's, which is about the table.
    private func isSmall(_ canvas: Canvas) -> Bool { help.screen == .filterPrompt && canvas.size.columns >= 100 }

    private func lines(width: Int, in canvas: Canvas) -> [[Panel.Span]] {
        let keyWidth = width >= 60 ? 22 : width >= 30 ? 14 : 7
        let sections = sections(in: canvas.capabilities.glyphs).map { section in
            (title: section.title, entries: section.entries.filter(isWanted))
        }
        return sections.filter { !$0.entries.isEmpty }.enumerated().flatMap { index, section -> [[Panel.Span]] in
            let gap: [[Panel.Span]] = index == 0 ? [] : [[]]
            return gap + [[Panel.Span(text: section.title, role: .title)]]
                + section.entries.flatMap { lines(of: $0, keyWidth: keyWidth, width: width, in: canvas) }
        }
    }

    private func lines(of entry: Entry, keyWidth: Int, width: Int, in canvas: Canvas) -> [[Panel.Span]] {
        let keys = canvas.width(entry.keys)
        let text = entry.keys.cut(keyWidth - 1, in: canvas)
        let space = SafeText(" ") * (keyWidth - min(keys, keyWidth - 1))
        return entry.help.wrapped(max(width - keyWidth, 1), in: canvas).enumerated().map { index, help in
            [
                Panel.Span(text: index == 0 ? text + space : SafeText(" ") * keyWidth, role: .footerKey),
                Panel.Span(text: help, role: .help),
            ]
        }
    }

    private func isWanted(_ entry: Entry) -> Bool {
        let needle = help.filter.text.lowercased()
        return help.filter.isEmpty || entry.help.string.lowercased().contains(needle)
            || entry.keys.string.lowercased().contains(needle)
    }

    // MARK: - Text

    /// A key or sign on the left, and its meaning.
    private struct Entry {
        var keys: SafeText
        var help: SafeText
    }

    private func sections(in glyphs: GlyphSet) -> [(title: SafeText, entries: [Entry])] {
        let keys = model.keys
        let commands = keys.allCommands(on: help.screen)
        func entries(_ commands: [Command]) -> [Entry] {
            commands.map { Entry(keys: keys.text(of: $0, on: help.screen), help: $0.help) }
        }
        // The list has most commands, so that their purposes say more than that they are its own.
        let first = help.screen == .list ? [] : commands.filter(\.isOfOneScreen)
        let others = help.screen == .list ? commands : commands.filter { !$0.isOfOneScreen }
        let own =
            [(title: HelpLines.ownKeys(ScreenLabels.title(of: help.screen)), entries: entries(first))]
            + keys.purposes.map { purpose in
                (title: purpose, entries: entries(others.filter { $0.purpose == purpose }))
            }
        switch help.screen {
        case .filterPrompt:
            let rows = FilterReference.rows.map { Entry(keys: $0.form, help: $0.meaning) }
            return [(title: HelpLines.filterSyntax, entries: rows)] + own
        case .list, .details: return own + [(title: HelpLines.signs, entries: signs(in: glyphs))]
        default: return own
        }
    }

    /// The legend of the signs before a name.
    private func signs(in glyphs: GlyphSet) -> [Entry] {
        let states = RowState.allCases.filter { $0 != .pausing }
            .map { Entry(keys: Glyphs.state($0, in: glyphs), help: Self.meaning(of: $0)) }
        let kinds = Job.Kind.allCases.map { kind in
            Entry(keys: Glyphs.kind(kind, in: glyphs), help: Self.meaning(of: kind))
        }
        let standings = [Resumability.yes, .unknown, .no].map { standing in
            Entry(keys: ResumeStates.word(standing), help: Self.meaning(of: standing))
        }
        let gauges = [RowState.running, .paused, .failed, .done].map { state in
            Entry(keys: Glyphs.gauge(state, in: glyphs) * 3, help: Self.meaningOfGauge(state))
        }
        let others = [
            Entry(keys: Glyphs.cursor(in: glyphs), help: HelpLines.cursor),
            Entry(keys: Glyphs.mark(in: glyphs), help: HelpLines.mark),
            Entry(keys: "▾ ▴", help: HelpLines.sorted),
            Entry(keys: "+ -", help: HelpLines.folded),
            Entry(keys: "13G+", help: HelpLines.atLeast),
            Entry(keys: "•", help: HelpLines.possible),
            Entry(keys: SafeText("░") * 3, help: HelpLines.barUnsized),
            Entry(keys: Glyphs.unsaved, help: HelpLines.unsaved),
        ]
        return states + kinds + standings + gauges + others
    }

    private static func meaningOfGauge(_ state: RowState) -> SafeText {
        switch state {
        case .running, .verifying, .saving: HelpLines.barRunning
        case .retrying, .queued, .pausing, .paused, .cancelled: HelpLines.barWaiting
        case .failed: HelpLines.barFailed
        case .done: HelpLines.barDone
        }
    }

    private static func meaning(of standing: Resumability) -> SafeText {
        switch standing {
        case .yes: HelpLines.resumes
        case .unknown: HelpLines.resumeUnknown
        case .no: HelpLines.restarts
        }
    }

    private static func meaning(of state: RowState) -> SafeText {
        switch state {
        case .running: HelpLines.running
        case .retrying: HelpLines.retrying
        case .queued: HelpLines.queued
        case .pausing, .paused: HelpLines.paused
        case .verifying: HelpLines.verifying
        case .saving: HelpLines.saving
        case .failed: HelpLines.failed
        case .done: HelpLines.done
        case .cancelled: HelpLines.cancelled
        }
    }

    private static func meaning(of kind: Job.Kind) -> SafeText {
        switch kind {
        case .data: HelpLines.request
        case .upload: HelpLines.upload
        case .download: HelpLines.download
        }
    }
}
