/// The selection of rows that the table shows, and their order.
package struct RowQuery: Sendable, Equatable {
    package var tab: Tab = .all
    /// The filter as the user typed it; matched without regard to case.
    package var filter: String = ""
    /// The states to show; empty for all.
    package var states: Set<RowState> = []
    package var order = SortOrder()
    package var grouping = Grouping.none

    package init(
        tab: Tab = .all, filter: String = "", states: Set<RowState> = [], order: SortOrder = SortOrder(),
        grouping: Grouping = .none
    ) {
        self.tab = tab
        self.filter = filter
        self.states = states
        self.order = order
        self.grouping = grouping
    }

    /// Whether some rows of the tab may be hidden.
    package var isFiltering: Bool { !filter.isEmpty || !states.isEmpty }
}

/// The tabs over the table: everything, or one kind.
package enum Tab: Int, Sendable, CaseIterable {
    case all, data, upload, download

    /// The only kind that is shown; nil for all kinds.
    package var kind: Job.Kind? {
        switch self {
        case .all: nil
        case .data: .data
        case .upload: .upload
        case .download: .download
        }
    }

    /// The name on the screen.
    package var title: SafeText {
        switch self {
        case .all: ListTabLabels.all
        case .data: ListTabLabels.data
        case .upload: ListTabLabels.upload
        case .download: ListTabLabels.download
        }
    }

    /// The name in narrow windows.
    package var shortTitle: SafeText {
        switch self {
        case .all: ListTabLabels.all
        case .data: ListTabLabels.data
        case .upload: ListTabLabels.uploadShort
        case .download: ListTabLabels.downloadShort
        }
    }
}

/// The order of the table.
///
/// Ties are broken by the previous order, and then by id, so rows never jump.
package struct SortOrder: Sendable, Equatable {
    /// The columns that rows can be compared by.
    package enum Column: Int, Sendable, CaseIterable {
        case state, name, progress, size, speed, eta, host, added

        /// The column's word in the rule line and in the menu.
        package var title: SafeText {
            switch self {
            case .state: SortLabels.state
            case .name: SortLabels.name
            case .progress: SortLabels.progress
            case .size: SortLabels.size
            case .speed: SortLabels.speed
            case .eta: SortLabels.eta
            case .host: SortLabels.host
            case .added: SortLabels.added
            }
        }

        /// The column's word in the configuration file.
        package var settingWord: String { title.string.lowercased() }

        /// Whether values change while bytes move; such an order is refreshed at most once a second.
        var isMoving: Bool {
            switch self {
            case .progress, .speed, .eta: true
            case .state, .name, .size, .host, .added: false
            }
        }

        /// Whether the sort key is only the beginning of a text, so that ties must compare the full text.
        var isText: Bool {
            switch self {
            case .name, .host: true
            case .state, .progress, .size, .speed, .eta, .added: false
            }
        }
    }

    /// The second order, among rows that are otherwise equal.
    package struct TieBreaker: Sendable, Equatable {
        package var column: Column
        package var isInverted = false
    }

    package var column: Column = .state
    package var isInverted = false
    /// The previous order, which decides between equal rows; nil until the table has been ordered by another column.
    package var tieBreaker: TieBreaker?

    /// The word for the other direction in the configuration file.
    private static let reversed = "reversed"

    package init(column: Column = .state, isInverted: Bool = false, tieBreaker: TieBreaker? = nil) {
        self.column = column
        self.isInverted = isInverted
        self.tieBreaker = tieBreaker
    }

    /// Reads an order in the words of the configuration file; nil if there is no such order.
    package init?(words: String) {
        let parts = words.split(separator: ",", omittingEmptySubsequences: false)
        let orders = parts.compactMap { part -> SortOrder? in
            let words = part.split { $0 == " " || $0 == "\t" }.map { $0.lowercased() }
            guard let column = Column.allCases.first(where: { $0.settingWord == words.first }),
                words.count == 1 || words.count == 2 && words[1] == Self.reversed
            else { return nil }
            return SortOrder(column: column, isInverted: words.count == 2)
        }
        guard let first = orders.first, orders.count == parts.count, orders.count <= 2 else { return nil }
        self = first
        tieBreaker = orders.dropFirst().first.map { TieBreaker(column: $0.column, isInverted: $0.isInverted) }
    }

    /// The order in the words of the configuration file: `speed`, or `host reversed, size`.
    package var words: String {
        func words(_ column: Column, _ isInverted: Bool) -> String {
            column.settingWord + (isInverted ? " " + Self.reversed : "")
        }
        return words(column, isInverted) + (tieBreaker.map { ", " + words($0.column, $0.isInverted) } ?? "")
    }

    /// The order among rows that are otherwise equal.
    var tieOrder: SortOrder? { tieBreaker.map { SortOrder(column: $0.column, isInverted: $0.isInverted) } }

    /// Whether values that it depends on change while bytes move.
    var isMoving: Bool { column.isMoving || tieBreaker?.column.isMoving ?? false }

    var usesText: Bool { column.isText || tieBreaker?.column.isText ?? false }

    /// An order by another column, with this one among rows that are equal there.
    func followed(by column: Column, isInverted: Bool = false) -> SortOrder {
        var next = SortOrder(column: column, isInverted: isInverted, tieBreaker: tieBreaker)
        if column != self.column { next.tieBreaker = TieBreaker(column: self.column, isInverted: self.isInverted) }
        return next
    }

    /// The column this many steps on, wrapping around; stepping back restores the same order.
    package func advanced(by steps: Int) -> SortOrder {
        SortOrder(column: column.advanced(by: steps), isInverted: isInverted, tieBreaker: tieBreaker)
    }
}
