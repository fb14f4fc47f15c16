/// The two menus.
enum MenuView {
    static func sort(model: Model, line: Int) -> Panel {
        let order = model.rows.query.order
        let lines = SortOrder.Column.allCases.map { column in
            let mark: SafeText = column == order.column ? (order.isInverted ? "▴ " : "▾ ") : "  "
            let role: Role = column.rawValue == line ? .dialogButtonSelected : .dialogText
            let ties: SafeText = column == order.tieBreaker?.column ? " (ties)" : ""
            return Panel.Line(
                spans: [Panel.Span(text: mark + column.title + ties + "  ", role: role)], choice: column.rawValue)
        }
        return Panel(title: "Sort by", lines: lines, hints: OverlayView.hints(.sortMenu), focus: line)
    }

    static func states(model: Model, line: Int, in canvas: Canvas) -> Panel {
        let shown = model.rows.query.states
        let lines = RowState.allCases.enumerated().map { index, state in
            let text =
                (shown.contains(state) ? "[x] " : "[ ] ") + Glyphs.state(state, in: canvas.capabilities.glyphs) + " "
                + RowView.word(of: state) + "  " + SafeText(model.rows.counts[nil, state])
            let role: Role = index == line ? .dialogButtonSelected : .dialogText
            return Panel.Line(spans: [Panel.Span(text: text, role: role)], choice: index)
        }
        return Panel(title: "Show only", lines: lines, hints: OverlayView.hints(.stateMenu), focus: line)
    }
}
