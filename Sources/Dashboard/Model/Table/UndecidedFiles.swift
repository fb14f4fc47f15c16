/// The downloads that wait for a decision about an existing file, and which of them the user put off.
package struct UndecidedFiles: Sendable, Equatable {
    /// The downloads that wait, and whether the user was asked about each.
    private var wasAsked: [UInt64: Bool] = [:]
    /// The downloads in the order in which they found their files; some may no longer wait.
    private var order: [UInt64] = []
    /// How many wait without having been asked about.
    package private(set) var unaskedCount = 0

    package func contains(_ id: UInt64) -> Bool { wasAsked[id] != nil }

    /// The ones that the user was not asked about, in the order in which they found their files.
    package var unasked: [UInt64] {
        var seen: Set<UInt64> = []
        return order.filter { wasAsked[$0] == false && seen.insert($0).inserted }
    }

    /// Follows a row.
    mutating func follow(_ row: RowFigures) {
        if row.isUndecided {
            guard wasAsked[row.id] == nil else { return }
            wasAsked[row.id] = false
            order.append(row.id)
            unaskedCount += 1
        } else if !wasAsked.isEmpty {
            forget(row.id)
        }
    }

    mutating func forget(_ id: UInt64) {
        if wasAsked.removeValue(forKey: id) == false { unaskedCount -= 1 }
        if wasAsked.isEmpty { order = [] }
    }

    /// The next one to ask about, once; nil for none.
    mutating func next() -> UInt64? {
        guard unaskedCount > 0, let index = order.firstIndex(where: { wasAsked[$0] == false }) else { return nil }
        let id = order[index]
        order.removeFirst(index + 1)
        wasAsked[id] = true
        unaskedCount -= 1
        return id
    }
}
