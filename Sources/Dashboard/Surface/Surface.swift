/// A grid of cells: what a frame looks like before any terminal is involved.
///
/// Only ``SafeText`` can be drawn, so text from outside cannot carry control characters onto the screen.
package struct Surface: Sendable, Equatable {
    /// One cell.
    ///
    /// A wide cluster occupies a cell of width 2 followed by one of width 0 with an empty cluster.
    package struct Cell: Sendable, Equatable {
        package var cluster: Cluster
        package var width: UInt8
        package var role: Role
        package static let blank = Cell(cluster: " ", width: 1, role: .plain)

        package init(cluster: Cluster, width: UInt8, role: Role) {
            self.cluster = cluster
            self.width = width
            self.role = role
        }
    }

    package let size: Size
    package private(set) var cells: [Cell]
    /// The place of the terminal's cursor, when a text field has the focus.
    package var cursor: (row: Int, column: Int)? {
        get { cursorCell.map { ($0 / max(size.columns, 1), $0 % max(size.columns, 1)) } }
        set { cursorCell = newValue.map { $0.row * size.columns + $0.column } }
    }
    private var cursorCell: Int?
    /// The line that is selected, where no text field has the focus: the hidden cursor stands there, and whoever reads
    /// the screen to somebody, or shows it in braille, follows it.
    package var parkedRow: Int?
    /// The parts that can be clicked; later ones lie over earlier ones.
    package var targets: [ClickTarget] = []

    package init(size: Size) {
        self.size = size
        cells = Array(repeating: .blank, count: max(size.columns, 0) * max(size.rows, 0))
    }

    package subscript(row: Int, column: Int) -> Cell {
        get { cells[row * size.columns + column] }
        set { cells[row * size.columns + column] = newValue }
    }

    /// Whether a row has the same cells as that of another surface of this size.
    package func hasSameRow(_ row: Int, as other: Surface) -> Bool {
        let range = row * size.columns..<(row + 1) * size.columns
        return cells[range] == other.cells[range]
    }
}

/// The meaning of a cell.
///
/// The terminal decides how each role looks; views never name a colour.
package enum Role: UInt8, Sendable, CaseIterable {
    case plain, dim, title, header, columnHeader, tab, tabSelected, rule
    case rowSelected, rowMarked
    case stateRunning, stateRetrying, stateQueued, statePaused, stateVerifying
    case stateFailed, stateDone, stateCancelled
    case gaugeFill, gaugeWaiting, gaugeFailed, gaugeDone, gaugeEmpty
    case rateDown, rateUp
    case footerKey, footerText
    case toast, toastError
    case dialogBorder, dialogText, dialogButton, dialogButtonSelected
    case field, fieldSelected, filter, help, error
    case match, matchSelected
}

/// A part of a drawn line that means something when it is clicked.
package struct ClickTarget: Sendable, Equatable {
    package enum Meaning: Sendable, Equatable {
        /// A click here presses this key.
        case key(KeyPress)
        /// A click here opens this tab of the list.
        case tab(Tab)
        /// A click here opens this part of the details.
        case detailsTab(DetailsTab)
        /// The button, line or field of this number, of whatever lies over the list.
        case choice(Int)
        /// A click here selects this transfer's row.
        case row(UInt64)
        /// A click here selects this group's line.
        case group(Int32)
        /// The title of the column that shows this.
        case order(SortOrder.Column)
    }

    package var row: Int
    package var columns: Range<Int>
    package var meaning: Meaning
}
