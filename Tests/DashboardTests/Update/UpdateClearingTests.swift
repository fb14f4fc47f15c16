import DashboardTestSupport
import Testing

@testable import Dashboard
@testable import DashboardView

@Suite("Clearing the list, and having it back")
struct UpdateClearingTests {
    private func row(_ id: UInt64, _ state: RowState) -> RowSnapshot {
        var row = RowSnapshot(id: id, kind: .data, name: "row" + SafeText(id), url: "http://a/")
        row.state = state
        return row
    }

    /// A model at one second with a row of each state, numbered from one.
    private func model(_ states: RowState...) -> Model {
        var model = Model()
        _ = update(&model, .clock(1000))
        _ = update(&model, .rows(states.enumerated().map { row(UInt64($0 + 1), $1) }))
        return model
    }

    private func press(_ model: inout Model, _ text: String) -> [Effect] {
        text.flatMap { update(&model, .key(.character($0))) }.filter { effect in
            if case .watch = effect { false } else { true }
        }
    }

    private static func removed(_ ids: UInt64...) -> [Effect] { [.send(.remove(ids, deletingParts: false))] }
    private static func restored(_ ids: UInt64...) -> [Effect] { [.send(.restore(ids))] }

    @Test("Cleared rows leave the table and the service at once, can be had back for hours, and go for good at the end")
    func clearing() {
        var model = model(.done, .running, .done)
        #expect(press(&model, "c") == Self.removed(1, 3))
        #expect(model.rows.shownIDs == [2])
        #expect(model.toasts.current?.text == "\(TaskToasts.cleared(2)) · \(ToastHints.undo("z"))")
        // The service says so to every window, and this one has them back all the same.
        #expect(update(&model, .removed([1, 3])).isEmpty)
        #expect(update(&model, .clock(9_000_000)).isEmpty)
        #expect(press(&model, "z") == Self.restored(1, 3))
        #expect(Set(model.rows.shownIDs) == [1, 2, 3])
        _ = press(&model, "c")
        #expect(model.dropCleared() == [.send(.clear([1, 3]))])
        #expect(press(&model, "z").isEmpty)
        #expect(model.rows.shownIDs == [2])
        #expect(model.toasts.current?.text == UndoReasons.stepIsGone)
    }

