/// The numbers of all rows, by slots.
///
/// Rows to which nothing has happened differ in their ids alone: such a row is its id and the number of a shape that it
/// shares with others, an eighth of a whole one. A row that began keeps all of its numbers.
package struct FigureTable: Sendable {
    /// The shapes that are shared at most: rows wait or are paused, in three kinds.
    private static let shapeLimit = 32

    /// By slot; 0 where there is no row.
    private(set) var ids: [UInt64] = []
    /// By slot: the number of a shape, or below zero the complement of a place among the whole ones.
    private var places: [Int32] = []
    /// Numbers without id and place.
    private var shapes: [RowFigures] = []
    private var whole: [RowFigures] = []
    private var freeSlots: [Int32] = []

    /// How many slots there are.
    var count: Int { ids.count }

    /// How many rows have begun, and so keep all of their numbers.
    var wholeCount: Int { whole.count - freeSlots.count }

    /// All slots.
    var indices: Range<Int> { ids.indices }

    /// The numbers of a slot's row.
    package subscript(slot: Int) -> RowFigures {
        get {
            let place = places[slot]
            guard place >= 0 else { return whole[Int(~place)] }
            var row = shapes[Int(place)]
            (row.id, row.place) = (ids[slot], ids[slot])
            return row
        }
        set {
            ids[slot] = newValue.id
            let old = places[slot]
            if let shape = shape(of: newValue) {
                places[slot] = shape
                if old < 0 { freeSlots.append(~old) }
            } else if old < 0 {
                whole[Int(~old)] = newValue
            } else {
                places[slot] = ~place(for: newValue)
            }
        }
    }

    /// The numbers of all slots whose rows are there, in no particular order.
    var present: some Sequence<RowFigures> { ids.indices.lazy.filter { ids[$0] != 0 }.map { self[$0] } }

    /// Adds a slot behind the others.
    mutating func append(_ row: RowFigures) {
        ids.append(row.id)
        places.append(shape(of: row) ?? ~place(for: row))
    }

    /// Leaves a slot without a row.
    mutating func clear(_ slot: Int) { self[slot] = RowFigures(id: 0, kind: .data) }

    private mutating func place(for row: RowFigures) -> Int32 {
        if let free = freeSlots.popLast() {
            whole[Int(free)] = row
            return free
        }
        whole.append(row)
        return Int32(truncatingIfNeeded: whole.count - 1)
    }

    /// The number of the shape that a row has, which may be new; nil for a row of its own.
    private mutating func shape(of row: RowFigures) -> Int32? {
        guard row.hasNotBegun, row.place == row.id else { return nil }
        var shape = row
        (shape.id, shape.place) = (0, 0)
        if let number = shapes.firstIndex(of: shape) { return Int32(truncatingIfNeeded: number) }
        guard shapes.count < Self.shapeLimit else { return nil }
        shapes.append(shape)
        return Int32(truncatingIfNeeded: shapes.count - 1)
    }
}

extension RowFigures {
    /// Whether no number is there yet that belongs to this row alone.
    fileprivate var hasNotBegun: Bool {
        startedAt == nil && endedAt == nil && retryAt == nil && received == 0 && sent == 0 && expected == nil
    }
}
