/// The jobs for which something beside them was blamed, such as the disk or the bucket.
///
/// A job that meets the same again is to blame itself where others have gone well since, or since the worker's last halt:
/// the last jobs of a queue have no others behind them.
struct BlamedJobs: Equatable, Sendable {
    /// What follows from a job's trouble.
    struct Verdict: Equatable, Sendable {
        let isNew: Bool
        /// Whether others have gone well, so that it is this job's trouble.
        let isToBlame: Bool
        /// The seconds until it may be claimed again.
        let wait: Double
    }

    private var waits = GrowingWaits(longest: 300)
    /// The jobs that were in trouble since another one has gone well.
    private var open: Set<Int64> = []
    /// Whether one has gone well since the last halt.
    private var hasGoneWell = false

    mutating func note(_ id: Int64) -> Verdict {
        let (isNew, wait) = waits.note(id)
        let isToBlame = !isNew && (hasGoneWell || !open.contains(id))
        if !isToBlame { open.insert(id) }
        return Verdict(isNew: isNew, isToBlame: isToBlame, wait: wait)
    }

    /// Notes a job that has gone well.
    mutating func end(_ id: Int64) {
        waits.end(id)
        open = []
        hasGoneWell = true
    }

    /// Notes that the worker halts: what went well before says nothing about the time after it.
    mutating func halt() { hasGoneWell = false }

    /// Whether so many were in trouble, and none has gone well between them, that they are not to blame.
    func showsObstacle(slots: Int) -> Bool { open.count >= max(2, slots) }
}
