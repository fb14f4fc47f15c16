import Dashboard

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
                + state.word + "  " + SafeText(model.rows.counts[nil, state])
            let role: Role = index == line ? .dialogButtonSelected : .dialogText
            return Panel.Line(spans: [Panel.Span(text: text, role: role)], choice: index)
        }
        return Panel(title: "Show only", lines: lines, hints: OverlayView.hints(.stateMenu), focus: line)
    }
}

/// The menu of options.
enum OptionsView {
    static func panel(model: Model, menu: OptionsMenu, in canvas: Canvas) -> Panel {
        let lines = OptionsMenu.items(model.options).enumerated().map { index, item in
            let title = title(of: item)
            let space = SafeText(" ") * max(24 - canvas.width(title), 1)
            let role: Role = index == menu.line ? .dialogButtonSelected : .dialogText
            let text = title + space + value(of: item, model, canvas) + "  "
            return Panel.Line(spans: [Panel.Span(text: text, role: role)], choice: index)
        }
        return Panel(title: "Options", lines: lines, hints: OverlayView.hints(.options), focus: menu.line)
    }

    private static func title(of item: OptionsMenu.Item) -> SafeText {
        switch item {
        case .units: "Units"
        case .glyphs: "Characters"
        case .framesPerSecond: "Frames a second"
        case .mouse: "Mouse"
        case .timeColumn: "Time column"
        case .limit: "Tasks at once"
        case .limitPerHost: "Tasks at once per host"
        case .column(let column): "Column: " + column.title
        }
    }

    /// The limit of uploads and downloads, and that of requests beside them.
    private static func lanes(_ limit: Int) -> SafeText {
        SafeText(limit) + (limit == 1 ? " file, " : " files, ") + SafeText(limit)
            + (limit == 1 ? " request" : " requests")
    }

    private static func value(of item: OptionsMenu.Item, _ model: Model, _ canvas: Canvas) -> SafeText {
        switch item {
        case .units: model.units == .binary ? "binary (1024)" : "decimal (1000)"
        case .glyphs:
            switch canvas.capabilities.glyphs {
            case .blocks: "blocks"
            case .ascii: "ASCII"
            case .braille: "braille"
            case .console: "console font"
            }
        case .framesPerSecond: SafeText(model.options.framesPerSecond)
        case .mouse: model.options.usesMouse ? "[x]" : "[ ]"
        case .timeColumn: model.list.timeColumn.name
        case .limit: lanes(model.options.limits.all)
        case .limitPerHost: lanes(model.options.limits.perHost)
        case .column(let column):
            (model.options.hiddenColumns.contains(column) ? "[ ]" : "[x]")
                + (model.options.columnWidths[column].map { " " + SafeText($0) + " cells" } ?? "")
        }
    }
}
