import Dashboard

/// Draws the overlay over the list or the details.
struct OverlayView {
    let model: Model

    func draw(on canvas: inout Canvas) {
        // Clicks must not reach what lies below a dialog.
        if model.overlay != nil { canvas.removeTargets() }
        switch model.overlay {
        case .help(let help): HelpView(model: model, help: help).panel(in: canvas).draw(on: &canvas)
        case .question(let question): QuestionView(model: model, question: question).panel(in: canvas).draw(on: &canvas)
        case .addForm(let form): AddFormView(model: model, form: form).panel(in: canvas).draw(on: &canvas)
        case .sortMenu(let line): MenuView.sort(model: model, line: line).draw(on: &canvas)
        case .stateMenu(let line): MenuView.states(model: model, line: line, in: canvas).draw(on: &canvas)
        case .eventLog(let state): EventLogView(model: model, state: state).panel(in: canvas).draw(on: &canvas)
        case .leftovers(let state):
            LeftoversView(model: model, state: state).panel(in: canvas).draw(on: &canvas)
        case .history(let state): HistoryView(model: model, state: state).panel(in: canvas).draw(on: &canvas)
        case .options(let menu): OptionsView.panel(model: model, menu: menu, in: canvas).draw(on: &canvas)
        case .palette(let palette): PaletteView(model: model, palette: palette).panel(in: canvas).draw(on: &canvas)
        case .actions(let menu): ActionMenuView(model: model, menu: menu).panel(in: canvas).draw(on: &canvas)
        case .prompt(let prompt):
            if case .filterLog(let state) = prompt.purpose {
                EventLogView(model: model, state: state, typed: prompt.field.text, problem: prompt.problem)
                    .panel(in: canvas).draw(on: &canvas)
            } else if case .filterHistory(let state) = prompt.purpose {
                HistoryView(model: model, state: state, typed: prompt.field.text, problem: prompt.problem)
                    .panel(in: canvas).draw(on: &canvas)
            }
            drawPrompt(prompt, on: &canvas)
        case .filter(let field): drawPrompt(field, on: &canvas)
        case nil: break
        }
    }

    /// Draws the prompt on the last line, also on a screen without a footer: the typed text must be visible.
    private func drawPrompt(_ field: TextField, on canvas: inout Canvas) {
        let layout = ScreenLayout(size: canvas.size, pane: model.details.pane)
        guard layout.footer == nil, canvas.size.rows >= 2 else { return }
        canvas.fill(row: canvas.size.rows - 1, columns: 0..<canvas.size.columns)
        FooterView.drawPrompt(field, model: model, row: canvas.size.rows - 1, showsProblem: true, on: &canvas)
    }

    /// The cells that a prompt leaves for typing.
    private static func typingRoom(columns: Int) -> Int { columns >= 60 ? 18 : max(columns / 4, 5) }

    /// The gaps around the field and before the hints.
    private static let promptGaps = 5

    /// Draws a prompt over the last line of the screen, details included.
    private func drawPrompt(_ prompt: Prompt, on canvas: inout Canvas) {
        guard canvas.size.rows >= 1 else { return }
        let row = canvas.size.rows - 1
        canvas.fill(row: row, columns: 0..<canvas.size.columns)
        let columns = canvas.size.columns
        let hints = promptHints
        let exit = (hints.last.map { canvas.width($0) } ?? 0) + Self.promptGaps
        // A fault gets its own line, so that it can be read to its end; the header makes room if no other line can.
        var problem = prompt.problem
        // The log and the history show it in their own lines.
        switch prompt.purpose {
        case .filterLog, .filterHistory: problem = nil
        default: break
        }
        let layout = ScreenLayout(size: canvas.size, pane: model.details.pane)
        if let text = problem, canvas.size.rows >= 3 {
            let hasLine = layout.rule != nil || model.details.fullScreenID != nil
            ToastView.draw(text, row: hasLine ? row - 1 : 0, on: &canvas)
            problem = nil
        }
        let role: Role = problem == nil ? .footerKey : .error
        // The title may take the cells that the field and the way out can spare; the shortest of its forms is cut.
        let titleRoom = max(columns - Self.typingRoom(columns: columns) - exit - 1, 4)
        let titles = problem.map { [$0] } ?? prompt.titles
        let title = titles.first { canvas.width($0) <= titleRoom } ?? titles.last ?? ""
        let start = canvas.draw(
            canvas.run(title).cut(titleRoom, ellipsis: canvas.ellipsis), row: row, column: 1, role: role)
        let room = columns - start - Self.promptGaps - Self.typingRoom(columns: columns)
        let shown = hints.first { canvas.width($0) <= room }
        let width = max(columns - start - 2 - (shown.map { canvas.width($0) + 3 } ?? 0), 1)
        FieldView.draw(prompt.field, row: row, column: start + 1, width: width, role: .fieldSelected, on: &canvas)
        if let shown { canvas.drawRight(shown, row: row, end: columns - 1, role: .footerText) }
    }

    /// The hints of a prompt in fewer and fewer cells; the key that leaves is the last to go.
    private var promptHints: [SafeText] {
        let all = PanelHints(of: model)
        var exit = all
        exit.items.removeAll { $0.rank > 0 }
        let leave = model.keys.commands(on: model.screen).first { $0.footerRank == 0 }
        let key = leave?.keys(on: model.screen).first.map { KeyName.text($0) }
        return [all.text, exit.text, key ?? ""].filter { !$0.isEmpty }
    }

    /// Buttons in one line, or one per line if that is too wide; the highlighted one is in brackets.
    static func buttons(_ titles: [SafeText], selected: Int, in canvas: Canvas) -> [Panel.Line] {
        let spans = titles.enumerated().map { index, title in
            index == selected
                ? Panel.Span(text: "[ " + title + " ]", role: .dialogButtonSelected, choice: index)
                : Panel.Span(text: "  " + title + "  ", role: .dialogButton, choice: index)
        }
        let width = spans.reduce(0) { $0 + canvas.width($1.text) }
        guard width <= canvas.size.columns - 6 else { return spans.map { Panel.Line(spans: [$0]) } }
        return [Panel.Line(spans: spans)]
    }
}
