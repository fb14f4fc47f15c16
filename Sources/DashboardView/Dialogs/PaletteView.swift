import Dashboard

/// The command palette: a field, and the commands that match its text.
struct PaletteView {
    let model: Model
    let palette: PaletteState

    /// The commands shown at once, if they fit.
    private static let height = 12
    private static let width = 72

    func panel(in canvas: Canvas) -> Panel {
        let commands = model.offered(by: palette)
        let height = max(min(canvas.size.rows - 3, Self.height), 1)
        let top = min(max(palette.line - height + 1, 0), max(commands.count - height, 0))
        var lines = [
            Panel.Line(spans: [Panel.Span(text: ": ", role: .footerKey)], field: palette.field, fieldHasFocus: true)
        ]
        let shown = commands.indices.dropFirst(top).prefix(height)
        lines += shown.map { line(of: commands[$0], index: $0, in: canvas) }
        if commands.isEmpty {
            lines.append(Panel.Line(spans: [Panel.Span(text: DialogLabels.noCommand, role: .dim)]))
        }
        // The height is the same with few commands as with many, so that it does not change while the user types.
        while lines.count <= height { lines.append(Panel.Line()) }
        return Panel(
            title: DialogLabels.commands, lines: lines, hints: PanelHints(of: model),
            contentWidth: min(canvas.size.columns - 6, Self.width))
    }

    /// A command's title, its keys, and its help, dimmed if it cannot run now: Enter says why.
    private func line(of command: Command, index: Int, in canvas: Canvas) -> Panel.Line {
        let isSelected = index == palette.line
        let reason = command.reason(in: model)
        let columns = canvas.size.columns
        let titleWidth = columns >= 60 ? 18 : 16
        let keyWidth = columns >= 60 ? 14 : 6
        let title = Self.padded(command.title, to: titleWidth, in: canvas)
        let keys = Self.padded(
            KeyName.text(command.keys(on: palette.screen)).cut(keyWidth - 1, in: canvas), to: keyWidth, in: canvas)
        let role: Role = reason == nil ? .dialogText : .dim
        return Panel.Line(
            spans: [
                Panel.Span(text: title, role: isSelected ? .dialogButtonSelected : role),
                Panel.Span(text: " " + keys, role: reason == nil ? .footerKey : .dim),
                Panel.Span(text: command.help, role: reason == nil ? .help : .dim),
            ], choice: index)
    }

    private static func padded(_ text: SafeText, to width: Int, in canvas: Canvas) -> SafeText {
        text + SafeText(" ") * max(width - canvas.width(text), 0)
    }
}
