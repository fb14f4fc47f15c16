internal import FleetQueue

/// A search of the queue: statements that give ids, one after the other until there are enough.
struct FilterScan: Sendable, Equatable {
    let statements: [QueueStatement]
    let limit: Int

    /// The most jobs of a filter that are counted.
    static let countLimit = 10_000

    /// Finds the jobs of a filter in no order, up to one more than are counted.
    static func all(_ conditions: SelectionConditions) -> FilterScan {
        FilterScan(statements: [SelectionPage.scan(conditions)], limit: countLimit + 1)
    }

    /// Finds the first jobs of a page.
    static func first(_ page: SelectionPage) -> FilterScan {
        FilterScan(statements: page.statements, limit: page.limit)
    }
}

/// The latest searches for filters, of which each is made again after four times as long as it took.
///
/// A filter by text reads the whole queue where few jobs match. Between two searches its rows are read by their ids, so
/// a page costs the same whatever the filter is.
struct FilterScans: Sendable {
    /// The number of searches that are kept, for several windows.
    private static let capacity = 32

    private struct Entry: Sendable {
        let scan: FilterScan
        var result: Result<[Int64], FleetError>?
        /// The moment from which on the search may be made again, in milliseconds.
        var until = Int64.min
        var isUnderWay = false
        var pace = AskingPace()
    }

    private var entries: [Entry] = []

    /// The latest result of a search, however old; nil before the first one.
    func result(of scan: FilterScan) -> Result<[Int64], FleetError>? {
        entries.first { $0.scan == scan }?.result
    }

    /// Whether a search has to be made now; it is under way from then on.
    mutating func begin(_ scan: FilterScan, now: Int64) -> Bool {
        if let index = entries.firstIndex(where: { $0.scan == scan }) {
            guard !entries[index].isUnderWay, now >= entries[index].until else { return false }
            entries[index].isUnderWay = true
            return true
        }
        if entries.count >= Self.capacity, let oldest = entries.firstIndex(where: { !$0.isUnderWay }) {
            entries.remove(at: oldest)
        }
        entries.append(Entry(scan: scan, isUnderWay: true))
        return true
    }

    mutating func end(_ scan: FilterScan, _ result: Result<[Int64], FleetError>, now: Int64, took: Int64) {
        guard let index = entries.firstIndex(where: { $0.scan == scan }) else { return }
        entries[index].result = result
        entries[index].until = now + entries[index].pace.wait(after: took, least: 900)
        entries[index].isUnderWay = false
    }
}
