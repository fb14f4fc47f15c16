import DashboardTestSupport
import Testing

@testable import Dashboard

@Suite("Keys and what they ask for", .timeLimit(.minutes(1)))
struct UpdateKeyTests {
    private let size = Size(columns: 80, rows: 24)

    /// Presses keys one after the other and collects what they ask for, but for the details to show.
    private func press(_ model: inout Model, _ text: String, _ keys: KeyPress...) -> [Effect] {
        (text.map(KeyPress.character) + keys).flatMap { update(&model, .key($0)) }.filter { effect in
            if case .watch = effect { false } else { true }
        }
    }

    private func model(_ states: [RowState]) -> Model {
        var model = Model()
        _ = update(&model, .resized(size))
        _ = update(&model, .clock(1000))
        _ = update(&model, .rows(states.enumerated().map { row(UInt64($0 + 1), $1) }))
        return model
    }

    private func row(_ id: UInt64, _ state: RowState) -> RowSnapshot {
        var row = RowSnapshot(
            id: id, kind: Job.Kind.allCases[Int(id % 3)], name: "row" + SafeText(id), url: "http://a/b")
        row.state = state
        return row
    }

    @Test("Right scrolls the names, and where the end of the selected one is seen opens its details; Left goes back")
    func rightEdge() {
        var model = model([.running, .running])
        var long = row(1, .running)
        long.name = SafeText("0123456789") * 4
        _ = update(&model, .rows([long]))
        let room = TableColumns(width: 80).columns.first { $0.kind == .name }?.width ?? 0
        for offset in [8, 40 - room] {
            _ = press(&model, "", .right)
            #expect(model.list.nameOffset == offset)
            #expect(model.details.fullScreenID == nil)
        }
        _ = press(&model, "", .right)
        #expect(model.details.fullScreenID == 1)
        _ = press(&model, "", .left, .left, .left)
        #expect(model.details.fullScreenID == nil)
        #expect(model.list.nameOffset == 0)
        _ = press(&model, "jl")
        #expect(model.details.fullScreenID == 2, "Nothing of a short name is hidden")
        _ = press(&model, "h")
        #expect(model.details.fullScreenID == nil)
    }

    @Test("A failure names the keys that act on the failed task, not on the selected one")
    func failureNamesItsKeys() {
        var model = model([.running, .running])
        func fail(_ id: UInt64) -> String? {
            var failed = row(id, .failed)
            failed.error = "404 Not Found"
            _ = update(&model, .rows([failed]))
            return model.toasts.current?.text.string
        }
        #expect(fail(2) == "row2 failed: 404 Not Found · n select, then r retry")
        #expect(fail(1) == "row1 failed: 404 Not Found · r retry, Enter details")
        _ = update(&model, .rows([row(1, .running), row(2, .running)]))
        _ = press(&model, "", .enter)
        let open = model.details.fullScreenID
        #expect(fail(open == 1 ? 2 : 1)?.hasSuffix(" · \(ToastHints.backAndSelect("q", "n"))") == true)
        #expect(fail(open ?? 0)?.hasSuffix(" · r retry") == true)
    }

    @Test("p, r and x act on the selected task by its id, though rows move between the keys")
    func keysFollowTheTask() {
        var model = model([.running, .running, .running])
        _ = press(&model, "jj")
        #expect(model.list.cursor == 3)
        _ = update(&model, .rows([row(1, .done), row(2, .failed), row(4, .running)]))
        #expect(press(&model, "p") == [.send(.pause([3]))])
        _ = update(&model, .rows([row(3, .paused), row(5, .running)]))
        #expect(press(&model, "r") == [.send(.resume([3]))])
        #expect(press(&model, "x").isEmpty)
        _ = update(&model, .rows([row(6, .running), row(7, .running)]))
        #expect(press(&model, "k") == [.send(.cancel([3], deletingParts: false))])
    }

