/// The jobs that had no room at a worker, which leaves them to others.
///
/// One of them says nothing about the disk, and many without a job between them that had room say that it is full.
struct AsideJobs: Equatable, Sendable {
    /// How often each of them had no room.
    private var counts: [Int64: Int] = [:]
    /// The jobs that had none for the first time since one had room.
    private var news: Set<Int64> = []

    private static let (shortestWait, longestWait) = (5.0, 300.0)

    /// Notes a job without room; returns whether it is the first time, and the seconds until it may be claimed again.
    mutating func note(_ id: Int64) -> (isNew: Bool, wait: Double) {
        let count = counts[id, default: 0]
        counts[id] = count + 1
        if count == 0 { news.insert(id) }
        var wait = Self.shortestWait
        for _ in 0..<count where wait < Self.longestWait { wait *= 2 }
        return (count == 0, min(wait, Self.longestWait))
    }

    /// Notes a job that had room.
    mutating func hadRoom(_ id: Int64) {
        counts[id] = nil
        news = []
    }

    /// Whether so many had no room that the disk counts as full, which begins anew with this answer.
    mutating func showFullDisk(slots: Int) -> Bool {
        guard news.count >= max(2, slots) else { return false }
        news = []
        return true
    }
}
