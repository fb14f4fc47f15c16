import SessionSupport

/// Cleared rows leave the table at once, and the session with the next clearing: until then they can be had back.
extension Model {
    /// Undoes the last action, as far as that is possible.
    mutating func undoLast() -> [Effect] {
        guard let undo else {
            undoClearing()
            return []
        }
        self.undo = nil
        switch undo.action {
        case .paused:
            let ids = undo.ids.filter {
                rows.figures(of: $0)?.state.isPaused == true || rows.figures(of: $0)?.canPause == true
            }
            report("Resuming again", hit: ids.count, skipped: undo.ids.count - ids.count)
            return [.resume(ids)]
        case .resumed:
            let ids = undo.ids.filter {
                rows.figures(of: $0)?.state.isPaused == true || rows.figures(of: $0)?.canPause == true
            }
            report("Pausing again", hit: ids.count, skipped: undo.ids.count - ids.count)
            return [.pause(ids)]
        case .prioritised(let steps):
            report("Priority as before for", hit: undo.ids.count, skipped: 0)
            return [.prioritise(undo.ids, by: -steps)]
        }
    }

    /// Drops the rows of the view that are done from the list.
    mutating func clearDone() -> [Effect] {
        // A repeated request would be back in a moment.
        let ids = rows.shownIDs { $0.state == .done && !$0.isBetweenRuns }
        return clear(ids, skipped: 0, hidden: rows.counts[nil, .done] - rows.counts.betweenRuns)
    }

    /// Asks before failed and cancelled rows of the view go too.
    mutating func askToClear() {
        let ids = rows.shownIDs { $0.state.isFinal && !$0.isBetweenRuns }
        guard !ids.isEmpty else { return notify("No task in this view has ended") }
        overlay = .clear(ClearDialog(ids: ids.sorted()))
    }

    /// Drops what the dialog was opened for, as far as it is still over.
    mutating func clearEnded() -> [Effect] {
        guard case .clear(let dialog) = overlay else { return [] }
        overlay = nil
        let ended = dialog.ids.filter { rows.figures(of: $0)?.state.isFinal == true }
        return clear(
            ended, skipped: dialog.ids.count - ended.count, hidden: rows.counts.ended - rows.counts.betweenRuns)
    }

    /// Takes rows out of the table, of so many that there are; those of the clearing before can no longer be had back.
    private mutating func clear(_ ended: [UInt64], skipped: Int, hidden total: Int) -> [Effect] {
        guard !ended.isEmpty else { return nothingHit("No task in this view is done") }
        let effects = dropCleared()
        undo = nil
        report("Cleared", hit: ended.count, skipped: skipped, hidden: total - ended.count, offersUndo: true)
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
        report("Back in the list:", hit: rows.bringBack(rates: rates, now: now), skipped: 0)
        rates.sum(rows: rows, now: now)
    }

    /// Lets cleared rows go for good.
    package mutating func dropCleared() -> [Effect] { drop(rows.asideIDs) }

    /// Lets the cleared rows of some jobs go for good: one that nobody sees must not stand in the way of another.
    mutating func dropCleared(inTheWayOf jobs: [Job]) -> [Effect] {
        guard rows.hasAside else { return [] }
        return drop(rows.asideIDs(withURLs: jobs.map { SafeText(untrusted: Redaction.url($0.url)) }))
    }

    private mutating func drop(_ ids: [UInt64]) -> [Effect] {
        rows.forgetAside(ids)
        return ids.isEmpty ? [] : [.clear(ids.sorted())]
    }
}
