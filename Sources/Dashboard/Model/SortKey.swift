/// What a row is sorted by, as a number that grows in the order wanted.
///
/// It is kept as it was when the row was placed, so that the row is found again after its values have changed.
enum SortKey {
    /// The key of a row under an order by something else than text.
    static func value(of row: RowFigures, order: SortOrder, rates: RateBoard, now: Int64) -> UInt64 {
        let value: UInt64 =
            switch order.column {
            case .state: queueValue(of: row, hasTies: order.tieBreaker != nil)
            case .name, .host: 0
            case .progress: UInt64(1001 - (PercentText.permille(row.moved, of: row.expected) ?? -1))
            case .size: UInt64.max - UInt64(max(row.expected ?? row.moved, 0))
            case .speed: UInt64.max - clamped(rates.speed(of: row.id) ?? 0)
            case .eta: clamped(rates.remainingSeconds(of: row, now: now) ?? .infinity)
            case .added: row.id
            }
        return order.isInverted ? ~value : value
    }

    /// States one after the other; within one the order of the queue, with priorities where they matter.
    ///
    /// No two places in the queue are the same, so with another order for ties only what waits keeps its place.
    private static func queueValue(of row: RowFigures, hasTies: Bool) -> UInt64 {
        guard !hasTies || row.state == .queued else { return UInt64(row.state.rank) << 56 }
        let urgency = row.state == .queued ? UInt64(max(8 - Int(row.priority), 0)) : 0
        return UInt64(row.state.rank) << 56 | urgency << 48 | min(row.place, 1 << 48 - 1)
    }

    private static func clamped(_ number: Double) -> UInt64 {
        number < 9e15 ? UInt64(max(number, 0)) : UInt64(9e15)
    }
}
