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
        case .options(let menu): OptionsView.panel(model: model, menu: menu, in: canvas).draw(on: &canvas)
        case .palette(let palette): PaletteView(model: model, palette: palette).panel(in: canvas).draw(on: &canvas)
        case .actions(let menu): ActionMenuView(model: model, menu: menu).panel(in: canvas).draw(on: &canvas)
        case .prompt(let prompt):
            if case .filterLog(let state) = prompt.purpose {
                EventLogView(model: model, state: state, typed: prompt.field.text, problem: prompt.problem)
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
    private static let typingRoom = 18

    /// Draws a prompt over the last line of the screen, details included.
    private func drawPrompt(_ prompt: Prompt, on canvas: inout Canvas) {
        guard canvas.size.rows >= 1 else { return }
        let row = canvas.size.rows - 1
        canvas.fill(row: row, columns: 0..<canvas.size.columns)
        let hints = PanelHints(of: model).text
        // A fault gets its own line if there is one, so that it can be read to its end.
        var problem = prompt.problem
        // The log shows it in its own lines.
        if case .filterLog = prompt.purpose { problem = nil }
        let layout = ScreenLayout(size: canvas.size, pane: model.details.pane)
        if let text = problem, layout.rule != nil || model.details.fullScreenID != nil {
            ToastView.draw(text, row: row - 1, on: &canvas)
            problem = nil
        }
        let role: Role = problem == nil ? .footerKey : .error
        // The title may take the cells the field can spare; the shortest of its forms is cut.
        let titleRoom = max(canvas.size.columns - Self.typingRoom, canvas.size.columns / 2 - 2, 4)
        let titles = problem.map { [$0] } ?? prompt.titles
        let title = titles.first { canvas.width($0) <= titleRoom } ?? titles.last ?? ""
        let start = canvas.draw(
            canvas.run(title).cut(titleRoom, ellipsis: canvas.ellipsis), row: row, column: 1, role: role)
        let hasHints = canvas.size.columns - start - 2 - canvas.width(hints) - 3 >= Self.typingRoom
        let hintWidth = hasHints ? canvas.width(hints) + 3 : 0
        let width = max(canvas.size.columns - start - 2 - hintWidth, 1)
        FieldView.draw(prompt.field, row: row, column: start + 1, width: width, role: .fieldSelected, on: &canvas)
        if hintWidth > 0 { canvas.drawRight(hints, row: row, end: canvas.size.columns - 1, role: .footerText) }
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
