import Dashboard

/// The form that adds transfers.
struct AddFormView {
    private static let labelWidth = 9
    private static let shortLabel = 4
    private static let contentWidth = 73
    /// The minimum columns for labels and choices side by side.
    private static let roomy = 50
    /// The minimum columns for full labels.
    private static let wide = 30
    /// The minimum columns for two check boxes side by side.
    private static let narrow = 40

    let model: Model
    let form: AddForm

    func panel(in canvas: Canvas) -> Panel {
        var lines: [Panel.Line] = []
        var focus = 0
        for row in rows(in: canvas) {
            if row.contains(form.focus) { focus = lines.count }
            lines.append(line(row, in: canvas))
            if let problem = form.problem, let field = form.problemField, row.contains(field) {
                let below = problemLines(problem, in: canvas)
                lines += below
                // The fault is read below its field, as far as both fit.
                if row.contains(form.focus) { focus += min(below.count, max(canvas.size.rows - 3, 0)) }
            }
            if row == [.url], !form.furtherURLs.isEmpty {
                let text = AddLabels.furtherURLs(form.furtherURLs.count)
                lines.append(Panel.Line(spans: [Panel.Span(text: " " + text, role: .dim)]))
            }
        }
        if let problem = form.problem, form.problemField == nil { lines += problemLines(problem, in: canvas) }
        let note = form.outlook(units: model.units)
        if !note.isEmpty {
            lines += note.wrapped(textRoom(in: canvas), in: canvas).map {
                Panel.Line(spans: [Panel.Span(text: " " + $0, role: .dialogText)])
            }
        }
        if let button = AddForm.Field.buttons.firstIndex(of: form.focus) {
            focus = lines.count + (buttons(in: canvas).count > 1 ? button : 0)
        }
        lines += buttons(in: canvas)
        return Panel(
            title: title(isCut: lines.count > canvas.size.rows - 2, note: note, in: canvas), lines: lines,
            hints: PanelHints(of: model), focus: focus,
            contentWidth: AddFormView.contentWidth)
    }

    /// The cells of a line of text inside the frame.
    private func textRoom(in canvas: Canvas) -> Int {
        min(canvas.size.columns - (canvas.size.columns < Self.narrow ? 4 : 6), Self.contentWidth) - 1
    }

    private func problemLines(_ problem: SafeText, in canvas: Canvas) -> [Panel.Line] {
        AddLabels.problem(problem).wrapped(textRoom(in: canvas), in: canvas).map {
            Panel.Line(spans: [Panel.Span(text: " " + $0, role: .error)])
        }
    }

    /// The title; if fields are cut off, it reports what would otherwise be invisible.
    private func title(isCut: Bool, note: SafeText, in canvas: Canvas) -> SafeText {
        if isCut, let problem = form.problem, form.problemField == nil { return AddLabels.problem(problem) }
        let showsNote = isCut && form.problem == nil && form.added == nil && canvas.size.columns >= Self.narrow
        if showsNote, !note.isEmpty, !AddForm.Field.buttons.contains(form.focus) { return note }
        if form.editedID != nil { return AddLabels.editTitle }
        if let added = form.added { return isCut ? AddLabels.added(added) : AddLabels.title(added: added) }
        return form.furtherURLs.isEmpty ? AddLabels.title : AddLabels.title(form.furtherURLs.count + 1)
    }

    /// The fields, line by line: check boxes share a line if it is wide enough.
    private func rows(in canvas: Canvas) -> [[AddForm.Field]] {
        var rows: [[AddForm.Field]] = []
        for field in form.fields where !AddForm.Field.buttons.contains(field) {
            if field == .startsPaused, rows.last == [.continues], canvas.size.columns >= AddFormView.narrow {
                rows[rows.count - 1].append(field)
            } else {
                rows.append([field])
            }
        }
        return rows
    }

