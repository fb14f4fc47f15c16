import SessionSupport
import TransferValues

/// Tells removed tasks as removed from the answer to their removal on, although they end a moment later.
extension AriaServer {
    /// Milliseconds for which a removed task that still runs counts as removed; after them it is told as it is.
    private static let endingTime: Int64 = 10_000

    /// The rows, without removed ones that have not ended yet.
    func ids() -> [UInt64] {
        let ids = tasks.ids()
        let leaving = state.withLock(\.leaving)
        return leaving.isEmpty ? ids : ids.filter { !leaving.contains($0) }
    }

    func allFigures() -> [RowFigures] { figures(of: ids()) }

    func figures(of ids: [UInt64]) -> [RowFigures] {
        let rows = tasks.figures(of: ids)
        let ending = ending
        guard !ending.isEmpty else { return rows }
        return rows.map { row in
            guard let moment = ending[row.id], !row.state.isFinal else { return row }
            var row = row
            (row.state, row.endedAt) = (.cancelled, moment)
            return row
        }
    }

    /// Where the rows stand, without removed ones that have not ended yet.
    func standings() -> [RowStanding] {
        let standings = tasks.standings()
        let (leaving, ending) = (state.withLock(\.leaving), ending)
        guard !leaving.isEmpty || !ending.isEmpty else { return standings }
        return standings.compactMap { row in
            guard !leaving.contains(row.id) else { return nil }
            guard let moment = ending[row.id], !row.state.isFinal else { return row }
            var row = row
            (row.state, row.endedAt) = (.cancelled, moment)
            return row
        }
    }

    /// When running tasks were removed that may not have ended yet.
    private var ending: [UInt64: Int64] {
        let now = program.now()
        return state.withLock { state in
            if !state.removed.isEmpty { state.removed = state.removed.filter { now - $0.value < Self.endingTime } }
            return state.removed
        }
    }

    /// Notes that a running task was removed.
    func end(_ id: UInt64) {
        let now = program.now()
        state.withLock { $0.removed[id] = now }
    }

    /// Takes a cancelled task out of the list as soon as it has ended.
    func leave(_ id: UInt64) {
        state.withLock { _ = $0.leaving.insert(id) }
        settleLeaving()
    }

    func settleLeaving() {
        let leaving = state.withLock(\.leaving)
        guard !leaving.isEmpty else { return }
        let rows = tasks.figures(of: Array(leaving))
        clear(rows.filter(\.state.isFinal).map(\.id))
        let left = Set(rows.filter { !$0.state.isFinal }.map(\.id))
        state.withLock { $0.leaving.formIntersection(left) }
    }

    /// Takes stopped tasks out of the list; one that has not ended yet follows when it has.
    func clear(_ ids: [UInt64]) {
        let removed = state.withLock { state in ids.filter { state.removed[$0] != nil } }
        let unfinished = Set(tasks.figures(of: removed).filter { !$0.state.isFinal }.map(\.id))
        unfinished.forEach(leave)
        forget(unfinished.isEmpty ? ids : ids.filter { !unfinished.contains($0) })
    }

    private func forget(_ ids: [UInt64]) {
        guard !ids.isEmpty else { return }
        _ = tasks.send(.clear(ids))
        state.withLock { state in
            state.gids.forget(ids)
            for id in ids {
                state.ownOptions[id] = nil
                state.removed[id] = nil
            }
        }
    }
}
