import DashboardTestSupport

@testable import Dashboard
@testable import TransferValues

/// A dashboard whose rows change and move between any two keys, and what each key may ask for.
///
/// What is expected is worked out from the ids that were selected, marked or named by the question when the key was
/// pressed, without the model's own idea of a target.
struct SelectionWalk {
    /// How often rows moved while the selection stayed on its task.
    private(set) var movesUnderCursor = 0
    /// How often a command asked for something.
    private(set) var acted: [String: Int] = [:]

    private var model = Model()
    private var random: GoldenRandom
    private var time: Int64 = 0
    private var nextID: UInt64
    private var ids: [UInt64]
    /// What the question on the screen was asked about.
    private var asked: [UInt64] = []
    /// What the prompt on the screen was opened for.
    private var prompted: UInt64?
    /// What every step so far was about that can be taken back.
    private var undoable: Set<[UInt64]> = []
    /// What passing time did that it must not.
    private var timeProblem: String?

    init(seed: UInt64, count: Int) {
        random = GoldenRandom(seed: seed)
        nextID = UInt64(count) + 1
        ids = Array(1...UInt64(count))
        send(.resized(Size(columns: 100, rows: 30)))
        send(.clock(time))
        send(.rows(ids.map { row($0, .queued) }))
    }

    // MARK: Rows

    /// Lets time pass, some rows change, and now and then one goes and another comes.
    mutating func moveRows() {
        let before = (model.list.cursor, model.list.position)
        time += 50
        let effects = send(.clock(time)).filter(Self.names)
        if !effects.isEmpty { timeProblem = "time: \(effects)" }
        var rows: [RowSnapshot] = []
        for _ in 0..<6 {
            guard let id = ids.randomElement(using: &random) else { continue }
            rows.append(row(id, RowState.allCases.randomElement(using: &random) ?? .running))
        }
        if Int.random(in: 0..<40, using: &random) == 0, let index = ids.indices.randomElement(using: &random) {
            send(.removed([ids[index]]))
            ids[index] = nextID
            rows.append(row(nextID, .queued))
            nextID += 1
        }
        send(.rows(rows))
        if model.list.cursor == before.0, model.list.position != before.1 { movesUnderCursor += 1 }
    }

    private mutating func row(_ id: UInt64, _ state: RowState) -> RowSnapshot {
        let kind = Job.Kind.allCases[Int(id % 3)]
        var row = RowSnapshot(id: id, kind: kind, name: "row" + SafeText(id), url: "http://a/" + SafeText(id))
        row.state = state
        row.expected = 1 << 20
        row.received = Int64.random(in: 0...(1 << 20), using: &random)
        row.sent = row.received
        row.priority = model.rows[id]?.priority ?? 0
        return row
    }

    /// Sends a message and answers what it asks for as the session would, as far as it matters here.
    @discardableResult
    private mutating func send(_ message: Message) -> [Effect] {
        let effects = update(&model, message)
        if case .watch(let id?) = effects.last {
            var details = RowDetails()
            details.body = BodyPreview(bytes: "body".utf8, total: 4, contentType: "text/plain")
            _ = update(&model, .details(id, details))
        }
        return effects
    }

    // MARK: Keys

    /// Presses a key, mostly one that means something, and says what it did that it must not; nil when all is well.
    mutating func press() -> String? {
        if let timeProblem { return timeProblem }
        let key = nextKey()
        let screen = model.screen
        guard let command = model.keys.command(for: key, on: screen), command.reason(in: model) == nil else {
            let effects = send(.key(key)).filter(Self.names)
            return effects.isEmpty ? nil : "\(key) means nothing on \(screen), but: \(effects)"
        }
        let title = command.title.string
        let expected = expectation(of: title, on: screen)
        let (aside, step) = (model.rows.asideIDs.sorted(), model.undo.next)
        var effects = send(.key(key)).map(Self.plain).filter(Self.names)
        effects.removeAll { effect in
            switch effect {
            // The oldest steps make room for a further one, and what they have cleared goes for good.
            case .send(.clear(let ids)):
                Set(ids).isSubset(of: aside) && model.undo.bringsBack.isDisjoint(with: ids)
            // What is cleared leaves the table with the same key.
            case .send(.remove(let ids, deletingParts: false)):
                !expected.contains(effect) && Set(model.rows.asideIDs).subtracting(aside) == Set(ids)
            default: false
            }
        }
        if title == "Undo", let step { effects.removeAll { Self.goesOn($0, after: step) } }
        if !effects.isEmpty || model.rows.asideIDs.sorted() != aside { acted[title, default: 0] += 1 }
        for case .send(.prioritise(let ids, let steps)) in effects { prioritise(ids, by: steps) }
        guard effects == expected else { return "\(title) on \(screen): \(effects) instead of \(expected)" }
        return nil
    }

