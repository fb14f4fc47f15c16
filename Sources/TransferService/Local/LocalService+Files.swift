import CLinux
import Foundation
import SessionCore
import SessionSupport

/// Changes the URLs and files of rows; these functions wait for the disk.
extension LocalService {
    /// The path of a row's file as far as it is known; nil without one.
    package func path(of id: UInt64) -> String? {
        guard let row = row(id),
            let path = row.path ?? wrongFile(of: row) ?? row.intendedPath(directory: factory.directory)
        else { return nil }
        return CurrentFolder.absolute(path)
    }

    /// Resumes a download from another URL with its partial file; one that runs or waits is stopped first.
    ///
    /// The library proves that both URLs name the same file before it adds a byte; without proof it starts again.
    /// Returns the number of bytes in the partial file; nil while the download is being stopped.
    func goOn(_ id: UInt64, from url: String) -> Result<Int64?, TransferFailure> {
        guard let row = row(id), let known = jobToBe(of: id) else { return Self.refusal(ServiceErrors.taskGone) }
        guard row.run.result != .completed else { return Self.refusal(ServiceErrors.doneURLKept) }
        var job = known
        job.url = url
        job.continues = true
        job.startsPaused = !row.isFinal && isPaused(id)
        return change(id, to: RowChange(job: job, subject: .url), over: known).map(\.keptBytes)
    }

    /// Moves the file of a completed download, or the partial file of another one, which is stopped for that and
    /// resumes there.
    ///
    /// An existing file at the target is never replaced. Returns the path; nil while the download is being stopped.
    func move(_ id: UInt64, to typed: String) -> Result<String?, TransferFailure> {
        guard let row = row(id), let current = path(of: id) else { return Self.refusal(ServiceErrors.noFile) }
        guard let path = EnteredPath.path(typed: typed, for: current, home: UserFolder.home(), isLink: Self.isLink)
        else {
            return Self.refusal(ServiceErrors.noFileName(typed))
        }
        if path == current {
            guard let job = takeBackMove(of: id) else { return Self.refusal(ServiceErrors.samePath) }
            return change(id, to: RowChange(job: job, subject: .path(path))).map { _ in nil }
        }
        if let failure = row.checksumFailure { return moveWrongFile(of: row, failure, to: path) }
        guard row.run.result != .completed else {
            return moveFile(of: row, at: current, to: path) { $0.path = path }
        }
        return movePart(of: row, to: path)
    }

    /// The path of the complete file that a row has kept although its checksum is wrong; nil without one.
    private func wrongFile(of row: TransferRow) -> String? {
        row.checksumFailure.flatMap { $0.partPath ?? factory.target(of: row.job).setAsidePath(of: row.job.url) }
    }

    /// Moves the kept file of a row whose checksum was wrong; the row stays as it ended.
    private func moveWrongFile(
        of row: TransferRow, _ failure: TransferFailure, to path: String
    ) -> Result<String?, TransferFailure> {
        guard let kept = wrongFile(of: row) else { return Self.refusal(ServiceErrors.noFile) }
        var moved = failure
        (moved.partPath, moved.message) = (path, failure.message.replacing(kept, with: path))
        return moveFile(of: row, at: kept, to: path) { $0.run.result = .failed(moved) }
    }

    private func moveFile(
        of row: TransferRow, at current: String, to path: String, recording change: (inout TransferRow) -> Void
    ) -> Result<String?, TransferFailure> {
        let missing = Self.missingFolders(of: path)
        do throws(SessionError) {
            try DownloadTarget.moveFile(at: current, to: path)
        } catch {
            return .failure(TransferFailure(error))
        }
        replaceFolders(leaving: EnteredPath.parts(of: current).folder, making: missing)
        state.withLock { state in
            if let slot = state.rows.slot(of: row.id) { change(&slot.row) }
        }
        save(row.id)
        observers.receive(.changed(row.id))
        return .success(path)
    }

    /// The folders of a path that do not exist, innermost first.
    private static func missingFolders(of path: String) -> [String] {
        var missing: [String] = []
        var folder = EnteredPath.parts(of: path).folder
        while access(folder, F_OK) != 0, folder.contains("/") {
            missing.append(folder)
            folder = EnteredPath.parts(of: folder).folder
        }
        return missing
    }

