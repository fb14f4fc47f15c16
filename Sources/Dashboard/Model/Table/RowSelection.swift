/// Chooses rows by a filter, for callers without a table.
package enum RowSelection {
    /// The rows that match, in their order; speeds and ages are unknown here, so a condition on them matches no row.
    package static func rows(_ rows: [RowSnapshot], matching filter: String) -> [RowSnapshot] {
        var store = RowStore()
        store.apply(RowQuery(filter: filter), rates: RateBoard(), now: 0)
        store.upsert(rows, rates: RateBoard(), now: 0)
        return rows.filter { store.isShown($0.id) }
    }
}
