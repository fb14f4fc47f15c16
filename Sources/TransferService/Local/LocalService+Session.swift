import CLinux
import Foundation
import SessionCore
import SessionSupport

/// The saved session of a bridge: rows are written down in it and found again.
///
/// A row's id is the number of its transfer in the store, so that it is the same in every run.
extension LocalService {
    /// Whether rows outlive the program.
    var isSaved: Bool { manager.configuration.identifier != nil }

    /// The reason why the saved session cannot be used; nil when it can, and for a bridge without one.
    package var refusal: SessionRefusal? {
        manager.configuration.identifier.flatMap { name in manager.store.error.map { SessionRefusal(name, $0) } }
    }

    /// A sentence for a person when the saved session was damaged.
    var notice: String? { manager.store.notice }

    // MARK: - Finding rows again

    package func begin() -> [String] {
        restore()
        return [notice, partsFound.withLock { $0 }].compactMap(\.self)
    }

    /// Makes the rows of the earlier run again, and lets those go on that ran.
    private func restore() {
        guard isSaved, refusal == nil else { return }
        let isDone = DispatchSemaphore(value: 0)
        // On the delegate queue nothing else is told about tasks meanwhile.
        manager.operationQueue.addOperation { [self] in
            restoreRows()
            if notice != nil { restoreParts() }
            listen()
            isDone.signal()
        }
        isDone.wait()
        manager.store.resumeRestoredTasks()
        tellQueue()
        // One that lacks its secrets has been told of already.
        if retriesFailed { resume(failedRows.filter { !$0.lacksSecrets }.map(\.id)) }
    }

    private func restoreRows() {
        do throws(SessionError) {
            try manager.store.forEachPage { page in
                for transfer in page { restore(transfer) }
            }
        } catch {
            // Rows that were not read stay in the store.
            return partsFound.withLock { $0 = error.message }
        }
    }

    /// Makes rows of the parts in the run's folder that belong to no row of any session: downloads of a session that was
    /// damaged, as far as anybody can tell.
    ///
    /// They are paused, because they may be somebody else's.
    private func restoreParts() {
        let folder = SavedJob.absolute(factory.directory ?? ".")
        let configuration = manager.configuration
        do throws(SessionError) {
            var owners = try manager.store.transfers
            if let sessions = configuration.storeFolder {
                owners += try StoredTransfer.saved(in: sessions, except: configuration.identifier)
            }
            let found = try StoredTransfer.offered(by: Leftover.find(in: folder, neededBy: owners), in: folder)
            for transfer in found {
                try manager.store.put(transfer)
                restore(transfer)
            }
            let line =
                found.isEmpty
                ? ServiceLines.noneRestored(from: folder) : ServiceLines.restored(found.count, from: folder)
            partsFound.withLock { $0 = line }
        } catch {
            partsFound.withLock { $0 = ServiceLines.unrestored(from: folder, error.message) }
        }
    }

    private func restore(_ stored: StoredTransfer) {
        var row = TransferRow(restoring: stored)
        let task = manager.task(for: stored.id)
        if row.isFinal {
            // Its task could not even begin; nobody asked for what is still told about that.
            if let task { running.enter(task) }
        } else if let task {
            row.run.task = task
            row.run.wasResumed = row.run.isHeld
            task.queuePosition = row.place
            task.priority = Self.priority(row.priority)
            // As for every held task, the one who resumes it enters.
            if !row.run.isHeld { running.enter(task) }
        }
        let restored = row
        let remembersFailure = !observers.interest.showsRows
        state.withLock { state in
            state.insertRestored(restored, remembersFailure: remembersFailure)
            // The library has no task for it, because its options are known here alone.
            if restored.wantsTask { state.enqueue(restored.id) }
        }
        guard !row.isFinal else { return reportEarlierEnd(of: row) }
        report(row.id, .added(description(of: row.job, path: path(of: row.job))))
        guard row.run.isHeld else { return }
        report(row.id, .paused)
        if row.isUnanswered { report(row.id, .notice(FailureHints.resumeToSend(ServiceErrors.bodyUnanswered))) }
    }

    /// Tells an observer without rows of a transfer that failed and is not tried again, and of one that cannot be
    /// why it cannot: what it failed of then says nothing of what to do now.
    private func reportEarlierEnd(of row: TransferRow) {
        if !observers.interest.showsRows, case .failed(let failure) = row.run.result {
            report(row.id, .added(description(of: row.job, path: path(of: row.job))))
            if row.lacksSecrets {
                var missing = TransferFailure.secretsNotSaved(of: row.job)
                missing.partPath = failure.partPath
                tell(row.id, .failed(missing), url: row.job.url, isEarlier: true)
            } else if !retriesFailed {
                var earlier = failure
                earlier.message = ServiceErrors.inEarlierRun(failure.message)
                tell(row.id, .failed(earlier), url: row.job.url, isEarlier: true)
            }
        }
        observers.receive(.changed(row.id))
    }

    // MARK: - Writing rows down

    /// The job as it is added to a saved session: with paths that mean the same in the next run.
    func prepared(_ job: Job) -> Job { SavedJob.absolute(job, directory: factory.directory) }

