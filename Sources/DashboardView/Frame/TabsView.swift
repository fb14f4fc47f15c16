import Dashboard

/// The line of tabs with their counts; at its end the row states, or the filter that hides some rows.
struct TabsView {
    let model: Model

    func draw(row: Int, on canvas: inout Canvas) {
        let end = drawTabs(row: row, on: &canvas)
        let columns = canvas.size.columns
        let room = columns - end - 3
        if model.frozen != nil {
            let text = canvas.run(" frozen: " + model.keys.key(of: .freeze) + " goes on ").cut(
                max(room, 0), ellipsis: canvas.ellipsis)
            canvas.draw(text, row: row, column: columns - 1 - text.width, role: .filter)
            return
        }
        if model.rows.query.isFiltering {
            let text = canvas.run(filterText).cut(max(room, 0), ellipsis: canvas.ellipsis)
            canvas.draw(text, row: row, column: columns - 1 - text.width, role: .filter)
            return
        }
        guard let text = summaries(columns: columns).first(where: { canvas.width($0) <= room }) else { return }
        canvas.drawRight(text, row: row, end: columns - 1, role: .dim)
    }

    private func drawTabs(row: Int, on canvas: inout Canvas) -> Int {
        let isNarrow = canvas.size.columns < 80
        let (open, close) = brackets(canvas)
        var column = 0
        for tab in Tab.allCases {
            let isSelected = tab == model.rows.query.tab
            let count = SafeText(model.rows.counts[tab.kind, nil])
            var text = (isNarrow ? tab.shortTitle : SafeText(tab.rawValue + 1) + " " + tab.title) + " " + count
            if isSelected {
                text = (tab == .all || isNarrow ? " " : "  ") + open + text + close
            } else {
                text = (isNarrow ? " " : "  ") + text
            }
            let start = column
            column = canvas.draw(text, row: row, column: column, role: isSelected ? .tabSelected : .tab)
            canvas.addTarget(.tab(tab), row: row, columns: start..<column)
        }
        return column
    }

    private func brackets(_ canvas: Canvas) -> (SafeText, SafeText) {
        if canvas.capabilities.glyphs == .ascii { return ("<", ">") }
        return canvas.size.columns >= 100 ? ("┃", "┃") : ("[", "]")
    }

    private var filterText: SafeText {
        let query = model.rows.query
        let states = RowState.allCases.filter { query.states.contains($0) }
            .map { SafeText(untrusted: $0.rawValue) }.joined(by: " ")
        let text = query.filter.isEmpty ? "" : "filter \"" + SafeText(untrusted: query.filter) + "\""
        let total = model.rows.counts[query.tab.kind, nil]
        return [text, states].joined(by: " ") + " " + SafeText(model.rows.shownCount) + "/" + SafeText(total)
    }

    /// The counts of states, each variant in fewer words.
    private func summaries(columns: Int) -> [SafeText] {
        func part(_ word: SafeText, _ states: RowState...) -> SafeText {
            let count = states.reduce(0) { $0 + model.rows.counts[nil, $1] }
            return count == 0 ? "" : word + " " + SafeText(count)
        }
        let running = part("run", .running)
        let waiting = part("wait", .queued, .retrying, .verifying, .saving)
        let failed = part("fail", .failed)
        let done = part("done", .done)
        var result: [SafeText] = []
        if columns >= 100 {
            result.append(
                [
                    part("running", .running), part("retrying", .retrying), part("queued", .queued),
                    part("paused", .pausing, .paused), part("verifying", .verifying), part("saving", .saving),
                    part("failed", .failed),
                    part("done", .done), part("cancelled", .cancelled),
                ].joined(by: " · "))
        }
        result.append(
            [running, waiting, part("pause", .pausing, .paused), failed, done, part("cancel", .cancelled)].joined(
                by: " "))
        result.append([running, waiting, part("pause", .pausing, .paused), failed, done].joined(by: " "))
        result.append([running, waiting, failed, done].joined(by: " "))
        result.append(failed)
        return result
    }
}
