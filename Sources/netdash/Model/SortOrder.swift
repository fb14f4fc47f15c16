/// How the table is ordered.
///
/// Ties are broken by id, so rows never dance.
struct SortOrder: Sendable, Equatable {
    /// What the rows are compared by.
    enum Column: Int, Sendable, CaseIterable {
        case state, name, progress, size, speed, eta, host, added

        /// Its word in the rule line and in the menu.
        var title: SafeText {
            switch self {
            case .state: "state"
            case .name: "name"
            case .progress: "progress"
            case .size: "size"
            case .speed: "speed"
            case .eta: "ETA"
            case .host: "host"
            case .added: "added"
            }
        }

        /// Whether values change while bytes move; such an order is refreshed once a second at most.
        var isMoving: Bool {
            switch self {
            case .progress, .speed, .eta: true
            case .state, .name, .size, .host, .added: false
            }
        }

        /// Whether the sort key is only the beginning of a text, so that ties must compare the whole.
        var isText: Bool {
            switch self {
            case .name, .host: true
            case .state, .progress, .size, .speed, .eta, .added: false
            }
        }
    }

    var column: Column = .state
    var isInverted = false

    /// The column so many steps on, round and round.
    func advanced(by steps: Int) -> SortOrder {
        let count = Column.allCases.count
        let next = ((column.rawValue + steps) % count + count) % count
        return SortOrder(column: Column.allCases[next], isInverted: isInverted)
    }
}
