extension Model {
    /// The grouping after the present one; only the rows of a queue have workers.
    var nextGrouping: Grouping {
        let next = rows.query.grouping.advanced(by: 1)
        return next == .worker && rows.totals == nil ? next.advanced(by: 1) : next
    }

    mutating func groupBy(_ grouping: Grouping) {
        list.groupingBeforeHosts = nil
        show(grouping)
        guard grouping != .none else { return notify(ViewToasts.groupingOff) }
        notify(ViewToasts.grouped(grouping.title, rows.groupCount))
    }

    /// Shows one line for each host, or the previous grouping.
    mutating func toggleHosts() {
        if let before = list.groupingBeforeHosts { return leaveHosts(for: before) }
        list.groupingBeforeHosts = rows.query.grouping
        list.rowBeforeHosts = list.cursor
        show(.host)
        rows.foldAll(true)
        keepSelection()
    }

    /// Restores the view before the hosts: selects the earlier row, or, if another host is selected now, that host's
    /// first row.
    private mutating func leaveHosts(for before: Grouping) {
        var row = list.cursor
        if let group = currentGroup {
            let wasHere = list.rowBeforeHosts.flatMap { rows.groupNumber(of: $0) } == group.number
            row = wasHere ? list.rowBeforeHosts : rows.ids(in: group).first
        }
        list.groupingBeforeHosts = nil
        list.rowBeforeHosts = nil
        if before == .host { rows.foldAll(false) }
        show(before)
        guard let row, rows.position(of: row) != nil else { return }
        list.group = nil
        list.cursor = row
        keepSelection()
        if list.wasMoved { showCursor() }
    }

    /// Shows the table in groups, with the selection on its row if that is visible.
    private mutating func show(_ grouping: Grouping) {
        var query = rows.query
        query.grouping = grouping
        list.group = nil
        apply(query)
    }

    /// Requests the connections of running rows while the hosts are shown; no other view shows them.
    mutating func countConnections() -> [Effect] {
        guard rows.query.grouping == .host else {
            connections.clear()
            return []
        }
        guard frozen == nil, connections.isDue(at: now) else { return [] }
        let ids = rates.meters.keys.sorted()
        if ids.isEmpty { connections.replace(with: [:]) }
        return ids.isEmpty ? [] : [.countConnections(ids)]
    }

    /// Folds or unfolds a group; the selection stays on its line.
    package mutating func toggleFold(of number: Int32) {
        rows.toggleFold(of: number)
        list.group = number
        list.cursor = nil
        keepSelection()
    }

    /// Folds all groups, or unfolds them if all are folded.
    mutating func foldAll() {
        rows.foldAll(!rows.areAllFolded)
        keepSelection()
        if list.wasMoved { showCursor() }
    }

    /// Marks the rows of a group, or removes their marks if all have one, and moves down.
    mutating func toggleMarks(of group: RowGroup) {
        list.rangeStart = nil
        let ids = rows.ids(in: group)
        if ids.allSatisfy({ list.marks.contains($0) }) {
            list.marks.subtract(ids)
        } else {
            list.marks.formUnion(ids)
        }
        list.wasMoved = true
        moveCursor(to: list.position + 1)
    }

    /// Folds a group to the left, unfolds it to the right, and moves from a row whose name is not scrolled to its
    /// group; returns whether it did.
    mutating func scrollGroup(by cells: Int) -> Bool {
        if let group = currentGroup {
            if rows.isFolded(group) == (cells > 0) { toggleFold(of: group.number) }
            return true
        }
        guard cells < 0, list.nameOffset == 0, let group = list.cursor.flatMap({ rows.group(of: $0) }),
            let line = rows.line(ofGroup: group.number)
        else { return false }
        moveCursor(to: line)
        return true
    }

    /// Selects the clicked group, or folds the selected one.
    mutating func pick(group number: Int32) {
        guard overlay == nil, details.fullScreenID == nil, let line = rows.line(ofGroup: number) else { return }
        list.wasMoved = true
        if list.group == number { return toggleFold(of: number) }
        moveCursor(to: line)
    }
}
