import SessionCore
import SessionSupport

/// Changes settings of several rows at once.
extension LocalService {
    /// Changes the rows that it can; the reply names them, and has a reason for each of the others, which stay as they
    /// were.
    func amend(_ ids: [UInt64], by amendment: JobAmendment) -> CommandReply {
        var reply = CommandReply()
        for id in ids where state.withLock({ $0.rows.has(id) }) {
            if let reason = amend(id, by: amendment) {
                reply.refusals.append(.init(id: id, reason: SafeText(untrusted: reason)))
            } else {
                reply.added.append(id)
            }
        }
        return reply
    }

    /// Returns why a row stays as it is; nil when it is changed.
    private func amend(_ id: UInt64, by amendment: JobAmendment) -> String? {
        guard let row = row(id), let job = jobToBe(of: id) else { return ServiceErrors.taskGone }
        if row.isComplete { return ServiceErrors.done }
        switch amendment.verdict(on: job) {
        case .isSame: return ServiceErrors.unchanged
        case .doesNotSuit(let name, let kinds):
            return ServiceErrors.unsuited(name, Job.Kind.allCases.filter(kinds.contains).map(\.word))
        case .changed(var changed):
            if hasFile(of: job, changed) { (changed.directory, changed.output) = (job.directory, job.output) }
            guard changed != job else { return ServiceErrors.unchanged }
            guard !row.isHiding(from: changed) else {
                return TransferFailure.secretsNotSaved(of: changed, fields: row.hiddenHeaders).message
            }
            if limits(row, job, to: changed) { return nil }
            changed.startsPaused = !row.isFinal && isPaused(id)
            let change = change(id, to: RowChange(job: changed, subject: .settings), over: job)
            if case .failure(let failure) = change { return failure.message }
            return nil
        }
    }

    /// Whether a change of the folder leaves a download's file where it is, however the folder is written.
    private func hasFile(of job: Job, _ changed: Job) -> Bool {
        let destinations = [job, changed].map { job in
            JobDestination(
                of: SavedJob.absolute(prepared(job), directory: factory.directory), defaultDirectory: factory.directory)
        }
        return destinations[0] != nil && destinations[0] == destinations[1]
    }

    /// Changes the speed limits of a row that goes on; returns false where anything else changes.
    private func limits(_ row: TransferRow, _ job: Job, to changed: Job) -> Bool {
        var alike = changed
        alike.rates = job.rates
        guard !row.isFinal, alike == job else { return false }
        let isDone = state.withLock { state in
            guard state.successions[row.id] == nil, let slot = state.rows.slot(of: row.id), !slot.row.isFinal else {
                return false
            }
            slot.row.limit(to: changed.rates)
            return true
        }
        if isDone { limit([row.id], to: changed.rates) }
        return isDone
    }
}

extension TransferRow {
    /// Whether nothing is left to transfer.
    fileprivate var isComplete: Bool {
        if run.result == .completed { return true }
        switch isFinal ? nil : status.phase {
        case .verifying?, .completed?: return true
        case .queued?, .connecting?, .running?, .paused?, .retrying?, .failed?, .cancelled?, nil: return false
        }
    }

    /// Whether secrets that were not saved, and that no option shows, are missing in a job.
    fileprivate func isHiding(from job: Job) -> Bool {
        lacksSecrets
            && (hidesURL || hiddenHeaders.contains { name in !job.headers.contains { ByteText.isSame($0.name, name) } })
    }
}
