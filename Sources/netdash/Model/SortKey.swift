/// What a row is sorted by, as a number that grows in the order wanted.
///
/// The key is kept as it was when the row was placed, so that the row is found again after its values have changed.
struct SortKey: Sendable, Equatable {
    var value: UInt64 = 0
    var id: UInt64 = 0

    init() {}

    /// A key of known value.
    init(value: UInt64, id: UInt64) {
        self.value = value
        self.id = id
    }

    /// The key of a row under an order by something else than text.
    init(row: RowSnapshot, order: SortOrder, rates: RateBoard, now: Int64) {
        id = row.id
        switch order.column {
        case .state: value = SortKey.queueValue(of: row)
        case .name, .host: value = 0
        case .progress: value = UInt64(1001 - (PercentText.permille(row.moved, of: row.expected) ?? -1))
        case .size: value = UInt64.max - UInt64(max(row.expected ?? row.moved, 0))
        case .speed: value = UInt64.max - SortKey.clamped(rates.speed(of: row.id) ?? 0)
        case .eta: value = SortKey.clamped(rates.remainingSeconds(of: row, now: now) ?? .infinity)
        case .added: value = row.id
        }
        if order.isInverted { value = ~value }
    }

    /// States one after the other; within one the order of the queue, with priorities where they matter.
    private static func queueValue(of row: RowSnapshot) -> UInt64 {
        let urgency = row.state == .queued ? UInt64(max(8 - Int(row.priority), 0)) : 0
        return UInt64(row.state.rank) << 56 | urgency << 48 | min(row.place, 1 << 48 - 1)
    }

    private static func clamped(_ number: Double) -> UInt64 {
        number < 9e15 ? UInt64(max(number, 0)) : UInt64(9e15)
    }
}
