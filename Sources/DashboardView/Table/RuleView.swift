import Dashboard

/// The line under the table: the selection's position, the marks, the order.
struct RuleView {
    let model: Model
    /// The positions that the table shows.
    let shown: Range<Int>

    func draw(row: Int, on canvas: inout Canvas) {
        let columns = canvas.size.columns
        canvas.fill(row: row, columns: 0..<columns, with: "─", role: .rule)
        guard columns >= 10 else { return }
        if columns >= 100 {
            let parts = [longPosition, session, leaving, marked, sort(prefix: "sort ", in: canvas) + ties, hidden]
            canvas.drawCut(" " + parts.joined(by: " · ") + " ", row: row, column: 2, limit: columns - 4, role: .rule)
            paintUnsaved(row: row, column: 3 + canvas.width(longPosition), on: &canvas)
            return
        }
        let left = " " + [RuleView.position(model), session, leaving, hidden].joined(by: " · ") + " "
        canvas.drawCut(left, row: row, column: 1, limit: columns - 2, role: .rule)
        paintUnsaved(row: row, column: 2 + canvas.width(RuleView.position(model)), on: &canvas)
        let right = " " + [sort(prefix: "sort: ", in: canvas), marked].joined(by: " · ") + " "
        let width = canvas.width(right)
        if columns >= 80, width + canvas.width(left) + 4 <= columns {
            canvas.draw(right, row: row, column: columns - width - 1, role: .rule)
        }
    }

    /// The words for an unsaved list.
    static let unsaved: SafeText = "not saved"

    /// The saved session's name, or that there is none.
    private var session: SafeText {
        model.isSaved ? model.sessionName.map { "session " + $0 } ?? "" : RuleView.unsaved
    }

    /// Highlights the words for an unsaved list, after the position that ends before a column.
    private func paintUnsaved(row: Int, column: Int, on canvas: inout Canvas) {
        guard !model.isSaved else { return }
        let start = column + canvas.width(" · ")
        canvas.paint(row: row, columns: start..<start + canvas.width(RuleView.unsaved), role: .filter)
    }

    /// `2/13`.
    static func position(_ model: Model) -> SafeText {
        let count = model.rows.lineCount
        return SafeText(count == 0 ? 0 : model.list.position + 1) + "/" + SafeText(count)
    }

    /// The words for a program that will quit when done.
    static func leaving(_ model: Model) -> SafeText { model.leavesWhenDone ? "leaves when done" : "" }

    private var leaving: SafeText { RuleView.leaving(model) }

    private var longPosition: SafeText {
        let count = model.rows.lineCount
        return SafeText(count == 0 ? 0 : model.list.position + 1) + " of " + SafeText(count)
    }

    private var marked: SafeText {
        if model.list.rangeStart != nil {
            return SafeText(model.list.marks.count) + " marked, " + model.keys.key(of: .range) + " ends the range"
        }
        return model.list.marks.isEmpty ? "" : SafeText(model.list.marks.count) + " marked"
    }

    /// The selected task's name while it is not visible.
    private var hidden: SafeText {
        guard model.rows.shownCount > 0, !shown.contains(model.list.position), let row = model.current else {
            return ""
        }
        return row.name
    }

    /// The second order, if it fits.
    private var ties: SafeText {
        guard let breaker = model.rows.query.order.tieBreaker else { return "" }
        return ", then " + breaker.column.title + (breaker.isInverted ? " ▴" : " ▾")
    }

    private func sort(prefix: SafeText, in canvas: Canvas) -> SafeText {
        let order = model.rows.query.order
        let grouping = model.rows.query.grouping
        return (grouping == .none ? "" : grouping.title + ", ") + prefix + order.column.title
            + (order.isInverted ? " ▴" : " ▾")
    }
}
