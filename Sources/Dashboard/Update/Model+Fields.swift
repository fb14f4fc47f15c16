extension Model {
    /// Types a character into the focused field; a blank changes a choice or presses a button.
    package mutating func type(_ character: Character) -> [Effect] {
        if case .addForm(var form) = overlay, !form.focusTakesText {
            guard character == " " else { return [] }
            guard form.changeChoice() else { return pressForm() }
            overlay = .addForm(form)
            return []
        }
        if case .help(let help) = overlay, help.filter.isEmpty, character == "?" || character == "q" {
            closeOverlay()
            return []
        }
        edit { $0.insert(String(character)) }
        return []
    }

    package mutating func edit(_ change: (inout TextField) -> Void) {
        switch overlay {
        case .filter(var field):
            change(&field)
            overlay = .filter(field)
            if field.text != rows.query.filter { setFilter(field.text) }
        case .help(var help):
            change(&help.filter)
            help.top = 0
            overlay = .help(help)
        case .addForm(var form):
            guard form.focusTakesText else { return }
            let before = form[form.focus].characters
            change(&form[form.focus])
            if form.focus == .url, form[.url].characters != before { form.furtherURLs = [] }
            form.problem = nil
            form.added = nil
            overlay = .addForm(form)
        case .prompt(var prompt):
            change(&prompt.field)
            prompt.problem = nil
            overlay = .prompt(prompt)
        case .palette(var palette):
            change(&palette.field)
            palette.line = 0
            overlay = .palette(palette)
        case .question, .options, .actions, .sortMenu, .stateMenu, .eventLog, .leftovers, .history, nil:
            break
        }
    }

    /// Moves the text cursor, or changes the focused choice.
    mutating func moveInField(by steps: Int) {
        if case .addForm(var form) = overlay, !form.focusTakesText {
            form.moveSideways(by: steps)
            overlay = .addForm(form)
            return
        }
        edit { steps < 0 ? $0.moveLeft() : $0.moveRight() }
    }

    /// Inserts pasted text: into a field, or as URLs or a curl command for the add form.
    ///
    /// It never triggers keys.
    package mutating func paste(_ text: String) {
        switch overlay {
        case .addForm(let form): paste(text, into: form)
        case .filter, .prompt, .help, .palette: edit { $0.insert(text) }
        case .question, .options, .actions, .sortMenu, .stateMenu, .eventLog, .leftovers, .history: break
        case nil:
            guard AddForm.canRead(text) else {
                notify(ViewToasts.nothingPasted)
                return
            }
            paste(text, into: AddForm(defaults: jobDefaults))
        }
    }

    /// A hint about earlier text would now be read as one about this text.
    private mutating func paste(_ text: String, into form: AddForm) {
        var form = form
        withdrawPasteHint()
        form.pasteHint = form.paste(text)
        overlay = .addForm(form)
        if let hint = form.pasteHint { notify(hint) }
    }

    mutating func withdrawPasteHint() {
        if case .addForm(let form) = overlay, let hint = form.pasteHint { toasts.withdraw(hint) }
    }

    /// Completes the text before the cursor: the filter's words at once, paths by requesting them.
    mutating func completeField() -> [Effect] {
        switch overlay {
        case .filter(let field): completeFilter(field)
        case .prompt(let prompt):
            if prompt.takesPath { return [.completePath(prompt.field.text)] }
            switch prompt.purpose {
            case .filterLog, .filterHistory: completeFilter(prompt.field)
            default: break
            }
        case .addForm(let form):
            if form.completesPath { return [.completePath(form.pathText)] }
            move(by: 1)
        case .help, .question, .actions, .sortMenu, .stateMenu, .options, .eventLog, .leftovers,
            .palette, .history, nil:
            break
        }
        return []
    }

    private mutating func completeFilter(_ field: TextField) {
        let longer = FilterCompletion.complete(
            field.text, hosts: { rows.hosts.lazy.map(\.string) }, workers: { rows.workers.lazy.map(\.string) })
        guard let longer else {
            return
        }
        edit { $0 = TextField(longer) }
    }

    /// Inserts the common prefix of the paths.
    package mutating func complete(_ start: String, with paths: [String]) {
        let common = FilterCompletion.commonPrefix(of: paths)
        let longer = common.count > start.count ? common : start
        switch overlay {
        case .prompt(var prompt) where prompt.takesPath && prompt.field.text == start:
            prompt.field = TextField(longer)
            overlay = .prompt(prompt)
        case .addForm(var form) where form.focusTakesPath && form.pathText == start:
            // Tab leaves the field if there is nothing to add.
            if longer == start, paths.count < 2 { return move(by: 1) }
            form.pathText = longer
            overlay = .addForm(form)
        default: return
        }
        if paths.isEmpty {
            notify(ViewToasts.noMatch)
        } else if paths.count > 1, longer == start {
            let names = paths.prefix(8).map { path in
                SafeText(untrusted: String(path.split(separator: "/").last ?? "") + (path.hasSuffix("/") ? "/" : ""))
            }
            notify(names.joined(by: "  ") + (paths.count > 8 ? "  …" : ""))
        }
    }

    mutating func recall(by steps: Int) {
        switch overlay {
        case .filter(let field):
            if let text = history.move(by: steps, in: .filter, from: field.text) {
                overlay = .filter(TextField(text))
                setFilter(text)
            }
        case .prompt(var prompt):
            if let kind = prompt.history, let text = history.move(by: steps, in: kind, from: prompt.field.text) {
                prompt.field = TextField(text)
                overlay = .prompt(prompt)
            }
        case .addForm(var form):
            guard form.focus == .url else { return move(by: -steps) }
            if let text = history.move(by: steps, in: .url, from: form[.url].text) {
                form[.url] = TextField(text)
                overlay = .addForm(form)
            } else if steps < 0 {
                move(by: 1)
            }
        case .help, .question, .actions, .sortMenu, .stateMenu, .options, .eventLog, .leftovers,
            .palette, .history, nil:
            break
        }
    }
}
