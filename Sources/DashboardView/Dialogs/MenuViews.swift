import Dashboard

/// The two menus.
enum MenuView {
    static func sort(model: Model, line: Int) -> Panel {
        let order = model.rows.query.order
        let lines = SortOrder.Column.allCases.map { column in
            let mark: SafeText = column == order.column ? (order.isInverted ? "▴ " : "▾ ") : "  "
            let role: Role = column.rawValue == line ? .dialogButtonSelected : .dialogText
            let title = column == order.tieBreaker?.column ? DialogLabels.tie(column.title) : column.title
            return Panel.Line(
                spans: [Panel.Span(text: mark + title + "  ", role: role)], choice: column.rawValue)
        }
        return Panel(title: DialogLabels.sortBy, lines: lines, hints: PanelHints(of: model), focus: line)
    }

    static func states(model: Model, line: Int, in canvas: Canvas) -> Panel {
        let shown = model.rows.query.states
        let lines = RowState.allCases.enumerated().map { index, state in
            let text = DialogLabels.state(
                shown.contains(state) ? "[x]" : "[ ]", Glyphs.state(state, in: canvas.capabilities.glyphs), state.word,
                model.rows.counts[nil, state])
            let role: Role = index == line ? .dialogButtonSelected : .dialogText
            return Panel.Line(spans: [Panel.Span(text: text, role: role)], choice: index)
        }
        return Panel(title: DialogLabels.showOnly, lines: lines, hints: PanelHints(of: model), focus: line)
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
        return Panel(title: DialogLabels.options, lines: lines, hints: PanelHints(of: model), focus: menu.line)
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
        case .units: OptionLabels.units
        case .glyphs: OptionLabels.glyphs
        case .theme: OptionLabels.theme
        case .framesPerSecond: OptionLabels.frameRate
        case .mouse: OptionLabels.mouse
        case .quitting: OptionLabels.quitting
        case .timeColumn: OptionLabels.timeColumn
        case .limit: OptionLabels.parallel
        case .limitPerHost: OptionLabels.parallelPerHost
        case .column(let column): OptionLabels.column(column.title)
        }
    }

    /// The limit of uploads and downloads, and the limit of requests.
    private static func lanes(_ limit: Int, in canvas: Canvas) -> SafeText {
        canvas.size.columns < roomy ? SafeText(limit) : OptionLabels.lanes(limit)
    }

    private static func name(of glyphs: GlyphSet) -> SafeText {
        switch glyphs {
        case .blocks: OptionLabels.blocks
        case .ascii: OptionLabels.ascii
        case .braille: OptionLabels.braille
        case .console: OptionLabels.console
        }
    }

    private static func name(of theme: Theme) -> SafeText {
        switch theme {
        case .terminal: OptionLabels.terminal
        case .dark: OptionLabels.dark
        case .light: OptionLabels.light
        case .contrast: OptionLabels.contrast
        }
    }

    private static func name(of choice: QuitChoice) -> SafeText {
        switch choice {
        case .ask: OptionLabels.ask
        case .detach: OptionLabels.detach
        case .stop: OptionLabels.stop
        }
    }

    private static func box(of column: TableColumn, _ model: Model, _ canvas: Canvas) -> SafeText {
        guard !model.options.hiddenColumns.contains(column) else { return "[ ]" }
        let mark: SafeText = "[x]"
        let columns = TableColumns(width: canvas.size.columns, options: model.options).columns
        guard columns.contains(where: { $0.kind.option == column }) else {
            return canvas.size.columns < 40 ? "[-]" : OptionLabels.noRoom(mark)
        }
        return model.options.columnWidths[column].map { OptionLabels.width(mark, $0) } ?? mark
    }

    private static func value(of item: OptionsMenu.Item, _ model: Model, _ canvas: Canvas) -> SafeText {
        let isNarrow = canvas.size.columns < roomy
        return switch item {
        case .units where model.units == .binary: isNarrow ? OptionLabels.binary : OptionLabels.binaryWide
        case .units: isNarrow ? OptionLabels.decimal : OptionLabels.decimalWide
        case .glyphs: name(of: canvas.capabilities.glyphs)
        case .theme: name(of: model.options.theme)
        case .framesPerSecond: SafeText(model.options.framesPerSecond)
        case .mouse: model.options.usesMouse ? "[x]" : "[ ]"
        case .quitting: name(of: model.options.quitting)
        case .timeColumn: isNarrow ? model.list.timeColumn.title : model.list.timeColumn.name
        case .limit: lanes(model.options.limits.all, in: canvas)
        case .limitPerHost: lanes(model.options.limits.perHost, in: canvas)
        case .column(let column):
            box(of: column, model, canvas)
        }
    }
}
