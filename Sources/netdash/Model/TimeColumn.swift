/// What the time column shows of a transfer.
enum TimeColumn: Sendable, CaseIterable {
    /// The time left.
    case eta
    /// The time taken.
    case elapsed
    /// The time of day at the end.
    case finish

    /// The column's title.
    var title: SafeText {
        switch self {
        case .eta: "ETA"
        case .elapsed: "TIME"
        case .finish: "ENDS"
        }
    }

    /// What the options call it.
    var name: SafeText {
        switch self {
        case .eta: "time left"
        case .elapsed: "time taken"
        case .finish: "time of day at the end"
        }
    }
}
