/// Where the user is in the table.
///
/// Everything is remembered by id: rows move, tasks do not.
package struct ListState: Sendable {
    /// The selected transfer.
    package var cursor: UInt64?
    /// Where the cursor's row was last seen, to find a neighbour when it goes.
    package var position = 0
    /// The selected transfer when the filter was begun, to go back to when it is cleared.
    var cursorBeforeFilter: UInt64?
    /// Whether the user has moved the selection among the rows that the filter left.
    var wasMovedWhileFiltering = false
    /// The first row shown.
    var top = 0
    /// Marked transfers.
    var marks: Set<UInt64> = []
    /// Where a range of marks begins, while one is being drawn.
    var rangeStart: UInt64?
    /// Whether the view scrolls with the selected transfer when sorting moves it.
    var follows = true
    /// Cells scrolled off the left of the name column.
    var nameOffset = 0
    /// What the last column shows.
    package var timeColumn: TimeColumn = .eta
}
