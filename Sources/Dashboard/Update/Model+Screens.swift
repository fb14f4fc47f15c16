extension Model {
    /// Goes one step back: toast, prompt, filter, marks, details.
    ///
    /// It never quits the program.
    mutating func stepBack() {
        if overlay != nil { return closeOverlay() }
        if details.fullScreenID != nil { return closeDetails() }
        if list.rangeStart != nil {
            list.rangeStart = nil
        } else if leaveTour() || toasts.dismiss() {
            return
        } else if rows.query.isFiltering {
            clearFilter(withStates: true)
        } else if !list.marks.isEmpty {
            list.marks = []
        }
    }

    /// Closes the overlay, which is the safe answer of every dialog.
    mutating func closeOverlay() {
        if case .filter = overlay { clearFilter() }
        withdrawPasteHint()
        history.reset()
        if case .help(let help) = overlay {
            overlay = help.previous
        } else if case .prompt(let prompt) = overlay, case .filterLog(let state) = prompt.purpose {
            overlay = .eventLog(state)
        } else if case .prompt(let prompt) = overlay, case .filterHistory(let state) = prompt.purpose {
            overlay = .history(state)
        } else {
            overlay = nil
        }
    }

    /// Fills the screen with the selected row's details; folds or unfolds a group.
    mutating func openDetails() {
        if let group = currentGroup { return toggleFold(of: group.number) }
        details.fullScreenID = list.cursor
        details.search = nil
        details.top = 0
        details.left = 0
    }

    mutating func closeDetails() {
        details.fullScreenID = nil
        details.top = 0
        details.left = 0
    }

    package mutating func show(_ tab: DetailsTab) {
        details.tab = tab
        details.top = 0
        details.left = 0
        details.search?.match = nil
    }

    /// The words before the fault of a filter.
    private static var notUnderstood: SafeText { FilterErrors.invalid("") }

    /// Keeps the filter and closes its prompt.
    ///
    /// An invalid condition is not kept: it would hide nothing and report nothing.
    mutating func keepFilter() {
        if let problem = rows.filter.problem {
            toasts.withdraw(Self.notUnderstood)
            notify(FilterErrors.invalid(problem), isError: true)
            return
        }
        toasts.withdraw(Self.notUnderstood)
        history.add(rows.query.filter, to: .filter)
        list.cursorBeforeFilter = nil
        overlay = nil
    }

    /// Clears the filter.
    ///
    /// The selection returns to its position before the filter, unless the filter was kept or the selection moved.
    private mutating func clearFilter(withStates: Bool = false) {
        toasts.withdraw(Self.notUnderstood)
        var query = rows.query
        query.filter = ""
        if withStates { query.states = [] }
        let chosen = list.cursorBeforeFilter
        let wasMoved = list.wasMovedWhileFiltering
        apply(query)
        guard !rows.query.isFiltering else { return }
        list.cursorBeforeFilter = nil
        if !wasMoved, let chosen, let position = rows.position(of: chosen) {
            moveCursor(to: position)
        }
        list.wasMovedWhileFiltering = false
    }

    mutating func setFilter(_ text: String) {
        var query = rows.query
        query.filter = text
        // From here on the query is the user's own, not the saved view's.
        list.queryBeforeView = nil
        apply(query)
    }

    /// Sorts by the highlighted column; if already sorted by it, in the other direction.
    mutating func chooseSort() {
        guard case .sortMenu(let line) = overlay, let column = SortOrder.Column(rawValue: line) else { return }
        overlay = nil
        chooseSort(column)
    }

    /// Sorts by a column; if already sorted by it, in the other direction.
    mutating func chooseSort(_ column: SortOrder.Column) {
        let order = rows.query.order
        let isSame = order.column == column
        sortRows(by: order.followed(by: column, isInverted: isSame && !order.isInverted))
    }

    mutating func toggleState() {
        guard case .stateMenu(let line) = overlay, RowState.allCases.indices.contains(line) else { return }
        var query = rows.query
        let state = RowState.allCases[line]
        list.queryBeforeView = nil
        if query.states.remove(state) == nil { query.states.insert(state) }
        apply(query)
    }
}

extension Model {
    package func offered(by palette: PaletteState) -> [Command] {
        CommandSearch.commands(matching: palette.field.text, on: palette.screen, keys: keys)
    }

    /// Runs the highlighted command, or says why it cannot run now.
    mutating func runHighlighted() -> [Effect] {
        guard case .palette(let palette) = overlay else { return [] }
        let commands = offered(by: palette)
        guard commands.indices.contains(palette.line) else {
            return nothingHit(TaskReasons.noCommand)
        }
        let command = commands[palette.line]
        if let reason = command.reason(in: self) { return nothingHit(reason) }
        overlay = nil
        return command.run(&self)
    }
}

/// The reading of the event log.
extension Model {
    /// Starts the events of transfers when the log was opened, and stops them when it was closed.
    mutating func readLog() -> [Effect] {
        let isOpen = openLog != nil
        guard isOpen != log.isRead else { return [] }
        log.isRead = isOpen
        if !isOpen { log.replace(with: []) }
        return [.readLog(isOpen)]
    }

    /// Adds events of transfers; the view of a reader who has scrolled up stays on the same line.
    mutating func receive(log more: [LogEntry]) {
        guard log.isRead else { return }
        log.append(more)
        keepLogPosition(past: more)
    }

    /// Keeps the view of a reader who has scrolled up on the same line despite new ones below.
    mutating func keepLogPosition(past more: [LogEntry]) {
        guard case .eventLog(var state) = overlay, state.scroll > 0 else { return }
        let filter = LogFilter(state.filter)
        state.scroll += more.count { entry in
            filter.admits(entry) { rows.holds($0, of: $1, rates: rates, now: shownNow) }
        }
        state.scroll = min(state.scroll, max(logEntries(filter: state.filter).count - 1, 0))
        overlay = .eventLog(state)
    }
}
