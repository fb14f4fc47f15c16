import CLinux
import Foundation
import SessionCore
import SessionSupport

/// Changes the URLs and files of rows; these functions wait for the disk.
extension LocalService {
    /// The path of a row's file as far as it is known; nil without one.
    package func path(of id: UInt64) -> String? {
        guard let row = row(id), let path = row.path ?? row.intendedPath(directory: factory.directory) else {
            return nil
        }
        return path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    }

    /// Resumes a stopped download from another URL with its partial file.
    ///
    /// The library proves that both URLs name the same file before it adds a byte; without proof it starts again.
    /// Returns the number of bytes in the partial file.
    package func changeURL(of id: UInt64, to url: String, from before: StoppedFrom) -> Result<Int64, TransferFailure> {
        guard let row = row(id) else { return Self.refusal(ServiceErrors.taskGone) }
        var job = row.job
        job.url = url
        job.continues = true
        job.startsPaused = false
        return orAsBefore(row, before, carryOn(row, as: job))
    }

    /// Moves the file of a completed download, or the partial file of a stopped one.
    ///
    /// An existing file at the target is never replaced. A download that was stopped for the move resumes there, or at
    /// its old path if the move is refused. Returns the path.
    package func moveFile(of id: UInt64, to typed: String, from before: StoppedFrom) -> Result<String, TransferFailure>
    {
        guard let row = row(id), let current = path(of: id) else { return Self.refusal(ServiceErrors.noFile) }
        return orAsBefore(row, before, moveFile(of: row, at: current, to: typed, from: before))
    }

    private static func isLink(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    private func moveFile(
        of row: TransferRow, at current: String, to typed: String, from before: StoppedFrom
    ) -> Result<String, TransferFailure> {
        guard let path = EnteredPath.path(typed: typed, for: current, home: NSHomeDirectory(), isLink: Self.isLink)
        else {
            return Self.refusal(ServiceErrors.noFileName(typed))
        }
        guard path != current else { return Self.refusal(ServiceErrors.samePath) }
        if row.run.result == .completed {
            do throws(SessionError) {
                try DownloadTarget.moveFile(at: current, to: path)
            } catch {
                return .failure(TransferFailure(error))
            }
            state.withLock { $0.rows.slot(of: row.id)?.row.path = path }
            save(row.id)
            observers.receive(.changed(row.id))
            return .success(path)
        }
        var job = row.job
        var status = stat()
        guard job.ifExists == .overwrite || job.ifExists == .refresh || lstat(path, &status) != 0 else {
            return Self.refusal(ServiceErrors.exists(path))
        }
        let parts = EnteredPath.parts(of: path)
        job.directory = parts.folder
        job.output = .name(parts.name)
        job.startsPaused = before != .running
        return carryOn(row, as: job).map { _ in path }
    }

    /// Restores the earlier state of a row that was stopped for a refused change.
    private func orAsBefore<Value>(
        _ row: TransferRow, _ before: StoppedFrom, _ result: Result<Value, TransferFailure>
    ) -> Result<Value, TransferFailure> {
        guard case .failure(var failure) = result, before != .ended, let row = self.row(row.id),
            row.run.result == .cancelled
        else { return result }
        retry(row, isPausedInQueue: before == .paused)
        tellQueue()
        if before == .running { failure.message = ServiceErrors.goesOn(failure.message) }
        return .failure(failure)
    }

    /// Makes a new transfer of a row that has ended, and gives it the row's partial file.
    func carryOn(_ row: TransferRow, as job: Job) -> Result<Int64, TransferFailure> {
        guard row.isFinal, row.run.result != .completed else { return Self.refusal(ServiceErrors.running) }
        let job = prepared(job)
        guard !state.withLock({ $0.hasOther(for: job, than: row.id) }) else {
            return Self.refusal(ServiceErrors.pathTaken)
        }
        let target = factory.target(of: job)
        let old = row.run.lastStatus
        var kept: Int64 = 0
        var isReplaced: Bool?
        do throws(SessionError) {
            _ = try factory.target(of: row.job).movePart(of: row.job.url, to: target, url: job.url) { moved in
                var (job, counts) = (job, old)
                // Only a download with a fixed name searches for a partial file that came from elsewhere.
                job.directory = target.folder
                job.output = .name(moved.name)
                job.continues = true
                (counts.received, counts.resumability) = (moved.keptBytes, moved.resumability)
                kept = moved.keptBytes
                let isDone = replace(row.id, with: job, keeping: counts)
                isReplaced = isDone
                // A kill before this point finds the row and its partial file unchanged; a failing disk is reported
                // elsewhere.
                if isDone, isSaved { _ = manager.store.waitForDisk() }
                return isDone
            }
        } catch {
            return .failure(TransferFailure(error))
        }
        guard isReplaced ?? replace(row.id, with: job) else {
            return Self.refusal(ServiceErrors.pathTaken)
        }
        return .success(kept)
    }

    /// Deletes the files of completed downloads; returns which stayed, and why.
    ///
    /// A file whose length differs from the download's is no longer the download, and stays.
    package func deleteFiles(of ids: [UInt64]) -> [TransferFailure] {
        ids.compactMap { id in
            guard let row = row(id), row.job.kind == .download, row.run.result == .completed, let path = path(of: id)
            else { return nil }
            var status = stat()
            guard lstat(path, &status) == 0 else { return nil }
            guard status.st_mode & S_IFMT == S_IFREG, status.st_size == row.run.lastStatus.received else {
                return Self.failure(ServiceErrors.changed(path))
            }
            guard unlink(path) == 0 else {
                return Self.failure(ServiceErrors.undeletable(path, SystemWords.text(errno)))
            }
            return nil
        }
    }

    private static func failure(_ message: String) -> TransferFailure {
        TransferFailure(kind: SessionError.Code.storage.rawValue, category: .ordinary, message: message)
    }

    private static func refusal<Value>(_ message: String) -> Result<Value, TransferFailure> {
        .failure(failure(message))
    }
}
