import Foundation
import SessionSupport

/// The store of a manager's persistent session: its transfers, and changes a program makes to them without a task.
///
/// A manager without an identifier has a store that is always empty and stores nothing. It is a handle: copies refer to
/// one store, and each keeps its manager.
///
/// ```swift
/// if let error = manager.store.error { print("Nothing is saved: \(error)") }
/// let ended = try manager.store.transfers.filter(\.isFinal)
/// manager.store.remove(ended.map(\.id))
/// ```
public struct SessionStore: Sendable {
    let manager: SessionManager

    // MARK: State

    /// Why the session could not be opened, or the latest change not be written; nil if neither failed.
    ///
    /// ``SessionError/Code/sessionInUse`` if another program has the session open. A manager whose session could not be
    /// opened throws this error from every factory; one without an identifier works instead.
    public var error: SessionError? {
        manager.configuration.identifier == nil ? nil : manager.session.storeError
    }

    /// A sentence for the user if the stored session was damaged, saying what became of it.
    package var notice: String? { writer?.notice }

    /// Every transfer of the session, in its user's order: unfinished ones, and finished ones until they are removed.
    ///
    /// Includes every change made before. Blocks while the disk is read: half a second for 100,000 transfers.
    public var transfers: [StoredTransfer] {
        get throws(SessionError) { try opened?.all() ?? [] }
    }

    /// Passes every transfer of the session to the closure, by number and page by page, so that not all are in memory
    /// at once.
    ///
    /// Blocks while the disk is read.
    package func forEachPage(_ body: ([StoredTransfer]) -> Void) throws(SessionError) {
        guard let opened = try opened else { return }
        try TransferPages.forEach(
            { (after, limit) throws(SessionError) in try opened.load(after: after, limit: limit) }, body)
    }

    /// The session's store, opened on first use; nil without an identifier.
    private var opened: TaskStoreWriter? {
        get throws(SessionError) {
            manager.configuration.identifier == nil ? nil : try manager.session.persistence?.get()
        }
    }

    private var writer: TaskStoreWriter? { manager.state.withLock { $0.store } }

    // MARK: Changing it

    /// Stores a transfer that has no task now, or replaces the one stored under its number: one that waits, or whose
    /// end was judged elsewhere.
    ///
    /// Its secrets are not stored. Throws `invalidRequest` for one that the store could not read again, because its URL
    /// or its file's name is none. An unfinished one gets its task in a later run; in this run a factory makes it,
    /// given the number as ``TaskOptions/id``.
    package func put(_ transfer: StoredTransfer) throws(SessionError) {
        guard let store = try manager.session.persistence?.get() else { return }
        let safe = try StoredTransfer(
            storing: transfer.request, id: transfer.id, kind: transfer.kind, destination: transfer.destination,
            createdAt: transfer.createdAt)
        var stored = transfer
        (stored.request, stored.destination) = (safe.request, safe.destination)
        guard TaskStoreRow.isReadable(stored) else {
            throw SessionError(.invalidRequest, StoreErrors.notReadable, failingURL: transfer.request.url)
        }
        stored.needsCredentials = safe.needsCredentials || transfer.needsCredentials
        store.submit(.add(stored))
    }

    /// Forgets transfers; a task that has not completed is cancelled and keeps its partial file.
    public func remove(_ ids: [TransferID]) {
        for id in ids {
            manager.task(for: id)?.cancel()
            writer?.submit(.remove(id))
        }
    }

    /// Forgets a transfer; a task that has not completed is cancelled and keeps its partial file.
    package func remove(_ id: TransferID) { remove([id]) }

    /// Sets a transfer's position among ``transfers``: lower ones come first.
    ///
    /// A new transfer's position is its number.
    package func setPosition(_ position: Int64, of id: TransferID) { writer?.submit(.position(id, position)) }

    /// Replaces what the program keeps beside a transfer; one that is not stored is skipped.
    package func setAnnotation(_ annotation: String?, of id: TransferID) { writer?.submit(.annotation(id, annotation)) }

    /// Sets the wanted state of transfers that have no task, or whose task ends in a moment; ones that are not stored
    /// are skipped.
    ///
    /// This is one atomic change of the store for any number of transfers.
    package func setWanted(_ wanted: StoredTransfer.Wanted, of ids: [TransferID]) {
        if !ids.isEmpty { writer?.submit(.waiting(ids, wanted)) }
    }

    /// Keeps transfers stored as they are while the program pauses their tasks, or cancels them once: a later run then
    /// has what their user wants, and not a step in between.
    package func keepWishes(of ids: [TransferID]) { writer?.keepWishes(of: ids) }

    /// Stores pauses and cancellations of these transfers again.
    package func followWishes(of ids: [TransferID]) { writer?.followWishes(of: ids) }

    /// Waits until every change made before is on the disk; throws if the disk refuses.
    public func flush() async throws(SessionError) {
        guard let writer else {
            if let error { throw error }
            return
        }
        // Transitions reach the store through the delegate queue.
        await manager.drainDelegateQueue()
        let error = await withCheckedContinuation { continuation in
            writer.flush { continuation.resume(returning: $0) }
        }
        if let error { throw error }
    }

