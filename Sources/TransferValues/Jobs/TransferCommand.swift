/// A command for transfers.
///
/// It can be encoded, so that it reaches transfers in another process too. Jobs contain their secrets: a command is for
/// a process of the same user, not for a disk.
package enum TransferCommand: Sendable, Equatable, Codable {
    /// Adds a transfer for each job, except repetitions of a download in the list.
    case add([Job])
    /// Replaces a transfer with another one, and starts it; one that runs or waits is stopped first.
    case replace(UInt64, with: Job)
    /// Changes settings of transfers, as far as each can have them; the ones that run or wait are stopped first.
    case amend([UInt64], JobAmendment)
    /// Adds a transfer that failed before it began, such as a bad line of a list.
    case addFailed(url: String, message: String)
    /// Pauses what runs or waits.
    case pause([UInt64])
    /// Resumes paused transfers, retries failed and cancelled ones, and repeats a completed data request.
    case resume([UInt64])
    /// Cancels what has not ended; partial files stay unless `deletingParts`.
    case cancel([UInt64], deletingParts: Bool)
    /// Removes transfers that have ended from the list; files stay.
    case clear([UInt64])
    /// Starts waiting, paused, failed or cancelled transfers at once, beyond the limits if necessary.
    case startNow([UInt64])
    /// Resumes downloads that wait for a decision about an existing file, with that decision.
    case settle([UInt64], Job.IfExists)
    /// Transfers completed ones again; an existing file stays.
    case fetchAgain([UInt64])
    /// Changes how many transfers run at once, in total and per host; running ones continue.
    case setLimits(TransferLimits)
    case setRates(RatePlan)
    /// Changes the limit of all received bytes, and no other.
    case setDownloadRate(RateSchedule)
    /// Gives transfers their own rate limits; nil restores the run's.
    case limitTasks([UInt64], TaskRates?)
    /// Gives transfers their own limit for received bytes; the one for sent bytes stays.
    case limitDownloads([UInt64], OwnRate)
    /// Raises (above zero) or lowers the priority of transfers, which has five steps.
    case prioritise([UInt64], by: Int)
    /// Moves waiting transfers earlier (below zero) or later in the queue.
    case moveInQueue([UInt64], by: Int)
    /// Moves a waiting or paused transfer to a place among those, the first of which is 0.
    case placeInQueue(UInt64, at: Int)
    /// Repeats a data request `seconds` after each end; nil stops that.
    case repeatRequest(UInt64, seconds: Int?)
}

extension TransferCommand {
    package var rows: [UInt64] {
        switch self {
        case .pause(let ids), .resume(let ids), .cancel(let ids, _), .clear(let ids), .startNow(let ids),
            .fetchAgain(let ids), .limitTasks(let ids, _), .limitDownloads(let ids, _), .prioritise(let ids, _),
            .moveInQueue(let ids, _), .settle(let ids, _), .amend(let ids, _):
            ids
        case .replace(let id, _), .repeatRequest(let id, _), .placeInQueue(let id, _): [id]
        case .add, .addFailed, .setLimits, .setRates, .setDownloadRate: []
        }
    }
}

/// How many transfers run at once, in total and per host.
package struct TransferLimits: Sendable, Equatable, Codable {
    package var all: Int
    package var perHost: Int

    package init(all: Int = 5, perHost: Int = 16) {
        (self.all, self.perHost) = (all, perHost)
    }
}
