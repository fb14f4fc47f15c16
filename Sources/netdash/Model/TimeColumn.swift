/// What the time column shows of a running transfer.
enum TimeColumn: Sendable, CaseIterable {
    case eta, elapsed

    /// The column's title.
    var title: SafeText {
        switch self {
        case .eta: "ETA"
        case .elapsed: "TIME"
        }
    }

    /// The other one.
    var next: TimeColumn {
        switch self {
        case .eta: .elapsed
        case .elapsed: .eta
        }
    }
}
