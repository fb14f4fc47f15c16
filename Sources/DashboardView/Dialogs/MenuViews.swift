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
        return Panel(title: "Sort by", lines: lines, hints: PanelHints(of: model), focus: line)
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
        return Panel(title: "Show only", lines: lines, hints: PanelHints(of: model), focus: line)
    }
}

/// The menu of options.
enum OptionsView {
    /// The minimum columns for titles and values in two columns.
    private static let roomy = 50

    static func panel(model: Model, menu: OptionsMenu, in canvas: Canvas) -> Panel {
        let lines = OptionsMenu.items(model.options).enumerated().map { index, item in
            let role: Role = index == menu.line ? .dialogButtonSelected : .dialogText
            let text = line(title(of: item), value(of: item, model, canvas), in: canvas)
            return Panel.Line(spans: [Panel.Span(text: text, role: role)], choice: index)
        }
        return Panel(title: "Options", lines: lines, hints: PanelHints(of: model), focus: menu.line)
    }

    /// A title and its value: if both do not fit the title is cut, because the keys change the value.
    private static func line(_ title: SafeText, _ value: SafeText, in canvas: Canvas) -> SafeText {
        guard canvas.size.columns < roomy else {
            return title + SafeText(" ") * max(24 - canvas.width(title), 1) + value + "  "
        }
        let room = canvas.size.columns - (canvas.size.columns < 40 ? 4 : 6)
        let value = value.cut(room, in: canvas)
        let title = title.cut(max(room - canvas.width(value) - 1, 0), in: canvas)
        return title + SafeText(" ") * max(room - canvas.width(title) - canvas.width(value), 0) + value
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

    /// The limit of uploads and downloads, and the limit of requests.
    private static func lanes(_ limit: Int, in canvas: Canvas) -> SafeText {
        if canvas.size.columns < roomy { return SafeText(limit) }
        return SafeText(limit) + (limit == 1 ? " file, " : " files, ") + SafeText(limit)
            + (limit == 1 ? " request" : " requests")
    }

    private static func name(of glyphs: GlyphSet) -> SafeText {
        switch glyphs {
        case .blocks: "blocks"
        case .ascii: "ASCII"
        case .braille: "braille"
        case .console: "console font"
        }
    }

    private static func value(of item: OptionsMenu.Item, _ model: Model, _ canvas: Canvas) -> SafeText {
        let isNarrow = canvas.size.columns < roomy
        return switch item {
        case .units:
            (model.units == .binary ? "binary" : "decimal")
                + (isNarrow ? "" : model.units == .binary ? " (1024)" : " (1000)")
        case .glyphs: name(of: canvas.capabilities.glyphs)
        case .framesPerSecond: SafeText(model.options.framesPerSecond)
        case .mouse: model.options.usesMouse ? "[x]" : "[ ]"
        case .timeColumn: isNarrow ? model.list.timeColumn.title : model.list.timeColumn.name
        case .limit: lanes(model.options.limits.all, in: canvas)
        case .limitPerHost: lanes(model.options.limits.perHost, in: canvas)
        case .column(let column):
            (model.options.hiddenColumns.contains(column) ? "[ ]" : "[x]")
                + (model.options.columnWidths[column].map { " " + SafeText($0) + " cells" } ?? "")
        }
    }
}
