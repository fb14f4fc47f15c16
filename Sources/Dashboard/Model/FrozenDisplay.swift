/// What happened since the display was frozen: it is shown when the display goes on.
struct FrozenDisplay: Sendable {
    /// Milliseconds of the model's clock.
    var since: Int64
    /// The latest picture of each row that changed.
    private(set) var rows: [UInt64: RowSnapshot] = [:]
    private(set) var removed: Set<UInt64> = []

    init(since: Int64) {
        self.since = since
    }

    /// Keeps rows for later.
    mutating func receive(_ snapshots: [RowSnapshot]) {
        for row in snapshots { rows[row.id] = row }
    }

    /// Keeps in mind that rows are gone.
    mutating func forget(_ ids: [UInt64]) {
        for id in ids {
            rows[id] = nil
            removed.insert(id)
        }
    }
}
