import SessionSupport

@testable import SessionCore

/// A place for stores that outlives them, without a file: one store at a time, or one for each of several workers.
final class TransferMemory: Sendable {
    struct State: Sendable {
        var transfers: [TransferID: StoredTransfer] = [:]
        var highestID: UInt64 = 0
        var isOpen = false
        var refuses = false
        /// Who has which transfers, and until when.
        var leases: [TransferID: (worker: String, until: Int64)] = [:]
    }

    let state = Locked(State())
    /// Milliseconds of the clock by which leases end.
    let clock = Locked<Int64>(0)

    func open() throws(SessionError) -> (store: any TransferStore, opening: StoreOpening) {
        let found = state.withLock { state -> State? in
            guard !state.isOpen else { return nil }
            state.isOpen = true
            return state
        }
        guard let found else { throw SessionError(.sessionInUse, "The memory has a store already") }
        let store = MemoryTransferStore(self)
        let unfinished = try store.all().filter { !$0.standing.isFinal }
        return (store, StoreOpening(unfinished: unfinished, highestID: found.highestID))
    }
}

/// A store in memory: what ``TransferStore`` and ``SharedTransferStore`` promise, in the fewest words.
final class MemoryTransferStore: SharedTransferStore {
    private let memory: TransferMemory
    /// The worker that has claimed what it changes; nil for the only one.
    private let worker: String?

    init(_ memory: TransferMemory, worker: String? = nil) {
        self.memory = memory
        self.worker = worker
    }

    func load(after id: TransferID?, limit: Int) throws(SessionError) -> [StoredTransfer] {
        memory.state.withLock { state in
            let behind = state.transfers.values.filter { $0.id.rawValue > id?.rawValue ?? 0 }
            return Array(behind.sorted { $0.id < $1.id }.prefix(limit))
        }
    }

    func apply(_ changes: [TaskStoreChange]) throws(SessionError) {
        let now = memory.clock.withLock { $0 }
        let refusal = memory.state.withLock { state -> SessionError? in
            guard !state.refuses else { return SessionError(.diskFull, "The memory is full") }
            if let worker, changes.contains(where: { !state.isLeased($0, by: worker, at: now) }) {
                return SessionError(.sessionInUse, "Another worker may have the transfer")
            }
            for change in changes { state.apply(change) }
            return nil
        }
        if let refusal { throw refusal }
    }

    func claim(_ count: Int, for worker: String, lease: Int64) -> [StoredTransfer] {
        let now = memory.clock.withLock { $0 }
        return memory.state.withLock { state in
            let free = state.transfers.values.filter { transfer in
                let owner = state.leases[transfer.id]
                return !transfer.standing.isFinal
                    && (owner == nil || owner?.worker == worker || owner?.until ?? 0 <= now)
            }
            func isOwn(_ transfer: StoredTransfer) -> Bool {
                state.leases[transfer.id].map { $0.worker == worker } ?? false
            }
            let chosen = free.sorted {
                (isOwn($0) ? 0 : 1, $0.position, $0.id) < (isOwn($1) ? 0 : 1, $1.position, $1.id)
            }.prefix(count)
            for transfer in chosen { state.leases[transfer.id] = (worker, now + lease) }
            return Array(chosen)
        }
    }

    func close() { memory.state.withLock { $0.isOpen = false } }
}

extension TransferMemory.State {
    /// Whether a worker may make a change: it adds, or is of a transfer that the worker has.
    fileprivate func isLeased(_ change: TaskStoreChange, by worker: String, at now: Int64) -> Bool {
        switch change {
        case .add: true
        case .waiting(let ids, _): ids.allSatisfy { isLeased($0, by: worker, at: now) }
        case .wanted(let id, _), .finishing(let id, _), .ended(let id, _), .parked(let id, _, _), .label(let id, _),
            .part(let id, _), .annotation(let id, _), .position(let id, _), .upload(let id, _), .progress(let id, _),
            .remove(let id):
            isLeased(id, by: worker, at: now)
        }
    }

    private func isLeased(_ id: TransferID, by worker: String, at now: Int64) -> Bool {
        leases[id].map { $0.worker == worker && $0.until > now } ?? false
    }

    fileprivate mutating func apply(_ change: TaskStoreChange) {
        switch change {
        case .add(let transfer):
            transfers[transfer.id] = transfer
            highestID = max(highestID, transfer.id.rawValue)
        case .wanted(let id, let wanted):
            guard transfers[id]?.wanted.isRemoval == false else { return }
            transfers[id]?.wanted = wanted
            if wanted == .running { transfers[id]?.wasStarted = true }
        case .waiting(let ids, let wanted):
            for id in ids { transfers[id]?.wanted = wanted }
        case .finishing(let id, let file):
            if transfers[id]?.standing.isFinal == false { transfers[id]?.standing = .finishing(file) }
        case .ended(let id, let end): transfers[id]?.take(end)
        case .parked(let id, let counts, let partPath):
            if let partPath { transfers[id]?.partPath = partPath }
            transfers[id]?.counts = counts
        case .part(let id, let path): transfers[id]?.partPath = path
        case .label(let id, let label): transfers[id]?.label = label
        case .annotation(let id, let annotation): transfers[id]?.annotation = annotation
        case .position(let id, let position): transfers[id]?.position = position
        case .upload(let id, let text):
            guard let plan = UploadPlan(storedText: text) else { return }
            transfers[id]?.request.uploadResumption = plan.intent
            transfers[id]?.request.uploadLocation = plan.location
        case .progress(let id, let counts): transfers[id]?.counts = counts
        case .remove(let id): transfers[id] = nil
        }
    }
}

extension StoredTransfer {
    fileprivate mutating func take(_ end: StoredEnd) {
        partPath = end.standing == .completed ? end.partPath : end.partPath ?? partPath
        (standing, counts, filePath) = (end.standing, end.counts, end.filePath)
        (finishedAt, startedAt, statusCode) = (end.finishedAt, end.startedAt, end.statusCode)
        (failedAttempts, timings) = (end.failedAttempts, end.timings)
    }
}
