import CLinux
import Foundation
import SessionCore
import SessionSupport

/// Saves rows in the session's store and restores them.
///
/// A row's id is its transfer's number in the store, so that it is the same in every run.
extension LocalService {
    /// Whether rows outlive the program.
    var isSaved: Bool { manager.configuration.identifier != nil }

    /// The reason why the saved session cannot be used; nil when it can, and without one.
    package var refusal: SessionRefusal? {
        manager.configuration.identifier.flatMap { name in manager.store.error.map { SessionRefusal(name, $0) } }
    }

    /// A sentence for the user when the saved session was damaged.
    var notice: String? { manager.store.notice }

    // MARK: - Restoring rows

    package func begin() -> [String] {
        restore()
        return [notice, partsFound.withLock { $0 }].compactMap(\.self)
    }

    /// Restores the rows of the earlier run, and resumes the ones that ran.
    private func restore() {
        guard isSaved, refusal == nil else { return }
        let isDone = DispatchSemaphore(value: 0)
        // On the delegate queue no other task event interrupts this.
        manager.operationQueue.addOperation { [self] in
            restoreRows()
            if notice != nil { restoreParts() }
            listen()
            isDone.signal()
        }
        isDone.wait()
        manager.store.leaveRestored(state.withLock { $0.restoredOutsideHours })
        manager.store.resumeRestoredTasks()
        tellQueue()
        // A row without its secrets has been reported already.
        if retriesFailed { resume(failedRows.filter { !$0.lacksSecrets }.map(\.id)) }
    }

    private func restoreRows() {
        do throws(SessionError) {
            var unjudged: [UInt64] = []
            var removed: [StoredTransfer] = []
            try manager.store.forEachPage { page in
                removed += page.filter(\.wanted.isRemoval)
                for transfer in page where !transfer.wanted.isRemoval && restore(transfer).run.isUnjudged {
                    unjudged.append(transfer.id.rawValue)
                }
            }
            // The store has them as completed.
            for id in unjudged { save(id) }
            completeRemovals(of: removed)
            guard let secrets else { return }
            secrets.keep(only: Set(state.withLock { $0.order.filter { secrets.job(of: $0) != nil } }))
        } catch {
            // Rows that were not read stay in the store.
            return partsFound.withLock { $0 = error.message }
        }
    }

    /// Makes rows of the partial files in the run's folder that no session owns: probably downloads of the damaged
    /// session.
    ///
    /// They are paused, because they may belong to another user.
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

    @discardableResult
    private func restore(_ stored: StoredTransfer) -> TransferRow {
        var row = TransferRow(restoring: stored, secrets?.job(of: stored.id.rawValue), runOptions)
        let task = manager.task(for: stored.id)
        if row.isFinal {
            // Its task could not begin, and its remaining events do not matter.
            if let task { running.enter(task) }
        } else if let task {
            row.run.task = task
            // The library has made it before it knew that any body is a good one.
            task.responseSerializer = manager.responseSerializer
            row.run.wasResumed = row.run.isPausedInQueue
            task.queuePosition = row.position
            task.priority = Self.priority(row.priority)
            task.rateLimit = row.job.rates.map { RateLimit($0) }
            // The command that resumes a paused task enters it.
            if !row.run.isPausedInQueue { running.enter(task) }
        }
        let restored = row
        let remembersFailure = !observers.interest.showsRows
        let key = SavedJob.additionKey(in: stored.annotation)
        state.withLock { state in
            if let key { state.additionKeys.note(key, of: restored.id) }
            state.insertRestored(restored, remembersFailure: remembersFailure)
            // The library has no task for it, because only this program knows its options.
            if restored.wantsTask { state.enqueue(restored.id) } else { state.enterHours(restored) }
        }
        tellRestored(row)
        return row
    }

    private func tellRestored(_ row: TransferRow) {
        guard !row.isFinal else { return reportEarlierEnd(of: row) }
        report(row.id, .added(description(of: row.job, path: path(of: row.job))))
        if row.run.isUnjudged, !row.run.isPausedInQueue { report(row.id, .notice(ServiceLines.sentAgainUnjudged)) }
        guard row.run.isPausedInQueue else { return }
        report(row.id, .paused)
        if row.run.isUnjudged { report(row.id, .notice(FailureHints.resumeToSend(ServiceErrors.unjudged))) }
        if row.isUnanswered { report(row.id, .notice(FailureHints.resumeToSend(ServiceErrors.bodyUnanswered))) }
    }

