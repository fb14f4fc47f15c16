internal import FleetQueue
internal import TransferService

/// What a window program last saw of the queue: one aggregate, the running jobs and the workers.
struct QueuePicture: Sendable, Equatable {
    var totals = RowTotals()
    var running: [Int64: ListedJob] = [:]
    var workers: [ListedWorker] = []
    var perHost = 0
    var played = PlayedBytes()
    var speeds = QueueSpeeds()
    var hasPriorities = false
    /// When the running jobs were asked for, in milliseconds; nil before the first time.
    var lookedAt: Int64?
    /// When the aggregate was made, in milliseconds; nil before the first one.
    var countedAt: Int64?
    /// Why the queue cannot be asked; nil while it can.
    var problem: SafeText?
    /// The sentence that has told the problem, which may have another reason by now.
    var complaint: SafeText?

    /// The states that have jobs; nil before the first aggregate.
    var present: Set<RowState>? {
        countedAt == nil ? nil : Set(totals.cells.filter { $0.count > 0 }.map(\.state))
    }

    /// The workers that have jobs or have ended some, as far as the totals name them.
    var named: [String] { totals.workers.map(\.title.string).filter { !$0.isEmpty } }

    /// Takes the running jobs of a moment; returns which are new or have changed in more than bytes, which moved, and
    /// which no longer run.
    mutating func take(_ jobs: [ListedJob], now: Int64) -> (changed: [Int64], moved: [Int64], gone: [Int64]) {
        let new = Dictionary(jobs.map { ($0.id, $0) }) { first, _ in first }
        let gone = running.keys.filter { new[$0] == nil }.sorted()
        var (changed, moved): ([Int64], [Int64]) = ([], [])
        for job in jobs {
            let old = running[job.id]
            played.report(job.received, of: job.id, at: now)
            if old.map({ RowMaking.state(of: $0) != RowMaking.state(of: job) || $0.total != job.total }) ?? true {
                changed.append(job.id)
            } else if old?.priority != job.priority || played.isMoving(job.id, at: now) {
                moved.append(job.id)
            }
        }
        played.keep(Set(new.keys))
        running = new
        lookedAt = now
        return (changed, moved, gone)
    }

    /// The row of a job, with the played bytes where it runs.
    func row(_ job: ListedJob, now: Int64) -> RowSnapshot {
        var row = RowMaking.row(
            job, received: job.state == .running ? played.bytes(of: job.id, at: now) : nil, now: now)
        // The size that a worker has told between two beats is no part of the job yet.
        if job.state == .running { row.expected = row.expected ?? running[job.id]?.total }
        return row
    }

    /// The ids whose bytes are moving at a moment.
    func moving(at now: Int64) -> [Int64] { running.keys.filter { played.isMoving($0, at: now) } }
}
