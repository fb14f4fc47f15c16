/// What the details show.
package struct DetailsState: Sendable, Equatable {
    /// How much room they have beside the list.
    var pane: DetailsPane = .small
    /// The transfer whose details fill the screen; nil while the list is shown.
    var fullScreenID: UInt64?
    package var tab: DetailsTab = .overview
    /// Lines scrolled off the top of the full screen.
    var top = 0
    /// Cells scrolled off the left of the full screen.
    package var left = 0
    /// What is looked for in the full screen; nil while nothing is.
    var search: DetailsSearch?
    /// Whether secret header values are shown; off again when the selection moves on.
    var revealsSecrets = false
    /// The transfer whose details are asked for: the one whose details are on the screen.
    var watchedID: UInt64?
    /// Its details, once they are there.
    package var facts: RowDetails?
}
