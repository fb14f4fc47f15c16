extension Model {
    /// Takes rows from the session.
    mutating func receive(_ snapshots: [RowSnapshot]) {
        if frozen != nil {
            frozen?.receive(snapshots)
            return
        }
        // What was cleared stays cleared, whatever else is told of it.
        let snapshots = clearsAt == nil ? snapshots : snapshots.filter { !staysCleared($0) }
        let wasRunning = rates.meters.count
        for row in snapshots {
            announceEnd(of: row)
            rates.follow(row.figures, now: now)
        }
        rows.upsert(snapshots, rates: rates, now: now)
        if rates.meters.count != wasRunning || !isMoving { rates.sum(rows: rows, now: now) }
    }

    /// Forgets rows and whatever referred to them.
    package mutating func forget(_ ids: [UInt64]) {
        if frozen != nil {
            frozen?.forget(ids)
            return
        }
        drop(ids)
        rows.forgetAside(ids)
    }

    /// Takes rows out of the table, where they can be had back, and out of whatever referred to them.
    package mutating func drop(_ ids: [UInt64]) {
        for id in ids {
            rates.forget(id)
            list.marks.remove(id)
            if details.fullScreenID == id { details.fullScreenID = nil }
            if list.rangeStart == id { list.rangeStart = nil }
        }
        rows.setAside(ids)
        rates.sum(rows: rows, now: now)
    }

    /// Lets time pass: measures speeds, ends toasts, refreshes an order by moving values.
    mutating func advance(to time: Int64) -> [Effect] {
        now = max(now, time)
        if startedAt == nil { startedAt = now }
        toasts.expire(now: now)
        if let undo, undo.expiresAt <= now { self.undo = nil }
        let effects = clearsAt.map { $0 <= now } == true ? finishClearing() : []
        guard isMoving, frozen == nil, rates.tick(rows: rows, now: now) else { return effects }
        if rows.query.order.isMoving, now - orderedAt >= Model.orderInterval {
            orderedAt = now
            rows.refreshOrder(rates: rates, now: now)
        }
        return effects
    }

    /// Keeps the selection on its task, and the view on the selection.
    mutating func settle() {
        guard rows.shownCount > 0 else {
            list.top = 0
            list.position = 0
            list.cursor = nil
            return
        }
        if let cursor = list.cursor, let position = rows.position(of: cursor) {
            list.position = position
        } else {
            list.position = min(max(list.position, 0), rows.shownCount - 1)
            list.cursor = rows.row(at: list.position)?.id
        }
        let height = max(layout.table.count, 1)
        list.top = min(max(list.top, 0), max(rows.shownCount - height, 0))
        if list.follows { showCursor() }
    }

    /// Scrolls as little as needed for the selected row to be seen.
    mutating func showCursor() {
        list.top = Model.top(list.top, showing: list.position, height: layout.table.count)
    }

    /// The first line to show so that a position is seen, as near as possible to the one shown before.
    static func top(_ top: Int, showing position: Int, height: Int) -> Int {
        let height = max(height, 1)
        if position < top { return position }
        if position >= top + height { return position - height + 1 }
        return max(top, 0)
    }

    private mutating func announceEnd(of row: RowSnapshot) {
        guard row.state == .failed, let old = rows.figures(of: row.id), old.state != .failed else { return }
        let cause = row.error ?? "no reason was given"
        notify(row.name + " failed: " + cause + " — " + nextStep(afterFailureOf: row.id), isError: true)
    }

    /// The keys to press: those of the selected task act on the failed one only when that is selected.
    private func nextStep(afterFailureOf id: UInt64) -> SafeText {
        let retry = keys.key(of: "resume") + " retry"
        if details.fullScreenID == id { return retry }
        if details.fullScreenID != nil { return keys.key(of: "next-failed") + " in the list goes there" }
        if list.cursor == id { return retry + ", " + keys.key(of: "details") + " details" }
        return keys.key(of: "next-failed") + " goes there, " + retry
    }
}
