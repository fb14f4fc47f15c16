/// The sorting of rows.
extension RowStore {
    /// Whether a shown row's position has changed; moving values count only when the order is refreshed.
    func hasMoved(_ slot: Int32, rates: RateBoard, now: Int64) -> Bool {
        let index = Int(slot)
        if query.order.column.isMoving { return false }
        if keys[index] != sortKey(of: slot, by: query.order, rates: rates, now: now) { return true }
        guard let tieOrder = query.order.tieOrder, !tieOrder.column.isMoving else { return false }
        return ties[index] != sortKey(of: slot, by: tieOrder, rates: rates, now: now)
    }

    /// Moves a row to the position of its current values.
    package mutating func replace(_ slot: Int32, rates: RateBoard, now: Int64) {
        leaveOrder(slot)
        setKeys(of: slot, rates: rates, now: now)
        isShown[Int(slot)] = isMatching(Int(slot), rates: rates, now: now)
        guard isShown[Int(slot)] else { return }
        order.insert(slot, at: orderIndex(of: slot))
        if groups.isOn { groups.insert(slot, figures[Int(slot)]) }
    }

    /// Removes a row from the order, if it is in it, using the keys it was sorted with.
    mutating func leaveOrder(_ slot: Int32) {
        guard isShown[Int(slot)] else { return }
        order.remove(at: orderIndex(of: slot))
        if groups.isOn { groups.remove(slot, figures[Int(slot)]) }
        isShown[Int(slot)] = false
    }

    /// Sorts all rows again.
    mutating func rebuild(rates: RateBoard, now: Int64) {
        var members: [Int32] = []
        members.reserveCapacity(order.count)
        let pinnedTie = pinnedSlot.flatMap { slot in ties.isEmpty ? nil : ties[Int(slot)] }
        ties = query.order.tieBreaker == nil ? [] : [UInt64](repeating: 0, count: figures.count)
        let pinned = pinnedSlot.map { Int($0) }
        if let pinned, let pinnedTie, !ties.isEmpty { ties[pinned] = pinnedTie }
        for slot in figures.indices {
            let isMember = slot == pinned || figures.ids[slot] != 0 && isMatching(slot, rates: rates, now: now)
            isShown[slot] = isMember
            guard isMember else { continue }
            if slot != pinned { setKeys(of: Int32(truncatingIfNeeded: slot), rates: rates, now: now) }
            members.append(Int32(truncatingIfNeeded: slot))
        }
        order = sorted(members)
        regroup()
    }

    /// Moves many rows to the positions of their current values: they are sorted, and merged with the others of a list
    /// without groups.
    mutating func merge(_ moved: [Int32], rates: RateBoard, now: Int64) {
        if moved.contains(where: { isShown[Int($0)] }) {
            for slot in moved { isShown[Int(slot)] = false }
            order.removeAll { !isShown[Int($0)] }
        }
        for slot in moved {
            setKeys(of: slot, rates: rates, now: now)
            isShown[Int(slot)] = isMatching(Int(slot), rates: rates, now: now)
        }
        let members = sorted(moved.filter { isShown[Int($0)] })
        // Most rows are added behind the others.
        if let first = members.first, let last = order.last, !precedes(last, first) {
            order = merged(order, members)
        } else {
            order += members
        }
    }

    private func merged(_ left: [Int32], _ right: [Int32]) -> [Int32] {
        var result: [Int32] = []
        result.reserveCapacity(left.count + right.count)
        var index = 0
        for slot in right {
            while index < left.count, precedes(left[index], slot) {
                result.append(left[index])
                index += 1
            }
            result.append(slot)
        }
        return result + left[index...]
    }

