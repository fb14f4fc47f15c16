import Dashboard

/// The menu of what can be done with the selected rows: each command with its key, dim where it makes no sense now.
struct ActionMenuView {
    let model: Model
    let menu: ActionMenu

    func panel(in canvas: Canvas) -> Panel {
        let other = otherRow
        let lines = ActionMenu.commands.enumerated().map { index, id in
            let command = model.keys.commands.first { $0.id == id }
            let key = model.keys.key(of: id)
            let space = SafeText(" ") * max(7 - canvas.width(key), 1)
            let isPossible = model.disabledReason(of: id) == nil
            let role: Role = index == menu.line ? .dialogButtonSelected : isPossible ? .dialogText : .dim
            // Without colours or attributes the missing mark tells what is not possible.
            let mark: SafeText = isPossible ? "• " : "  "
            var text = mark + key + space + (command?.title ?? "") + "  "
            if let other, isPossible, ActionMenu.actsOnCurrent(id) {
                let room = max(Self.wideWidth - canvas.width(text) - 2, 4)
                text = text + "(" + other.middleCut(room, in: canvas) + ")"
            }
            return Panel.Line(spans: [Panel.Span(text: text, role: role)], choice: index)
        }
        return Panel(
            title: title(in: canvas), lines: lines, hints: OverlayView.hints(.actionMenu), focus: menu.line,
            contentWidth: other == nil ? 30 : min(Self.wideWidth, canvas.size.columns - 6))
    }

    /// The cells of a menu whose lines name rows.
    private static let wideWidth = 44

    /// The name of the row under the cursor, where others are marked: some commands act on that one.
    private var otherRow: SafeText? {
        guard let row = model.current, model.targets.map(\.id) != [row.id] else { return nil }
        return row.name
    }

    private func title(in canvas: Canvas) -> SafeText {
        let count = model.targets.count
        guard count == 1, let row = model.targets.first.flatMap({ model.rows[$0.id] }) else {
            return SafeText.tasks(count)
        }
        return row.name.middleCut(min(max(canvas.size.columns - 10, 8), 40), in: canvas)
    }
}

/// The question before rows leave the list that leave something behind: it says what that is.
struct RemoveDialogView {
    let model: Model
    let dialog: RemoveDialog

    func panel(in canvas: Canvas) -> Panel {
        let rows = dialog.ids.compactMap { model.rows.figures(of: $0) }
        let leftovers = Leftovers(of: rows)
        var lines: [Panel.Line] = []
        if rows.count == 1, let row = rows.first.flatMap({ model.rows[$0.id] }), canvas.size.rows >= 8 {
            let width = min(canvas.size.columns - 6, 60)
            lines.append(Panel.Line(spans: [Panel.Span(text: " " + row.name.middleCut(width, in: canvas))]))
        }
        lines += sentences(of: leftovers, isOne: dialog.ids.count == 1).map {
            Panel.Line(spans: [Panel.Span(text: " " + $0)])
        }
        if canvas.size.rows >= 8 { lines.append(Panel.Line()) }
        let buttons = OverlayView.buttons(Self.titles(leftovers), selected: dialog.button.rawValue, in: canvas)
        let focus = lines.count + (buttons.count > 1 ? dialog.button.rawValue : 0)
        lines += buttons
        return Panel(
            title: "Remove " + SafeText.tasks(dialog.ids.count) + " from the list?", lines: lines,
            hints: OverlayView.hints(.removeDialog), focus: focus)
    }

    private func sentences(of leftovers: Leftovers, isOne: Bool) -> [SafeText] {
        var sentences: [SafeText] = []
        // Marks stay where a filter or a tab hides them.
        let hidden = model.details.fullScreenID == nil ? dialog.ids.count { !model.rows.isShown($0) } : 0
        if hidden > 0 { sentences.append(SafeText(hidden) + " of them not in this view.") }
        if leftovers.live > 0 {
            sentences.append(
                leftovers.live == 1
                    ? (isOne ? "It is under way: it stops." : "1 is under way: it stops.")
                    : SafeText(leftovers.live) + " are under way: they stop.")
        }
        if leftovers.files > 0 {
            sentences.append(
                leftovers.files == 1
                    ? (isOne ? "Its file is there." : "1 file is there.")
                    : SafeText(leftovers.files) + " files are there.")
        }
        if leftovers.parts > 0 {
            sentences.append(
                leftovers.parts == 1
                    ? (isOne ? "Its partial file is there." : "1 partial file is there.")
                    : SafeText(leftovers.parts) + " partial files are there.")
        }
        return sentences
    }

    private static func titles(_ leftovers: Leftovers) -> [SafeText] {
        guard leftovers.files + leftovers.parts > 0 else { return ["No", "Remove", "Remove and delete"] }
        return leftovers.files + leftovers.parts == 1
            ? ["No", "Keep the file", "Delete the file"] : ["No", "Keep the files", "Delete the files"]
    }
}
