/// The resources that tasks of this process have changed at their servers: a response that was on its way meanwhile may
/// be older than the change, whichever manager has asked for it.
struct CacheChanges: Sendable {
    /// The most resources that are remembered; beyond it every response on its way counts as older.
    private static let limit = 1024

    /// The number of changes so far.
    private(set) var count = 0
    private var latest: [String: Int] = [:]
    private var forgotten = 0

    mutating func record(_ resources: [String]) {
        count += 1
        if latest.count >= Self.limit { (latest, forgotten) = ([:], count) }
        for resource in resources { latest[resource] = count }
    }

    /// Returns whether a resource may have changed since there were so many changes.
    func mayHaveChanged(_ resource: String, since earlier: Int) -> Bool {
        earlier < max(forgotten, latest[resource] ?? 0)
    }
}
