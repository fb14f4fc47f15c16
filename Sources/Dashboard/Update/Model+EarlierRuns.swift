import SessionSupport

/// The history of ended tasks: opening it, searching, adding a task again, and forgetting.
extension Model {
    /// The history that is on the screen, also below its filter's prompt or a help; nil without one.
    var openHistory: HistoryState? { overlay.flatMap(Model.history) }

    private static func history(in overlay: Overlay) -> HistoryState? {
        switch overlay {
        case .history(let state): state
        case .prompt(let prompt): if case .filterHistory(let state) = prompt.purpose { state } else { nil }
        case .help(let help): help.previous.flatMap(history)
        default: nil
        }
    }

    /// Stores the entries that were read, or the reason why the history cannot be read.
    mutating func accept(history page: HistoryPage?, problem: SafeText?) {
        overlay = overlay.map { Model.changed($0) { $0.show(page, problem: problem) } }
    }

    /// Reads the history on the screen again after tasks have ended, in intervals; a request that is repeated does not
    /// count, because the history leaves it out.
    mutating func readHistoryAgain() -> [Effect] {
        guard openHistory != nil else {
            historyDue = nil
            return []
        }
        let (ends, now) = (rows.counts.ended - rows.counts.betweenRuns, self.now)
        overlay = overlay.map { Model.changed($0) { $0.see(ends: ends, now: now) } }
        historyDue = openHistory?.readingTime
        guard let due = historyDue, now >= due else { return [] }
        historyDue = nil
        overlay = overlay.map { Model.changed($0) { $0.readsAgain(now: now) } }
        return [.readHistory]
    }

    /// An overlay whose history is changed, also below its filter's prompt or a help.
    private static func changed(_ overlay: Overlay, _ change: (inout HistoryState) -> Void) -> Overlay {
        switch overlay {
        case .history(var state):
            change(&state)
            return .history(state)
        case .prompt(var prompt):
            guard case .filterHistory(var state) = prompt.purpose else { return overlay }
            change(&state)
            prompt.purpose = .filterHistory(state)
            return .prompt(prompt)
        case .help(var help):
            help.previous = help.previous.map { changed($0, change) }
            return .help(help)
        default: return overlay
        }
    }

    /// Changes the history; does nothing unless it has the keys.
    mutating func changeHistory(_ change: (inout HistoryState) -> Void) {
        guard case .history(var state) = overlay else { return }
        change(&state)
        overlay = .history(state)
    }

    /// Opens the form with what the history has of the highlighted task's request.
    mutating func addEnded() {
        guard case .history(let state) = overlay, let entry = state.current else { return }
        var form = AddForm(defaults: jobDefaults)
        form.kind = entry.kind
        form[.url] = TextField(entry.url.string)
        if entry.kind != .download {
            form[.method] = TextField(entry.method.string)
            if entry.isComplete != true { (form.problem, form.problemField) = (FormErrors.onlyURLKept, .headers) }
        }
        if entry.url.string.contains(Redaction.mask) {
            (form.problem, form.problemField) = (FormErrors.hiddenURL, .url)
        }
        overlay = .addForm(form)
    }

    mutating func forgetAskedEnds() -> [Effect] {
        guard case .history(var state) = overlay, let question = state.question else { return [] }
        let isComplete = question == .shown && state.count == state.page?.lines.count
        let gone = state.forgetAsked()
        overlay = .history(state)
        return [.send(.forgetEnds(isComplete ? nil : gone))]
    }

    /// Withdraws the open question; without one the history closes.
    mutating func leaveHistory() {
        guard case .history(let state) = overlay, state.question != nil else { return closeOverlay() }
        changeHistory { $0.ask(nil) }
    }
}

/// The list of partial files without an owner: opening it, asking, and removing.
extension Model {
    /// The open list; nil while another overlay or none is open.
    var leftoversState: LeftoversState? {
        if case .leftovers(let state) = overlay { state } else { nil }
    }

    /// Stores the partial files that were found, or why the search failed.
    mutating func accept(leftovers parts: [LeftoverLine], problem: SafeText?) {
        guard case .leftovers(var state) = overlay else { return }
        (state.parts, state.problem) = (parts, problem)
        state.line = min(state.line, max(parts.count - 1, 0))
        // The lines in question may have changed by now.
        state.asked = []
        overlay = .leftovers(state)
    }

    mutating func askToRemoveParts(all: Bool) {
        guard case .leftovers(var state) = overlay, let parts = state.parts, let current = state.current else { return }
        state.asked = all ? parts.map(\.path) : [current.path]
        overlay = .leftovers(state)
    }

    mutating func removeAskedParts() -> [Effect] {
        guard case .leftovers(var state) = overlay, !state.asked.isEmpty else { return [] }
        let paths = state.asked
        state.asked = []
        overlay = .leftovers(state)
        passUndo(UndoReasons.leftoversDeleted)
        return [.removeParts(paths)]
    }

    /// Moves through the list, which withdraws an open question.
    mutating func moveInLeftovers(_ state: LeftoversState, by steps: Int) {
        var state = state
        state.asked = []
        state.line = min(max(state.line + steps, 0), max((state.parts?.count ?? 0) - 1, 0))
        overlay = .leftovers(state)
    }

    /// Withdraws the open question; without one the list closes.
    mutating func leaveLeftovers() {
        guard case .leftovers(var state) = overlay, !state.asked.isEmpty else { return closeOverlay() }
        state.asked = []
        overlay = .leftovers(state)
    }
}