    /// Records the folders that a move has made, and removes the ones of earlier moves that it leaves empty; the last of
    /// several files that leave takes them away, whichever made them.
    private func replaceFolders(leaving folder: String, making made: [String]) {
        let left = state.withLock { state in state.madeFolders.filter { (folder + "/").hasPrefix($0 + "/") } }
        let innermostFirst = left.sorted { $0.utf8.count > $1.utf8.count }
        let gone = innermostFirst.filter { rmdir($0) == 0 || errno != ENOTEMPTY }
        state.withLock { $0.madeFolders = $0.madeFolders.subtracting(gone).union(made) }
    }

    private func movePart(of row: TransferRow, to path: String) -> Result<String?, TransferFailure> {
        guard let known = jobToBe(of: row.id) else { return Self.refusal(ServiceErrors.taskGone) }
        // A row that has ended keeps its reason where nothing moves.
        guard !row.isFinal || row.run.lastStatus.received > 0 else { return Self.refusal(ServiceErrors.noFile) }
        var status = stat()
        guard known.ifExists == .overwrite || known.ifExists == .refresh || lstat(path, &status) != 0 else {
            return Self.refusal(ServiceErrors.exists(path))
        }
        let parts = EnteredPath.parts(of: path)
        var job = known
        job.directory = parts.folder
        job.output = .name(parts.name)
        job.startsPaused = row.isFinal || isPaused(row.id)
        return change(row.id, to: RowChange(job: job, subject: .path(path)), over: known).map { progress in
            progress.keptBytes == nil ? nil : path
        }
    }

    /// The job of a row whose file is about to move, with the place that it has now; nil for any other row.
    private func takeBackMove(of id: UInt64) -> Job? {
        state.withLock { state in
            guard let change = state.successions[id]?.change, let row = state.rows[id],
                case .path = change.subject
            else { return nil }
            var job = change.job
            (job.directory, job.output) = (row.job.directory, row.job.output)
            return job
        }
    }

    private static func isLink(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    /// Makes a new transfer of a row that has ended, and gives it the row's partial file.
    ///
    /// - Parameter planned: what the row was stopped for; nil for one that has ended.
    func carryOn(_ row: TransferRow, as job: Job, planned: RowChange? = nil) -> Result<Int64, TransferFailure> {
        guard planned != nil || row.isFinal, row.run.result != .completed else {
            return Self.refusal(ServiceErrors.running)
        }
        let job = prepared(job)
        guard !state.withLock({ $0.hasOther(for: job, than: row.id) }) else {
            return Self.refusal(ServiceErrors.pathTaken)
        }
        func placed(_ job: Job, keeping counts: TaskStatus) -> Bool {
            if case .added = place(job, in: row.id, keeping: counts, planned: planned) { true } else { false }
        }
        let target = factory.target(of: job)
        let old = row.run.lastStatus
        var kept: Int64 = 0
        var isReplaced: Bool?
        let missing = Self.missingFolders(of: target.folder + "/")
        do throws(SessionError) {
            let source = factory.target(of: row.job)
            _ = try source.movePart(of: row.job.url, at: row.partPath, to: target, url: job.url) { moved in
                var (job, counts) = (job, old)
                // Only a download with a fixed name searches for a partial file that came from elsewhere.
                job.directory = target.folder
                job.output = .name(moved.name)
                if moved.isNamedByServer, job.ifExists == .overwrite || job.ifExists == .refresh {
                    job.ifExists = .rename
                }
                job.continues = true
                (counts.received, counts.resumability) = (moved.keptBytes, moved.resumability)
                kept = moved.keptBytes
                let isDone = placed(job, keeping: counts)
                isReplaced = isDone
                // A kill before this point finds the row and its partial file unchanged; a failing disk is reported
                // elsewhere.
                if isDone, isSaved { _ = manager.store.waitForDisk() }
                return isDone
            }
        } catch {
            return .failure(TransferFailure(error))
        }
        guard isReplaced ?? placed(job, keeping: TaskStatus()) else {
            return Self.refusal(ServiceErrors.pathTaken)
        }
        let earlier = factory.target(of: row.job).folder
        if target.folder != earlier { replaceFolders(leaving: earlier, making: missing) }
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

    static func refusal<Value>(_ message: String) -> Result<Value, TransferFailure> {
        .failure(failure(message))
    }
}

extension TransferRow {
    /// The failure of a download whose complete file had a wrong checksum; nil for any other end.
    var checksumFailure: TransferFailure? {
        guard job.kind == .download, case .failed(let failure) = run.result,
            failure.kind == SessionError.Code.checksum.rawValue
        else { return nil }
        return failure
    }
}
