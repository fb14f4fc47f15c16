import DashboardTestSupport
import Testing

@testable import Dashboard

@Suite("Requests that are sent from the dashboard")
struct UpdateNewRowTests {
    private func row(_ id: UInt64, _ state: RowState = .queued, _ url: SafeText = "http://a/x") -> RowSnapshot {
        var row = RowSnapshot(id: id, kind: .data, name: "GET /x", url: url)
        row.state = state
        return row
    }

    private func answered(_ id: UInt64) -> RowSnapshot {
        var row = row(id, .done)
        (row.statusCode, row.startedAt, row.endedAt, row.received) = (201, 1000, 1180, 1280)
        return row
    }

    private func model() -> Model {
        var model = Model()
        _ = update(&model, .clock(1000))
        _ = update(&model, .rows([row(1, .running, "http://a/1"), row(2, .running), row(3, .failed)]))
        return model
    }

    private func press(_ model: inout Model, _ keys: String) -> [Effect] {
        keys.flatMap { update(&model, .key(.character($0))) }
    }

    /// Adds a data request for `http://a/x` in the form.
    private func add(_ model: inout Model) throws {
        _ = press(&model, "a")
        guard case .addForm(var form) = model.overlay else { throw AddForm.Problem(field: .url, sentence: "No form") }
        form.kind = .data
        form[.url] = TextField("http://a/x")
        model.overlay = .addForm(form)
        _ = update(&model, .key(.enter))
    }

    @Test("The row of a task that was added here is selected when it comes, others are not")
    func selected() throws {
        var model = model()
        _ = update(&model, .rows([row(4)]))
        #expect(model.list.cursor == 1)
        try add(&model)
        _ = update(&model, .rows([row(1, .paused), row(5, .queued, "http://a/other")]))
        #expect(model.list.cursor == 1)
        _ = update(&model, .rows([row(6, .queued, "http://a/other"), row(7), row(8)]))
        #expect(model.list.cursor == 7)
        _ = update(&model, .rows([row(9)]))
        #expect(model.list.cursor == 7)
    }

    @Test("Of one that the view hides it is said that it is there")
    func hidden() throws {
        var model = model()
        _ = press(&model, "3")
        try add(&model)
        _ = update(&model, .rows([row(4)]))
        #expect(model.toasts.current?.text == "\(ViewToasts.addedBehindTab("Upload")) · \(ToastHints.showAll("1"))")
        _ = press(&model, "1/zzz")
        _ = update(&model, .key(.enter))
        try add(&model)
        var done = row(5)
        done.state = .done
        _ = update(&model, .rows([done]))
        #expect(
            model.toasts.current?.text == "\(ViewToasts.addedBehindFilter) · \(ToastHints.clearFilter("/", "Esc"))",
            "Also one that has ended at once")
    }

    @Test("A task that was left out as a repetition is not waited for")
    func repetition() throws {
        var model = model()
        try add(&model)
        _ = update(&model, .repetitions(1, of: 1))
        _ = update(&model, .rows([row(4)]))
        #expect(model.list.cursor == 1)
    }

    @Test("A request that was sent here says what the answer was, once; others do not")
    func answers() throws {
        var model = model()
        _ = update(&model, .rows([answered(2)]))
        #expect(model.toasts.current == nil)
        try add(&model)
        _ = update(&model, .rows([answered(4)]))
        let sentence: SafeText = "201 · 1.2 KiB · 0.18s · GET a/x"
        #expect(model.toasts.current?.text == sentence)
        model.toasts = ToastBoard()
        _ = update(&model, .rows([answered(4)]))
        #expect(model.toasts.current == nil)
        #expect(press(&model, "r").contains(.send(.resume([4]))))
        _ = update(&model, .rows([row(4, .running)]))
        var second = answered(4)
        second.endedAt = 2000
        _ = update(&model, .rows([second]))
        #expect(model.toasts.current?.text == "201 · 1.2 KiB · 1.00s · GET a/x")
    }

    @Test("A request that was sent here and fails at once says so")
    func failure() throws {
        var model = model()
        try add(&model)
        var failed = row(4, .failed)
        failed.error = "Nobody listens"
        _ = update(&model, .rows([failed]))
        #expect(model.toasts.current?.isError == true)
        #expect(model.sentByHand.isEmpty)
    }

    @Test("The state of an answered request has its status")
    func stateWord() {
        let model = model()
        #expect(model.stateWord(of: answered(2).figures, cells: 11) == "done 201")
        #expect(model.stateWord(of: row(2, .done).figures, cells: 11) == "done")
    }
}

