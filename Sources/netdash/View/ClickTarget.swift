/// A part of a drawn line that means something when it is clicked.
struct ClickTarget: Sendable, Equatable {
    enum Meaning: Sendable, Equatable {
        /// As if this key had been pressed.
        case key(KeyPress)
        /// This tab.
        case tab(Tab)
        /// This part of the details.
        case detailsTab(DetailsTab)
        /// The button, line or field of this number, of whatever lies over the list.
        case choice(Int)
        /// This transfer's row.
        case row(UInt64)
        /// The title of the column that shows this.
        case order(SortOrder.Column)
    }

    var row: Int
    var columns: Range<Int>
    var meaning: Meaning
}
