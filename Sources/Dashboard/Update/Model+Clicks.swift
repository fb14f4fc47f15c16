/// What clicks do to whatever lies over the list.
extension Model {
    /// Presses the button, takes the line or goes to the field of that number.
    package mutating func choose(_ index: Int) -> [Effect] {
        switch overlay {
        case .cancel(var dialog):
            guard let button = CancelDialog.Button(rawValue: index) else { return [] }
            dialog.button = button
            overlay = .cancel(dialog)
            return pressButton()
        case .quit(var dialog):
            guard let button = QuitDialog.Button(rawValue: index) else { return [] }
            dialog.button = button
            overlay = .quit(dialog)
            return pressButton()
        case .clear(var dialog):
            guard let button = ClearDialog.Button(rawValue: index) else { return [] }
            dialog.button = button
            overlay = .clear(dialog)
            return pressButton()
        case .options:
            guard OptionsMenu.items(options).indices.contains(index) else { return [] }
            overlay = .options(OptionsMenu(line: index))
            return changeOption(by: 1)
        case .sortMenu:
            overlay = .sortMenu(index)
            chooseSort()
        case .stateMenu:
            overlay = .stateMenu(index)
            toggleState()
        case .addForm(let form): return focus(index, of: form)
        case .help, .filter, .prompt, .eventLog, nil: break
        }
        return []
    }

    /// Goes to a field of the form; one that holds no text changes, and a button is pressed.
    private mutating func focus(_ index: Int, of form: AddForm) -> [Effect] {
        guard let field = AddForm.Field(rawValue: index), form.fields.contains(field) else { return [] }
        var form = form
        form.focus = field
        let isChoice = form.changeChoice()
        overlay = .addForm(form)
        return isChoice || form.focusTakesText ? [] : pressForm()
    }
}
