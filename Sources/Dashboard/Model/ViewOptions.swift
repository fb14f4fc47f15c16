/// How the dashboard looks and behaves, as the options menu sets it.
package struct ViewOptions: Sendable, Equatable {
    /// The frame rates to choose from.
    static let frameRates = [1, 2, 4, 8, 15, 30]

    package var units: Units = .binary
    /// Nil until the user chooses: the terminal decides.
    package var glyphs: GlyphSet?
    package var framesPerSecond = 4
    package var usesMouse = false
    /// Columns that the user does not want to see.
    var hiddenColumns: Set<TableColumn> = []
    /// All columns, from left to right.
    var columnOrder = TableColumn.allCases

    /// The columns that the user wants to see.
    var shownColumns: [TableColumn] { columnOrder.filter { !hiddenColumns.contains($0) } }

    /// Hides all columns but these, which stand in this order.
    package mutating func show(only columns: [TableColumn]) {
        hiddenColumns = Set(TableColumn.allCases).subtracting(columns)
        columnOrder = columns + TableColumn.allCases.filter { !columns.contains($0) }
    }
}
