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
    }

    package let size: Size
    package private(set) var cells: [Cell]
    /// Where the terminal's cursor stands, when a text field has the focus.
    package var cursor: (row: Int, column: Int)? {
        get { cursorCell.map { ($0 / max(size.columns, 1), $0 % max(size.columns, 1)) } }
        set { cursorCell = newValue.map { $0.row * size.columns + $0.column } }
    }
    private var cursorCell: Int?
    /// The line that is selected, where no text field has the focus: the hidden cursor stands there, and whoever reads
    /// the screen to somebody, or shows it in braille, follows it.
    package var parkedRow: Int?
    /// What can be clicked; later ones lie over earlier ones.
    package var targets: [ClickTarget] = []

    package init(size: Size) {
        self.size = size
        cells = Array(repeating: .blank, count: max(size.columns, 0) * max(size.rows, 0))
    }

    package subscript(row: Int, column: Int) -> Cell {
        get { cells[row * size.columns + column] }
        set { cells[row * size.columns + column] = newValue }
    }
}
