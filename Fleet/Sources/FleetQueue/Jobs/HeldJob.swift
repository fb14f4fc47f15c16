/// A job in a worker's hands.
package struct HeldJob: Sendable {
    /// What the worker does with it.
    package enum Phase: Int, CaseIterable, Sendable {
        /// It is claimed and has not begun. Next: running, or it is handed back.
        case ready
        /// Next: parking, or it ends.
        case running
        /// The runner was told to stop it and keep its part, because it is to be handed back.
        case parking
        /// The runner was told to stop it, and another worker may have it.
        case abandoned
        /// Its report waits for the queue, and its lease is renewed until then.
        case ended
    }

    /// One reference in place of the ten of a claimed job, which each look at a held one would count up and down.
    private final class Claim: Sendable {
        let job: ClaimedJob

        init(_ job: ClaimedJob) { self.job = job }
    }

    private let claim: Claim
    package var job: ClaimedJob { claim.job }
    package internal(set) var phase = Phase.ready
    package internal(set) var received: Int64?
    package internal(set) var total: Int64?
    /// Whether it ran a second ago, so that its counts are worth a statement.
    var lasts = false

    /// Whether the runner waits for word that the job is still this worker's.
    package internal(set) var asks = false

    /// Whether it did not begin at its claim, so that its start is the queue's to allow again: its host has a gap.
    package internal(set) var isLate = false

    /// The most bytes per second at the moment; nil without a limit.
    package internal(set) var rate: Int64?

    package init(_ job: ClaimedJob) {
        claim = Claim(job)
        rate = job.rate
    }
}

/// What a runner reports of a job.
package enum JobReport: Equatable, Sendable {
    case moved(Int64, received: Int64, total: Int64?)
    /// It is about to place the file where no rename protects it, and asks whether the job is still this worker's.
    case asks(Int64)
    case done(Int64, received: Int64, result: String?)
    case failed(Int64, JobFailure)
    /// The runner has stopped it, as it was told to.
    case stopped(Int64, received: Int64?)
}

/// The reason why an attempt failed, by what follows from it.
package enum JobFailure: Equatable, Sendable {
    /// The next attempt may succeed.
    case again(JobCause)
    /// No further attempt makes sense.
    case final(JobCause)
    /// A host wants no requests, for the seconds it says or for a while: the job's own, or one that a redirect named.
    case hold(seconds: Double?, JobCause, host: String? = nil)
    /// A host refuses connections, so that no worker asks it for a while: the job's own, or one that a redirect named.
    case refused(JobCause, host: String? = nil)
    /// This worker cannot carry out jobs at the moment, as with a full disk; the job is another worker's.
    case unable(JobCause)
    /// The bucket takes the file not, or no file at all: the worker's other jobs show which.
    case unplaced(JobCause)
    /// The job alone has no room at this worker, whose disk is otherwise fine: since now, where its part has filled it.
    case tooLarge(JobCause, hasFreed: Bool = false)
    /// Another process has the job's file open, such as a worker that hangs, or has removed a folder of its spool.
    case inUse(JobCause)
}

/// What a worker's loop does for its jobs.
package enum WorkerAction: Equatable, Sendable {
    case start(ClaimedJob)
    case stop(Int64)
    /// The job's share of its host's rate is another one, in bytes per second.
    case limit(Int64, Int64?)
    /// The job is still this worker's: its file may be placed.
    case finish(Int64)
}