    @Test("Ten thousand random keys act only on tasks that were targets when the key was pressed")
    func randomKeysHitTargets() {
        var random = GoldenRandom(seed: 11)
        var model = model(Array(repeating: .running, count: 100))
        for step in 0..<10_000 {
            if step % 3 == 0 {
                let states: [RowState] = [.running, .paused, .queued, .failed, .done]
                let changed = row(
                    UInt64.random(in: 1...100, using: &random), states.randomElement(using: &random) ?? .paused)
                _ = update(&model, .rows([changed]))
            }
            let targets = Set(model.targets.map(\.id))
            var asked: [UInt64] = []
            if let question = model.question { asked = question.ids }
            if case .prompt(let prompt) = model.overlay, case .newURL(let id) = prompt.purpose { asked = [id] }
            let screen = model.screen
            let key = random.key()
            for effect in update(&model, .key(key)) {
                switch effect {
                case .send(.pause(let ids)), .send(.resume(let ids)):
                    if KeyBindings.standard.command(for: key, on: screen)?.title == "Pause"
                        || KeyBindings.standard.command(for: key, on: screen)?.title == "Resume"
                    {
                        #expect(targets.isSuperset(of: ids))
                    }
                case .send(.cancel(let ids, _)): #expect(Set(asked).isSuperset(of: ids))
                case .send(.prioritise(let ids, _)):
                    if KeyBindings.standard.command(for: key, on: screen)?.title != "Undo" {
                        #expect(targets.isSuperset(of: ids))
                    }
                case .deleteFiles(let ids): #expect(Set(asked).isSuperset(of: ids))
                case .send(.moveInQueue(let ids, _)), .quote(let ids, _), .send(.startNow(let ids)),
                    .send(.fetchAgain(let ids)), .askPaths(let ids):
                    #expect(targets.isSuperset(of: ids))
                case .view(let id), .edit(let id), .open(let id, _):
                    #expect(targets.contains(id) || model.current?.id == id)
                default: break
                }
            }
        }
    }

    @Test("The cancel dialog is safe by default and has a letter for each answer")
    func cancelDialog() {
        var model = model([.running])
        var download = row(1, .running)
        download.kind = .download
        _ = update(&model, .rows([download]))
        #expect(press(&model, "x", .enter).isEmpty)
        #expect(model.overlay == nil)
        #expect(press(&model, "x", .escape).isEmpty)
        #expect(press(&model, "xn").isEmpty)
        #expect(press(&model, "xd") == [.send(.cancel([1], deletingParts: true))])
        #expect(press(&model, "x", .right, .enter) == [.send(.cancel([1], deletingParts: false))])
        _ = press(&model, "x")
        _ = update(&model, .rows([row(1, .done)]))
        #expect(press(&model, "d").isEmpty)
    }

