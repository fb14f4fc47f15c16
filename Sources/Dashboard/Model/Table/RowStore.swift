/// All rows by id, and the ids the table shows, filtered and sorted.
///
/// Rows live in slots that never move, so that the order is a list of small numbers. Single changes are inserted by
/// binary search, large batches are sorted and merged, and a new query sorts all. Counts are updated row by row.
package struct RowStore: Sendable {
    /// The number of changes in one batch above which merging is cheaper than inserting each row.
    private static let batchLimit = 48

    /// The counts of the table's own rows.
    private var counted = RowCounts()
    /// The counts of a service that has more rows than the table; nil where the table has all rows.
    package private(set) var totals: StoreTotals?
    package private(set) var query = RowQuery()
    package private(set) var figures = FigureTable()
    var texts = RowTexts()
    private var slots = SlotIndex()
    private var freeSlots: [Int32] = []
    /// Removed rows that may come back, which costs nothing while they keep their slots.
    private var aside: [UInt64: Aside] = [:]

    private struct Aside: Sendable {
        var slot: Int32
        var figures: RowFigures
    }

    /// The sort key of each slot; equal keys are ordered by ties, then by id.
    package var keys: [UInt64] = []
    /// The sort keys among slots with equal keys; empty if only the id decides.
    var ties: [UInt64] = []
    var isShown: [Bool] = []
    package var order: [Int32] = []
    var groups = RowGroups()
    /// The selected row, which keeps its position when its state changes; nil if there is none.
    private(set) var anchor: UInt64?
    /// The slot of the anchor once it keeps a position other than its sorted one; its keys belong to that position.
    private(set) var pinnedSlot: Int32?
    /// The parsed filter of the query.
    package private(set) var filter = FilterExpression()

    package var counts: RowCounts { totals?.counts ?? counted }

    package var count: Int { totals?.count ?? slots.count }

    /// The number of rows the table shows.
    package var shownCount: Int { order.count }

    package subscript(id: UInt64) -> RowSnapshot? {
        slots[id].map { snapshot($0) }
    }

    /// The figures of a row; cheaper than the row.
    package func figures(of id: UInt64) -> RowFigures? { slots[id].map { figures[Int($0)] } }

    func slot(of id: UInt64) -> Int32? { slots[id] }

    /// The line at which the table shows a row; nil if it does not, or its group is folded.
    package func position(of id: UInt64) -> Int? {
        guard let slot = slots[id], isShown[Int(slot)] else { return nil }
        let orderIndex = orderIndex(of: slot)
        return groups.isOn ? groups.line(ofPosition: orderIndex, slot: slot) : orderIndex
    }

    package func isShown(_ id: UInt64) -> Bool { slots[id].map { isShown[Int($0)] } ?? false }

    /// The ids the table shows, from top to bottom.
    var shownIDs: [UInt64] { order.map { figures.ids[Int($0)] } }

    func shownIDs(where condition: (RowFigures) -> Bool) -> [UInt64] {
        order.filter { condition(figures[Int($0)]) }.map { figures.ids[Int($0)] }
    }

    func showsAny(where condition: (RowFigures) -> Bool) -> Bool {
        order.contains { condition(figures[Int($0)]) }
    }

    /// The figures of every row, in no particular order.
    package var all: some Sequence<RowFigures> { figures.present }

    /// The host of every row, in no particular order.
    var hosts: some Sequence<SafeText> {
        figures.indices.lazy.filter { figures.ids[$0] != 0 }.map { texts.host($0) }
    }

    /// The workers of the rows, in no particular order.
    var workers: some Sequence<SafeText> {
        figures.indices.lazy.filter { figures.ids[$0] != 0 }.map { texts.worker($0) }.filter { !$0.isEmpty }
    }

    // MARK: Changes

    /// Takes the counts of a service that has more rows than the table.
    mutating func adopt(_ totals: RowTotals) { self.totals = StoreTotals(totals) }

    /// Inserts or replaces rows.
    ///
    /// Orders by moving values stay unchanged until ``refreshOrder(rates:now:)``.
    mutating func upsert(_ rows: [RowSnapshot], rates: RateBoard, now: Int64) {
        var moved: [Int32] = []
        var hasNewText = false
        for row in rows {
            if row.id == anchor { holdIfMoving(row.figures) }
            let (slot, isRenamed) = store(row)
            if isRenamed, query.order.usesText { hasNewText = true }
            if isMisplaced(slot, rates: rates, now: now) { moved.append(slot) }
        }
        if hasNewText { rebuild(rates: rates, now: now) } else { replace(moved, rates: rates, now: now) }
    }

    /// Replaces the figures of existing rows without reading their texts.
    mutating func update(_ rows: [RowFigures], rates: RateBoard, now: Int64) {
        var moved: [Int32] = []
        for row in rows {
            guard let slot = slots[row.id] else { continue }
            if row.id == anchor { holdIfMoving(row) }
            replaceFigures(in: slot, with: row)
            if isMisplaced(slot, rates: rates, now: now) { moved.append(slot) }
        }
        replace(moved, rates: rates, now: now)
    }

    /// Moves rows to the positions of their current values.
    private mutating func replace(_ moved: [Int32], rates: RateBoard, now: Int64) {
        if moved.count <= RowStore.batchLimit {
            for slot in moved { replace(slot, rates: rates, now: now) }
        } else if groups.isOn {
            rebuild(rates: rates, now: now)
        } else {
            // A row may have changed twice.
            merge(Array(Set(moved)), rates: rates, now: now)
        }
    }

    package mutating func remove(_ ids: [UInt64]) {
        setAside(ids)
        forgetAside(ids)
    }

    /// Removes rows from the table so that they can be restored.
    ///
    /// Many leave the order in one pass: one by one, each would move all rows after it.
    mutating func setAside(_ ids: [UInt64]) {
        if ids.count > RowStore.batchLimit {
            for id in ids { if let slot = slots[id] { isShown[Int(slot)] = false } }
            order.removeAll { !isShown[Int($0)] }
            regroup()
        }
        for id in ids {
            guard let slot = slots.remove(id) else { continue }
            leaveOrder(slot)
            if slot == pinnedSlot { pinnedSlot = nil }
            let row = figures[Int(slot)]
            counted.count(row, sign: -1)
            aside[id] = Aside(slot: slot, figures: row)
            figures.clear(Int(slot))
        }
    }

    var hasAside: Bool { !aside.isEmpty }

    var asideIDs: [UInt64] { Array(aside.keys) }

    func isAside(_ id: UInt64) -> Bool { aside[id] != nil }

    /// The ids of the rows set aside that have one of these URLs.
    func asideIDs(withURLs urls: [SafeText]) -> [UInt64] {
        aside.filter { row in urls.contains { texts.hasURL($0, Int(row.value.slot)) } }.map(\.key)
    }

    /// Keeps the latest snapshot of a row that was set aside.
    mutating func updateAside(_ row: RowSnapshot) {
        guard let slot = aside[row.id]?.slot else { return }
        aside[row.id]?.figures = row.figures
        texts.set(Int(slot), to: row)
    }

    /// Drops rows that were set aside.
    mutating func forgetAside(_ ids: [UInt64]) {
        for id in ids {
            guard let row = aside.removeValue(forKey: id) else { continue }
            texts.clear(Int(row.slot))
            freeSlots.append(row.slot)
        }
    }

    /// Restores rows that were set aside, and returns their ids.
    mutating func bringBack(_ ids: [UInt64], rates: RateBoard, now: Int64) -> [UInt64] {
        let back = ids.filter { id in
            guard let row = aside.removeValue(forKey: id) else { return false }
            figures[Int(row.slot)] = row.figures
            slots.set(id, row.slot)
            counted.count(row.figures)
            return true
        }
        rebuild(rates: rates, now: now)
        return back
    }

    /// Changes the filter or the order.
    package mutating func apply(_ query: RowQuery, rates: RateBoard, now: Int64) {
        guard query != self.query else { return }
        self.query = query
        groups.reset(to: query.grouping)
        pinnedSlot = nil
        // While the filter is invalid, its previous conditions apply.
        let read = FilterExpression(query.filter)
        filter = read.isUsable ? read : read.keeping(filter)
        rebuild(rates: rates, now: now)
    }

    /// Sorts again by values that have moved.
    mutating func refreshOrder(rates: RateBoard, now: Int64) {
        rebuild(rates: rates, now: now)
    }

    // MARK: The anchor

    /// Makes another row the anchor; the previous one moves to its sorted position.
    mutating func anchor(at id: UInt64?, rates: RateBoard, now: Int64) {
        guard id != anchor else { return }
        anchor = id
        guard let slot = pinnedSlot else { return }
        pinnedSlot = nil
        if isMisplaced(slot, rates: rates, now: now) { replace(slot, rates: rates, now: now) }
    }

    /// Fixes the anchor's position from now on, whatever its state becomes.
    mutating func holdAnchor() {
        if let slot = anchor.flatMap({ slots[$0] }), isShown[Int(slot)] { pinnedSlot = slot }
    }

    /// Fixes the anchor's position if another state would sink or hide it; it may rise.
    private mutating func holdIfMoving(_ row: RowFigures) {
        guard pinnedSlot == nil, let slot = slots[row.id], isShown[Int(slot)] else { return }
        let old = figures[Int(slot)].state
        if row.state.rank > old.rank || row.state != old && hidesByState { pinnedSlot = slot }
    }

    private var hidesByState: Bool { !query.states.isEmpty || filter.usesStates }

    // MARK: Private

    func snapshot(_ slot: Int32) -> RowSnapshot { texts.snapshot(Int(slot), figures[Int(slot)]) }

    /// Stores a row in its slot; returns the slot and whether the row existed with other texts.
    private mutating func store(_ row: RowSnapshot) -> (slot: Int32, isRenamed: Bool) {
        if let slot = slots[row.id] {
            // It can be found in its old group only by its old values.
            let changesGroup = changesGroup(slot, to: row)
            if changesGroup {
                leaveOrder(slot)
                if slot == pinnedSlot { pinnedSlot = nil }
            }
            replaceFigures(in: slot, with: row.figures)
            if changesGroup { assignGroup(slot, row) }
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
            if query.order.tieBreaker != nil { ties.append(0) }
            isShown.append(false)
        }
        slots.set(row.id, slot)
        counted.count(row.figures)
        texts.set(Int(slot), to: row)
        assignGroup(slot, row)
        return (slot, false)
    }

    private mutating func replaceFigures(in slot: Int32, with row: RowFigures) {
        let old = figures[Int(slot)]
        counted.count(old, sign: -1)
        counted.count(row)
        if groups.isOn, isShown[Int(slot)] { groups.change(slot, from: old, to: row) }
        figures[Int(slot)] = row
    }

    /// Whether a row is wrongly shown or hidden, or belongs to another position.
    private func isMisplaced(_ slot: Int32, rates: RateBoard, now: Int64) -> Bool {
        guard slot != pinnedSlot else { return false }
        let (isMatching, isShown) = (isMatching(Int(slot), rates: rates, now: now), isShown[Int(slot)])
        return isMatching != isShown || isShown && hasMoved(slot, rates: rates, now: now)
    }

    func isMatching(_ slot: Int, rates: RateBoard, now: Int64) -> Bool {
        if let kind = query.tab.kind, kind != figures[slot].kind { return false }
        if !query.states.isEmpty, !query.states.contains(figures[slot].state) { return false }
        guard !filter.groups.isEmpty else { return true }
        return filter.groups.contains { group in
            group.allSatisfy { holds($0.condition, slot, rates: rates, now: now) != $0.isNegated }
        }
    }

    /// Whether a condition holds for a row; false if the row does not exist.
    func holds(_ condition: FilterExpression.Condition, of id: UInt64, rates: RateBoard, now: Int64) -> Bool {
        slots[id].map { holds(condition, Int($0), rates: rates, now: now) } ?? false
    }

    private func holds(_ condition: FilterExpression.Condition, _ slot: Int, rates: RateBoard, now: Int64) -> Bool {
        switch condition {
        case .text(let needle): texts.contains(needle, in: slot)
        case .host(let needle): texts.hostContains(needle, in: slot)
        case .worker(let part): texts.worker(slot).lowercased.string.contains(part)
        case .error(let part, let causes):
            texts.errorContains(part, in: slot) || figures[slot].cause.map { causes.contains($0) } ?? false
        case .pattern(let pattern): texts.matches(pattern, in: slot)
        case .states(let states): states.contains(figures[slot].state)
        case .kinds(let kinds): kinds.contains(figures[slot].kind)
        case .range(.size, let range): range.containsSize(of: figures[slot])
        case .range(let measure, let range):
            value(of: measure, figures[slot], rates: rates, now: now).map { range.contains($0) } ?? false
        }
    }

    /// Returns a row's value in a column; nil while the row has no such figure.
    private func value(
        of measure: FilterExpression.Measure, _ row: RowFigures, rates: RateBoard, now: Int64
    ) -> Double? {
        switch measure {
        case .size: row.expected.map { Double($0) }
        case .speed: rates.speed(of: row.id)
        case .progress:
            row.state == .done ? 100 : PercentText.permille(row.moved, of: row.expected).map { Double($0) / 10 }
        case .age: row.startedAt.map { Double(max(now - $0, 0)) / 1000 }
        }
    }
}
