import Dashboard

/// The partial files without an owner, with their size and age, and the question before some are removed.
struct LeftoversView {
    /// The minimum rows for a question below the list; in lower windows the title asks it.
    private static let roomy = 8
    /// The minimum cells of a line for ages and long words.
    private static let wide = 60
    /// The minimum cells of a line for ages too, beside short sizes.
    private static let medium = 50
    /// The minimum cells of a line for words about resuming; narrower ones have the word of the table.
    private static let narrow = 30

    let model: Model
    let state: LeftoversState

    func panel(in canvas: Canvas) -> Panel {
        let room = max(canvas.size.columns - 4, 1)
        let parts = state.parts ?? []
        var lines = parts.enumerated().map { index, part in line(part, index, room: room, in: canvas) }
        if let problem = state.problem {
            lines += problem.wrapped(room, in: canvas).map { Panel.Line(spans: [Panel.Span(text: $0, role: .error)]) }
        } else if lines.isEmpty {
            let text: SafeText = state.parts == nil ? DialogLabels.searching : DialogLabels.noLeftovers
            lines = [Panel.Line(spans: [Panel.Span(text: text, role: .dim)])]
        }
        var focus = min(state.line, lines.count - 1)
        let asksInTitle = !state.asked.isEmpty && canvas.size.rows < Self.roomy
        if !state.asked.isEmpty, !asksInTitle {
            let question = question(parts).wrapped(room, in: canvas)
            lines += question.map { Panel.Line(spans: [Panel.Span(text: $0, role: .error)]) }
            focus = lines.count - 1
        }
        return Panel(
            title: asksInTitle ? Questions.deleteLeftovers(Questions.files(state.asked.count)) : title(parts),
            lines: lines, hints: PanelHints(of: model), focus: focus, fillsScreen: true)
    }

    private func title(_ parts: [LeftoverLine]) -> SafeText {
        parts.isEmpty ? DialogLabels.leftovers : DialogLabels.leftovers(parts.count, sum(parts))
    }

    private func sum(_ parts: [LeftoverLine]) -> SafeText {
        SizeText.long(parts.reduce(0) { $0 + $1.byteCount }, units: model.units)
    }

    private func question(_ parts: [LeftoverLine]) -> SafeText {
        let chosen = parts.filter { state.asked.contains($0.path) }
        let what = chosen.count == 1 ? SafeText(untrusted: chosen[0].path) : Questions.files(chosen.count)
        return Questions.deleteLeftovers(what, sum(chosen))
    }

    private func line(_ part: LeftoverLine, _ index: Int, room: Int, in canvas: Canvas) -> Panel.Line {
        let role: Role = index == state.line ? .dialogButtonSelected : .dialogText
        let fields: [(SafeText, Int)] =
            if room >= Self.wide {
                [
                    (SizeText.long(part.byteCount, units: model.units), 9), (LeftoverLine.age(part.age), 4),
                    (part.meaning.words, 16),
                ]
            } else {
                // Whether its bytes are of use decides about a file, its age does not.
                [(SizeText.short(part.byteCount, units: model.units), 5)]
                    + (room >= Self.medium ? [(LeftoverLine.age(part.age), 3)] : [])
                    + [room >= Self.narrow ? (part.meaning.words, 14) : (word(of: part.meaning), 3)]
            }
        var text = fields.map { padded($0.0, $0.1, in: canvas) }.joined(by: " ") + " "
        // The name comes first because a long folder would hide it.
        let slash = part.path.lastIndex(of: "/")
        text += SafeText(untrusted: slash.map { String(part.path[part.path.index(after: $0)...]) } ?? part.path)
        text += slash.map { "  " + DialogLabels.folder(SafeText(untrusted: String(part.path[..<$0]))) } ?? ""
        if !part.url.string.isEmpty { text += "  " + part.url }
        return Panel.Line(spans: [Panel.Span(text: text, role: role)], choice: index)
    }

    /// The word that the table has for the same fact.
    private func word(of meaning: LeftoverLine.Meaning) -> SafeText {
        let standing: Resumability =
            switch meaning {
            case .resumable: .yes
            case .unproven: .unknown
            case .worthless, .refused, .description: .no
            }
        return ResumeStates.word(standing)
    }

    private func padded(_ text: SafeText, _ width: Int, in canvas: Canvas) -> SafeText {
        text + SafeText(" ") * max(width - canvas.width(text), 0)
    }
}
