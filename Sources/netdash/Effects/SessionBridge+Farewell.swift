import Dashboard
import SessionCore
import Support

/// What is left to say when the dashboard has gone.
extension SessionBridge {
    /// Rows named one by one; further ones are counted.
    private static let namedLimit = 5

    /// The run in a few lines: how many ended how, which failed and why, and what goes on next time.
    ///
    /// `results` is what ``close()`` has returned. Nothing when nothing was there to be done.
    func farewell(_ results: [TransferResult]) -> [SafeText] {
        guard !results.isEmpty else { return [] }
        let summary = summary(of: results)
        return [PlainEventFormatter.sentence(for: summary)] + failures(summary.failed) + remainders
    }

    private func failures(_ count: Int) -> [SafeText] {
        let rows = first { row in
            if case .failed = row.result { !row.isEarlier } else { false }
        }
        var lines = rows.map { row in "  failed: " + row.name + ", " + (row.error ?? "no reason was given") }
        if count > rows.count, !rows.isEmpty { lines.append("  and " + SafeText(count - rows.count) + " more") }
        return lines
    }

    /// Only those whose bytes are kept; the others are counted, not named.
    private var remainders: [SafeText] {
        let rows = first { row in
            switch row.result {
            case nil, .unfinished: row.job.kind == .download && row.status.isResumable && row.status.received > 0
            case .completed, .failed, .cancelled: false
            }
        }
        return rows.map { row in
            let percent = PercentText.whole(row.moved, of: row.expected) ?? SizeText.long(row.moved)
            return "  kept: " + row.name + ", " + percent
        }
    }

    /// The first rows that have begun of which something holds.
    private func first(where condition: (TransferRow) -> Bool) -> [RowSnapshot] {
        let ids = state.withLock { state in
            var ids: [UInt64] = []
            for id in state.order where state.rows.isTouched(id) && ids.count < Self.namedLimit {
                if state.rows[id].map(condition) == true { ids.append(id) }
            }
            return ids
        }
        return snapshots(of: ids)
    }
}
