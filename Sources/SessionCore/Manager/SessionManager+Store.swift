import Foundation
import Support

/// The store of a persistent session, as its user sees it.
extension SessionManager {
    /// Why the session could not be opened, or the latest change not be written; nil when all is well.
    ///
    /// ``SessionError/Code/sessionInUse`` when another program has the session. A manager whose session could not be
    /// opened throws this error from every factory; one without an identifier works instead.
    public var storeError: SessionError? {
        configuration.identifier == nil ? nil : session.storeError
    }

    /// A sentence for a person when the stored session was damaged, and what became of it.
    public var storeNotice: String? { state.withLock { $0.store }?.notice }

    /// Every transfer of the session, in its user's order: unfinished ones, and finished ones until they are removed.
    ///
    /// Has everything that was decided before. Blocks while the disk is read: for 100,000 transfers half a second.
    /// Empty without an identifier.
    public var storedTransfers: [StoredTransfer] {
        get throws(SessionError) {
            switch configuration.identifier == nil ? nil : session.persistence {
            case nil: return []
            case .failure(let error): throw error
            case .success(let store): return try store.all()
            }
        }
    }

    /// Forgets transfers; a task that has not completed is cancelled, and its part kept.
    public func removeStored(_ ids: [TransferID]) {
        for id in ids {
            task(for: id)?.cancel()
            state.withLock { $0.store }?.submit(.remove(id))
        }
    }

    /// Forgets a transfer; a task that has not completed is cancelled, and its part kept.
    public func removeStored(_ id: TransferID) { removeStored([id]) }

    /// Gives a transfer its place among the others of ``storedTransfers``: lower ones come first.
    ///
    /// A new transfer's place is its number.
    public func setStoredPosition(_ position: Int64, of id: TransferID) {
        state.withLock { $0.store }?.submit(.position(id, position))
    }

    /// Waits until everything that was decided before is on the disk, and throws when the disk refuses.
    public func flushStore() async throws(SessionError) {
        guard let store = state.withLock({ $0.store }) else {
            if let error = storeError { throw error }
            return
        }
        // Transitions reach the store by the delegate queue.
        await settleDelegateQueue()
        let error = await withCheckedContinuation { continuation in
            store.flush { continuation.resume(returning: $0) }
        }
        if let error { throw error }
    }

    /// Leaves a persistent session: what runs stops with its part kept, stays stored as it was, and goes on in the next
    /// session of the identifier, which can be opened when this returns.
    ///
    /// The tasks complete as cancelled here. Without an identifier it cancels every task and waits for them. Never
    /// returns while ``operationQueue`` is suspended.
    public func close() async {
        await settleDelegateQueue()
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
    public func close(completionHandler: @escaping @Sendable () -> Void) {
        operationQueue.deliver { [self] in
            let store = state.withLock { $0.store }
            store?.freeze()
            invalidate(cancellingTasks: true)
            if let store { store.whenClosed(completionHandler) } else { completionHandler() }
        }
    }

    private func settleDelegateQueue() async {
        await withCheckedContinuation { continuation in
            operationQueue.deliver { continuation.resume() }
        }
    }
}