    /// What an undo does.
    private static func plain(_ effect: Effect) -> Effect {
        if case .send(.undo(let step)) = effect { .send(step) } else { effect }
    }

    /// Whether an effect lets tasks go on that a step has stopped, which the table may not show.
    private static func goesOn(_ effect: Effect, after step: UndoList.Step) -> Bool {
        switch (step, effect) {
        case (.cancelled(let tasks), .send(.resume(let ids))), (.removed(_, let tasks), .send(.resume(let ids))),
            (.cancelled(let tasks), .send(.pause(let ids))), (.removed(_, let tasks), .send(.pause(let ids))):
            Set(tasks.ids).isSuperset(of: ids)
        case (.removed, .send(.restore(let ids))): Set(step.ids).isSuperset(of: ids)
        default: false
        }
    }

    private mutating func nextKey() -> KeyPress {
        let screen = model.screen
        // Fields, small tables and frozen ones would otherwise keep most of the keys to themselves.
        if Int.random(in: 0..<2, using: &random) == 0 {
            if screen.takesText || model.rows.shownCount < 200 { return screen == .prompt ? .enter : .escape }
            if model.frozen != nil { return .character("Z") }
        }
        let bound = model.keys.commands(on: screen).flatMap { $0.keys(on: screen) }
        let isAny = Int.random(in: 0..<4, using: &random) == 0
        return (isAny ? nil : bound.randomElement(using: &random)) ?? random.key()
    }

    private mutating func prioritise(_ ids: [UInt64], by steps: Int) {
        let rows = ids.compactMap { id in
            model.rows[id].map { old in
                var row = old
                row.priority = Int8(min(max(Int(old.priority) + steps, -2), 2))
                return row
            }
        }
        send(.rows(rows))
    }

    /// Whether an effect names transfers.
    private static func names(_ effect: Effect) -> Bool {
        switch effect {
        case .send(.pause(let ids)), .send(.resume(let ids)), .send(.cancel(let ids, _)), .send(.clear(let ids)),
            .send(.remove(let ids, _)), .send(.restore(let ids)), .send(.prioritise(let ids, _)),
            .send(.moveInQueue(let ids, _)), .quote(let ids, _),
            .send(.startNow(let ids)), .send(.fetchAgain(let ids)), .deleteFiles(let ids), .askPaths(let ids):
            !ids.isEmpty
        case .view, .edit, .send(.replace), .send(.repeatRequest), .writeBody, .open, .changeURL: true
        default: false
        }
    }

    // MARK: What a key may ask for

    /// What a person who looks at the screen believes to be selected.
    private var selection: [RowSnapshot] {
        if model.details.fullScreenID == nil, model.list.marks.isEmpty, let group = model.list.group {
            return shown.filter { model.rows.groupNumber(of: $0.id) == group }
        }
        let one = model.details.fullScreenID ?? (model.list.marks.isEmpty ? model.list.cursor : nil)
        return (one.map { [$0] } ?? model.list.marks.sorted()).compactMap { model.rows[$0] }
    }

    private var current: RowSnapshot? { (model.details.fullScreenID ?? model.list.cursor).flatMap { model.rows[$0] } }

    private static let pausable: Set<RowState> = [.running, .retrying, .queued]
    private static let over: Set<RowState> = [.failed, .done, .cancelled]

    /// Whether a row was cancelled and has not ended: it is resumed once it has.
    private func isEnding(_ row: RowSnapshot) -> Bool { !row.state.isFinal && model.endPlans[row.id] == .ends }

    private static func canStart(_ row: RowSnapshot) -> Bool {
        [.pausing, .paused, .failed, .cancelled].contains(row.state) || row.state == .done && row.kind == .data
    }

