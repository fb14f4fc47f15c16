/// A grid of cells: the content of a frame before any terminal is involved.
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
    /// The terminal's cursor, if a text field has the focus.
    package var cursor: (row: Int, column: Int)? {
        get { cursorCell.map { ($0 / max(size.columns, 1), $0 % max(size.columns, 1)) } }
        set { cursorCell = newValue.map { $0.row * size.columns + $0.column } }
    }
    private var cursorCell: Int?
    /// The selected line, if no text field has the focus: the hidden cursor is put there for screen readers and braille
    /// displays, which follow it.
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

    /// The range from the first to the last column of a row that differs from another surface of this size; nil if none
    /// does.
    ///
    /// It never splits a wide cluster.
    package func changedColumns(ofRow row: Int, from other: Surface) -> ClosedRange<Int>? {
        let start = row * size.columns
        return cells.withUnsafeBufferPointer { new in
            other.cells.withUnsafeBufferPointer { old in
                var first = 0
                while first < size.columns, new[start + first] == old[start + first] { first += 1 }
                guard first < size.columns else { return nil }
                var last = size.columns - 1
                while new[start + last] == old[start + last] { last -= 1 }
                if first > 0, new[start + first].width == 0 || old[start + first].width == 0 { first -= 1 }
                if last + 1 < size.columns, new[start + last].width == 2 || old[start + last].width == 2 { last += 1 }
                return first...last
            }
        }
    }

    /// Writes printable ASCII, a byte into each cell from a column on; the text must fit the row.
    mutating func write(_ text: Slice<UnsafeBufferPointer<UInt8>>, row: Int, column: Int, role: Role) {
        separateHalves(row: row, columns: column..<column + text.count)
        let start = row * size.columns + column
        cells.withUnsafeMutableBufferPointer { cells in
            for (offset, byte) in text.enumerated() {
                cells[start + offset] = Cell(cluster: Cluster(ascii: byte), width: 1, role: role)
            }
        }
    }

    /// Writes one cluster of one cell into every column of a part of a row.
    mutating func fill(_ cluster: Cluster, row: Int, columns: Range<Int>, role: Role) {
        guard !columns.isEmpty else { return }
        separateHalves(row: row, columns: columns)
        let cell = Cell(cluster: cluster, width: 1, role: role)
        let start = row * size.columns
        cells.withUnsafeMutableBufferPointer { cells in
            for column in columns { cells[start + column] = cell }
        }
    }

    /// Blanks the halves of wide clusters whose other halves are about to be overwritten.
    mutating func separateHalves(row: Int, columns: Range<Int>) {
        guard let first = columns.first, let last = columns.last else { return }
        if first > 0, self[row, first].width == 0, self[row, first - 1].width == 2 { self[row, first - 1] = .blank }
        if last + 1 < size.columns, self[row, last].width == 2 { self[row, last + 1] = .blank }
    }
}

/// The meaning of a cell.
///
/// The terminal decides the appearance of each role; views never name a colour.
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
    case jsonName, jsonString, jsonNumber, jsonWord
}

/// A part of a drawn line that can be clicked.
package struct ClickTarget: Sendable, Equatable {
    package enum Meaning: Sendable, Equatable {
        /// A click here presses this key.
        case key(KeyPress)
        /// A click here opens this tab of the list.
        case tab(Tab)
        /// A click here opens this part of the details.
        case detailsTab(DetailsTab)
        /// The number of a button, line or field of the overlay.
        case choice(Int)
        /// A click here selects this transfer's row.
        case row(UInt64)
        /// A click here selects this group's line.
        case group(Int32)
        /// The title of the column of this order.
        case order(SortOrder.Column)
    }

    package var row: Int
    package var columns: Range<Int>
    package var meaning: Meaning
}
