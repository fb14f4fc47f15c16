/// Rows leave the table at once, and the session a little later: until then they can be had back.
extension Model {
    /// Drops the rows that are done from the list.
    mutating func clearDone() -> [Effect] {
        clear(rows.all.filter { $0.state == .done }.compactMap { rows[$0.id] }, skipped: 0)
    }

    /// Asks before failed and cancelled rows go too.
    mutating func askToClear() {
        overlay = .clear(ClearDialog(ids: rows.all.filter(\.state.isFinal).map(\.id).sorted()))
    }

    /// Drops what the dialog was opened for, as far as it is still over.
    mutating func clearEnded() -> [Effect] {
        guard case .clear(let dialog) = overlay else { return [] }
        overlay = nil
        let ended = dialog.ids.compactMap { rows[$0] }.filter(\.state.isFinal)
        return clear(ended, skipped: dialog.ids.count - ended.count)
    }

    private mutating func clear(_ ended: [RowSnapshot], skipped: Int) -> [Effect] {
        let effects = finishClearing()
        let ids = ended.map(\.id).sorted()
        pendingClear = PendingClear(ended, dueAt: now + Toast.undoDuration)
        undo = Undo(action: .cleared, ids: ids, expiresAt: now + Toast.undoDuration)
        report("Cleared", hit: ids.count, skipped: skipped, offersUndo: !ids.isEmpty)
        drop(ids)
        return effects
    }

    /// Brings cleared rows back.
    mutating func takeBackClear() {
        guard let pendingClear else { return }
        self.pendingClear = nil
        report("Back in the list:", hit: pendingClear.rows.count, skipped: 0)
        receive(pendingClear.rows.values.sorted { $0.id < $1.id })
    }

    /// Lets cleared rows go for good.
    mutating func finishClearing() -> [Effect] {
        guard let pendingClear else { return [] }
        self.pendingClear = nil
        if undo?.action == .cleared { undo = nil }
        let ids = pendingClear.rows.keys.sorted()
        return ids.isEmpty ? [] : [.clear(ids)]
    }
}
