/// The figures of all rows, by slot.
///
/// Rows without any event yet differ in their ids alone: such a row is its id and the number of a shared shape, an
/// eighth of a full row. A row that has begun keeps all of its figures.
package struct FigureTable: Sendable {
    /// The maximum number of shared shapes: rows wait or are paused, in three kinds.
    private static let shapeLimit = 32

    /// The id of each slot; 0 for an empty slot.
    private(set) var ids: [UInt64] = []
    /// The entry of each slot: the number of a shape, or, if negative, the complement of an index into `expanded`.
    private var entries: [Int32] = []
    /// Figures without id and position.
    private var shapes: [RowFigures] = []
    private var expanded: [RowFigures] = []
    private var freeSlots: [Int32] = []

    var count: Int { ids.count }

    /// The number of rows that have begun and so keep all of their figures.
    var expandedCount: Int { expanded.count - freeSlots.count }

    var indices: Range<Int> { ids.indices }

    package subscript(slot: Int) -> RowFigures {
        get {
            let entry = entries[slot]
            guard entry >= 0 else { return expanded[Int(~entry)] }
            var row = shapes[Int(entry)]
            (row.id, row.position) = (ids[slot], ids[slot])
            return row
        }
        set {
            ids[slot] = newValue.id
            let old = entries[slot]
            if let shape = shape(of: newValue) {
                entries[slot] = shape
                if old < 0 { freeSlots.append(~old) }
            } else if old < 0 {
                expanded[Int(~old)] = newValue
            } else {
                entries[slot] = ~entry(for: newValue)
            }
        }
    }

    /// The figures of all occupied slots, in no particular order.
    var present: some Sequence<RowFigures> { ids.indices.lazy.filter { ids[$0] != 0 }.map { self[$0] } }

    mutating func append(_ row: RowFigures) {
        ids.append(row.id)
        entries.append(shape(of: row) ?? ~entry(for: row))
    }

    mutating func clear(_ slot: Int) { self[slot] = RowFigures(id: 0, kind: .data) }

    private mutating func entry(for row: RowFigures) -> Int32 {
        if let free = freeSlots.popLast() {
            expanded[Int(free)] = row
            return free
        }
        expanded.append(row)
        return Int32(truncatingIfNeeded: expanded.count - 1)
    }

    /// The number of a row's shape, which may be new; nil if the row needs its own figures.
    private mutating func shape(of row: RowFigures) -> Int32? {
        guard row.startedAt == nil, row.endedAt == nil, row.retryAt == nil, row.expected == nil, row.received == 0,
            row.sent == 0, row.position == row.id
        else { return nil }
        var shape = row
        (shape.id, shape.position) = (0, 0)
        if let number = shapes.firstIndex(of: shape) { return Int32(truncatingIfNeeded: number) }
        guard shapes.count < Self.shapeLimit else { return nil }
        shapes.append(shape)
        return Int32(truncatingIfNeeded: shapes.count - 1)
    }
}
