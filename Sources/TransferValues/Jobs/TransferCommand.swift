/// One thing that is asked of transfers.
///
/// A value that can be encoded, so that it can reach transfers in another process as well as those in this one. Jobs have
/// their secrets in it: it is for a process of the same user, not for a disk.
package enum TransferCommand: Sendable, Equatable, Codable {
    /// Adds a transfer for each job, except repetitions of a download in the list.
    case add([Job])
    /// Makes another transfer of one that has ended, in its place, and starts it.
    case replace(UInt64, with: Job)
    /// Adds a transfer that has failed before it could begin, such as a bad line of a list.
    case addFailed(url: String, message: String)
    /// Pauses what runs or waits.
    case pause([UInt64])
    /// Resumes paused transfers, retries failed and cancelled ones, and sends a completed data request again.
    case resume([UInt64])
    /// Cancels what has not ended; a part is kept unless it is to be deleted.
    case cancel([UInt64], deletingParts: Bool)
    /// Drops transfers that have ended from the list; files stay.
    case clear([UInt64])
    /// Starts what waits, is paused, has failed or was cancelled at once, beyond the limits if need be.
    case startNow([UInt64])
    /// Transfers once more what was completed; a file that is there stays.
    case fetchAgain([UInt64])
    /// Changes how many transfers run at once, in all and to each host; running transfers go on.
    case setLimits(TransferLimits)
    /// Changes how fast bodies may move.
    case setRates(RatePlan)
    /// Gives transfers speed limits of their own; nil for the limits of the run.
    case limitTasks([UInt64], TaskRates?)
    /// Moves transfers to higher (above zero) or lower ones of the five priorities.
    case prioritise([UInt64], by: Int)
    /// Moves waiting transfers to earlier (below zero) or later places in the queue.
    case moveInQueue([UInt64], by: Int)
    /// Sends a data request again, a number of seconds after each end; nil stops that.
    case repeatRequest(UInt64, seconds: Int?)
}

extension TransferCommand {
    /// The rows that it names.
    package var rows: [UInt64] {
        switch self {
        case .pause(let ids), .resume(let ids), .cancel(let ids, _), .clear(let ids), .startNow(let ids),
            .fetchAgain(let ids), .limitTasks(let ids, _), .prioritise(let ids, _), .moveInQueue(let ids, _):
            ids
        case .replace(let id, _), .repeatRequest(let id, _): [id]
        case .add, .addFailed, .setLimits, .setRates: []
        }
    }
}

/// How many transfers run at once, in all and to each host.
package struct TransferLimits: Sendable, Equatable, Codable {
    package var all: Int
    package var perHost: Int

    package init(all: Int = 5, perHost: Int = 16) {
        (self.all, self.perHost) = (all, perHost)
    }
}
