/// Rows that were cleared from the table and can still be had back.
///
/// The session keeps them until the moment has passed, so that taking it back needs nothing from anybody.
struct PendingClear: Sendable, Equatable {
    /// Milliseconds of the model's clock at which they go for good.
    var dueAt: Int64
    /// The rows, by id.
    private(set) var rows: [UInt64: RowSnapshot]

    /// A clear of some rows.
    init(_ rows: [RowSnapshot], dueAt: Int64) {
        self.dueAt = dueAt
        self.rows = Dictionary(rows.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    }

    /// Takes what has become of a row; false for one that is not among these, or that is live again and so stays.
    mutating func absorb(_ row: RowSnapshot) -> Bool {
        guard rows[row.id] != nil else { return false }
        rows[row.id] = row.state.isFinal ? row : nil
        return row.state.isFinal
    }

    /// Forgets rows that are gone.
    mutating func forget(_ ids: [UInt64]) {
        for id in ids { rows[id] = nil }
    }
}