@Suite("Requests that are repeated, in the dashboard")
struct UpdateRepetitionTests {
    private func row(_ id: UInt64, _ state: RowState, _ repetition: Repetition) -> RowSnapshot {
        var row = RowSnapshot(id: id, kind: .data, name: "GET /x", url: "http://a/x")
        row.state = state
        row.repetition = repetition
        row.endedAt = state.isFinal || state == .paused ? 900 : nil
        return row
    }

    private func model(_ rows: RowSnapshot...) -> Model {
        var model = Model()
        _ = update(&model, .clock(1000))
        _ = update(&model, .rows(rows))
        return model
    }

    private func press(_ model: inout Model, _ keys: String) -> [Effect] {
        keys.flatMap { update(&model, .key(.character($0))) }.filter { effect in
            if case .watch = effect { false } else { true }
        }
    }

    @Test(
        "p pauses a repetition between two runs too, and says so",
        arguments: [RowState.done, .failed, .running] as [RowState])
    func pausing(state: RowState) {
        var model = model(row(1, state, .active))
        #expect(press(&model, "p") == [.send(.pause([1]))])
        let text: SafeText = state == .running ? "Paused 1 task · z undo" : "Paused 1 repetition · z undo"
        #expect(model.toasts.current?.text == text)
        #expect(press(&model, "z") == [.send(.undo(.resume([1])))])
    }

    @Test("What is not repeated any more cannot be paused when it has ended")
    func nothingToPause() {
        var model = model(row(1, .done, .none))
        #expect(press(&model, "p").isEmpty)
        #expect(press(&model, "x").isEmpty)
        #expect(press(&model, "P").isEmpty)
    }

    @Test("P pauses repetitions of the view as well, and counts them apart")
    func pausingAll() {
        var both = model(row(1, .running, .none), row(2, .done, .active))
        #expect(press(&both, "P") == [.send(.pause([1, 2]))])
        #expect(both.toasts.current?.text == "\(TaskToasts.paused(2)) · \(ToastHints.undo("z"))")
        var alone = model(row(2, .done, .active))
        #expect(press(&alone, "P") == [.send(.pause([2]))])
    }

    @Test("A paused repetition is resumed like everything that is paused")
    func resuming() {
        var model = model(row(1, .paused, .paused))
        #expect(press(&model, "r") == [.send(.resume([1]))])
        #expect(press(&model, "R") == [.send(.resume([1]))])
    }

    @Test("x ends a repetition without a question while none is under way, and asks while one is")
    func cancelling() {
        var between = model(row(1, .done, .active))
        #expect(press(&between, "x") == [.send(.cancel([1], deletingParts: false))])
        #expect(between.overlay == nil)
        #expect(between.toasts.current?.text == TaskToasts.repeatsStopped(1))
        var paused = model(row(1, .paused, .paused))
        #expect(press(&paused, "x") == [.send(.cancel([1], deletingParts: false))])
        var running = model(row(1, .running, .active))
        #expect(press(&running, "x").isEmpty)
        #expect(running.screen == .cancelDialog)
    }

    @Test("A repeated request is not cleared, and one that is removed is not sent again")
    func leaving() {
        var model = model(row(1, .done, .active), row(2, .done, .none))
        _ = press(&model, "c")
        #expect(model.rows.shownIDs == [1])
        #expect(press(&model, "X").contains(.send(.remove([1], deletingParts: false))))
    }
}
