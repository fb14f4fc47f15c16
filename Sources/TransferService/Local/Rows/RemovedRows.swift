/// Rows that have left the list and may come back; beyond the limit the oldest are gone for good.
///
/// They are no longer in the saved session: another run of the service has none of them.
struct RemovedRows {
    /// As many as a list of the supported size has.
    private static let limit = 100_000

    private var rows: [UInt64: TransferRow] = [:]
    /// The entries that their removal has put into the history, which go when they come back.
    private var entries: [UInt64: HistoryEntry] = [:]
    /// Oldest first.
    private var order = RowIDs()
    /// Rows that are being cancelled, and are removed once they have ended.
    private(set) var leaving: Set<UInt64> = []
    /// The ones of them that have ended.
    private var ended: [UInt64] = []

    func has(_ id: UInt64) -> Bool { rows[id] != nil }

    /// Keeps a row; returns the ids of the ones that are gone for good in its place.
    mutating func put(_ row: consuming TransferRow) -> [UInt64] {
        let id = row.id
        rows[id] = row
        order.append(id)
        var lost: [UInt64] = []
        while rows.count > Self.limit, let oldest = order.popFirst() {
            entries[oldest] = nil
            if rows.removeValue(forKey: oldest) != nil { lost.append(oldest) }
        }
        return lost
    }

    /// Takes rows out, in the order of the ids; missing ones are left out.
    mutating func take(_ ids: [UInt64]) -> [TransferRow] {
        guard !rows.isEmpty else { return [] }
        let found = ids.compactMap { rows.removeValue(forKey: $0) }
        if !found.isEmpty { order.removeAll { rows[$0] == nil } }
        return found
    }

    /// Records the history's entry of a row's cancellation, if that is for its removal; any other entry stays whatever
    /// becomes of the row.
    mutating func note(_ entry: HistoryEntry?, of id: UInt64) {
        if let entry, isLeaving(id) { entries[id] = entry } else if !entries.isEmpty { entries[id] = nil }
    }

    /// Takes out the history's entries of rows that come back, or are gone for good.
    mutating func takeEntries(of ids: [UInt64]) -> [UInt64: HistoryEntry] {
        guard !entries.isEmpty else { return [:] }
        return ids.reduce(into: [:]) { taken, id in taken[id] = entries.removeValue(forKey: id) }
    }

    mutating func dropBody(of id: UInt64) { rows[id]?.dropBody() }

    // MARK: - Rows on their way

    /// Lets rows leave once they have ended.
    mutating func expectEnds(of ids: [UInt64]) { leaving.formUnion(ids) }

    var isAnyLeaving: Bool { !leaving.isEmpty || !ended.isEmpty }

    func isLeaving(_ id: UInt64) -> Bool { leaving.contains(id) || ended.contains(id) }

    /// Lets rows stay that were about to leave; returns the ones that were.
    mutating func keep(_ ids: [UInt64]) -> [UInt64] {
        guard !leaving.isEmpty || !ended.isEmpty else { return [] }
        let kept = ids.filter { leaving.remove($0) != nil || ended.contains($0) }
        if !kept.isEmpty, !ended.isEmpty {
            let set = Set(kept)
            ended.removeAll(where: set.contains)
        }
        return kept
    }

    /// Records the end of a row; returns whether it is the first that leaves since they were taken.
    mutating func end(_ id: UInt64) -> Bool {
        guard !leaving.isEmpty, leaving.remove(id) != nil else { return false }
        ended.append(id)
        return ended.count == 1
    }

    mutating func takeEnded() -> [UInt64] {
        defer { ended = [] }
        return ended
    }
}
