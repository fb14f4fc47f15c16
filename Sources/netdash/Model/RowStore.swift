/// All rows by id, and the ids the table shows, filtered and sorted.
///
/// Rows live in slots that never move, so that the order is a list of small numbers. Single changes are placed by
/// binary search; large batches and new queries sort once. Counts are kept row by row.
struct RowStore: Sendable {
    /// Changes in one batch above which sorting again is cheaper than placing each row.
    private static let batchLimit = 48

    private(set) var counts = RowCounts()
    private(set) var query = RowQuery()
    private var figures: [RowFigures] = []
    private var texts = RowTexts()
    private var slots: [UInt64: Int32] = [:]
    private var freeSlots: [Int32] = []
    /// What each slot is sorted by, and then by its id.
    private var keys: [UInt64] = []
    private var isShown: [Bool] = []
    private var order: [Int32] = []
    /// The filter of the query, as it was read.
    private(set) var filter = FilterExpression()
    private var needle = RowTexts.Needle([])
    private var hostNeedles: [RowTexts.Needle] = []

    /// All rows there are.
    var count: Int { slots.count }

    /// Rows the table shows.
    var shownCount: Int { order.count }

    /// The row with an id.
    subscript(id: UInt64) -> RowSnapshot? {
        slots[id].map { snapshot($0) }
    }

    /// The numbers of the row with an id; cheaper than the row.
    func figures(of id: UInt64) -> RowFigures? { slots[id].map { figures[Int($0)] } }

    /// The row at a position of the table; nil outside of it.
    func row(at position: Int) -> RowSnapshot? {
        order.indices.contains(position) ? snapshot(order[position]) : nil
    }

    /// Where the table shows a row; nil when it does not.
    func position(of id: UInt64) -> Int? {
        guard let slot = slots[id], isShown[Int(slot)] else { return nil }
        return place(of: slot)
    }

    /// The ids the table shows, from top to bottom.
    var shownIDs: [UInt64] { order.map { figures[Int($0)].id } }

    /// The ids the table shows of which something holds.
    func shownIDs(where condition: (RowFigures) -> Bool) -> [UInt64] {
        order.filter { condition(figures[Int($0)]) }.map { figures[Int($0)].id }
    }

    /// Whether the table shows a row of which something holds.
    func showsAny(where condition: (RowFigures) -> Bool) -> Bool {
        order.contains { condition(figures[Int($0)]) }
    }

    /// The numbers of every row, in no particular order.
    var all: some Sequence<RowFigures> { slots.values.lazy.map { figures[Int($0)] } }

    /// The host of every row, in no particular order.
    var hosts: some Sequence<SafeText> { slots.values.lazy.map { texts.host(Int($0)) } }

    // MARK: Changes

    /// Inserts or replaces rows.
    ///
    /// Orders by moving values stay as they are until ``refreshOrder(rates:now:)``.
    mutating func upsert(_ rows: [RowSnapshot], rates: RateBoard, now: Int64) {
        var moved: [Int32] = []
        var hasNewText = false
        for row in rows {
            let (slot, isRenamed) = store(row)
            if isRenamed, query.order.column.isText { hasNewText = true }
            let key = sortKey(of: slot, rates: rates, now: now)
            let matches = isMatching(Int(slot))
            let keepsKey = isShown[Int(slot)] && query.order.column.isMoving
            if matches != isShown[Int(slot)] || (!keepsKey && key != keys[Int(slot)]) { moved.append(slot) }
        }
        if hasNewText || moved.count > RowStore.batchLimit {
            rebuild(rates: rates, now: now)
        } else {
            for slot in moved { replace(slot, rates: rates, now: now) }
        }
    }

    /// Removes rows.
    mutating func remove(_ ids: [UInt64]) {
        for id in ids {
            guard let slot = slots[id] else { continue }
            if isShown[Int(slot)] { order.remove(at: place(of: slot)) }
            isShown[Int(slot)] = false
            counts.remove(figures[Int(slot)])
            slots[id] = nil
            figures[Int(slot)] = RowFigures(id: 0, kind: .data)
            texts.clear(Int(slot))
            freeSlots.append(slot)
        }
    }