    @Test("Marks are by id: they stay on their tasks, and actions take all of them and skip what does not apply")
    func marks() {
        var model = model([.running, .paused, .verifying])
        #expect(press(&model, "Ap") == [.send(.pause([1]))])
        #expect(
            model.toasts.current?.text == "\(TaskToasts.paused(1)), \(TaskToasts.skipped(2)) · \(ToastHints.undo("z"))")
        _ = update(&model, .rows([row(4, .running), row(1, .failed)]))
        #expect(model.list.marks == [1, 2, 3])
        #expect(press(&model, "r") == [.send(.resume([1, 2]))])
        _ = press(&model, "i")
        #expect(model.list.marks == [4])
        _ = press(&model, "U")
        #expect(model.list.marks.isEmpty)
        _ = update(&model, .removed([4]))
        #expect(press(&model, "g Vjj").isEmpty)
        #expect(model.list.marks.count == 3)
    }

    @Test("P and R act on the view alone and say what is hidden, and z takes the latest back, however late")
    func wholeView() {
        var model = model([.running, .running, .running, .paused])
        _ = press(&model, "3")
        #expect(model.rows.shownIDs == [1, 4])
        #expect(press(&model, "P") == [.send(.pause([1]))])
        #expect(
            model.toasts.current?.text
                == "\(TaskToasts.paused(1)), \(TaskToasts.hiddenKept(2)) · \(ToastHints.undo("z"))")
        #expect(press(&model, "z") == [.send(.undo(.resume([1])))])
        #expect(press(&model, "z").isEmpty)
        _ = press(&model, "1")
        #expect(press(&model, "R") == [.send(.resume([4]))])
        _ = update(&model, .clock(6_000_000))
        _ = update(&model, .rows([row(4, .running)]))
        #expect(press(&model, "z") == [.send(.undo(.pause([4])))])
        #expect(press(&model, "z").isEmpty)
    }

    @Test("A pause says how many it pauses and how many it only holds in the queue")
    func heldInQueue() {
        var model = model([.running, .queued, .retrying, .queued, .queued, .done])
        #expect(press(&model, "P") == [.send(.pause([1, 3, 2, 4, 5]))])
        #expect(model.toasts.current?.text == "\(TaskToasts.paused(5)) · \(ToastHints.undo("z"))")
        var waiting = self.model([.queued])
        #expect(press(&waiting, "p") == [.send(.pause([1]))])
        #expect(waiting.toasts.current?.text == "\(TaskToasts.paused(1)) · \(ToastHints.undo("z"))")
    }

    @Test("A key that would do nothing says why")
    func disabledKeysExplain() {
        var model = model([.done])
        #expect(press(&model, "p").isEmpty)
        #expect(model.toasts.current?.text == TaskReasons.nothingToPause)
        #expect(press(&model, "x").isEmpty)
        #expect(model.overlay == nil)
    }

    @Test("Quitting asks only while something is live; Esc stays, s and q leave, ^C twice leaves")
    func quitting() {
        var idle = model([.done, .paused])
        #expect(press(&idle, "q") == [.quit])
        var live = model([.running])
        #expect(press(&live, "q", .escape).isEmpty)
        #expect(press(&live, "q", .enter).isEmpty)
        #expect(press(&live, "qs") == [.quit])
        #expect(press(&live, "q") == [.quit])
        _ = press(&live, "", .escape)
        #expect(press(&live, "Q") == [.quit])
        #expect(press(&live, "", .control("c")).isEmpty)
        #expect(live.screen == .quitDialog)
        #expect(press(&live, "", .control("c")) == [.quit])
        _ = update(&live, .clock(9000))
        #expect(press(&live, "", .escape, .control("c")).isEmpty)
        #expect(update(&live, .terminate) == [.quit])
    }

    @Test("Esc goes back one step at a time and never leaves")
    func stepsBack() {
        var model = model([.running, .running])
        _ = press(&model, " /row", .enter)
        _ = update(&model, .toast("something", isError: true))
        _ = press(&model, "", .enter)
        #expect(model.screen == .details)
        #expect(press(&model, "", .escape).isEmpty)
        #expect(model.screen == .list)
        #expect(press(&model, "", .escape).isEmpty)
        #expect(model.toasts.current == nil && model.rows.query.filter == "row")
        #expect(press(&model, "", .escape).isEmpty)
        #expect(model.rows.query.filter.isEmpty && !model.list.marks.isEmpty)
        #expect(press(&model, "", .escape, .escape, .escape).isEmpty)
        #expect(model.list.marks.isEmpty)
    }

    @Test("The filter works while it is typed; Enter keeps it and Esc clears it")
    func filterAsYouType() {
        var model = model([.running, .running, .running])
        _ = press(&model, "/row2")
        #expect(model.rows.shownIDs == [2])
        _ = press(&model, "", .backspace)
        #expect(model.rows.shownIDs == [1, 2, 3])
        _ = press(&model, "3", .enter)
        #expect(model.rows.shownIDs == [3] && model.overlay == nil)
        #expect(press(&model, "p") == [.send(.pause([3]))])
        _ = press(&model, "/", .escape)
        #expect(model.rows.shownIDs == [1, 2, 3])
        #expect(model.list.cursor == 3)
    }

    @Test("Help over a dialog comes back to the dialog")
    func helpReturns() {
        var model = model([.running])
        _ = press(&model, "x?")
        #expect(model.screen == .help)
        _ = press(&model, "", .escape)
        #expect(model.screen == .cancelDialog)
        #expect(press(&model, "k") == [.send(.cancel([1], deletingParts: false))])
    }

    @Test("Movement reaches the first and the last row and stops there")
    func movement() {
        var model = model(Array(repeating: .queued, count: 100))
        let height = model.layout.table.count
        _ = press(&model, "G")
        #expect(model.list.position == 99 && model.list.top == 100 - height)
        _ = press(&model, "jjj", .pageDown, .control("d"))
        #expect(model.list.position == 99)
        _ = press(&model, "g")
        #expect(model.list.position == 0 && model.list.top == 0)
        _ = press(&model, "", .pageDown)
        #expect(model.list.position == height - 1)
        _ = press(&model, "", .control("u"), .up, .control("b"))
        #expect(model.list.position == 0)
    }

    @Test("A frame shows the rows on the lines of the table, and the row whose details fill the screen")
    func drawnRows() {
        #expect(model([]).drawnRows == [])
        #expect(model([.running, .queued]).drawnRows == [1, 2])
        var model = model(Array(repeating: .queued, count: 100))
        let height = UInt64(model.layout.table.count)
        #expect(model.drawnRows == Set(1...height))
        _ = press(&model, "G")
        #expect(model.drawnRows == Set(101 - height...100))
        _ = press(&model, "", .enter)
        #expect(model.screen == .details && model.drawnRows.contains(100))
    }

    @Test("The selection moves to a neighbour when its task goes, and stays on its task otherwise")
    func selectionSurvives() {
        var model = model([.queued, .queued, .queued])
        _ = press(&model, "j")
        _ = update(&model, .removed([1]))
        #expect(model.list.cursor == 2 && model.list.position == 0)
        _ = update(&model, .removed([2]))
        #expect(model.list.cursor == 3)
        _ = update(&model, .removed([3]))
        #expect(model.list.cursor == nil)
        #expect(press(&model, "jkpGg ").isEmpty)
    }

    @Test("Without following, the view stays where it is while rows move")
    func viewStays() {
        var model = model(Array(repeating: .queued, count: 60))
        _ = press(&model, "jkF")
        _ = update(&model, .rows((2...60).map { row($0, .running) }))
        #expect(model.list.cursor == 1 && model.list.position == 59 && model.list.top == 0)
        _ = press(&model, "F")
        #expect(model.list.top > 0)
    }
}
