/// A part of a drawn line that means something when it is clicked.
package struct ClickTarget: Sendable, Equatable {
    package enum Meaning: Sendable, Equatable {
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

    package var row: Int
    package var columns: Range<Int>
    package var meaning: Meaning
}
