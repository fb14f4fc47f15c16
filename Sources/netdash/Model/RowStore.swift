/// All rows by id, and the ids the table shows, filtered and sorted.
///
/// Rows live in slots that never move, so that the order is a list of small numbers. Single changes are placed by
/// binary search; large batches and new queries sort once. Counts are kept row by row.
struct RowStore: Sendable {
    /// Changes in one batch above which sorting again is cheaper than placing each row.
    private static let batchLimit = 48

    private(set) var counts = RowCounts()
    private(set) var query = RowQuery()
    private var snapshots: [RowSnapshot] = []
    private var slots: [UInt64: Int32] = [:]
    private var freeSlots: [Int32] = []
    private var search = SearchIndex()
    private var keys: [SortKey] = []
    private var isShown: [Bool] = []
    private var order: [Int32] = []
    /// The filter of the query, as it was read.
    private(set) var filter = FilterExpression()

    /// All rows there are.
    var count: Int { slots.count }

    /// Rows the table shows.
    var shownCount: Int { order.count }

    /// The row with an id.
    subscript(id: UInt64) -> RowSnapshot? {
        slots[id].map { snapshots[Int($0)] }
    }

    /// The row at a position of the table; nil outside of it.
    func row(at position: Int) -> RowSnapshot? {
        order.indices.contains(position) ? snapshots[Int(order[position])] : nil
    }

    /// Where the table shows a row; nil when it does not.
    func position(of id: UInt64) -> Int? {
        guard let slot = slots[id], isShown[Int(slot)] else { return nil }
        return place(of: slot)
    }

    /// The ids the table shows, from top to bottom.
    var shownIDs: [UInt64] { order.map { snapshots[Int($0)].id } }

    /// The ids the table shows of which something holds.
    func shownIDs(where condition: (RowSnapshot) -> Bool) -> [UInt64] {
        order.filter { condition(snapshots[Int($0)]) }.map { snapshots[Int($0)].id }
    }

    /// Whether the table shows a row of which something holds.
    func showsAny(where condition: (RowSnapshot) -> Bool) -> Bool {
        order.contains { condition(snapshots[Int($0)]) }
    }

    /// Every row, in no particular order.
    var all: some Sequence<RowSnapshot> { slots.values.lazy.map { snapshots[Int($0)] } }

    // MARK: Changes

    /// Inserts or replaces rows.
    ///
    /// Orders by moving values stay as they are until ``refreshOrder(rates:now:)``.
    mutating func upsert(_ rows: [RowSnapshot], rates: RateBoard, now: Int64) {
        var moved: [Int32] = []
        var hasNewText = false
        for row in rows {
            if query.order.column.isText, let old = self[row.id], text(old) != text(row) { hasNewText = true }
            let slot = store(row)
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
            counts.remove(snapshots[Int(slot)])
            slots[id] = nil
            snapshots[Int(slot)] = RowSnapshot(id: 0, kind: .data, name: .empty, url: .empty)
            freeSlots.append(slot)
        }
    }

    /// Shows other rows, or the same in another order.
    mutating func apply(_ query: RowQuery, rates: RateBoard, now: Int64) {
        guard query != self.query else { return }
        self.query = query
        filter = FilterExpression(query.filter)
        rebuild(rates: rates, now: now)
    }

    /// Sorts again by values that have moved.
    mutating func refreshOrder(rates: RateBoard, now: Int64) {
        rebuild(rates: rates, now: now)
    }

    // MARK: Private

    private mutating func store(_ row: RowSnapshot) -> Int32 {
        if let slot = slots[row.id] {
            let old = snapshots[Int(slot)]
            counts.remove(old)
            counts.add(row)
            snapshots[Int(slot)] = row
            if old.name != row.name || old.url != row.url || old.host != row.host { search.set(Int(slot), to: row) }
            return slot
        }
        let slot: Int32
        if let free = freeSlots.popLast() {
            slot = free
            snapshots[Int(slot)] = row
        } else {
            slot = Int32(truncatingIfNeeded: snapshots.count)
            snapshots.append(row)
            keys.append(SortKey())
            isShown.append(false)
        }
        slots[row.id] = slot
        counts.add(row)
        search.set(Int(slot), to: row)
        return slot
    }

    private func isMatching(_ slot: Int) -> Bool {
        let row = snapshots[slot]
        if let kind = query.tab.kind, kind != row.kind { return false }
        if !query.states.isEmpty, !query.states.contains(row.state) { return false }
        return filter.holds(for: row) && search.contains(filter.needle, in: slot)
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
        for slot in snapshots.indices {
            let isMember = snapshots[slot].id != 0 && isMatching(slot)
            isShown[slot] = isMember
            guard isMember else { continue }
            let key = sortKey(of: Int32(truncatingIfNeeded: slot), rates: rates, now: now)
            keys[slot] = key
            entries.append(SortEntry(value: key.value, id: key.id, slot: Int32(truncatingIfNeeded: slot)))
        }
        if query.order.column.isText {
            let byHost = query.order.column == .host
            SortEntry.sortByText(&entries, in: search, byHost: byHost, isInverted: query.order.isInverted)
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
            if precedes(keys[Int(other)], other, keys[Int(slot)], slot) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private func precedes(_ left: SortKey, _ leftSlot: Int32, _ right: SortKey, _ rightSlot: Int32) -> Bool {
        if left.value != right.value { return left.value < right.value }
        if left.id == right.id { return false }
        if query.order.column.isText {
            let byHost = query.order.column == .host
            if let isBefore = search.precedes(Int(leftSlot), Int(rightSlot), byHost: byHost) {
                return isBefore != query.order.isInverted
            }
        }
        return left.id < right.id
    }

    private func text(_ row: RowSnapshot) -> String {
        query.order.column == .host ? row.host.string : row.name.string
    }

    private func sortKey(of slot: Int32, rates: RateBoard, now: Int64) -> SortKey {
        let order = query.order
        guard order.column.isText else {
            return SortKey(row: snapshots[Int(slot)], order: order, rates: rates, now: now)
        }
        let value = search.chunk(Int(slot), byHost: order.column == .host, number: 0)
        return SortKey(value: order.isInverted ? ~value : value, id: snapshots[Int(slot)].id)
    }
}
