/// The form that adds transfers.
struct AddFormView {
    private static let labelWidth = 9

    let form: AddForm
    let units: Units

    func panel(in canvas: Canvas) -> Panel {
        let isNarrow = canvas.size.columns < 50
        var lines = form.fields.map { field in
            var line = line(field, isNarrow: isNarrow)
            line.choice = field.rawValue
            return line
        }
        if !form.furtherURLs.isEmpty {
            let text: SafeText = " and " + SafeText(form.furtherURLs.count) + " more from the pasted list"
            lines.insert(Panel.Line(spans: [Panel.Span(text: text, role: .dim)]), at: 1)
        }
        var focus = (form.fields.firstIndex(of: form.focus) ?? 0)
        if focus > 0, !form.furtherURLs.isEmpty { focus += 1 }
        if let problem = form.problem {
            lines.append(Panel.Line(spans: [Panel.Span(text: " ! " + problem, role: .error)]))
        }
        let note = form.note(units: units)
        if !note.isEmpty { lines.append(Panel.Line(spans: [Panel.Span(text: " ! " + note, role: .dialogText)])) }
        let title: SafeText = form.furtherURLs.isEmpty ? "Add task" : "Add " + Model.tasks(form.furtherURLs.count + 1)
        return Panel(
            title: title, lines: lines, hints: OverlayView.hints(.addForm), focus: focus, contentWidth: 73)
    }

    private func line(_ field: AddForm.Field, isNarrow: Bool) -> Panel.Line {
        let hasFocus = field == form.focus
        let title = field.title(for: form.kind)
        let space = SafeText(" ") * (AddFormView.labelWidth - title.string.count)
        let label = Panel.Span(text: title + space, role: hasFocus ? .title : .dialogText)
        switch field {
        case .kind: return Panel.Line(spans: [label] + kinds(hasFocus: hasFocus, onlyChosen: isNarrow))
        case .startsPaused:
            let role: Role = hasFocus ? .fieldSelected : .field
            return Panel.Line(spans: [
                label, Panel.Span(text: (form.startsPaused ? "[x]" : "[ ]") + " start paused", role: role),
            ])
        case .url, .method, .headers, .body, .name, .checksum:
            if form[field].isEmpty, !hasFocus {
                return Panel.Line(spans: [label, Panel.Span(text: placeholder(field), role: .dim)])
            }
            return Panel.Line(spans: [label], field: form[field], fieldHasFocus: hasFocus)
        }
    }

    private func kinds(hasFocus: Bool, onlyChosen: Bool) -> [Panel.Span] {
        [Job.Kind.download, .upload, .data].filter { !onlyChosen || $0 == form.kind }.map { kind in
            let title: SafeText =
                switch kind {
                case .download: "Download"
                case .upload: "Upload"
                case .data: "Data"
                }
            let isChosen = kind == form.kind
            return Panel.Span(
                text: (isChosen ? "(*) " : "( ) ") + title + "   ", role: hasFocus && isChosen ? .fieldSelected : .field
            )
        }
    }

    private func placeholder(_ field: AddForm.Field) -> SafeText {
        switch field {
        case .url: "https://"
        case .method: form.kind == .upload ? "PUT" : "GET"
        case .headers: "Name: value; Name: value"
        case .body: form.kind == .upload ? "the file to send" : "text, or @ and a file"
        case .name: "the name in the URL"
        case .checksum: "sha-256=…"
        case .kind, .startsPaused: ""
        }
    }
}
