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

    /// Completes a row without a transfer.
    func skip(_ id: UInt64) {
        state.withLock { state in
            if let slot = state.rows.slot(of: id) {
                slot.row.run.result = .completed
                slot.row.run.wasSkipped = true
                slot.row.run.endedAt = cl_monotonic_milliseconds()
            }
            state.dequeue(id)
        }
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
