/// The number of jobs that match a filter.
struct MatchCount: Sendable, Equatable {
    var count: Int
    /// Whether more match than were counted.
    var hasMore: Bool
}

/// The latest counts of filters, which cost a scan of the queue: each is made again after four times as long as it took.
struct MatchCounts: Sendable {
    /// The most jobs that are counted.
    static let limit = 10_000
    /// The number of filters that are kept, for several windows.
    private static let capacity = 16

    private var known: [(conditions: SelectionConditions, count: MatchCount, until: Int64)] = []

    func count(of conditions: SelectionConditions, now: Int64) -> MatchCount? {
        known.first { $0.conditions == conditions && now < $0.until }?.count
    }

    mutating func keep(_ count: MatchCount, of conditions: SelectionConditions, now: Int64, took: Int64) {
        known.removeAll { $0.conditions == conditions }
        known.append((conditions, count, now + max(900, took * 4)))
        if known.count > Self.capacity { known.removeFirst() }
    }
}
