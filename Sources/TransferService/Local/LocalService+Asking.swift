import CLinux
import SessionCore
import SessionSupport

/// Downloads whose users decide about an existing file.
extension LocalService {
    /// Lets a download that found an existing file wait for its user; returns false for any other failure, and where
    /// no user can be asked.
    func asksAboutFile(_ row: RowEnding, _ failure: TransferFailure, _ task: SessionTask) -> Bool {
        guard failure.kind == SessionError.Code.destinationExists.rawValue, observers.interest.takesCommands else {
            return false
        }
        let isAsked = state.withLock { state -> Bool in
            guard let slot = state.rows.slot(of: row.id), slot.row.job.ifExists == .ask else { return false }
            state.slotOfTask[task.id] = nil
            state.leaveHours(slot)
            slot.row.run = TransferRow.Run(isRetry: true, queuedAt: cl_monotonic_milliseconds())
            slot.row.run.isPausedInQueue = true
            slot.row.run.undecided = failure.message
            return true
        }
        guard isAsked else { return false }
        save(row.id)
        report(row.id, .notice(failure.message))
        report(row.id, .paused)
        observers.receive(.changed(row.id))
        return true
    }

    /// Resumes downloads with what their user has decided about the existing file.
    ///
    /// The decision holds until the download is complete, and for this run of the program alone: their jobs keep the
    /// rule, and a later run asks again.
    ///
    /// A service that was started again has forgotten its question: an answer that comes then makes a paused download of
    /// that rule another task, because its own task asks.
    func settle(_ ids: [UInt64], _ policy: Job.IfExists) {
        var restored: [UInt64] = []
        let settled = state.withLock { state in
            ids.filter { id in
                guard let slot = state.rows.slot(of: id) else { return false }
                let isUndecided = slot.row.run.undecided != nil
                guard isUndecided || slot.row.waitsWithoutDecision else { return false }
                slot.row.run.decision = policy
                if !isUndecided { restored.append(id) }
                return isUndecided
            }
        }
        for id in settled { save(id) }
        resume(settled)
        for id in restored {
            guard var job = jobToBe(of: id) else { continue }
            job.startsPaused = false
            if case .failure(let failure) = change(id, to: RowChange(job: job, subject: .answer)) {
                report(id, .notice(failure.message))
            }
        }
    }
}

extension TransferRow {
    /// Whether it is paused before its task can ask about an existing file.
    fileprivate var waitsWithoutDecision: Bool {
        job.kind == .download && job.ifExists == .ask && run.isPausedInQueue && !isFinal && run.decision == nil
    }
}