    /// ``flush()`` for a program without concurrency, for changes made here: calls back on the store's thread, which
    /// must not be blocked, with the disk's error or nil.
    package func flush(completionHandler: @escaping @Sendable (SessionError?) -> Void) {
        guard let writer else { return completionHandler(error) }
        writer.flush(completionHandler)
    }

    /// Blocks until every change made here before is on the disk; returns the disk's error or nil.
    ///
    /// For a thread that may wait for a disk; task changes may not have arrived here yet.
    package func waitForDisk() -> SessionError? {
        let answer = Monitor<SessionError??>(nil)
        flush { error in answer.change { $0 = .some(error) } }
        return answer.wait { $0 }
    }

    /// Waits until few changes made here are unwritten; returns false on timeout, and true at once without a store.
    ///
    /// For a caller that stores very many transfers: each takes a kilobyte until it is on the disk.
    package func waitForRoom(milliseconds: Int64) -> Bool { writer?.waitForRoom(milliseconds: milliseconds) ?? true }

    // MARK: Resuming

    /// Resumes the tasks that ran in the earlier run; does nothing the second time.
    ///
    /// Only needed if the configuration's ``SessionConfiguration/resumesRestoredTasks`` is false.
    package func resumeRestoredTasks() { manager.resumeRestoredTasks() }

    /// Excludes tasks from ``resumeRestoredTasks()``: their user resumes them later.
    package func leaveRestored(_ ids: [TransferID]) {
        guard !ids.isEmpty else { return }
        let ids = Set(ids)
        manager.state.withLock { state in state.restoration.waiting.removeAll { ids.contains($0.id) } }
    }

    /// Makes a task that starts a stored transfer again under its number: one that failed, was cancelled, or whose
    /// secrets were not stored.
    ///
    /// Its partial file is continued if possible. The request defaults to the stored one; a transfer that
    /// ``StoredTransfer/needsCredentials`` requires the full one. Throws `invalidRequest` if the transfer is unknown or
    /// already has a task. Reads from the disk.
    public func restart(
        _ id: TransferID, with request: TransferRequest? = nil,
        completionHandler: SessionManager.CompletionHandler? = nil
    ) throws(SessionError) -> SessionTask {
        let session = manager.session
        guard !session.isInvalidated else { throw SessionError(.sessionInvalidated, TaskErrors.invalidated) }
        guard manager.task(for: id) == nil, let stored = try transfers.first(where: { $0.id == id }) else {
            throw SessionError(.invalidRequest, TaskErrors.notStored("\(id)"))
        }
        guard request != nil || !stored.needsCredentials else {
            throw SessionError(
                .authenticationRequired, TaskErrors.secretsNotStored, failingURL: stored.request.url)
        }
        var complete = request ?? stored.request
        if complete.url == stored.request.url || stored.needsCredentials {
            complete.uploadLocation = stored.request.uploadLocation
        }
        manager.requestHeaders.complete(&complete)
        try manager.check(complete, of: stored.kind)
        var fresh = try StoredTransfer(
            storing: complete, id: id, kind: stored.kind, destination: stored.destination,
            createdAt: stored.createdAt)
        (fresh.label, fresh.position, fresh.partPath) = (stored.label, stored.position, stored.partPath)
        fresh.annotation = stored.annotation
        fresh.counts = stored.counts
        let closures = TaskRecord.Closures(completion: CompletionReceiver(completionHandler))
        let task = manager.makeTask(of: fresh, request: complete, in: session, closures: closures)
        session.store?.submit(.add(fresh))
        manager.register(task)
        return task
    }
}

/// The manager's access to its store, and its closing.
extension SessionManager {
    /// The store of the session; an empty one without an identifier.
    public var store: SessionStore { SessionStore(manager: self) }

    /// Closes a persistent session: running tasks stop with their partial files kept, stay stored as they were, and
    /// continue in the next session of the identifier, which can be opened when this returns.
    ///
    /// The tasks complete as cancelled here. Without an identifier it cancels every task and waits for them. Never
    /// returns while ``operationQueue`` is suspended.
    public func close() async {
        await drainDelegateQueue()
        let store = state.withLock { $0.store }
        let running = tasks.filter(\.wasResumed)
        store?.freeze()
        invalidate(cancellingTasks: true)
        for task in running { _ = await task.completion() }
        guard let store else { return }
        await withCheckedContinuation { continuation in store.whenClosed { continuation.resume() } }
    }

    /// ``close()`` of a persistent session for a program without concurrency: calls back, on any thread, when the next
    /// session of the identifier can be opened.
    ///
    /// Without an identifier it cancels every task, and calls back without waiting for them.
    package func close(completionHandler: @escaping @Sendable () -> Void) {
        afterDelivery { [self] in
            let store = state.withLock { $0.store }
            store?.freeze()
            invalidate(cancellingTasks: true)
            if let store { store.whenClosed(completionHandler) } else { completionHandler() }
        }
    }

    func drainDelegateQueue() async {
        await withCheckedContinuation { continuation in
            afterDelivery { continuation.resume() }
        }
    }

    /// Runs work on the delegate queue after the session has delivered everything.
    func afterDelivery(_ work: @escaping @Sendable () -> Void) {
        if let session = state.withLock({ $0.session }) {
            session.afterInbox(work)
        } else {
            operationQueue.deliver(work)
        }
    }
}
