extension Model {
    /// Marks the selected row, or takes its mark away, and moves down.
    mutating func toggleMark() {
        guard let cursor = list.cursor else { return }
        list.rangeStart = nil
        if list.marks.remove(cursor) == nil { list.marks.insert(cursor) }
        moveCursor(to: list.position + 1)
    }

    /// Begins a range of marks at the selected row, or ends it.
    mutating func toggleRange() {
        guard list.rangeStart == nil, let cursor = list.cursor else {
            list.rangeStart = nil
            return
        }
        list.rangeStart = cursor
        list.marks.insert(cursor)
    }

    /// Marks every row between a row and the selected one.
    mutating func markRange(from start: UInt64) {
        guard let first = rows.position(of: start) else { return }
        for position in min(first, list.position)...max(first, list.position) {
            if let id = rows.row(at: position)?.id { list.marks.insert(id) }
        }
    }

    /// Marks everything in the current view.
    mutating func markView() {
        list.marks.formUnion(rows.shownIDs)
    }

    /// Takes all marks away, those outside of the view too.
    mutating func unmarkAll() {
        list.marks = []
        list.rangeStart = nil
    }

    /// Marks what is not marked in the current view, and the other way round.
    mutating func invertMarks() {
        list.marks.formSymmetricDifference(rows.shownIDs)
    }
}