    /// Shows other rows, or the same in another order.
    mutating func apply(_ query: RowQuery, rates: RateBoard, now: Int64) {
        guard query != self.query else { return }
        self.query = query
        filter = FilterExpression(query.filter)
        needle = RowTexts.Needle(filter.needle)
        hostNeedles = filter.hosts.map { RowTexts.Needle(Array($0.utf8)) }
        rebuild(rates: rates, now: now)
    }

    /// Sorts again by values that have moved.
    mutating func refreshOrder(rates: RateBoard, now: Int64) {
        rebuild(rates: rates, now: now)
    }

    // MARK: Private

    private func snapshot(_ slot: Int32) -> RowSnapshot { texts.snapshot(Int(slot), figures[Int(slot)]) }

    /// Puts a row into its slot; answers which that is, and whether the row was there under other texts.
    private mutating func store(_ row: RowSnapshot) -> (slot: Int32, isRenamed: Bool) {
        if let slot = slots[row.id] {
            counts.remove(figures[Int(slot)])
            counts.add(row.figures)
            figures[Int(slot)] = row.figures
            return (slot, texts.set(Int(slot), to: row))
        }
        let slot: Int32
        if let free = freeSlots.popLast() {
            slot = free
            figures[Int(slot)] = row.figures
        } else {
            slot = Int32(truncatingIfNeeded: figures.count)
            figures.append(row.figures)
            keys.append(0)
            isShown.append(false)
        }
        slots[row.id] = slot
        counts.add(row.figures)
        texts.set(Int(slot), to: row)
        return (slot, false)
    }

    private func isMatching(_ slot: Int) -> Bool {
        let row = figures[slot]
        if let kind = query.tab.kind, kind != row.kind { return false }
        if !query.states.isEmpty, !query.states.contains(row.state) { return false }
        return filter.holds(for: row) && texts.contains(needle, in: slot)
            && hostNeedles.allSatisfy { texts.hostContains($0, in: slot) }
    }

    private mutating func replace(_ slot: Int32, rates: RateBoard, now: Int64) {
        if isShown[Int(slot)] { order.remove(at: place(of: slot)) }
        keys[Int(slot)] = sortKey(of: slot, rates: rates, now: now)
        isShown[Int(slot)] = isMatching(Int(slot))
        if isShown[Int(slot)] { order.insert(slot, at: place(of: slot)) }
    }

    private mutating func rebuild(rates: RateBoard, now: Int64) {
        var entries: [SortEntry] = []
        entries.reserveCapacity(order.count)
        for slot in figures.indices {
            let isMember = figures[slot].id != 0 && isMatching(slot)
            isShown[slot] = isMember
            guard isMember else { continue }
            let key = sortKey(of: Int32(truncatingIfNeeded: slot), rates: rates, now: now)
            keys[slot] = key
            entries.append(SortEntry(value: key, id: figures[slot].id, slot: Int32(truncatingIfNeeded: slot)))
        }
        if query.order.column.isText {
            let byHost = query.order.column == .host
            SortEntry.sortByText(&entries, in: texts, byHost: byHost, isInverted: query.order.isInverted)
        } else {
            entries.sort()
        }
        order = entries.map(\.slot)
    }

    /// The first position whose row does not come before the slot's; the slot's own one when it is shown.
    private func place(of slot: Int32) -> Int {
        var low = 0
        var high = order.count
        while low < high {
            let middle = (low + high) / 2
            let other = order[middle]
            if precedes(other, slot) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private func precedes(_ left: Int32, _ right: Int32) -> Bool {
        let (left, right) = (Int(left), Int(right))
        if keys[left] != keys[right] { return keys[left] < keys[right] }
        if left == right { return false }
        if query.order.column.isText {
            if let isBefore = texts.precedes(left, right, byHost: query.order.column == .host) {
                return isBefore != query.order.isInverted
            }
        }
        return figures[left].id < figures[right].id
    }

    private func sortKey(of slot: Int32, rates: RateBoard, now: Int64) -> UInt64 {
        let order = query.order
        guard order.column.isText else {
            return SortKey.value(of: figures[Int(slot)], order: order, rates: rates, now: now)
        }
        let value = texts.chunk(Int(slot), byHost: order.column == .host, number: 0)
        return order.isInverted ? ~value : value
    }
}
