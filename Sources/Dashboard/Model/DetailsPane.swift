/// How much of the list screen the details take.
enum DetailsPane: Sendable, CaseIterable {
    case off, small, large

    /// The next one, round and round.
    var next: DetailsPane {
        switch self {
        case .off: .small
        case .small: .large
        case .large: .off
        }
    }
}
