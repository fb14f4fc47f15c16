internal import FleetQueue

/// What a search of the queue has found for a filter.
struct FilterScan: Sendable, Equatable {
    /// The matching jobs, up to the limit of a search.
    let ids: [Int64]

    /// The most jobs that a search looks for.
    static let limit = 10_000

    var count: Int { min(ids.count, Self.limit) }
    /// Whether more match than were counted.
    var hasMore: Bool { ids.count > Self.limit }
    /// All matching jobs; nil where there are more.
    var all: [Int64]? { hasMore ? nil : ids }
}

/// The latest searches for filters, of which each is made again after four times as long as it took.
///
/// A filter by text reads the whole queue where few jobs match. Between two searches its rows are read by their ids, so
/// a page costs the same whatever the filter is.
struct FilterScans: Sendable {
    /// The number of filters that are kept, for several windows.
    private static let capacity = 16

    private struct Entry: Sendable {
        let conditions: SelectionConditions
        var result: Result<FilterScan, FleetError>?
        /// The moment from which on the search may be made again, in milliseconds.
        var until = Int64.min
        var isUnderWay = false
    }

    private var entries: [Entry] = []

    /// The latest result of a filter, however old; nil before the first one.
    func result(of conditions: SelectionConditions) -> Result<FilterScan, FleetError>? {
        entries.first { $0.conditions == conditions }?.result
    }

    /// Whether a search has to be made now; it is under way from then on.
    mutating func begin(_ conditions: SelectionConditions, now: Int64) -> Bool {
        if let index = entries.firstIndex(where: { $0.conditions == conditions }) {
            guard !entries[index].isUnderWay, now >= entries[index].until else { return false }
            entries[index].isUnderWay = true
            return true
        }
        if entries.count >= Self.capacity, let oldest = entries.firstIndex(where: { !$0.isUnderWay }) {
            entries.remove(at: oldest)
        }
        entries.append(Entry(conditions: conditions, isUnderWay: true))
        return true
    }

    mutating func end(
        _ conditions: SelectionConditions, _ result: Result<FilterScan, FleetError>, now: Int64, took: Int64
    ) {
        guard let index = entries.firstIndex(where: { $0.conditions == conditions }) else { return }
        entries[index].result = result
        entries[index].until = now + max(900, took * 4)
        entries[index].isUnderWay = false
    }
}
