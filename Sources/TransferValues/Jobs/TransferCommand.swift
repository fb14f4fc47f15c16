/// A command for transfers.
///
/// It can be encoded, so that it reaches transfers in another process too. Jobs contain their secrets: a command is for
/// a process of the same user, not for a disk.
package enum TransferCommand: Sendable, Equatable, Codable {
    /// Adds a transfer for each job, except repetitions of a download in the list.
    case add([Job])
    /// Replaces a transfer with another one, and starts it; one that runs or waits is stopped first. Refused where its
    /// job is no longer the one that the client has edited, `over`; nil replaces any.
    case replace(UInt64, with: Job, over: Job? = nil)
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
    /// Removes transfers from the list until they are restored; running ones are cancelled first. Partial files stay
    /// unless `deletingParts`.
    case remove([UInt64], deletingParts: Bool)
    /// Brings removed transfers back, as they had ended.
    case restore([UInt64])
    /// Removes transfers that have ended for good, and forgets removed ones; files stay.
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
    /// Forgets ended tasks in the history; nil forgets all.
    case forgetEnds([HistoryEntry]?)
    /// Carries out a command that takes back what this client has done, except where another one has changed it since.
    indirect case undo(TransferCommand)
}

extension TransferCommand {
    package var rows: [UInt64] {
        switch self {
        case .pause(let ids), .resume(let ids), .cancel(let ids, _), .remove(let ids, _), .restore(let ids),
            .clear(let ids), .startNow(let ids), .fetchAgain(let ids), .limitTasks(let ids, _),
            .limitDownloads(let ids, _), .prioritise(let ids, _), .moveInQueue(let ids, _), .settle(let ids, _),
            .amend(let ids, _):
            ids
        case .replace(let id, _, _), .repeatRequest(let id, _), .placeInQueue(let id, _): [id]
        case .undo(let step): step.rows
        case .add, .addFailed, .setLimits, .setRates, .setDownloadRate, .forgetEnds: []
        }
    }

    /// The command for some of its rows; nil where it names rows and none is left.
    package func keeping(_ isKept: (UInt64) -> Bool) -> TransferCommand? {
        let ids = rows.filter(isKept)
        guard ids.count != rows.count else { return self }
        guard !ids.isEmpty else { return nil }
        return switch self {
        case .pause: .pause(ids)
        case .resume: .resume(ids)
        case .limitTasks(_, let rates): .limitTasks(ids, rates)
        case .prioritise(_, let steps): .prioritise(ids, by: steps)
        case .moveInQueue(_, let steps): .moveInQueue(ids, by: steps)
        case .undo(let step): step.keeping(isKept).map { .undo($0) }
        // Others are no steps that can be taken back for some of their rows.
        default: nil
        }
    }

    /// Whether a service that was stopped has to start for it: one without rows has nothing to forget.
    package var startsService: Bool { if case .clear = self { false } else { true } }
}

/// How many transfers run at once, in total and per host.
package struct TransferLimits: Sendable, Equatable, Codable {
    package var all: Int
    package var perHost: Int

    package init(all: Int = 5, perHost: Int = 16) {
        (self.all, self.perHost) = (all, perHost)
    }
}
