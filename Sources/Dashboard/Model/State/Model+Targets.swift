/// The rows that keys act on, and the subject of a question or a menu.
extension Model {
    /// The rows a key acts on: in full-screen details that one, else the marked ones, else the selected one or the
    /// selected group's.
    package var targets: [RowFigures] {
        if let id = details.fullScreenID { return [id].compactMap { rows.figures(of: $0) } }
        if list.marks.isEmpty, let group = currentGroup { return rows.figures(in: group) }
        if list.marks.isEmpty { return [list.cursor].compactMap { $0.flatMap { rows.figures(of: $0) } } }
        return list.marks.sorted().compactMap { rows.figures(of: $0) }
    }

    /// The group whose own line is selected.
    package var currentGroup: RowGroup? { list.group.flatMap { rows.group($0) } }

    /// Whether some of these transfers may have partial files that the service can delete: only downloads do, and a
    /// queue's workers have theirs on their own disks.
    package func hasParts(_ ids: [UInt64]) -> Bool {
        rows.totals == nil && ids.contains { rows.figures(of: $0)?.kind == .download }
    }

    package var question: Question? { if case .question(let question) = overlay { question } else { nil } }

    /// The buttons of the question, the safe one first; commands that would do nothing now have none.
    package var buttons: [Command] {
        guard let screen = question?.screen else { return [] }
        let buttons = keys.commands(on: screen).filter { $0.button != nil && $0.reason(in: self) == nil }
        return buttons.filter { $0.button?.isSafe == true } + buttons.filter { $0.button?.isSafe == false }
    }

    /// The highlighted column's number; nil if another option is highlighted.
    var highlightedColumn: Int? {
        guard case .options(let menu) = overlay, case .column(let column) = menu.item(options) else { return nil }
        return options.columnOrder.firstIndex(of: column)
    }

    /// Whether a row was cancelled and has not ended yet.
    func isEnding(_ row: RowFigures) -> Bool {
        !endPlans.isEmpty && !row.state.isFinal && endPlans[row.id] == .ends
    }
}
