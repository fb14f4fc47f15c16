/// The jobs for which something beside them was blamed, such as the disk or the bucket.
///
/// A job that meets the same again, after others have gone well, is to blame itself.
struct BlamedJobs: Equatable, Sendable {
    /// What follows from a job's trouble.
    struct Verdict: Equatable, Sendable {
        let isNew: Bool
        /// Whether others have gone well since its last trouble.
        let isToBlame: Bool
        /// The seconds until it may be claimed again.
        let wait: Double
    }

    private var waits = GrowingWaits(longest: 300)
    /// The jobs that were in trouble since another one has gone well.
    private var open: Set<Int64> = []

    mutating func note(_ id: Int64) -> Verdict {
        let (isNew, wait) = waits.note(id)
        let isToBlame = !isNew && !open.contains(id)
        if !isToBlame { open.insert(id) }
        return Verdict(isNew: isNew, isToBlame: isToBlame, wait: wait)
    }

    /// Notes a job that has gone well.
    mutating func end(_ id: Int64) {
        waits.end(id)
        open = []
    }

    /// Whether so many were in trouble, and none has gone well between them, that they are not to blame.
    func showsObstacle(slots: Int) -> Bool { open.count >= max(2, slots) }
}
