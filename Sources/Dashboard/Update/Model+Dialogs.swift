extension Model {
    /// The time within which a second `^C` quits without a question, in milliseconds.
    private static let interruptWindow: Int64 = 2000

    /// Quits, or asks first if that would interrupt transfers.
    mutating func askToQuit() -> [Effect] {
        // A service that was ended has saved its tasks already.
        guard owner != .stoppedService, rows.counts.live > 0 || rows.all.contains(where: \.losesByLeaving) else {
            return [.quit]
        }
        guard owner != .thisProcess else {
            overlay = .question(.quitting)
            return []
        }
        switch options.quitting {
        case .ask:
            overlay = .question(.detaching)
            return []
        case .detach: return [.quit]
        case .stop: return [.stopService]
        }
    }

    mutating func toggleRemembering() {
        guard case .question(var question) = overlay else { return }
        question.remembersAnswer.toggle()
        overlay = .question(question)
    }

    /// Saves the answer to the question about a service, if the user wants it saved.
    mutating func rememberAnswer(_ choice: QuitChoice) -> [Effect] {
        guard question?.remembersAnswer == true else { return [] }
        options.quitting = choice
        return [.saveSettings([.quitting(choice)])]
    }

    /// Quits as soon as nothing is running.
    mutating func leaveWhenDone() -> [Effect] {
        closeOverlay()
        leavesWhenDone = true
        notify(ViewToasts.quitsAfter(rows.counts.live), hint: ToastHints.change(keys.key(of: .quit)))
        return [.awaitEnd(true)]
    }

    /// Cancels quitting; messages about it no longer apply.
    package mutating func stay() -> [Effect] {
        closeOverlay()
        guard leavesWhenDone else { return [] }
        leavesWhenDone = false
        notify(ViewToasts.autoQuitOff)
        return [.awaitEnd(false)]
    }

    /// Quits if that was requested and nothing is running, but not while the user types, chooses or reads.
    mutating func leaveIfDone() -> [Effect] {
        guard leavesWhenDone, rows.counts.live == 0, overlay == nil, frozen == nil else { return [] }
        leavesWhenDone = false
        return [.quit]
    }

    /// `^C`: as `q`, and the second time in a row at once.
    mutating func interrupt() -> [Effect] {
        if let interruptedAt, now - interruptedAt <= Model.interruptWindow { return [.quit] }
        interruptedAt = now
        return askToQuit()
    }

    /// Leaves the tasks out of an open question that have left the list meanwhile; one about none closes.
    mutating func leaveOutGoneTasks() {
        // A question about a file closes by itself.
        guard case .question(var question) = overlay, question.screen != .fileDialog else { return }
        let there = question.ids.filter { rows.figures(of: $0) != nil }
        guard there.count < question.ids.count else { return }
        question.ids = there
        overlay = there.isEmpty ? nil : .question(question)
        if there.isEmpty { notify(TaskReasons.alreadyRemoved) }
    }

    /// Moves the highlight of a question, wrapping around.
    mutating func moveButton(by steps: Int) {
        guard case .question(var question) = overlay else { return }
        let count = buttons.count
        question.button = (question.button + steps + count) % max(count, 1)
        overlay = .question(question)
    }

    mutating func pressButton() -> [Effect] {
        guard let index = question?.button, buttons.indices.contains(index) else { return [] }
        return buttons[index].run(&self)
    }

    mutating func scrollTasks(by steps: Int) {
        guard case .question(var question) = overlay else { return }
        question.top = min(max(question.top + steps, 0), max(question.ids.count - 1, 0))
        overlay = .question(question)
    }

    /// Selects the clicked row; a second click soon after opens it.
    mutating func pick(_ id: UInt64) {
        guard overlay == nil, details.fullScreenID == nil, let position = rows.position(of: id) else { return }
        let isDouble = lastPick.map { $0.id == id && now - $0.time <= Model.doubleClickTime } ?? false
        lastPick = isDouble ? nil : (id, now)
        list.wasMoved = true
        moveCursor(to: position)
        if isDouble { openDetails() }
    }

    /// The time within which a second click opens the row, in milliseconds.
    private static let doubleClickTime: Int64 = 400

    /// Presses the button, chooses the line or focuses the field of that number.
    package mutating func choose(_ index: Int) -> [Effect] {
        switch overlay {
        case .question(let question): return answer(question, by: index)
        case .actions:
            overlay = .actions(ActionMenu(line: index))
            return chooseAction()
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
        case .palette(var palette):
            palette.line = index
            overlay = .palette(palette)
            return runHighlighted()
        case .leftovers(let state): moveInLeftovers(state, by: index - state.line)
        case .history: changeHistory { $0.move(by: index - $0.line) }
        case .help, .filter, .prompt, .eventLog, nil: break
        }
        return []
    }

    /// Presses a button of a question, unless the click was meant for what the question now covers.
    private mutating func answer(_ question: Question, by index: Int) -> [Effect] {
        guard buttons.indices.contains(index) else { return [] }
        guard !question.isJustAsked(at: now) else {
            notify(ViewToasts.askedJustNowByClick)
            return []
        }
        var question = question
        question.button = index
        overlay = .question(question)
        let effects = pressButton()
        // A user who has just answered one expects the question about the next file.
        if question.screen == .fileDialog { askAboutFiles(after: .answerByClick) }
        return effects
    }

    /// Focuses a field of the form; one without text changes, and a button is pressed.
    private mutating func focus(_ index: Int, of form: AddForm) -> [Effect] {
        guard let field = AddForm.Field(rawValue: index), form.fields.contains(field) else { return [] }
        var form = form
        form.focus = field
        let isChoice = form.changeChoice()
        overlay = .addForm(form)
        return isChoice || form.focusTakesText ? [] : pressForm()
    }
}
