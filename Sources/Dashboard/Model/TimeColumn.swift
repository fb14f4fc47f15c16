/// What the time column shows of a transfer, under the words of the configuration file.
package enum TimeColumn: String, Sendable, CaseIterable {
    /// The time left.
    case eta = "left"
    /// The time taken.
    case elapsed = "taken"
    /// The time of day at the end.
    case finish = "end"

    /// The column's title.
    package var title: SafeText {
        switch self {
        case .eta: "ETA"
        case .elapsed: "TIME"
        case .finish: "ENDS"
        }
    }

    /// What the options call it.
    package var name: SafeText {
        switch self {
        case .eta: "time left"
        case .elapsed: "time taken"
        case .finish: "time of day at the end"
        }
    }
}
