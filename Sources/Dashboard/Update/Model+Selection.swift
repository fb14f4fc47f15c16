/// Rows of a service that has more than the table: the table asks for the first ones of its query.
extension Model {
    /// The most marked rows that stay in the table.
    private static let keptLimit = 500

    mutating func adopt(_ totals: RowTotals) {
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

extension Command {
    /// Commands for the transfers of this computer's own service: a queue that many machines drain has none of them.
    private static let ownTransfersOnly: Set<String> = [
        "add", "clear", "clear-ended", "edit", "fetch-again", "fewer-at-once", "fewer-per-host", "history",
        "left-parts", "limit-rate", "limit-task", "more-at-once", "more-per-host", "move-down", "move-file", "move-up",
        "new-url", "open", "open-folder", "remove", "repeat", "start-now", "view", "write",
    ]

    /// Why the command does nothing for a service that has more rows than the table; nil for any other.
    func reasonOfService(in model: Model) -> SafeText? {
        model.rows.totals != nil && Self.ownTransfersOnly.contains(id) ? TaskReasons.notOverQueue : nil
    }
}
