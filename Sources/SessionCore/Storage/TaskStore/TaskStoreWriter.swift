import CLinux
import Glibc
import SessionSupport

/// The thread that owns a session's store, and its queue: changes are accepted from any thread, in order and without
/// blocking; pending ones are committed together.
///
/// A class because it owns a thread. Its creator counts as the first holder; the store closes, and its lock is
/// released, once the last holder has released it and every queued change is committed.
final class TaskStoreWriter: Sendable {
    /// Called on the writer's thread when a change is durable, or with the error.
    typealias Committed = @Sendable (SessionError?) -> Void
    typealias Listing = Result<[StoredTransfer], SessionError>

    /// A request for a page of the transfers.
    struct Reader: Sendable {
        var after: TransferID?
        var limit: Int
        var receive: @Sendable (Listing) -> Void
    }

    /// The queue for the thread.
    struct Inbox {
        var changes: [TaskStoreChange] = []
        var committed: [Committed] = []
        var readers: [Reader] = []
        var isProgressDue = false

        var isEmpty: Bool { changes.isEmpty && committed.isEmpty && readers.isEmpty && !isProgressDue }
    }

    struct State {
        var opening: Result<StoreOpening, SessionError>?
        var inbox = Inbox()
        /// Changes that could not be committed; they are committed with the next ones.
        var retained: [TaskStoreChange] = []
        var failure: SessionError?
        /// True once cancellations are no longer the user's wish: the transfers stay unfinished.
        var isFrozen = false
        /// The transfers whose tasks the program pauses or cancels without its user's wish.
        var keptWishes: Set<TransferID> = []
        var holders = 1
        /// True once the thread checks for no more work; only set without holders.
        var isStopping = false
        var isClosed = false
        var onClose: [@Sendable () -> Void] = []
    }

    struct Progress: Sendable {
        var counts: [TransferID: BodyCounts] = [:]
        var lastCommit: Int64 = 0
    }

    /// Pending changes at which a caller that adds many should wait: a commit then has about a thousand at a time, and
    /// the data for all later ones is not in memory.
    static let comfortableCount = 2_048
    /// Milliseconds between two transactions with only progress.
    private static let progressInterval: Int64 = 1_000

    let monitor = Monitor(State())
    private let progress = Locked(Progress())
    /// The URLs of uploads begun in this run or an earlier one.
    let uploads = UploadLocations()
    /// The highest number of any transfer of this store so far.
    let highestID: UInt64
    /// A sentence for the user if opening found damage.
    let notice: String?

    /// Opens a store on the writer's thread and waits for it; throws the error of opening it.
    init(
        opening: @escaping @Sendable () throws(SessionError) -> (store: any TransferStore, opening: StoreOpening)
    ) throws(SessionError) {
        let monitor = monitor
        let progress = progress
        try SystemThread.startDetached(name: "session-store") { Self.run(monitor, progress, opening: opening) }
        let opening = try monitor.wait { $0.opening }.get()
        for transfer in opening.unfinished { uploads.note(transfer) }
        highestID = opening.highestID
        notice = opening.notice
    }

    /// Opens the store of an identifier in a folder.
    ///
    /// Throws `sessionInUse` when another session has it, and the other errors of
    /// ``TaskStore/open(identifier:folder:limits:found:)``.
    convenience init(
        identifier: String, folder: String, limits: TaskStore.Limits = TaskStore.Limits(), found: TaskStore.Found? = nil
    ) throws(SessionError) {
        try self.init { () throws(SessionError) in
            try TaskStore.open(identifier: identifier, folder: folder, limits: limits, found: found)
        }
    }

    deinit { monitor.change { $0.holders = 0 } }

    /// Returns the unfinished transfers that opening found, in order; only once.
    func takeUnfinished() -> [StoredTransfer] {
        monitor.change { state in
            guard case .success(var opening) = state.opening else { return [] }
            defer {
                opening.unfinished = []
                state.opening = .success(opening)
            }
            return opening.unfinished
        }
    }

    // MARK: Changes

    func submit(_ change: TaskStoreChange, committed: Committed? = nil) {
        submit(CollectionOfOne(change), committed: committed)
    }

    /// Queues changes that are committed together.
    func submit(_ changes: some Collection<TaskStoreChange>, committed: Committed? = nil) {
        if uploads.isEmpty { return submit(completed: changes, committed: committed) }
        submit(completed: changes.map { uploads.complete($0) }, committed: committed)
    }

    private func submit(completed changes: some Collection<TaskStoreChange>, committed: Committed?) {
        let refused = monitor.change { state -> Bool in
            guard !state.isClosed else { return true }
            for change in changes {
                if let change = state.adapted(change) { state.inbox.changes.append(change) }
            }
            if let committed { state.inbox.committed.append(committed) }
            return false
        }
        if refused { committed?(Self.closedError) }
    }