    private func line(_ row: [AddForm.Field], in canvas: Canvas) -> Panel.Line {
        let field = row.first ?? .url
        let isBox = field == .continues || field == .startsPaused
        // Boxes have their own words, which matter more than the label if both do not fit.
        let labelled = canvas.size.columns >= (isBox ? AddFormView.roomy : 0)
        let isShort = canvas.size.columns < AddFormView.wide
        let label = labelled ? [self.label(field, isShort: isShort, hasFocus: row.contains(form.focus))] : []
        if isBox {
            let boxes = row.flatMap { field in
                [Panel.Span(text: box(field), role: role(field), choice: field.rawValue), Panel.Span(text: "  ")]
            }
            return Panel.Line(spans: label + boxes)
        }
        var line = line(field, label: label, onlyChosen: canvas.size.columns < AddFormView.roomy)
        line.choice = field.rawValue
        return line
    }

    /// The label of a field; in narrow windows its first letters, to leave cells for typing.
    private func label(_ field: AddForm.Field, isShort: Bool, hasFocus: Bool) -> Panel.Span {
        var title = form.title(of: field)
        if isShort { title = SafeText(untrusted: String(title.string.prefix(AddFormView.shortLabel))) }
        let width = isShort ? AddFormView.shortLabel + 1 : AddFormView.labelWidth
        let space = SafeText(" ") * (width - title.string.count)
        return Panel.Span(text: title + space, role: hasFocus ? .title : .dialogText)
    }

    private func line(_ field: AddForm.Field, label: [Panel.Span], onlyChosen: Bool) -> Panel.Line {
        let hasFocus = field == form.focus
        if field == .kind { return Panel.Line(spans: label + kinds(hasFocus: hasFocus, onlyChosen: onlyChosen)) }
        if form[field].isEmpty, !hasFocus {
            return Panel.Line(spans: label + [Panel.Span(text: placeholder(field), role: .dim)])
        }
        return Panel.Line(spans: label, field: form[field], fieldHasFocus: hasFocus)
    }

    private func box(_ field: AddForm.Field) -> SafeText {
        let isResume = field == .continues
        let isOn = isResume ? form.continues : form.startsPaused
        return (isOn ? "[x] " : "[ ] ") + (isResume ? AddLabels.resume : AddLabels.startPaused)
    }

    private func role(_ field: AddForm.Field) -> Role { field == form.focus ? .fieldSelected : .field }

    /// The button in brackets is the one that Enter presses.
    private func buttons(in canvas: Canvas) -> [Panel.Line] {
        let buttons = AddForm.Field.buttons
        let focused = buttons.firstIndex(of: form.focus)
        let titles = buttons.map { form.title(of: $0) }
        return OverlayView.buttons(titles, selected: focused ?? 0, in: canvas).map { line in
            var line = line
            for index in line.spans.indices {
                let button = line.spans[index].choice ?? 0
                if focused == nil { line.spans[index].role = .dialogButton }
                line.spans[index].choice = buttons[button].rawValue
            }
            return line
        }
    }

    private func kinds(hasFocus: Bool, onlyChosen: Bool) -> [Panel.Span] {
        [Job.Kind.download, .upload, .data].filter { !onlyChosen || $0 == form.kind }.map { kind in
            let title: SafeText =
                switch kind {
                case .download: AddLabels.download
                case .upload: AddLabels.upload
                case .data: AddLabels.data
                }
            let isChosen = kind == form.kind
            return Panel.Span(
                text: (onlyChosen ? "" : isChosen ? "(*) " : "( ) ") + title + "   ",
                role: hasFocus && isChosen ? .fieldSelected : .field
            )
        }
    }

    private func placeholder(_ field: AddForm.Field) -> SafeText {
        switch field {
        case .url: AddLabels.url
        case .method: SafeText(untrusted: form.kind.usualMethod(hasBody: !form[.body].text.isEmpty))
        case .headers: AddLabels.headers
        case .options: AddLabels.extra
        case .body: form.kind == .upload ? AddLabels.uploadFile : AddLabels.body
        case .name: AddLabels.name
        case .checksum: AddLabels.checksum
        case .kind, .continues, .startsPaused, .add, .addAnother, .cancel: ""
        }
    }
}
