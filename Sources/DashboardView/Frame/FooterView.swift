import Dashboard

/// The hints of the last line, from the key table.
///
/// Complete hints are dropped by rank if they do not fit; help and quitting never are.
struct FooterView {
    let model: Model
    let screen: Screen

    func draw(row: Int, leading: SafeText = .empty, on canvas: inout Canvas) {
        let room = canvas.size.columns
        let leadingWidth = leading.isEmpty ? 0 : canvas.width(leading) + 1
        var commands = chosen(room: room - leadingWidth, canvas: canvas)
        var leading = leading
        // The key that leaves is more important than the text before it.
        if commands.width > room - leadingWidth, leadingWidth > 0 {
            leading = .empty
            commands = chosen(room: room, canvas: canvas)
        }
        let gap = commands.gap
        var column = 1
        if !leading.isEmpty { column = canvas.draw(leading, row: row, column: column, role: .dim) + 1 }
        for command in commands.list {
            guard let key = command.keys(on: screen).first else { continue }
            let isEnabled = command.reason(in: model) == nil
            column = canvas.draw(KeyName.text(key), row: row, column: column, role: isEnabled ? .footerKey : .dim)
            let start = column - canvas.width(KeyName.text(key))
            column = canvas.draw(" " + command.title, row: row, column: column, role: isEnabled ? .footerText : .dim)
            canvas.addTarget(.key(key), row: row, columns: start..<column)
            column += gap
        }
    }

    /// The minimum cells of a filter that is typed.
    private static let leastField = 8

    /// Draws the filter prompt instead of the hints.
    ///
    /// `showsProblem` says that the filter's fault is shown nowhere else.
    static func drawPrompt(
        _ field: TextField, model: Model, row: Int, showsProblem: Bool, on canvas: inout Canvas
    ) {
        let hints = model.keys.commands(on: .filterPrompt).filter { $0.footerRank != nil }.map { command in
            KeyName.text(command.keys(on: .filterPrompt).first ?? .escape) + " " + command.title
        }
        let count =
            RuleLabels.filtered(model.rows.matchCount, of: model.rows.counts[model.rows.query.tab.kind, nil])
        let problem = showsProblem ? model.rows.filter.problem ?? model.rows.totals?.problem : nil
        let columns = canvas.size.columns
        let exit = model.keys.commands(on: .filterPrompt).first { $0.footerRank == 0 }
        let key = exit?.keys(on: .filterPrompt).first.map { KeyName.text($0) } ?? ""
        let tails = [
            ([count] + hints).joined(by: " · "), hints.joined(by: " · "), key + " " + (exit?.title ?? ""), key,
        ]
        // The key that leaves is the last to go.
        let tail = problem ?? tails.first { canvas.width($0) + leastField + 6 <= columns } ?? ""
        let room = problem != nil && columns < 40 ? columns - 4 : max(columns - canvas.width(tail) - 6, leastField)
        let start = canvas.draw(" / ", row: row, column: 0, role: .footerKey)
        let end = FieldView.draw(field, row: row, column: start, width: room, role: .fieldSelected, on: &canvas)
        let column = max(end, start + 8) + 2
        canvas.drawCut(
            tail, row: row, column: column, limit: columns - column - 1, role: problem == nil ? .footerText : .error)
    }

    /// The hints that fit: with wide gaps if all do, else with narrow ones, the least important dropped.
    private func chosen(room: Int, canvas: Canvas) -> (list: [Command], gap: Int, width: Int) {
        var commands = model.keys.commands(on: screen).filter { $0.footerRank != nil }
        if model.rows.shownCount == 0 { commands.removeAll { $0.reason(in: model) != nil } }
        var widths = commands.map { width($0, canvas: canvas) }
        while true {
            for gap in canvas.size.columns >= 80 ? [2] : [2, 1] where Self.width(widths, gap: gap) <= room {
                return (commands, gap, Self.width(widths, gap: gap))
            }
            let worst = commands.compactMap(\.footerRank).max() ?? 0
            guard worst > 0, let index = commands.lastIndex(where: { $0.footerRank == worst }) else {
                return (commands, 1, Self.width(widths, gap: 1))
            }
            commands.remove(at: index)
            widths.remove(at: index)
        }
    }

    /// The cells of a hint; nil for a command without a key, which has none.
    private func width(_ command: Command, canvas: Canvas) -> Int? {
        command.keys(on: screen).first.map { canvas.width(KeyName.text($0)) + 1 + canvas.width(command.title) }
    }

    private static func width(_ widths: [Int?], gap: Int) -> Int {
        widths.reduce(1 - gap) { sum, width in sum + (width.map { $0 + gap } ?? 0) }
    }
}

/// The line that reports an event.
enum ToastView {
    /// The minimum cells of words before a key; in a narrow window the key that leaves or changes a state says more.
    private static func leastWords(of toast: Toast, in canvas: Canvas) -> Int {
        toast.isError || canvas.size.columns >= 30 ? 8 : 5
    }

    /// Draws the fault of typed text.
    static func draw(_ problem: SafeText, row: Int, on canvas: inout Canvas) {
        draw(Toast(problem: problem), row: row, on: &canvas)
    }

    static func draw(_ toast: Toast, row: Int, on canvas: inout Canvas) {
        let sign = toast.isError ? Glyphs.state(.failed, in: canvas.capabilities.glyphs) + " " : ""
        let times = (canvas.capabilities.glyphs == .ascii ? " x" : " ×") + SafeText(toast.count)
        let room = canvas.size.columns - 2
        let tail = tail(of: toast, behind: toast.count > 1 ? times : "", room: room - canvas.width(sign), in: canvas)
        let role: Role = toast.isError ? .toastError : .toast
        canvas.fill(row: row, columns: 0..<canvas.size.columns)
        let words = sign + toast.words
        let column = canvas.drawCut(
            words, row: row, column: 1, limit: max(room - canvas.width(tail), 0), role: role)
        canvas.draw(tail, row: row, column: column, limit: room + 1 - column, role: role)
    }

    /// The hints that fit after the words, which are cut first, but not to nothing.
    private static func tail(of toast: Toast, behind times: SafeText, room: Int, in canvas: Canvas) -> SafeText {
        let words = canvas.width(toast.words)
        for count in stride(from: toast.hints.count, through: 0, by: -1) {
            // Words of what was done are not cut for more than one key.
            let least = count > 1 && !toast.isError ? words : min(words, leastWords(of: toast, in: canvas))
            let tail = Toast.tail(of: toast.hints.prefix(count)) + times
            if canvas.width(tail) + least <= room { return tail }
        }
        return ""
    }
}
