import Dashboard

/// The menu of actions for the selected rows: each command with its key, dim if it cannot run now.
struct ActionMenuView {
    let model: Model
    let menu: ActionMenu

    func panel(in canvas: Canvas) -> Panel {
        let other = otherRow
        let lines = model.keys.menu.enumerated().map { index, command in
            let key = model.keys.key(for: command)
            let space = SafeText(" ") * max(7 - canvas.width(key), 1)
            let isPossible = command.reason(in: model) == nil
            let role: Role = index == menu.line ? .dialogButtonSelected : isPossible ? .dialogText : .dim
            // Without colours or attributes the missing mark shows that a command cannot run.
            let mark: SafeText = isPossible ? "• " : "  "
            var text = mark + key + space + command.title + "  "
            if let other, isPossible, command.isAboutOneTask {
                let room = max(Self.wideWidth - canvas.width(text) - 2, 4)
                text = text + "(" + other.middleCut(room, in: canvas) + ")"
            }
            return Panel.Line(spans: [Panel.Span(text: text, role: role)], choice: index)
        }
        return Panel(
            title: title(in: canvas), lines: lines, hints: PanelHints(of: model), focus: menu.line,
            contentWidth: other == nil ? 30 : min(Self.wideWidth, canvas.size.columns - 6))
    }

    /// The cells of a menu whose lines name rows.
    private static let wideWidth = 44

    /// The name of the row under the cursor while others are marked: some commands act on that one.
    private var otherRow: SafeText? {
        guard let row = model.current, model.targets.map(\.id) != [row.id] else { return nil }
        return row.name
    }

    private func title(in canvas: Canvas) -> SafeText {
        let count = model.targets.count
        guard count == 1, let row = model.targets.first.flatMap({ model.rows[$0.id] }) else {
            return CountLabels.tasks(count)
        }
        return row.name.middleCut(min(max(canvas.size.columns - 10, 8), 40), in: canvas)
    }
}
