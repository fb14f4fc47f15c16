/// The jobs that had no room at a worker, which leaves them to others.
///
/// One of them says nothing about the disk, and many without a job between them that had room say that it is full.
struct AsideJobs: Equatable, Sendable {
    private var waits = GrowingWaits(longest: 300)
    /// The jobs that had none for the first time since one had room.
    private var news: Set<Int64> = []

    /// Notes a job without room; returns whether it is the first time, and the seconds until it may be claimed again.
    mutating func note(_ id: Int64) -> (isNew: Bool, wait: Double) {
        let noted = waits.note(id)
        if noted.isNew { news.insert(id) }
        return noted
    }

    /// Notes a job that had room.
    mutating func hadRoom(_ id: Int64) {
        waits.end(id)
        news = []
    }

    /// Whether so many had no room that the disk counts as full, which begins anew with this answer.
    mutating func showFullDisk(slots: Int) -> Bool {
        guard news.count >= max(2, slots) else { return false }
        news = []
        return true
    }
}
