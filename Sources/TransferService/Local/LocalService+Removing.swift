import Foundation
import SessionCore
import SessionSupport

/// Rows that leave the list, for every client and the saved session at once, and come back.
extension LocalService {
    /// Removes rows; running ones are cancelled first, and leave when they have ended, or at the latest in the next run.
    func remove(_ ids: [UInt64], deletingParts: Bool) {
        let (going, live) = state.withLock { state in
            let live = ids.filter { deletingParts || state.rows.result(of: $0) == nil }
            let going = ids.filter {
                deletingParts || state.rows.result(of: $0) == nil || state.rows.slotOfRepeated($0) != nil
            }
            return (going, live)
        }
        save(deletingParts ? .removedWithPart : .removed, of: live)
        // Before they are cancelled, so that no list tells one as cancelled on its way.
        state.withLock { state in state.removed.expectEnds(of: ids.filter { state.rows.isLive($0) }) }
        if !going.isEmpty { cancel(going, deletingParts: deletingParts) }
        leave(state.withLock { state in ids.filter { state.rows.result(of: $0) != nil } })
    }

    /// Removes rows that have ended for good, and forgets the ones that could come back.
    func clear(_ ids: [UInt64]) {
        leave(ids, forGood: true)
        state.withLock { state in
            for row in state.removed.take(ids) { state.bodies.remove(row.id) }
            _ = state.removed.takeEntries(of: ids)
        }
    }

    /// Brings removed rows back into the list and the saved session; refuses the ones that are gone for good.
    func restore(_ ids: [UInt64]) -> CommandReply {
        stay(ids)
        let (back, entries) = state.withLock { state in
            let back = state.bringBack(ids)
            return (back, state.takeEntries(of: ids))
        }
        if !entries.isEmpty { history?.forget(entries) }
        notifyingWhenSaved {
            for id in back { saveAgain(id) }
        }
        for id in back { observers.receive(.changed(id)) }
        let there = state.withLock { state in Set(ids.filter { state.rows.has($0) }) }
        // A row that is nowhere has been refused already.
        return CommandReply(added: ids.filter(there.contains))
    }

    /// Lets rows stay that are on their way out of the list, in the saved session too; they are stopped there.
    func stay(_ ids: [UInt64]) {
        let kept = state.withLock { $0.removed.keep(ids) }
        if !kept.isEmpty { save(.paused, of: kept) }
    }

    /// Carries out removals that an earlier run has begun.
    func completeRemovals(of transfers: [StoredTransfer]) {
        guard !transfers.isEmpty else { return }
        for transfer in transfers where transfer.wanted == .removedWithPart {
            guard case .target(let target) = transfer.destination else { continue }
            let url = secrets?.job(of: transfer.id.rawValue)?.url ?? transfer.request.url
            // A complete file with a wrong checksum is none that a download would go on with.
            target.discardPart(of: url, at: TransferRow.wasWrong(transfer) ? nil : transfer.partPath)
        }
        forget(transfers.map(\.id.rawValue))
    }

    /// Lets a row leave that has just ended, unless it stays by now.
    ///
    /// It leaves after the event that ended it, and together with the ones that end meanwhile.
    func removeIfLeaving(_ id: UInt64) {
        guard state.withLock({ $0.removed.end(id) }) else { return }
        manager.operationQueue.addOperation { [weak self] in self?.removeEnded() }
    }

    /// Removes the rows that were to leave and have ended.
    func removeEnded() { leave(state.withLock { $0.removed.takeEnded() }) }

    /// Takes the rows that have ended out of the list.
    private func leave(_ ids: [UInt64], forGood: Bool = false) {
        guard !ids.isEmpty else { return }
        let gone = state.withLock { $0.setAside(ids, forGood: forGood) }
        guard !gone.isEmpty else { return }
        notifyingWhenSaved { forget(gone) }
        observers.receive(.removed(gone))
    }

    /// Saves a row that came back.
    private func saveAgain(_ id: UInt64) {
        guard let row = row(id), row.lacksSecrets else {
            save(id)
            return
        }
        guard isSaved else { return }
        var stored = row.stored(by: factory)
        stored.needsCredentials = true
        // A row that the disk refuses lasts as long as this run.
        try? manager.store.put(stored)
    }
}

extension LocalService.State {
    /// At most `limit` listed rows after one; rows that have ended and are about to leave are not listed.
    func listed(after id: UInt64?, limit: Int) -> [UInt64] {
        var last = id
        while true {
            let ids = order.following(last, limit: limit)
            let listed = removed.isAnyLeaving ? ids.filter { !removed.isLeaving($0) || rows.isLive($0) } : ids
            guard listed.isEmpty, let next = ids.last else { return listed }
            last = next
        }
    }

    /// Takes rows that have ended out of the list; returns them.
    fileprivate mutating func setAside(_ ids: [UInt64], forGood: Bool) -> [UInt64] {
        let ended = ids.filter { rows.result(of: $0) != nil }
        for id in ended {
            guard let row = remove(id) else { continue }
            for lost in forGood ? [id] : removed.put(row) { bodies.remove(lost) }
        }
        let gone = Set(ended)
        if !gone.isEmpty { order.removeAll { gone.contains($0) } }
        return ended
    }

    /// Takes the entries out of the history that rows got by their removal: later entries have the bytes.
    fileprivate mutating func takeEntries(of ids: [UInt64]) -> [HistoryEntry] {
        let entries = removed.takeEntries(of: ids)
        for id in entries.keys { rows.slot(of: id)?.row.told.takeBack() }
        return Array(entries.values)
    }

    /// Puts removed rows where they were; returns them.
    fileprivate mutating func bringBack(_ ids: [UInt64]) -> [UInt64] {
        guard !isClosing else { return [] }
        let back = removed.take(ids)
        for row in back {
            earlierBytes -= row.counted
            if row.run.result == .completed, !row.run.isEarlier { clearedCompletions -= 1 }
            nameRow(row.id, of: row.job)
            if let rates = row.job.rates { ownRates[row.id] = rates }
            // A download that was added again in the meantime stands for its file.
            if row.lacksSecrets || !hasOther(for: row.job, than: row.id) {
                remember(row)
            } else if let known = destination(of: row.job).flatMap({ downloads[$0.tableKey] }) {
                downloads.add(row.id, beside: known)
            }
            rows.bringBack(row)
        }
        guard !back.isEmpty else { return [] }
        order = RowIDs((Array(order) + back.map(\.id)).sorted())
        return back.map(\.id)
    }
}
