extension Model {
    /// Moves the selection of the focused list, or scrolls it.
    package mutating func move(by steps: Int) {
        switch overlay {
        case .help(var help):
            help.top = max(help.top + steps, 0)
            overlay = .help(help)
        case .question: scrollTasks(by: steps)
        case .sortMenu(let line):
            overlay = .sortMenu(min(max(line + steps, 0), SortOrder.Column.allCases.count - 1))
        case .stateMenu(let line):
            overlay = .stateMenu(min(max(line + steps, 0), RowState.allCases.count - 1))
        case .options(var menu):
            menu.line = min(max(menu.line + steps, 0), OptionsMenu.items(options).count - 1)
            overlay = .options(menu)
        case .actions(var menu):
            menu.line = min(max(menu.line + steps, 0), keys.menu.count - 1)
            overlay = .actions(menu)
        case .eventLog(var state):
            let count = logEntries(filter: state.filter).count
            state.scroll = min(max(state.scroll - steps, 0), max(count - 1, 0))
            overlay = .eventLog(state)
        case .leftovers(let state): moveInLeftovers(state, by: steps)
        case .history: changeHistory { $0.move(by: steps) }
        case .addForm(var form):
            form.moveFocus(by: steps > 0 ? 1 : -1)
            overlay = .addForm(form)
        case .palette(var palette):
            palette.line = min(max(palette.line + steps, 0), max(offered(by: palette).count - 1, 0))
            overlay = .palette(palette)
        case .filter, .prompt: break
        case nil:
            if details.fullScreenID != nil, details.tab == .body, details.json != nil {
                moveInJSON(by: steps)
            } else if details.fullScreenID != nil {
                details.top = min(max(details.top + steps, 0), max(detailsLineCount - 1, 0))
            } else {
                moveCursor(to: startOfMovement(by: steps) + steps)
                list.wasMoved = true
            }
        }
    }

    /// The position that a movement counts from: the selected row's, unless it left the view without the user.
    private func startOfMovement(by steps: Int) -> Int {
        let isSeen = (list.top..<list.top + max(layout.table.count, 1)).contains(list.position)
        return list.wasMoved || isSeen ? list.position : list.top - (steps > 0 ? 1 : 0)
    }

    /// Moves by a page, or by half of one.
    mutating func movePage(_ direction: Int, half: Bool = false) {
        let height = screen == .list ? layout.table.count : size.rows - 4
        move(by: direction * max(half ? height / 2 : height - 1, 1))
    }

    mutating func moveToEnd(_ direction: Int) {
        move(
            by: direction
                * (max(rows.lineCount, toasts.events.count + EventLog.limit, detailsLineCount, openHistory?.count ?? 0)
                    + keys.commands.count))
    }

    mutating func moveCursor(to position: Int) {
        guard rows.lineCount > 0 else { return }
        select(line: position)
        list.wasMovedWhileFiltering = rows.query.isFiltering
        if let start = list.rangeStart { markRange(from: start) }
        showCursor()
    }

    /// Selects a line: a row, or a group's own.
    mutating func select(line: Int) {
        list.position = min(max(line, 0), rows.lineCount - 1)
        list.group = rows.group(at: list.position)?.number
        list.cursor = rows.id(at: list.position)
    }

    /// Selects the next or previous failed row, wrapping around, and unfolds its group.
    mutating func moveToFailed(_ direction: Int) {
        guard let id = rows.nextID(from: list.position, by: direction, where: { $0.state == .failed }) else { return }
        if let group = rows.group(of: id), rows.isFolded(group) { rows.toggleFold(of: group.number) }
        guard let position = rows.position(of: id) else { return }
        list.wasMoved = true
        moveCursor(to: position)
    }

    mutating func scrollSideways(by cells: Int) {
        if details.fullScreenID == nil { scrollName(by: cells) } else { scrollDetails(by: cells) }
    }

    /// Scrolls the name column; if the selected name's end is visible it opens the details.
    private mutating func scrollName(by cells: Int) {
        if scrollGroup(by: cells) { return }
        let columns = tableColumns.columns
        let room = columns.first { $0.kind == .name }?.width ?? 0
        let overhang = (current.map { CellWidth.cells(of: $0.name) } ?? 0) - room
        if cells > 0, current != nil, list.nameOffset >= overhang { return openDetails() }
        list.nameOffset = min(max(list.nameOffset + cells, 0), max(list.nameOffset, overhang))
    }

    package mutating func show(_ tab: Tab) {
        var query = rows.query
        if let before = list.queryBeforeView {
            (query.filter, query.states) = ("", [])
            (query.order, query.grouping) = (before.order, before.grouping)
            list.queryBeforeView = nil
        }
        query.tab = tab
        apply(query)
    }

    /// Changes the filter or the order; the selection stays on its task if that is shown.
    package mutating func apply(_ query: RowQuery) {
        rows.apply(query, rates: rates, now: now)
        orderedAt = now
        if let cursor = list.cursor, let position = rows.position(of: cursor) { list.position = position }
        keepSelection()
        if list.wasMoved { showCursor() } else { list.top = 0 }
    }

    /// Sorts by another column or in the other direction.
    package mutating func sortRows(by order: SortOrder) {
        var query = rows.query
        query.order = order
        apply(query)
    }

    /// An upper bound of the lines of the full-screen details.
    private var detailsLineCount: Int {
        guard let details = details.rowDetails else { return 24 }
        let earlier = details.earlierAnswers.reduce(0) { $0 + 4 + $1.headers.count }
        return 32 + details.requestHeaders.count + earlier + details.responseHeaders.count + details.log.count
            + details.security.count + max(details.body.lines.count, self.details.json?.count ?? 0)
            + details.requestBody.lines.count
    }

    /// Marks or unmarks the selected row, and moves down.
    mutating func toggleMark() {
        if let group = currentGroup { return toggleMarks(of: group) }
        guard let cursor = list.cursor else { return }
        list.rangeStart = nil
        if list.marks.remove(cursor) == nil { list.marks.insert(cursor) }
        list.wasMoved = true
        moveCursor(to: list.position + 1)
    }

    mutating func toggleRange() {
        if currentGroup != nil, list.rangeStart == nil { return notify(TaskReasons.selectTaskFirst) }
        guard list.rangeStart == nil, let cursor = list.cursor else {
            list.rangeStart = nil
            return
        }
        list.rangeStart = cursor
        list.marks.insert(cursor)
    }

    private mutating func markRange(from start: UInt64) {
        guard let first = rows.position(of: start) else { return }
        for position in min(first, list.position)...max(first, list.position) {
            if let id = rows.id(at: position) { list.marks.insert(id) }
            if let group = rows.group(at: position), rows.isFolded(group) { list.marks.formUnion(rows.ids(in: group)) }
        }
    }
}
