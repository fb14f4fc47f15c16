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
            let parts = [longPosition, problem, loaded, session, leaving, marked, ties(behind: sort), hidden]
            canvas.drawCut(" " + parts.joined(by: " · ") + " ", row: row, column: 2, limit: columns - 4, role: .rule)
            paintUnsaved(row: row, column: 3 + canvas.width(longPosition), on: &canvas)
            return
        }
        let left = " " + [RuleView.position(model), problem, loaded, session, leaving, hidden].joined(by: " · ") + " "
        canvas.drawCut(left, row: row, column: 1, limit: columns - 2, role: .rule)
        paintUnsaved(row: row, column: 2 + canvas.width(RuleView.position(model)), on: &canvas)
        let right = " " + [sort, marked].joined(by: " · ") + " "
        let width = canvas.width(right)
        if columns >= 80, width + canvas.width(left) + 4 <= columns {
            canvas.draw(right, row: row, column: columns - width - 1, role: .rule)
        }
    }

    /// The saved session's name, or that there is none.
    private var session: SafeText {
        if model.isUnsaved { return RuleLabels.unsaved }
        switch model.owner {
        case .lostService, .hungService: return RuleLabels.serviceLost
        case .stoppedService: return RuleLabels.serviceStopped
        case .thisProcess, .service: break
        }
        if model.isReading { return RuleLabels.reading }
        return model.isSaved ? model.sessionName.map { RuleLabels.session($0) } ?? "" : ""
    }

    /// Highlights the words for an unsaved list, after the position that ends before a column.
    private func paintUnsaved(row: Int, column: Int, on canvas: inout Canvas) {
        guard model.isUnsaved || model.isServiceAway else { return }
        let start = column + canvas.width(" · ")
        canvas.paint(row: row, columns: start..<start + canvas.width(session), role: .filter)
    }

    /// `2/13`.
    static func position(_ model: Model) -> SafeText {
        let count = model.rows.lineCount
        return SafeText(count == 0 ? 0 : model.list.position + 1) + "/" + SafeText(count)
    }

    /// The words for a program that will quit when done.
    static func leaving(_ model: Model) -> SafeText { model.leavesWhenDone ? RuleLabels.quitsWhenDone : "" }

    private var leaving: SafeText { RuleView.leaving(model) }

    private var longPosition: SafeText {
        let count = model.rows.lineCount
        return RuleLabels.position(count == 0 ? 0 : model.list.position + 1, of: count)
    }

    private var marked: SafeText {
        if model.list.rangeStart != nil {
            return RuleLabels.marking(model.list.marks.count, model.keys.key(of: .range))
        }
        return model.list.marks.isEmpty ? "" : RuleLabels.marked(model.list.marks.count)
    }

    /// How many of the matching rows the table has; empty where it has all.
    private var loaded: SafeText {
        guard let totals = model.rows.totals, model.rows.matchCount > model.rows.shownCount else { return "" }
        return RuleLabels.loaded(model.rows.shownCount, of: model.rows.matchCount, hasMore: totals.hasMore)
    }

    /// Why the counts are old, or a part of the filter matches no row.
    private var problem: SafeText { model.rows.totals?.problem ?? "" }

    /// The selected task's name while it is not visible.
    private var hidden: SafeText {
        guard model.rows.shownCount > 0, !shown.contains(model.list.position), let row = model.current else {
            return ""
        }
        return row.name
    }

    /// The order, followed by the second one if it fits.
    private func ties(behind sort: SafeText) -> SafeText {
        guard let breaker = model.rows.query.order.tieBreaker else { return sort }
        return RuleLabels.then(sort, breaker.column.title + (breaker.isInverted ? " ▴" : " ▾"))
    }

    private var sort: SafeText {
        let order = model.rows.query.order
        let grouping = model.rows.query.grouping
        let sort = RuleLabels.sort(order.column.title + (order.isInverted ? " ▴" : " ▾"))
        return grouping == .none ? sort : RuleLabels.grouped(grouping.title, sort)
    }
}