    /// The first position whose row does not precede the slot's; the slot's own one if it is shown.
    package func orderIndex(of slot: Int32) -> Int {
        let positions = groups.isOn ? groups.positions(for: slot) : 0..<order.count
        var (low, high) = (positions.lowerBound, positions.upperBound)
        while low < high {
            let middle = (low + high) / 2
            let other = order[middle]
            if precedes(other, slot) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    // MARK: Private

    private mutating func setKeys(of slot: Int32, rates: RateBoard, now: Int64) {
        keys[Int(slot)] = sortKey(of: slot, by: query.order, rates: rates, now: now)
        guard let tieOrder = query.order.tieOrder else { return }
        ties[Int(slot)] = sortKey(of: slot, by: tieOrder, rates: rates, now: now)
    }

    /// Slots by the keys that they were sorted with.
    private func sorted(_ slots: [Int32]) -> [Int32] {
        var entries = slots.map { SortEntry(value: keys[Int($0)], id: figures.ids[Int($0)], slot: $0) }
        sort(&entries, by: query.order)
        if let tieOrder = query.order.tieOrder { breakTies(in: &entries, by: tieOrder) }
        return entries.map(\.slot)
    }

    private func sort(_ entries: inout [SortEntry], by order: SortOrder) {
        guard order.column.isText else { return entries.sort() }
        SortEntry.sortByText(&entries, in: texts, byHost: order.column == .host, isInverted: order.isInverted)
    }

    /// Sorts each run of rows with equal keys.
    private func breakTies(in entries: inout [SortEntry], by tieOrder: SortOrder) {
        var start = 0
        while start < entries.count {
            var end = start + 1
            while end < entries.count, isTied(entries[end - 1].slot, entries[end].slot) { end += 1 }
            if end - start > 1 {
                var run = entries[start..<end].map { entry in
                    SortEntry(value: ties[Int(entry.slot)], id: entry.id, slot: entry.slot)
                }
                sort(&run, by: tieOrder)
                entries.replaceSubrange(start..<end, with: run)
            }
            start = end
        }
    }

    private func isTied(_ left: Int32, _ right: Int32) -> Bool {
        keys[Int(left)] == keys[Int(right)] && textPrecedes(Int(left), Int(right), by: query.order) == nil
    }

    private func precedes(_ left: Int32, _ right: Int32) -> Bool {
        let (left, right) = (Int(left), Int(right))
        if keys[left] != keys[right] { return keys[left] < keys[right] }
        if left == right { return false }
        if let isBefore = textPrecedes(left, right, by: query.order) { return isBefore }
        if let tieOrder = query.order.tieOrder {
            if ties[left] != ties[right] { return ties[left] < ties[right] }
            if let isBefore = textPrecedes(left, right, by: tieOrder) { return isBefore }
        }
        return figures.ids[left] < figures.ids[right]
    }

    /// Whether one row's full text precedes the other's; nil if they are equal or the order is not by text.
    private func textPrecedes(_ left: Int, _ right: Int, by order: SortOrder) -> Bool? {
        guard order.column.isText else { return nil }
        return texts.precedes(left, right, byHost: order.column == .host).map { $0 != order.isInverted }
    }

    private func sortKey(of slot: Int32, by order: SortOrder, rates: RateBoard, now: Int64) -> UInt64 {
        guard order.column.isText else {
            return SortKey.value(of: figures[Int(slot)], order: order, rates: rates, now: now)
        }
        let value = texts.chunk(Int(slot), byHost: order.column == .host, number: 0)
        return order.isInverted ? ~value : value
    }
}

/// The sort key of a row, as a number that grows in the order wanted.
///
/// It is kept from when the row was sorted in, so that the row can be found after its values have changed.
private enum SortKey {
    /// The key of a row under an order by a column other than text.
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

    /// States one after the other; within one the order of the queue, with priorities if they matter.
    ///
    /// Queue positions are unique, so with another order for ties only waiting rows keep theirs.
    private static func queueValue(of row: RowFigures, hasTies: Bool) -> UInt64 {
        guard !hasTies || row.state == .queued else { return UInt64(row.state.rank) << 56 }
        let urgency = row.state == .queued ? UInt64(max(8 - Int(row.priority), 0)) : 0
        return UInt64(row.state.rank) << 56 | urgency << 48 | min(row.position, 1 << 48 - 1)
    }

    private static func clamped(_ number: Double) -> UInt64 {
        number < 9e15 ? UInt64(max(number, 0)) : UInt64(9e15)
    }
}

/// A row during a sort: its key and its slot.
private struct SortEntry: Comparable {
    var value: UInt64
    var id: UInt64
    var slot: Int32

    static func < (left: SortEntry, right: SortEntry) -> Bool {
        left.value != right.value ? left.value < right.value : left.id < right.id
    }

    /// Sorts by name or host.
    ///
    /// Eight bytes are compared at a time, as one number, and only rows equal so far are compared further: names tend
    /// to begin alike, and repeated comparisons of full texts cost ten times as much.
    static func sortByText(_ entries: inout [SortEntry], in texts: RowTexts, byHost: Bool, isInverted: Bool) {
        var work: [(range: Range<Int>, chunk: Int)] = [(entries.indices, 0)]
        while let (range, chunk) = work.popLast() {
            var isUniform = true
            for index in range {
                let value = texts.chunk(Int(entries[index].slot), byHost: byHost, number: chunk)
                entries[index].value = isInverted ? ~value : value
                if entries[index].value != entries[range.lowerBound].value { isUniform = false }
            }
            if !isUniform { entries[range].sort() }
            var start = range.lowerBound
            while start < range.upperBound {
                var end = start + 1
                while end < range.upperBound, entries[end].value == entries[start].value { end += 1 }
                let bytes = isInverted ? ~entries[start].value : entries[start].value
                let isOver = bytes & 0xFF == 0
                if end - start > 1 {
                    if !isOver {
                        work.append((start..<end, chunk + 1))
                    } else if isUniform {
                        entries[start..<end].sort()
                    }
                }
                start = end
            }
        }
    }
}
