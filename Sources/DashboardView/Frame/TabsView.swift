import Dashboard

/// The line of tabs with their counts; at its end the row states, or the filter that hides some rows.
struct TabsView {
    let model: Model

    func draw(row: Int, on canvas: inout Canvas) {
        let end = drawTabs(row: row, on: &canvas)
        let columns = canvas.size.columns
        let room = columns - end - 3
        if model.frozen != nil {
            let text = canvas.run(" " + TabLabels.frozen(model.keys.key(of: .freeze)) + " ").cut(
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
            var text = (isNarrow ? tab.shortTitle : TabLabels.numbered(tab.rawValue + 1, tab.title)) + " " + count
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
        let text = query.filter.isEmpty ? "" : TabLabels.filter(SafeText(untrusted: query.filter))
        let total = model.rows.counts[query.tab.kind, nil]
        return [text, states].joined(by: " ") + " " + SafeText(model.rows.matchCount) + "/" + SafeText(total)
    }

    /// The counts of states under the states' own words, each variant with fewer of them.
    private func summaries(columns: Int) -> [SafeText] {
        let failed = part(.failed)
        let away = model.isServiceAway
        let going = away ? left : part(.running)
        let main = [going, away ? "" : part(.retrying), part(.queued)]
        let paused = part(.paused, .pausing)
        let (verifying, saving): (SafeText, SafeText) = away ? ("", "") : (part(.verifying), part(.saving))
        let (done, cancelled) = (part(.done), part(.cancelled))
        let all = main + [paused, verifying, saving, failed, done, cancelled]
        let wide = columns >= 100 ? [all.joined(by: " · ")] : []
        return wide
            + [
                all, main + [paused, failed, done], [going, part(.queued), failed, done],
                [going, part(.queued), failed],
                [going, failed, done], [going, failed], [failed],
            ].map { $0.joined(by: " ") }
    }

    /// The count of the rows that went on when their service was lost; empty for none.
    private var left: SafeText {
        let count = model.rows.counts[nil, .running, .retrying, .verifying, .saving]
        return count == 0 ? "" : TabLabels.state(RowStates.serviceAway, count)
    }

    /// The count of the rows in a state or in another that goes by its word; empty for none.
    private func part(_ state: RowState, _ other: RowState? = nil) -> SafeText {
        let count = model.rows.counts[nil, state] + (other.map { model.rows.counts[nil, $0] } ?? 0)
        return count == 0 ? "" : TabLabels.state(state.word, count)
    }
}
