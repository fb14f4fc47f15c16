/// What a scan of the queue has found for a filter.
struct FilterScan: Sendable, Equatable {
    /// The matching jobs, up to the limit of a scan.
    let ids: [Int64]

    /// The most jobs that a scan looks for.
    static let limit = 10_000

    var count: Int { min(ids.count, Self.limit) }
    /// Whether more match than were counted.
    var hasMore: Bool { ids.count > Self.limit }
    /// All matching jobs; nil where there are more.
    var all: [Int64]? { hasMore ? nil : ids }
}

/// The latest scans for filters, of which each is made again after four times as long as it took.
///
/// A filter by text reads the whole queue where few jobs match. Between two scans its rows are read by their ids, so a
/// page costs the same whatever the filter is.
struct FilterScans: Sendable {
    /// The number of filters that are kept, for several windows.
    private static let capacity = 16

    private var known: [(conditions: SelectionConditions, scan: FilterScan, until: Int64)] = []

    func scan(of conditions: SelectionConditions, now: Int64) -> FilterScan? {
        known.first { $0.conditions == conditions && now < $0.until }?.scan
    }

    mutating func keep(_ scan: FilterScan, of conditions: SelectionConditions, now: Int64, took: Int64) {
        known.removeAll { $0.conditions == conditions }
        known.append((conditions, scan, now + max(900, took * 4)))
        if known.count > Self.capacity { known.removeFirst() }
    }
}
