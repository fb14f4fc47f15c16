extension Model {
    mutating func receive(_ snapshots: [RowSnapshot]) {
        if frozen != nil {
            frozen?.receive(snapshots)
            return
        }
        // Cleared rows stay cleared, whatever updates arrive for them.
        let snapshots = !rows.hasAside ? snapshots : snapshots.filter { !staysCleared($0) }
        let wasRunning = rates.meters.count
        let new = awaitedID(among: snapshots)
        for row in snapshots {
            announceEnd(of: row)
            undecided.follow(row.figures)
            rates.follow(row.figures, before: rows.figures(of: row.id), since: startedAt ?? now, now: now)
        }
        rows.upsert(snapshots, rates: rates, now: now)
        sumRates(unless: wasRunning)
        if let new { selectNew(new) }
    }

    /// Stores the figures of rows without any other change.
    ///
    /// They may overtake a row's end, which arrives with its cause: until then the row stays unchanged.
    mutating func receive(_ figures: [RowFigures]) {
        if frozen != nil {
            frozen?.receive(figures)
            return
        }
        let wasRunning = rates.meters.count
        let figures = figures.filter { row in
            rows.figures(of: row.id).map { $0.state.isFinal || !row.state.isFinal } ?? false
        }
        for row in figures {
            rates.follow(row, before: rows.figures(of: row.id), since: startedAt ?? now, now: now)
        }
        rows.update(figures, rates: rates, now: now)
        sumRates(unless: wasRunning)
    }

    /// Sums the rates again if the number of running rows has changed, or if no tick of the clock will.
    private mutating func sumRates(unless wasRunning: Int) {
        if rates.meters.count != wasRunning || !isMoving { rates.sum(rows: rows, now: now) }
    }

    /// Removes rows and every reference to them, except what an undo brings back.
    package mutating func forget(_ ids: [UInt64]) {
        if frozen != nil {
            frozen?.forget(ids)
            return
        }
        setAside(ids)
        let kept = undo.bringsBack
        rows.forgetAside(kept.isEmpty ? ids : ids.filter { !kept.contains($0) })
    }

    /// Removes the rows that are gone.
    mutating func forgetAll(but ids: Set<UInt64>) {
        let known = rows.all.map(\.id) + (frozen?.unshown ?? [])
        let gone = known.filter { !ids.contains($0) }
        if !gone.isEmpty { forget(gone) }
    }

    /// Removes rows from the table so that they can be restored, and every reference to them.
    package mutating func setAside(_ ids: [UInt64]) {
        for id in ids {
            rates.forget(id)
            list.marks.remove(id)
            sentByHand.remove(id)
            undecided.forget(id)
            if details.fullScreenID == id { details.fullScreenID = nil }
            if list.rangeStart == id { list.rangeStart = nil }
        }
        rows.setAside(ids)
        rates.sum(rows: rows, now: now)
    }

    /// Freezes the display, or unfreezes it and applies the updates since then.
    mutating func toggleFreeze() {
        guard let frozen else {
            frozen = FrozenDisplay(since: now)
            notify(ViewToasts.frozen, hint: ToastHints.unfreeze(keys.key(of: .freeze)))
            return
        }
        self.frozen = nil
        _ = toasts.dismiss()
        if !frozen.removed.isEmpty { forget(Array(frozen.removed)) }
        receive(frozen.rows.values.sorted { $0.id < $1.id })
        receive(Array(frozen.figures.values))
        if let totals = frozen.totals { adopt(totals) }
        // Nothing was measured during the freeze, so rates start over from the rows' current bytes.
        rates.restart(rows: rows, now: now)
    }

    /// Advances the clock: measures rates, ends toasts, refreshes an order by moving values.
    mutating func advance(to time: Int64) {
        now = max(now, time)
        if startedAt == nil { startedAt = now }
        toasts.expire(now: now)
        guard isMoving || rates.isSettling, frozen == nil, rates.tick(rows: rows, watching: details.watchedID, now: now)
        else { return }
        if rows.query.order.isMoving || rows.filter.isMoving, now - orderedAt >= Model.orderInterval {
            orderedAt = now
            rows.refreshOrder(rates: rates, now: now)
        }
    }

    /// Keeps the selection on its task, and the view on the selection.
    ///
    /// The selected row keeps its position when its state changes, so that the next row is still the next one; it moves
    /// to its sorted position only when the selection leaves it.
    mutating func keepSelection() {
        rows.anchor(at: list.cursor, rates: rates, now: now)
        guard rows.lineCount > 0 else {
            list.top = 0
            list.position = 0
            list.cursor = nil
            list.group = nil
            return
        }
        if let group = list.group, let line = rows.line(ofGroup: group) {
            list.position = line
            list.cursor = nil
        } else if let cursor = list.cursor, let position = rows.position(of: cursor) {
            list.position = position
        } else {
            // If a folded group hides the selected row, the group gets the selection.
            let group = list.cursor.flatMap { rows.group(of: $0) }.flatMap { rows.line(ofGroup: $0.number) }
            select(line: group ?? list.position)
            rows.anchor(at: list.cursor, rates: rates, now: now)
        }
        let height = max(layout.table.count, 1)
        list.top = min(max(list.top, 0), max(rows.lineCount - height, 0))
        if list.follows, list.wasMoved { showCursor() }
    }

    /// Fixes the selected row's position if a key acts on it, so that its new state does not move it.
    mutating func holdSelection(among ids: [UInt64]) {
        if let cursor = list.cursor, ids.contains(cursor) { rows.holdAnchor() }
    }

    /// Scrolls as little as needed to show the selected row.
    mutating func showCursor() {
        list.top = ScreenLayout.top(list.top, showing: list.position, height: layout.table.count)
    }

    /// The rows that a frame shows: the ones on the table's lines, and the one whose details are visible.
    package var drawnRows: Set<UInt64> {
        let lines = list.top..<min(list.top + max(layout.table.count, 1), max(rows.lineCount, list.top))
        var ids = Set(lines.compactMap { rows.slot(at: $0) }.map { rows.figures[Int($0)].id })
        if let watched = details.watchedID { ids.insert(watched) }
        return ids
    }
}

/// Rows of a service that has more than the table: the table asks for the first ones of its query.
extension Model {
    /// The most marked rows that stay in the table.
    private static let keptLimit = 500

    mutating func adopt(_ totals: RowTotals) {
        if frozen != nil {
            frozen?.totals = totals
            return
        }
        rows.adopt(totals)
        rates.sum(rows: rows, now: now)
    }

    /// Asks for the rows of the query where it has changed, or where the selection has come near the last ones.
    mutating func selectRows() -> [Effect] {
        guard rows.totals != nil else { return [] }
        var next = rows.selection(limit: RowStore.selectionStep, kept: keptRows)
        if var known = selection {
            (known.limit, known.kept) = (next.limit, next.kept)
            // The same query keeps the rows that it has got.
            if known == next, let limit = selection?.limit {
                next.limit = rows.selectionLimit(now: limit, at: list.position)
            }
        }
        guard next != selection else { return [] }
        selection = next
        return [.select(next)]
    }

    /// The rows that stay in the table whatever becomes of them: selected, marked, or with details on the screen.
    private var keptRows: [UInt64] {
        var kept = Set(list.marks.sorted().prefix(Self.keptLimit))
        if let cursor = list.cursor { kept.insert(cursor) }
        if let watched = details.watchedID { kept.insert(watched) }
        return kept.sorted()
    }
}