    /// Reports to an observer without rows a transfer that failed and is not retried.
    ///
    /// A transfer without its secrets reports that reason: the earlier failure does not say what to do now.
    private func reportEarlierEnd(of row: TransferRow) {
        if !observers.interest.showsRows, case .failed(let failure) = row.run.result {
            report(row.id, .added(description(of: row.job, path: path(of: row.job))))
            if row.lacksSecrets {
                var missing = row.secretsNotSaved
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

    // MARK: - Saving rows

    /// A job with its complete folder and, where rows are saved, with absolute paths, which mean the same in the next
    /// run.
    func prepared(_ job: Job) -> Job {
        let placed = ServerFolders.placed(job, defaultDirectory: factory.directory)
        return isSaved ? SavedJob.absolute(placed, directory: factory.directory) : placed
    }

    /// The number of a row's task in a saved session; the default without one.
    ///
    /// The row was saved under it before it could get a task, so the library does not save it again.
    func options(of row: RowAdmission) -> TaskOptions {
        var options = isSaved ? TaskOptions(id: TransferID(rawValue: row.id), isKept: false) : TaskOptions()
        options.entry = TransferID(rawValue: row.id)
        return options
    }

    /// Saves a row without a task, or one whose end this program judges otherwise than the library.
    ///
    /// Called before a row can get its task, so that each run is saved once. A job that cannot be stored, such as one
    /// with a long text as body, exists in this run alone: the error says why.
    @discardableResult
    func save(_ id: UInt64) -> SessionError? {
        guard isSaved, let row = row(id), row.run.task == nil || row.isFinal, !row.lacksSecrets else { return nil }
        let isKept =
            SavedJob.isKept(row.job, printsBodies: factory.printsBodies) && factory.specialPath(of: row.job) == nil
        if row.job.taskName != nil {
            state.withLock { state in
                if isKept { state.unsavedNames.remove(id) } else { state.unsavedNames.insert(id) }
            }
        }
        guard isKept else { return nil }
        do throws(SessionError) {
            let key = state.withLock { $0.additionKeys.key(of: id) }
            try manager.store.put(row.stored(by: factory, additionKey: key))
            secrets?.put(row.job, of: id)
            return nil
        } catch {
            manager.store.remove(TransferID(rawValue: id))
            if row.job.taskName != nil { state.withLock { _ = $0.unsavedNames.insert(id) } }
            return error
        }
    }

    /// Saves in one change of the store that rows without tasks are paused, or wait again, or that rows are removed.
    func save(_ wanted: StoredTransfer.Wanted, of ids: [UInt64]) {
        if isSaved { manager.store.setWanted(wanted, of: ids.map { TransferID(rawValue: $0) }) }
    }

    /// Keeps a row as it is in the saved session while its task is paused or cancelled for the program's own purpose.
    func keepWish(of id: UInt64) {
        guard isSaved else { return }
        state.withLock { $0.rows.slot(of: id)?.row.run.keepsWish = true }
        manager.store.keepWishes(of: [TransferID(rawValue: id)])
    }

    /// Saves pauses and cancellations of rows again, because they are their user's wish.
    func followWishes(of ids: [UInt64]) {
        if isSaved { manager.store.followWishes(of: ids.map { TransferID(rawValue: $0) }) }
    }

    /// Saves a change of a row's job that its transfer does not contain.
    func saveJob(of id: UInt64) {
        guard isSaved, let row = row(id), !row.lacksSecrets else { return }
        let (key, unsaved) = state.withLock { ($0.additionKeys.key(of: id), $0.precedence.unsaved(before: id)) }
        let annotation = row.annotation(additionKey: key, lacking: unsaved)
        manager.store.setAnnotation(annotation, of: TransferID(rawValue: id))
    }

    func savePosition(of id: UInt64) {
        guard isSaved, let row = row(id) else { return }
        manager.store.setPosition(row.storedPosition, of: TransferID(rawValue: id))
    }

    func forget(_ ids: [UInt64]) {
        guard isSaved else { return }
        manager.store.remove(ids.map { TransferID(rawValue: $0) })
        secrets?.remove(ids)
    }

    /// Changes rows and holds back their events until the change is on the disk: a reader of "added" must find the
    /// transfer again, even after a crash.
    ///
    /// A dashboard shows rows at once, because people do not read that fast.
    func notifyingWhenSaved<Value>(_ change: () -> Value) -> Value {
        guard isSaved, !observers.interest.showsRows else {
            defer { if isSaved { manager.store.flush { [weak self] _ in self?.tellUnsaved() } } }
            return change()
        }
        let number = state.withLock { state in
            state.savings += 1
            return state.savings
        }
        observers.receive(.saving(number))
        defer {
            manager.store.flush { [observers, weak self] _ in
                observers.receive(.saved(number))
                self?.tellUnsaved()
            }
        }
        return change()
    }

    // MARK: - Errors

    /// Says that recent changes are not in the saved session, and why; nil when all are.
    ///
    /// Unwritten changes stay in memory and are written with the next ones.
    var unsaved: SafeText? {
        guard isSaved, let error = manager.store.error else { return nil }
        return ServiceErrors.unsaved(SafeText(untrusted: error.message))
    }

    /// Waits until the disk has taken or refused every earlier change; returns why one is not saved.
    func unsavedAfterWriting() -> SafeText? {
        guard isSaved else { return nil }
        return manager.store.waitForDisk().map { ServiceErrors.unsaved(SafeText(untrusted: $0.message)) }
    }

    /// Tells every subscriber of a problem beside the transfers.
    package func complain(_ sentence: SafeText) { observers.receive(.complaint(sentence)) }

    /// Reports once per outage of the store that the session cannot be saved.
    func tellUnsaved() {
        guard isSaved else { return }
        let sentence = unsaved
        let isNews = state.withLock { state in
            defer { state.toldUnsaved = sentence != nil }
            return sentence != nil && !state.toldUnsaved
        }
        if isNews, let sentence { observers.receive(.complaint(sentence)) }
    }

    // MARK: - Closing

    /// Stops what runs, so that the next run resumes it; waits two seconds at most.
    func leaveSession() {
        let hasLeft = DispatchSemaphore(value: 0)
        manager.close { hasLeft.signal() }
        // By then all decisions are in the store's queue; a slower disk must not block the terminal.
        _ = hasLeft.wait(timeout: .now() + .seconds(2))
        secrets?.close()
    }
}

extension LocalService.State {
    /// Adds a row of an earlier run; rows come in the order of their ids.
    ///
    /// With `remembersFailure` a failed row stands for its download, so that naming it again retries it.
    fileprivate mutating func insertRestored(_ row: TransferRow, remembersFailure: Bool) {
        lastRestored = max(lastRestored, row.id)
        if row.isUntouched {
            rows.insert(row.id, row.job, isPausedInQueue: row.run.isPausedInQueue)
        } else {
            let slot = rows.insert(row)
            if !row.isFinal, let task = row.run.task { slotOfTask[task.id] = slot }
        }
        order.append(row.id)
        nameRow(row.id, of: row.job)
        earlierUploads.add(row)
        if let rates = row.job.rates { ownRates[row.id] = rates }
        // The bytes of the earlier run do not count for this one.
        earlierBytes -= row.counted
        if row.lacksSecrets {
            remember(row)
        } else if remembersFailure, case .failed = row.run.result {
            remember(row)
        }
        if case .failed = row.run.result, !row.lacksSecrets { recordFailure(of: row) }
        guard !row.isFinal else { return }
        liveCount += 1
        if row.run.isPausedInQueue { parked.insert(row.id) }
        remember(row)
    }
}

extension LocalService.State {
    /// Lets a restored row with a task wait for its hours.
    fileprivate mutating func enterHours(_ row: TransferRow) {
        guard let own = row.hours, !row.isFinal, !row.run.isPausedInQueue, let task = row.run.task,
            !hours.enter(row.id, own)
        else { return }
        hours.stop(row.id)
        restoredOutsideHours.append(task.id)
    }
}

extension StoredTransfer {
    /// The paused downloads that can resume from partial files in a folder.
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