    /// Waits until few changes are pending; false on a timeout, in milliseconds.
    func waitForRoom(milliseconds: Int64) -> Bool {
        monitor.wait(timeoutMilliseconds: milliseconds) {
            $0.isClosed || $0.inbox.changes.count < Self.comfortableCount
        }
    }

    /// Calls back when every earlier change is durable, or with the error.
    func flush(_ committed: @escaping Committed) {
        let refused = monitor.change { state -> Bool in
            guard !state.isClosed else { return true }
            state.inbox.committed.append(committed)
            return false
        }
        if refused { committed(Self.closedError) }
    }

    /// Submits transfers' progress.
    ///
    /// It is committed with the next change, or by itself at most once a second.
    ///
    /// - Parameter isUrgent: true to commit it at once.
    func submit(_ counts: [TransferID: BodyCounts], isUrgent: Bool = false) {
        guard !counts.isEmpty else { return }
        let now = cl_monotonic_milliseconds()
        let isDue = progress.withLock { progress in
            progress.counts.merge(counts) { $1 }
            guard isUrgent || now - progress.lastCommit >= Self.progressInterval else { return false }
            progress.lastCommit = now
            return true
        }
        if isDue { monitor.change { $0.inbox.isProgressDue = true } }
    }

    // MARK: Reading

    /// Returns a page of the stored transfers, including all earlier changes; blocks until they are committed.
    func load(after id: TransferID?, limit: Int) throws(SessionError) -> [StoredTransfer] {
        let box = Monitor<Listing?>(nil)
        let isClosed = monitor.change { state in
            if !state.isClosed {
                state.inbox.readers.append(
                    Reader(after: id, limit: limit) { listing in box.change { $0 = listing } })
            }
            return state.isClosed
        }
        guard !isClosed else { throw Self.closedError }
        let transfers = try box.wait { $0 }.get()
        // A task may be recreated from these rows, so their uploads are noted.
        uploads.note(ended: transfers)
        return transfers
    }

    /// Returns every stored transfer, by position and then by number.
    func all() throws(SessionError) -> [StoredTransfer] {
        try TransferPages.all { (after, limit) throws(SessionError) in try load(after: after, limit: limit) }
    }

    /// The last commit's error; nil after a success.
    var failure: SessionError? { monitor.change { $0.failure } }

    static let closedError = SessionError(.sessionInvalidated, StoreErrors.closed)

    // MARK: End

    /// Keeps transfers that are cancelled from now on unfinished in the store.
    func freeze() { monitor.change { $0.isFrozen = true } }

    /// Keeps transfers as they are in the store while the program pauses them, or cancels them once.
    func keepWishes(of ids: some Sequence<TransferID>) { monitor.withLock { $0.keptWishes.formUnion(ids) } }

    /// Stores what becomes of transfers again.
    func followWishes(of ids: some Sequence<TransferID>) { monitor.withLock { $0.keptWishes.subtract(ids) } }

    /// Keeps the store open until ``release()``; false when it is closing already.
    @discardableResult
    func hold() -> Bool {
        monitor.change { state in
            guard !state.isStopping else { return false }
            state.holders += 1
            return true
        }
    }

    func release() { monitor.change { $0.holders -= 1 } }

    /// Calls back once the store is closed and its lock is released.
    func whenClosed(_ body: @escaping @Sendable () -> Void) {
        let isClosed = monitor.change { state in
            if !state.isClosed { state.onClose.append(body) }
            return state.isClosed
        }
        if isClosed { body() }
    }

    /// Blocks until the store is closed and its lock is released.
    func waitUntilClosed() { monitor.wait { $0.isClosed ? () : nil } }
}

extension TaskStoreWriter.State {
    /// Adapts a change that is not its user's wish, as in a session that is quitting: a pause changes nothing, and a
    /// cancellation becomes a pause; a real end stays one.
    fileprivate mutating func adapted(_ change: TaskStoreChange) -> TaskStoreChange? {
        switch change {
        case .ended(let id, let end):
            let isKept = keptWishes.remove(id) != nil || isFrozen
            return isKept && end.standing == .cancelled ? .parked(id, end.counts, partPath: end.partPath) : change
        case .wanted(let id, let wanted):
            return isFrozen || wanted == .paused && keptWishes.contains(id) ? nil : change
        case .add(let transfer):
            keptWishes.remove(transfer.id)
            return change
        case .remove(let id):
            keptWishes.remove(id)
            return change
        case .waiting, .finishing, .parked, .part, .label, .annotation, .position, .upload, .progress: return change
        }
    }
}

extension TaskStoreWriter: FinishJournal {
    /// Commits the files with one transaction and waits for it; a closed store refuses at once.
    func record(_ files: [TransferID: StoredTransfer.FinishingFile]) {
        guard !files.isEmpty else { return }
        let isDecided = Monitor(false)
        submit(files.map { .finishing($0.key, $0.value) }) { _ in isDecided.change { $0 = true } }
        isDecided.wait { $0 ? () : nil }
    }
}
