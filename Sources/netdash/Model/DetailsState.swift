/// What the details show.
struct DetailsState: Sendable, Equatable {
    /// How much room they have beside the list.
    var pane: DetailsPane = .small
    /// The transfer whose details fill the screen; nil while the list is shown.
    var fullScreenID: UInt64?
    var tab: DetailsTab = .overview
    /// Lines scrolled off the top of the full screen.
    var top = 0
}
