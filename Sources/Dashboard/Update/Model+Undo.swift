/// Rows leave the table at once, and the session a little later: until then they can be had back.
extension Model {
    /// Undoes the last action, as far as that is possible.
    mutating func undoLast() -> [Effect] {
        guard let undo else { return [] }
        self.undo = nil
        switch undo.action {
        case .paused:
            let ids = undo.ids.filter {
                rows.figures(of: $0)?.state == .paused || rows.figures(of: $0)?.canPause == true
            }
            report("Resuming again", hit: ids.count, skipped: undo.ids.count - ids.count)
            return [.resume(ids)]
        case .resumed:
            let ids = undo.ids.filter {
                rows.figures(of: $0)?.state == .paused || rows.figures(of: $0)?.canPause == true
            }
            report("Pausing again", hit: ids.count, skipped: undo.ids.count - ids.count)
            return [.pause(ids)]
        case .prioritised(let steps):
            report("Priority as before for", hit: undo.ids.count, skipped: 0)
            return [.prioritise(undo.ids, by: -steps)]
        case .cleared:
            undoClearing()
            return []
        }
    }

    /// Drops the rows that are done from the list.
    mutating func clearDone() -> [Effect] {
        clear(rows.all.filter { $0.state == .done }.map(\.id), skipped: 0)
    }

    /// Asks before failed and cancelled rows go too.
    mutating func askToClear() {
        overlay = .clear(ClearDialog(ids: rows.all.filter(\.state.isFinal).map(\.id).sorted()))
    }

    /// Drops what the dialog was opened for, as far as it is still over.
    mutating func clearEnded() -> [Effect] {
        guard case .clear(let dialog) = overlay else { return [] }
        overlay = nil
        let ended = dialog.ids.filter { rows.figures(of: $0)?.state.isFinal == true }
        return clear(ended, skipped: dialog.ids.count - ended.count)
    }

    private mutating func clear(_ ended: [UInt64], skipped: Int) -> [Effect] {
        let effects = dropCleared()
        clearsAt = now + Toast.undoDuration
        undo = Undo(action: .cleared, ids: [], expiresAt: now + Toast.undoDuration)
        report("Cleared", hit: ended.count, skipped: skipped, offersUndo: !ended.isEmpty)
        setAside(ended)
        return effects
    }

    /// Stores a cleared row without showing it; false when it is none, or is live again and so comes back.
    mutating func staysCleared(_ row: RowSnapshot) -> Bool {
        guard rows.isAside(row.id) else { return false }
        guard row.state.isFinal else {
            rows.forgetAside([row.id])
            return false
        }
        rows.updateAside(row)
        return true
    }

    /// Brings cleared rows back.
    private mutating func undoClearing() {
        guard clearsAt != nil else { return }
        clearsAt = nil
        report("Back in the list:", hit: rows.bringBack(rates: rates, now: now), skipped: 0)
        rates.sum(rows: rows, now: now)
    }

    /// Lets cleared rows go for good.
    package mutating func dropCleared() -> [Effect] {
        guard clearsAt != nil else { return [] }
        clearsAt = nil
        if undo?.action == .cleared { undo = nil }
        let ids = rows.asideIDs.sorted()
        rows.forgetAside(ids)
        return ids.isEmpty ? [] : [.clear(ids)]
    }
}
