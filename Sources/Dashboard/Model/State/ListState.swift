/// The user's position in the table: the selection, the marks, the visible lines.
///
/// Everything is stored by id: rows move, tasks do not.
package struct ListState: Sendable {
    /// The id of the selected task; nil while a group's line is selected, and without rows.
    package var cursor: UInt64?
    /// The query before a saved view; nil while none is shown.
    var queryBeforeView: RowQuery?
    /// The number of the group whose own line is selected; nil while a row is.
    package var group: Int32?
    /// The grouping to restore after the hosts view.
    var groupingBeforeHosts: Grouping?
    /// The row to restore after the hosts view.
    var rowBeforeHosts: UInt64?
    /// The selected row's last known position, to find a neighbour if the row goes.
    package var position = 0
    /// The task selected when filtering began, to restore when the filter is cleared.
    var cursorBeforeFilter: UInt64?
    /// Whether the user has moved the selection among the filtered rows; it then stays when the filter is cleared.
    var wasMovedWhileFiltering = false
    /// Whether the user has moved the selection; until then the view stays at the top.
    var wasMoved = false
    /// The index of the first visible line.
    package var top = 0
    package var marks: Set<UInt64> = []
    /// The first row of a range of marks; nil while none is being marked.
    package var rangeStart: UInt64?
    /// Whether the view scrolls with the selected task when sorting moves it.
    package var follows = true
    /// Cells scrolled off the left of the name column.
    package var nameOffset = 0
    package var timeColumn: TimeColumn = .eta
}

/// The updates since the display was frozen, shown when it is unfrozen.
package struct FrozenDisplay: Sendable {
    /// Milliseconds of the model's clock.
    var since: Int64
    /// The latest snapshot of each changed row.
    private(set) var rows: [UInt64: RowSnapshot] = [:]
    /// The latest figures of each row without any other change.
    private(set) var figures: [UInt64: RowFigures] = [:]
    private(set) var removed: Set<UInt64> = []
    /// The latest counts of a service that has more rows than the table.
    var totals: RowTotals?

    /// The rows whose updates wait, which the table may not have.
    var unshown: [UInt64] { Array(Set(rows.keys).union(figures.keys)) }

    init(since: Int64) {
        self.since = since
    }

    mutating func receive(_ snapshots: [RowSnapshot]) {
        for row in snapshots {
            rows[row.id] = row
            figures[row.id] = nil
        }
    }

    mutating func receive(_ numbers: [RowFigures]) {
        for row in numbers { figures[row.id] = row }
    }

    mutating func forget(_ ids: [UInt64]) {
        for id in ids {
            rows[id] = nil
            figures[id] = nil
            removed.insert(id)
        }
    }
}