    @Test("Nothing that the filter or the tab hides is cleared, and the line says how many there are")
    func hidden() {
        var model = model(.done, .running, .done, .failed, .cancelled, .failed)
        var upload = RowSnapshot(id: 9, kind: .upload, name: "up", url: "http://a/")
        upload.state = .done
        _ = update(&model, .rows([upload]))
        _ = press(&model, "/row1")
        _ = update(&model, .key(.enter))
        #expect(press(&model, "c") == Self.removed(1))
        #expect(
            model.toasts.current?.text
                == "\(TaskToasts.cleared(1)), \(TaskToasts.hiddenKept(2)) · \(ToastHints.undo("z"))")
        #expect(press(&model, "c").isEmpty)
        #expect(model.toasts.current?.text == TaskReasons.hidden(TaskReasons.noneDoneInView, 2))
        #expect(press(&model, "z") == Self.restored(1))
        #expect(model.rows.count == 7)
        _ = press(&model, "/")
        _ = update(&model, .key(.escape))
        _ = press(&model, "2C")
        let text = GoldenFiles.text(of: view(model, size: model.size, capabilities: ViewCapabilities()))
        #expect(text.contains("Clear 5 tasks?"))
        #expect(text.contains(QuestionLines.removes("2 done, 2 failed, 1 cancelled").string))
        #expect(text.contains(QuestionLines.hiddenKept(1).string))
        _ = press(&model, "c1")
        #expect(model.rows.shownIDs == [2, 9])
        _ = press(&model, "3C")
        #expect(model.screen == .clearDialog)
    }

    @Test("Marking everything marks what is shown, and keys say when they hit marked tasks that are hidden")
    func hiddenMarks() {
        var model = model(.running, .running, .running)
        _ = press(&model, "A/row1")
        _ = update(&model, .key(.enter))
        #expect(press(&model, "p") == [.send(.pause([1, 2, 3]))])
        #expect(
            model.toasts.current?.text
                == "\(TaskToasts.paused(3)), \(TaskToasts.hiddenHit(2)) · \(ToastHints.undo("z"))")
        _ = press(&model, "UA")
        #expect(model.toasts.current?.text == TaskToasts.marked(1), "Of the hidden ones none was marked")
        #expect(model.list.marks == [1])
        model.list.marks = [2]
        _ = press(&model, "A")
        #expect(model.toasts.current?.text == "\(TaskToasts.marked(1)), \(TaskToasts.hiddenStayMarked(1))")
        #expect(model.list.marks == [1, 2])
    }

    @Test("An undo of something else leaves the clearing, which can be undone after it")
    func twoUndos() {
        var model = model(.done, .running)
        _ = press(&model, "c")
        #expect(press(&model, "p") == [.send(.pause([2]))])
        #expect(press(&model, "z") == [.send(.undo(.resume([2])))])
        #expect(press(&model, "z") == Self.restored(1))
        #expect(Set(model.rows.shownIDs) == [1, 2])
    }

    @Test("A cleared row does not stand in the way of the same URL, and the others come back behind the new task")
    func addedAgain() {
        var model = model(.done, .done)
        var other = row(3, .done)
        other = RowSnapshot(id: 3, kind: .download, name: "c", url: "http://a/c?token=***")
        other.state = .done
        _ = update(&model, .rows([other]))
        _ = press(&model, "c")
        _ = update(&model, .paste("http://a/c?token=1"))
        let effects = update(&model, .key(.enter))
        #expect(effects.first == .send(.clear([3])) && effects.count == 2)
        #expect(press(&model, "z").isEmpty)
        #expect(model.toasts.current?.text == UndoReasons.added(cancel: "x", remove: "X"))
        #expect(press(&model, "z").first.map { Self.ids(of: $0).isSuperset(of: [1, 2]) } == true)
        #expect(Set(model.rows.shownIDs) == [1, 2])
    }

    @Test("z brings cleared rows back for every window")
    func undoing() {
        var model = model(.done, .failed, .cancelled)
        _ = press(&model, "C")
        #expect(press(&model, "c") == Self.removed(1, 2, 3))
        #expect(model.rows.count == 0)
        #expect(press(&model, "z").first.map { Self.ids(of: $0) } == [1, 2, 3])
        #expect(Set(model.rows.shownIDs) == [1, 2, 3])
        #expect(model.toasts.current?.text == TaskToasts.restored(3))
        #expect(update(&model, .clock(900_000)).isEmpty)
    }

    private static func ids(of effect: Effect) -> Set<UInt64> {
        if case .send(.restore(let ids)) = effect { Set(ids) } else { [] }
    }

    @Test("Once the service was started again nothing before that can be undone, and z says so")
    func restartedService() {
        var model = model(.done, .done)
        _ = update(&model, .serviceRestarted)
        _ = press(&model, "z")
        #expect(model.toasts.current?.text == UndoReasons.nothing)
        _ = press(&model, "c")
        #expect(update(&model, .serviceRestarted) == [.send(.clear([1, 2]))])
        #expect(press(&model, "z").isEmpty)
        #expect(model.toasts.current?.text == UndoReasons.serviceRestarted)
    }

    @Test("Rows that a service has no longer leave the table again after an undo")
    func goneForGood() {
        var model = model(.done, .done)
        _ = press(&model, "c")
        #expect(press(&model, "z").first.map { Self.ids(of: $0) } == [1, 2])
        _ = update(&model, .removed([1]))
        #expect(model.rows.shownIDs == [2])
        #expect(!model.rows.isAside(1))
    }

    @Test("Two clearings are undone one after the other")
    func twice() {
        var model = model(.done, .running)
        _ = press(&model, "c")
        _ = update(&model, .rows([row(2, .done)]))
        #expect(press(&model, "c") == Self.removed(2))
        #expect(model.rows.count == 0)
        #expect(press(&model, "z") == Self.restored(2))
        #expect(model.rows.shownIDs == [2])
        #expect(press(&model, "z") == Self.restored(1))
        #expect(Set(model.rows.shownIDs) == [1, 2])
    }

    @Test("News of a cleared row do not bring it back, unless it runs again")
    func news() {
        var model = model(.done, .done)
        _ = press(&model, "c")
        var changed = row(1, .done)
        changed.received = 7
        _ = update(&model, .rows([changed, row(2, .running)]))
        #expect(model.rows.shownIDs == [2])
        _ = press(&model, "z")
        #expect(model.rows[1]?.received == 7)
        #expect(model.rows[2]?.state == .running)
    }

    @Test("Rows that another window removes are not had back here")
    func removedElsewhere() {
        var model = model(.done, .running, .done)
        _ = press(&model, "c")
        _ = update(&model, .removed([1, 2, 3]))
        #expect(model.rows.count == 0)
        #expect(press(&model, "z") == Self.restored(1, 3))
        _ = press(&model, "c")
        #expect(model.dropCleared() == [.send(.clear([1, 3]))])
        #expect(model.dropCleared().isEmpty)
    }
}