    private mutating func expectation(of title: String, on screen: Screen) -> [Effect] {
        let effects: [Effect] =
            switch screen {
            case .cancelDialog: [answer(to: title)].compactMap { $0 }
            case .removeDialog: removalAnswer(to: title)
            case .actionMenu: title == "Choose" ? chosenAction : []
            case .clearDialog, .fileDialog: []
            case .prompt: title == "OK" ? acceptedPrompt : []
            case .list, .details: transfersExpectation(of: title) + queueExpectation(of: title)
            case .palette: title == "Run" ? paletteExpectation : []
            case .help, .quitDialog, .detachDialog, .addForm, .editForm, .filterPrompt, .sortMenu, .stateMenu, .options,
                .eventLog,
                .leftovers, .history:
                []
            }
        return effects.filter(Self.names)
    }

    /// What the highlighted command of the palette would do by its own key.
    private var paletteExpectation: [Effect] {
        mutating get {
            guard case .palette(let palette) = model.overlay else { return [] }
            let offered = model.offered(by: palette)
            guard offered.indices.contains(palette.line), offered[palette.line].reason(in: model) == nil
            else { return [] }
            return expectation(of: offered[palette.line].title.string, on: palette.screen)
        }
    }

    private mutating func transfersExpectation(of title: String) -> [Effect] {
        switch title {
        case "Pause": return [.send(.pause(remembered(selection.filter { Self.pausable.contains($0.state) })))]
        case "Pause all": return [.send(.pause(remembered(shown.filter { Self.pausable.contains($0.state) })))]
        case "Resume all": return [.send(.resume(remembered(shown.filter(\.state.isPaused))))]
        case "Resume":
            undoable.insert(selection.filter { Self.canStart($0) && !isEnding($0) }.map(\.id))
            return [.send(.resume(selection.filter { Self.canStart($0) || isEnding($0) }.map(\.id)))]
        case "Cancel": asked = selection.filter { !Self.over.contains($0.state) }.map(\.id)
        case "Remove":
            let selection = selection
            asked = selection.map(\.id)
            if !selection.contains(where: Self.leavesSomething) { return removal(deletingFiles: false) }
        case "Start now": return [.send(.startNow(selection.filter(Self.canStartNow).map(\.id)))]
        case "Fetch again": return [.send(.fetchAgain(selection.filter { $0.state == .done }.map(\.id)))]
        case "Clear ended": asked = shown.filter { Self.over.contains($0.state) }.map(\.id).sorted()
        case "Undo": return undone
        default: break
        }
        return []
    }

    private mutating func queueExpectation(of title: String) -> [Effect] {
        var waiting: [UInt64] { selection.filter { $0.state == .queued }.map(\.id) }
        switch title {
        case "Raise priority": return [.send(.prioritise(remembered(prioritised(by: 1)), by: 1))]
        case "Lower priority": return [.send(.prioritise(remembered(prioritised(by: -1)), by: -1))]
        case "Move up": return [.send(.moveInQueue(waiting, by: -1))]
        case "Move down": return [.send(.moveInQueue(waiting, by: 1))]
        case "Copy URL": return [.quote(selection.map(\.id), asCommands: false)]
        case "Copy as curl": return [.quote(selection.map(\.id), asCommands: true)]
        case "View": return current.map { [.view($0.id)] } ?? []
        case "Edit": return selection.count == 1 ? [.edit(selection[0].id)] : []
        case "Rename":
            let movable = selection.filter(\.figures.hasMovableFile).map(\.id)
            return movable.isEmpty ? [] : [.askPaths(movable)]
        case "Write", "Repeat", "New URL": prompted = current?.id
        default: break
        }
        return []
    }

    private func prioritised(by steps: Int) -> [RowSnapshot] {
        selection.filter { !Self.over.contains($0.state) && abs(Int($0.priority) + steps) <= 2 }
    }

    private mutating func remembered(_ rows: [RowSnapshot]) -> [UInt64] {
        // What hits nothing leaves what can be taken back.
        let ids = rows.map(\.id)
        if !ids.isEmpty { undoable.insert(ids) }
        return ids
    }

