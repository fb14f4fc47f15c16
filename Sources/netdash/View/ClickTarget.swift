/// A part of a drawn line that means something when it is clicked.
struct ClickTarget: Sendable, Equatable {
    enum Meaning: Sendable, Equatable {
        /// As if this key had been pressed.
        case key(KeyPress)
        /// This tab.
        case tab(Tab)
        /// This transfer's row.
        case row(UInt64)
        /// The title of the column that shows this.
        case order(SortOrder.Column)
    }

    var row: Int
    var columns: Range<Int>
    var meaning: Meaning
}
