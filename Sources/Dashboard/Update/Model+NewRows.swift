/// The answer to a data request in one line: `200 · 1.2 KiB · 0.18s · GET api.example/x`.
struct AnswerText {
    let row: RowSnapshot
    let units: Units

    var sentence: SafeText {
        let start = row.startedAt.flatMap { start in row.endedAt.map { $0 - start } }
        let url = row.url.string.firstRange(of: "://").map { row.url.string[$0.upperBound...] }
        return [
            row.statusCode.map { SafeText($0) } ?? "no status", SizeText.long(row.received, units: units),
            start.map { DurationText.elapsed(milliseconds: $0) } ?? .empty,
            row.method + " " + SafeText(untrusted: String(url ?? row.url.string[...])),
        ].joined(by: " · ")
    }
}

/// What happens to rows that somebody waits for: a new one is selected, and an answer is told.
extension Model {
    /// Requests sent with one key whose answers are told; of more, each would hide the one before.
    private static let toldAnswers = 8

    /// The new row that the form's task has got, which is remembered as sent by hand.
    mutating func awaitedID(among snapshots: [RowSnapshot]) -> UInt64? {
        guard let awaited,
            let row = snapshots.first(where: { awaited.isMet(by: $0) && rows.figures(of: $0.id) == nil })
        else { return nil }
        self.awaited = nil
        if row.kind == .data { sentByHand.insert(row.id) }
        return row.id
    }

    /// Selects a row that was added here; of one that the view does not show it is said that it is there.
    mutating func selectNew(_ id: UInt64) {
        guard let position = rows.position(of: id) else {
            if rows.figures(of: id)?.state.isFinal == false { notify("Added; this view does not show it") }
            return
        }
        list.wasMoved = true
        moveCursor(to: position)
    }

    /// Remembers that requests are sent by hand, as long as they are few.
    mutating func awaitAnswers(to ids: [UInt64]) {
        let requests = ids.filter { rows.figures(of: $0)?.kind == .data }
        if requests.count <= Self.toldAnswers { sentByHand.formUnion(requests) }
    }
}