    /// The number under which a saved session finds the task of a row; the default without one.
    ///
    /// The row was written down under it before it could get a task, so the library need not do it again.
    func options(of row: RowAdmission) -> TaskOptions {
        var options = isSaved ? TaskOptions(id: TransferID(rawValue: row.id), isKept: false) : TaskOptions()
        options.entry = TransferID(rawValue: row.id)
        return options
    }

    /// Writes down a row that has no task, or whose end this program judges otherwise than the library.
    ///
    /// Called before a row can get its task, so that each run is written once. What cannot be stored, such as a long text as body, is a row of this run alone.
    func save(_ id: UInt64) {
        guard isSaved, let row = row(id), row.run.task == nil || row.isFinal, !row.lacksSecrets,
            SavedJob.isKept(row.job, printsBodies: factory.printsBodies), factory.specialPath(of: row.job) == nil
        else { return }
        do throws(SessionError) {
            try manager.store.put(row.stored(by: factory))
        } catch {
            manager.store.remove(TransferID(rawValue: id))
        }
    }

    /// Writes down that rows without tasks are paused, or wait again: one change of the store.
    func save(_ wanted: StoredTransfer.Wanted, of ids: [UInt64]) {
        if isSaved { manager.store.setWanted(wanted, of: ids.map { TransferID(rawValue: $0) }) }
    }

    /// Writes down where a row stands in the queue.
    func savePosition(of id: UInt64) {
        guard isSaved, let row = row(id) else { return }
        manager.store.setPosition(row.storedPosition, of: TransferID(rawValue: id))
    }

    /// Forgets rows that left the list.
    func forget(_ ids: [UInt64]) {
        if isSaved { manager.store.remove(ids.map { TransferID(rawValue: $0) }) }
    }

    /// Changes rows, and has what is told of that held back until it is on the disk: whoever reads that a transfer was added
    /// must find it again, whatever happens next.
    ///
    /// A dashboard shows rows at once, since nobody reads them that fast.
    func notifyingWhenSaved<Value>(_ change: () -> Value) -> Value {
        guard isSaved, !observers.interest.showsRows else { return change() }
        let number = state.withLock { state in
            state.savings += 1
            return state.savings
        }
        observers.receive(.saving(number))
        defer { manager.store.flush { [observers] _ in observers.receive(.saved(number)) } }
        return change()
    }

    // MARK: - Trouble

    /// Says that what happened lately is not in the saved session, and why; nil when all of it is.
    ///
    /// What could not be written is kept in memory and written with what happens next.
    var unsaved: SafeText? {
        guard isSaved, let error = manager.store.error else { return nil }
        return ServiceErrors.unsaved(SafeText(untrusted: error.message))
    }

    /// Tells that the session cannot be written, once for each time that this begins.
    func tellUnsaved() {
        guard isSaved else { return }
        let sentence = unsaved
        let isNews = state.withLock { state in
            defer { state.toldUnsaved = sentence != nil }
            return sentence != nil && !state.toldUnsaved
        }
        if isNews, let sentence { observers.receive(.complaint(sentence)) }
    }

    // MARK: - Leaving

    /// Stops what runs, so that it goes on in the next run; waits for that, for two seconds at most.
    func leaveSession() {
        let hasLeft = DispatchSemaphore(value: 0)
        manager.close { hasLeft.signal() }
        // All decisions are in the store's queue by then, and a slower disk is not worth keeping the terminal for.
        _ = hasLeft.wait(timeout: .now() + .seconds(2))
    }
}

extension LocalService.State {
    /// Adds a row of an earlier run; they come in the order of their ids.
    ///
    /// With `remembersFailure` one that failed stands for its download, so that naming it once more has it tried again.
    fileprivate mutating func insertRestored(_ row: TransferRow, remembersFailure: Bool) {
        lastRestored = max(lastRestored, row.id)
        if row.isUntouched {
            rows.insert(row.id, row.job, isHeld: row.run.isHeld)
        } else {
            let slot = rows.insert(row)
            if !row.isFinal, let task = row.run.task { slotOfTask[task.id] = slot }
        }
        order.append(row.id)
        if let rates = row.job.rates { ownRates[row.id] = rates }
        // The bytes of the earlier run do not count for this one.
        earlierBytes -= row.counted
        if row.lacksSecrets {
            remember(row)
        } else if remembersFailure, case .failed = row.run.result {
            remember(row)
        }
        guard !row.isFinal else { return }
        liveCount += 1
        if row.run.isHeld { parked.insert(row.id) }
        remember(row)
    }
}

extension StoredTransfer {
    /// Paused downloads that can go on with parts of a folder.
    fileprivate static func offered(by parts: [Leftover], in folder: String) -> [StoredTransfer] {
        parts.compactMap { part in
            guard part.kind == .resumable, let url = part.url, let name = part.name else { return nil }
            var transfer = StoredTransfer(
                id: .next(), kind: .download, request: TransferRequest(url: url),
                destination: .target(DownloadTarget(folder: folder, name: name)),
                createdAt: Date().timeIntervalSince1970)
            transfer.needsCredentials = part.lacksSecrets
            transfer.wanted = .paused
            transfer.partPath = part.path
            transfer.position = Int64(bitPattern: transfer.id.rawValue)
            return transfer
        }
    }
}
