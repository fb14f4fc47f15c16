import CLinux
import SessionCore
import SessionSupport

/// Resumes downloads that ended on a full disk once there is room.
///
/// Only where rows are visible: a run that prints lines ends with the exit code of a full disk instead of waiting for
/// the user.
extension LocalService {
    /// The failure of a download as its row shows it; after a full disk, the download is also watched.
    func watched(_ failure: TransferFailure, of id: UInt64) -> TransferFailure {
        guard failure.kind == SessionError.Code.diskFull.rawValue, observers.interest.showsRows, let row = row(id),
            row.job.kind == .download
        else {
            state.withLock { $0.space.forget(id) }
            return failure
        }
        let status = row.status
        let folder = factory.target(of: row.job).folder
        let lacking = status.expectedToReceive.map { $0 - status.received }
        let (missing, plans) = state.withLock { state in
            let missing = state.space.add(id, folder: folder, missing: lacking, at: cl_monotonic_milliseconds())
            return (missing, state.space.plans())
        }
        if plans { planDiskCheck() }
        var failure = failure
        failure.message = FailureHints.resumes(failure.message, when: SizeText.long(missing).string)
        return failure
    }

    private func planDiskCheck() {
        repeatQueue.asyncAfter(deadline: .now() + .milliseconds(Int(SpaceWatch.interval))) { [weak self] in
            self?.checkDisks()
        }
    }

    /// Resumes the downloads that have room now.
    private func checkDisks() {
        let folders = state.withLock { state in
            state.space.begin()
            return state.isClosing ? [] : state.space.folders
        }
        var free: [String: Int64] = [:]
        for folder in folders { free[folder] = MachineInfo.freeBytes(of: folder) }
        let (ids, plans) = state.withLock { state in
            let ids = state.space.release(free: free, at: cl_monotonic_milliseconds())
            return (ids, !folders.isEmpty && state.space.plans())
        }
        for id in ids {
            guard let row = row(id), case .failed(let failure) = row.run.result,
                failure.kind == SessionError.Code.diskFull.rawValue
            else { continue }
            retry(row)
        }
        if !ids.isEmpty { tellQueue() }
        if plans { planDiskCheck() }
    }
}
