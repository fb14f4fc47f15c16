extension Model {
    /// Types a character into the field that has the focus; elsewhere it does nothing.
    mutating func type(_ character: Character) {
        if case .addForm(var form) = overlay, !form.focusTakesText {
            if character == " " {
                if form.focus == .kind { form.changeKind(by: 1) } else { form.startsPaused.toggle() }
                overlay = .addForm(form)
            }
            return
        }
        edit { $0.insert(String(character)) }
    }

    /// Changes the text of the field that has the focus.
    mutating func edit(_ change: (inout TextField) -> Void) {
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
            overlay = .addForm(form)
        case .prompt(var prompt):
            change(&prompt.field)
            prompt.problem = nil
            overlay = .prompt(prompt)
        case .cancel, .quit, .clear, .options, .sortMenu, .stateMenu, .eventLog, nil: break
        }
    }

    /// Moves the text cursor, or changes the choice that has the focus.
    mutating func moveInField(by steps: Int) {
        if case .addForm(var form) = overlay, !form.focusTakesText {
            if form.focus == .kind { form.changeKind(by: steps) }
            overlay = .addForm(form)
            return
        }
        edit { steps < 0 ? $0.moveLeft() : $0.moveRight() }
    }

    /// Takes pasted text: into a field, or as URLs or a curl command for the add form.
    ///
    /// It never fires keys.
    mutating func paste(_ text: String) {
        switch overlay {
        case .addForm(var form):
            let notes = form.paste(text)
            overlay = .addForm(form)
            if let notes { notify(notes) }
        case .filter, .prompt, .help: edit { $0.insert(text) }
        case .cancel, .quit, .clear, .options, .sortMenu, .stateMenu, .eventLog: break
        case nil:
            guard AddForm.canRead(text) else {
                notify("The pasted text has no URL and no curl command in it")
                return
            }
            var form = AddForm(defaults: jobDefaults)
            let notes = form.paste(text)
            overlay = .addForm(form)
            if let notes { notify(notes) }
        }
    }

    /// Accepts the add form, or says what is wrong with it.
    mutating func acceptForm() -> [Effect] {
        guard case .addForm(var form) = overlay else { return [] }
        do {
            let jobs = try form.jobs()
            overlay = nil
            history.add(form[.url].text, to: .url)
            report("Adding", hit: jobs.count, skipped: 0)
            return [.add(jobs)]
        } catch {
            form.problem = error.sentence
            form.focus = error.field
            overlay = .addForm(form)
            return []
        }
    }
}