    private var shown: [RowSnapshot] { model.rows.shownIDs.compactMap { model.rows[$0] } }

    private var undone: [Effect] {
        func there(_ ids: [UInt64], where fits: (RowFigures) -> Bool) -> [UInt64] {
            // A step about other tasks than a key was about takes back what was not done.
            undoable.contains(ids) ? ids.filter { model.rows.figures(of: $0).map(fits) ?? false } : []
        }
        func isOpen(_ row: RowFigures) -> Bool { row.state.isPaused || Self.pausable.contains(row.state) }
        return switch model.undo.next {
        case .paused(let ids): [.send(.resume(there(ids, where: isOpen)))]
        case .resumed(let ids): [.send(.pause(there(ids, where: isOpen)))]
        case .prioritised(let ids, let steps):
            [.send(.prioritise(there(ids) { !Self.over.contains($0.state) }, by: -steps))]
        case .movedInQueue, .limited, .rated, .limitedTask, .movedFile, .movedFiles, .cancelled, .removed, nil: []
        }
    }

    private func answer(to title: String) -> Effect? {
        let live = asked.filter { id in model.rows.figures(of: id).map { !Self.over.contains($0.state) } ?? false }
        guard let button = model.question?.button else { return nil }
        if title == "Keep" || title == "Choose" && button == 1 {
            return .send(.cancel(live, deletingParts: false))
        }
        if title == "Delete" || title == "Choose" && button == 2 {
            return .send(.cancel(live, deletingParts: true))
        }
        return nil
    }

    /// Only for a prompt whose answer is taken.
    private var acceptedPrompt: [Effect] {
        guard let prompted, case .prompt(let prompt) = model.overlay else { return [] }
        let answer = prompt.field.text.trimmed
        switch prompt.purpose {
        case .writeBody: return answer.isEmpty || answer.hasSuffix("/") ? [] : [.writeBody(prompted, path: answer)]
        case .repeatRequest:
            let isAllowed = answer.isEmpty || Int(answer).map { (1...86_400).contains($0) } ?? false
            return isAllowed ? [.send(.repeatRequest(prompted, seconds: Int(answer)))] : []
        case .newURL:
            // A download that has failed or was cancelled goes on too.
            guard !answer.isEmpty, let url = try? AddForm.completed(answer),
                let state = model.rows[prompted]?.state, ![.verifying, .saving, .done].contains(state)
            else { return [] }
            return [.changeURL(prompted, url: url)]
        case .moveFile, .moveFiles, .search, .jsonPath, .saveView, .filterLog, .filterHistory, .limitRate, .limitTasks,
            .amend:
            return []
        }
    }

    // MARK: Removing

    private static func leavesSomething(_ row: RowSnapshot) -> Bool {
        !over.contains(row.state) || row.kind == .download && (row.state == .done || row.received > 0)
    }

    private static func canStartNow(_ row: RowSnapshot) -> Bool {
        [.queued, .retrying, .pausing, .paused, .failed, .cancelled].contains(row.state)
    }

    private func removalAnswer(to title: String) -> [Effect] {
        guard let button = model.question?.button else { return [] }
        if title == "Keep" || title == "Choose" && button == 1 { return removal(deletingFiles: false) }
        if title == "Delete" || title == "Choose" && button == 2 { return removal(deletingFiles: true) }
        return []
    }

    /// What leaves is told at once, and cancelled where it runs; files go only where that was said.
    private func removal(deletingFiles: Bool) -> [Effect] {
        let rows = asked.compactMap { model.rows[$0] }
        guard !rows.isEmpty else { return [] }
        let files = deletingFiles ? rows.filter { $0.kind == .download && $0.state == .done }.map(\.id) : []
        let gone = rows.map(\.id).filter { !files.contains($0) }
        let effects: [Effect] = [.send(.remove(gone, deletingParts: deletingFiles)), .deleteFiles(files)]
        return effects
    }

    /// The menu does what the key of its line does.
    private var chosenAction: [Effect] {
        mutating get {
            guard case .actions(let menu) = model.overlay,
                model.keys.menu[menu.line].reason(in: model) == nil
            else { return [] }
            let title = model.keys.menu[menu.line].title.string
            return transfersExpectation(of: title) + queueExpectation(of: title)
        }
    }
}
