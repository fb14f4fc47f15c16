import SessionSupport

/// The writer's own thread, which opens the store, commits changes, and closes it.
extension TaskStoreWriter {
    /// Runs the thread: from opening the store until it is closed and all waiting callers are told.
    static func run(
        _ monitor: Monitor<State>, _ progress: Locked<Progress>,
        opening: () throws(SessionError) -> (store: any TransferStore, opening: StoreOpening)
    ) {
        serve(monitor, progress, opening: opening)
        let (rest, closers) = monitor.change { state in
            state.isClosed = true
            defer {
                state.inbox = Inbox()
                state.onClose = []
            }
            return (state.inbox, state.onClose)
        }
        // Work that arrived after the last check is refused, and no more can arrive.
        for committed in rest.committed { committed(closedError) }
        for reader in rest.readers { reader.receive(.failure(closedError)) }
        for closer in closers { closer() }
    }

    /// Opens the store and applies changes until it is closed; the store is freed on return.
    private static func serve(
        _ monitor: Monitor<State>, _ progress: Locked<Progress>,
        opening: () throws(SessionError) -> (store: any TransferStore, opening: StoreOpening)
    ) {
        do throws(SessionError) {
            let (store, opening) = try opening()
            monitor.change { $0.opening = .success(opening) }
            while let inbox = next(monitor) { commit(inbox, monitor, progress, store) }
            // This commits progress that was not due yet, and changes that failed before.
            commit(Inbox(), monitor, progress, store)
            store.close()
        } catch {
            monitor.change { $0.opening = .failure(error) }
        }
    }

    private static func next(_ monitor: Monitor<State>) -> Inbox? {
        monitor.wait { state -> Inbox?? in
            if !state.inbox.isEmpty {
                defer { state.inbox = Inbox() }
                return .some(state.inbox)
            }
            guard state.holders <= 0 else { return nil }
            state.isStopping = true
            return .some(nil)
        }
    }

    private static func commit(
        _ inbox: Inbox, _ monitor: Monitor<State>, _ progress: Locked<Progress>, _ store: any TransferStore
    ) {
        let counts = progress.withLock { progress in
            defer { progress.counts = [:] }
            return progress.counts
        }
        let retained = monitor.change { state in
            defer { state.retained = [] }
            return state.retained
        }
        let changes = retained + ordered(counts, inbox.changes)
        var error: SessionError?
        do throws(SessionError) {
            try store.apply(changes)
        } catch let failure {
            error = failure
            let kept = compacted(changes)
            monitor.change { $0.retained = kept }
        }
        let outcome = error
        monitor.change { $0.failure = outcome }
        for committed in inbox.committed { committed(outcome) }
        for reader in inbox.readers { reader.receive(page(for: reader, of: store)) }
    }

    /// Merges counts with changes: before all of them, because an end has its own counts, but after their row is
    /// added.
    static func ordered(
        _ counts: [TransferID: BodyCounts], _ changes: [TaskStoreChange]
    ) -> [TaskStoreChange] {
        guard !counts.isEmpty else { return changes }
        var early = counts
        var result: [TaskStoreChange] = []
        for change in changes {
            result.append(change)
            guard case .add(let row) = change, let count = counts[row.id] else { continue }
            early[row.id] = nil
            result.append(.progress(row.id, count))
        }
        return early.map { .progress($0.key, $0.value) } + result
    }

    /// Drops counts that later ones replace, so that a disk that refuses for hours does not fill the memory.
    static func compacted(_ changes: [TaskStoreChange]) -> [TaskStoreChange] {
        var counted: Set<TransferID> = []
        let kept = changes.reversed().filter { change in
            guard case .progress(let id, _) = change else { return true }
            return counted.insert(id).inserted
        }
        return kept.reversed()
    }

    private static func page(for reader: Reader, of store: any TransferStore) -> Listing {
        do throws(SessionError) {
            return .success(try store.load(after: reader.after, limit: reader.limit))
        } catch {
            return .failure(error)
        }
    }
}
