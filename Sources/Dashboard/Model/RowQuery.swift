/// Which rows the table shows, and in which order.
package struct RowQuery: Sendable, Equatable {
    package var tab: Tab = .all
    /// What the user typed; matched without regard to case.
    package var filter: String = ""
    /// The states to show; empty for all.
    var states: Set<RowState> = []
    package var order = SortOrder()

    /// Whether some rows of the tab may be hidden.
    var isFiltering: Bool { !filter.isEmpty || !states.isEmpty }
}
