import CLinux
import SessionCore
import SessionSupport

/// Downloads that the archive has already.
extension LocalService {
    /// Returns whether a row is to be skipped, because its file was downloaded before.
    ///
    /// A user who fetches a row again gets it again.
    func isArchived(_ row: RowAdmission) -> Bool {
        guard let archive, row.job.kind == .download, row.job.output != .standardOutput, !row.isRetry else {
            return false
        }
        return archive.contains(row.job)
    }

    /// Completes an admitted row without a transfer.
    ///
    /// A row that was stopped or changed while the archive was read is left as it is.
    func skip(_ row: RowAdmission) {
        let id = row.id
        let isWanted = state.withLock { state in
            guard let slot = state.rows.slotWantingTask(id), slot.row.revision == row.revision else { return false }
            slot.row.run.result = .completed
            slot.row.run.wasSkipped = true
            slot.row.run.endedAt = cl_monotonic_milliseconds()
            state.dequeue(id)
            return true
        }
        guard isWanted else { return }
        tellQueue()
        save(id)
        var completion = TransferEvent.Completion(bytes: 0)
        (completion.wasSkipped, completion.isArchived, completion.seconds) = (true, true, 0)
        reportEnd(id, .completed(completion), of: nil)
        observers.receive(.changed(id))
    }

    /// Adds the download of a row to the archive.
    func archive(_ id: UInt64, _ completion: TransferEvent.Completion) {
        guard let archive, !completion.wasSkipped, let job = row(id)?.job, job.kind == .download else { return }
        archive.add(job)
    }
}
