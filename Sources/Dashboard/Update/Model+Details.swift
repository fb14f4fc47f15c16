import SessionSupport

extension Model {
    /// Requests the details of the current row when that has changed.
    mutating func watchCurrent() -> [Effect] {
        let id = (details.fullScreenID ?? list.cursor).flatMap { rows.figures(of: $0)?.id }
        guard id != details.watchedID else { return [] }
        details.watchedID = id
        details.rowDetails = nil
        details.json = nil
        details.revealsSecrets = false
        return [.watch(id)]
    }

    /// Shows the graph instead of the details beside the list, or the details again.
    mutating func toggleGraph() {
        details.showsGraph = details.pane == .off || !details.showsGraph
        if details.pane == .off { details.pane = .small }
        if details.showsGraph, layout.details.isEmpty { notify(ViewToasts.noRoomForGraph) }
    }

    mutating func toggleSecrets() {
        details.revealsSecrets.toggle()
        guard details.revealsSecrets else { return notify(ViewToasts.secretsHidden) }
        notify(ViewToasts.secretsShown, hint: ToastHints.hide(keys.key(of: .secrets)))
    }

    /// Scrolls the full screen's text sideways, at most to the end of its longest line; at the start it closes the
    /// details.
    mutating func scrollDetails(by cells: Int) {
        guard let row = current else { return }
        if cells < 0, details.left == 0 { return closeDetails() }
        let lines = DetailsContent(model: self, row: row).lines(of: details.tab)
        // For a JSON body only the visible lines are measured, because there may be many.
        let seen =
            details.json == nil ? 0..<lines.count : (details.top..<details.top + size.rows).clamped(to: 0..<lines.count)
        let longest = lines[seen].map { CellWidth.cells(of: $0.text) }.max() ?? 0
        details.left = min(max(details.left + cells, 0), max(longest - 1, 0))
    }

    /// Asks for the path of the current data request's body.
    mutating func askForBodyPath() {
        guard let row = current else { return }
        let name = ReadablePath.lastName(inURL: row.url.string) ?? "body"
        overlay = .prompt(Prompt(purpose: .writeBody(row.id), field: TextField(name)))
    }

    /// Accepts the answer of a prompt, or reports its error.
    mutating func acceptPrompt() -> [Effect] {
        guard case .prompt(var prompt) = overlay else { return [] }
        let answer = prompt.field.text.trimmed
        switch prompt.purpose {
        case .writeBody(let id):
            guard !answer.isEmpty, !answer.hasSuffix("/") else {
                prompt.problem = FormErrors.noFileName
                overlay = .prompt(prompt)
                return []
            }
            overlay = nil
            history.add(answer, to: .path)
            return [.writeBody(id, path: answer)]
        case .repeatRequest(let id):
            let seconds = Int(answer)
            let isValid = answer.isEmpty || seconds.map { (1...86_400).contains($0) } == true
            guard isValid, rows.figures(of: id) != nil else {
                prompt.problem = isValid ? TaskReasons.alreadyRemoved : FormErrors.seconds
                overlay = .prompt(prompt)
                return []
            }
            overlay = nil
            history.add(answer, to: .seconds)
            notify(seconds.map { TaskToasts.repeats(every: $0) } ?? TaskToasts.repeatStopped)
            passUndo(UndoReasons.repetition(keys.key(of: .repeatRequest)))
            return [.send(.repeatRequest(id, seconds: seconds))]
        case .newURL(let id): return accept(prompt) { model, effects in model.goOn(id, from: answer, &effects) }
        case .moveFile(let id, let path):
            return accept(prompt) { model, effects in model.move(id, from: path, to: answer, &effects) }
        case .moveFiles(let files):
            return accept(prompt) { model, effects in model.move(files, to: answer, &effects) }
        case .jsonPath: return accept(prompt) { model, _ in model.showJSON(at: answer) }
        case .limitRate: return accept(prompt) { model, effects in model.limit(to: answer, &effects) }
        case .limitTasks(let ids, let now):
            return accept(prompt) { model, effects in model.limit(ids, now: now, to: answer, &effects) }
        case .amend(let ids):
            return accept(prompt) { model, effects in model.amend(ids, by: answer, &effects) }
        case .search:
            overlay = nil
            history.add(prompt.field.text, to: .search)
            search(for: prompt.field.text)
            return []
        case .saveView:
            history.add(answer, to: .view)
            return saveView(answer, prompt)
        case .filterLog:
            if let problem = LogFilter(answer).problem {
                prompt.problem = problem
                overlay = .prompt(prompt)
                return []
            }
            history.add(answer, to: .filter)
            overlay = .eventLog(EventLogState(filter: answer))
            return []
        case .filterHistory(var state):
            if let problem = HistoryFilter(answer).problem {
                prompt.problem = problem
                overlay = .prompt(prompt)
                return []
            }
            history.add(answer, to: .filter)
            state.setFilter(answer)
            overlay = .history(state)
            return []
        }
    }

