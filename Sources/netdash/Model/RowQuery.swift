/// Which rows the table shows, and in which order.
struct RowQuery: Sendable, Equatable {
    var tab: Tab = .all
    /// What the user typed; matched without regard to case.
    var filter: String = ""
    /// The states to show; empty for all.
    var states: Set<RowState> = []
    var order = SortOrder()

    /// Whether some rows of the tab may be hidden.
    var isFiltering: Bool { !filter.isEmpty || !states.isEmpty }
}
