/// The user's place in the table: the selection, the marks, the lines that are shown.
///
/// Everything is remembered by id: rows move, tasks do not.
package struct ListState: Sendable {
    /// The selected transfer.
    package var cursor: UInt64?
    /// What was shown before a saved view; nil while none is shown.
    var queryBeforeView: RowQuery?
    /// The number of the group whose own line is selected; nil while a row is.
    package var group: Int32?
    /// The grouping before the hosts were shown, to go back to.
    var groupingBeforeHosts: Grouping?
    /// The row that was selected then.
    var rowBeforeHosts: UInt64?
    /// The position where the selected row was last seen, to find a neighbour when it goes.
    package var position = 0
    /// The selected transfer when the filter was begun, to go back to when it is cleared.
    var cursorBeforeFilter: UInt64?
    /// Whether the user has moved the selection among the rows that the filter left.
    var wasMovedWhileFiltering = false
    /// Whether the user has moved the selection; until then the view stays at the top.
    var wasMoved = false
    /// The first row shown.
    package var top = 0
    /// Marked transfers.
    package var marks: Set<UInt64> = []
    /// The row where a range of marks begins; nil while none is being drawn.
    package var rangeStart: UInt64?
    /// Whether the view scrolls with the selected transfer when sorting moves it.
    package var follows = true
    /// Cells scrolled off the left of the name column.
    package var nameOffset = 0
    /// The contents of the time column.
    package var timeColumn: TimeColumn = .eta
}

/// The news since the display was frozen, shown when it goes on.
package struct FrozenDisplay: Sendable {
    /// Milliseconds of the model's clock.
    var since: Int64
    /// The latest picture of each row that changed.
    private(set) var rows: [UInt64: RowSnapshot] = [:]
    /// The latest numbers of each row of which nothing else has changed since.
    private(set) var figures: [UInt64: RowFigures] = [:]
    private(set) var removed: Set<UInt64> = []

    init(since: Int64) {
        self.since = since
    }

    /// Keeps rows for later.
    mutating func receive(_ snapshots: [RowSnapshot]) {
        for row in snapshots {
            rows[row.id] = row
            figures[row.id] = nil
        }
    }

    /// Keeps numbers for later.
    mutating func receive(_ numbers: [RowFigures]) {
        for row in numbers { figures[row.id] = row }
    }

    /// Remembers that rows are gone.
    mutating func forget(_ ids: [UInt64]) {
        for id in ids {
            rows[id] = nil
            figures[id] = nil
            removed.insert(id)
        }
    }
}