    /// Closes a prompt whose answer was carried out; otherwise it stays and reports why not.
    private mutating func accept(
        _ prompt: Prompt, _ carryOut: (inout Model, inout [Effect]) -> SafeText?
    ) -> [Effect] {
        var effects: [Effect] = []
        overlay = nil
        if let problem = carryOut(&self, &effects) {
            var prompt = prompt
            prompt.problem = problem
            overlay = .prompt(prompt)
            return []
        }
        if let kind = prompt.history { history.add(prompt.field.text.trimmed, to: kind) }
        return effects
    }

    /// Searches from the first visible line on; an empty text ends the search.
    mutating func search(for text: String) {
        details.search = TextSearch(text).map { DetailsSearch(text: $0) }
        goToMatch(1)
    }

    private func shownPartOfBody(of row: RowSnapshot) -> SafeText? {
        details.watchedID == row.id ? details.rowDetails?.body.shownPart : nil
    }

    /// Goes to the next or previous matching line, wrapping around.
    ///
    /// It searches exactly the drawn lines, so that every match is visible.
    mutating func goToMatch(_ direction: Int) {
        guard let search = details.search, let row = current else { return }
        let lines = DetailsContent(model: self, row: row).lines(of: details.tab)
        let found = lines.indices.filter { lines[$0].has(search.text) }
        guard let first = found.first, let last = found.last else {
            details.search?.match = nil
            let text = SafeText(untrusted: search.text.text)
            let part = details.tab == .body ? shownPartOfBody(of: row) : nil
            let tab = details.tab.title
            notify(part.map { ViewToasts.notFound(text, in: $0, of: tab) } ?? ViewToasts.notFound(text, in: tab))
            return
        }
        let top = min(details.top, lines.count - 1)
        let next =
            direction > 0
            ? found.firstIndex { $0 > search.match?.line ?? top - 1 }
            : found.lastIndex { $0 < search.match?.line ?? top }
        if next == nil { notify(direction > 0 ? ViewToasts.searchFromTop : ViewToasts.searchFromEnd) }
        let index = next ?? found.firstIndex(of: direction > 0 ? first : last) ?? 0
        details.search?.match = .init(line: found[index], ordinal: index + 1, count: found.count)
        show(line: found[index], top: top)
    }

    /// Scrolls only if a line is not on the screen; a message may cover the last text line.
    private mutating func show(line: Int, top: Int) {
        let height = max(ScreenLayout.detailsRows(height: size.rows).count - 1, 1)
        details.top = (top..<top + height).contains(line) ? top : max(line - height / 3, 0)
        if details.tab == .body { details.json?.moveCursor(to: line - 1) }
    }
}

/// A JSON body in the full-screen details: its folds, and the part shown.
extension Model {
    /// Stores the details of the watched transfer; folds and the shown part are kept, also for another response.
    mutating func accept(_ rowDetails: RowDetails, of id: UInt64) {
        guard id == details.watchedID else { return }
        details.rowDetails = rowDetails
        guard rowDetails.body.tree != details.json?.tree else { return }
        // While a request is resent its body is still the previous response's.
        details.json = rowDetails.body.tree.map { JSONView($0, after: details.json) }
        if details.tab == .body, details.fullScreenID == id, details.json != nil { showJSONCursor() }
    }

    /// Moves the selected line, and the view along with it.
    mutating func moveInJSON(by steps: Int) {
        guard let json = details.json else { return }
        details.json?.moveCursor(to: json.cursor + min(max(steps, -json.count), json.count))
        showJSONCursor()
    }

    mutating func foldJSON() {
        details.json?.toggleFold()
        showJSONCursor()
    }

    mutating func foldAllJSON() {
        details.json?.toggleAll()
        showJSONCursor()
    }

    /// Shows the values at a path, or all for an empty one; returns the error in the path.
    mutating func showJSON(at text: String) -> SafeText? {
        do throws(JSONPath.Problem) {
            try details.json?.show(text.isEmpty ? nil : JSONPath(text))
        } catch {
            return error.sentence
        }
        if details.tab != .body { show(.body) }
        showJSONCursor()
        return nil
    }

    /// Scrolls as little as needed to show the selected line, and the lines over the first one.
    private mutating func showJSONCursor() {
        guard let json = details.json else { return }
        // A message may cover the last line.
        let height = max(ScreenLayout.detailsRows(height: size.rows).count - 1, 1)
        let line = json.cursor + DetailsContent.linesOverJSON
        details.top =
            line < height ? 0 : ScreenLayout.top(details.top, showing: line, height: height)
        details.search?.match = nil
    }
}
