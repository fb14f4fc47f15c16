import SessionSupport

@testable import SessionCore

/// A place for stores that outlives them, without a file: one store at a time.
final class TransferMemory: Sendable {
    struct State: Sendable {
        var transfers: [TransferID: StoredTransfer] = [:]
        var highestID: UInt64 = 0
        var isOpen = false
        var refuses = false
    }

    let state = Locked(State())

    func open() throws(SessionError) -> (store: any TransferStore, opening: StoreOpening) {
        let found = state.withLock { state -> State? in
            guard !state.isOpen else { return nil }
            state.isOpen = true
            return state
        }
        guard let found else { throw SessionError(.sessionInUse, "The memory has a store already") }
        let store = MemoryTransferStore(self)
        let unfinished = store.all().filter { !$0.standing.isFinal }
        return (store, StoreOpening(unfinished: unfinished, highestID: found.highestID))
    }
}

/// A store in memory: what ``TransferStore`` promises, in the fewest words.
final class MemoryTransferStore: TransferStore {
    private let memory: TransferMemory

    init(_ memory: TransferMemory) {
        self.memory = memory
    }

    func all() -> [StoredTransfer] {
        memory.state.withLock { state in
            state.transfers.values.sorted { ($0.position, $0.id) < ($1.position, $1.id) }
        }
    }

    func apply(_ changes: [TaskStoreChange]) throws(SessionError) {
        let isRefused = memory.state.withLock { state in
            guard !state.refuses else { return true }
            for change in changes { state.apply(change) }
            return false
        }
        if isRefused { throw SessionError(.diskFull, "The memory is full") }
    }

    func close() { memory.state.withLock { $0.isOpen = false } }
}

extension TransferMemory.State {
    fileprivate mutating func apply(_ change: TaskStoreChange) {
        switch change {
        case .add(let transfer):
            transfers[transfer.id] = transfer
            highestID = max(highestID, transfer.id.rawValue)
        case .wanted(let id, let wanted):
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
        case .label(let id, let label): transfers[id]?.label = label
        case .position(let id, let position): transfers[id]?.position = position
        case .upload(let id, let text):
            guard let plan = UploadPlan(storedText: text) else { return }
            transfers[id]?.request.uploadResumption = plan.wish
            transfers[id]?.request.uploadPlace = plan.place
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
