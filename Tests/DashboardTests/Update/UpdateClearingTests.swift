import Testing

@testable import Dashboard

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

    @Test("Cleared rows leave the table at once and the session when they can no longer be had back")
    func clearing() {
        var model = model(.done, .running, .done)
        #expect(press(&model, "c").isEmpty)
        #expect(model.rows.shownIDs == [2])
        #expect(model.toasts.current?.text == "Cleared 2 tasks (z undo)")
        #expect(model.nextDeadline != nil)
        #expect(update(&model, .clock(1000 + Toast.undoDuration - 1)).isEmpty)
        #expect(update(&model, .clock(1000 + Toast.undoDuration)) == [.clear([1, 3])])
        #expect(update(&model, .clock(900_000)).isEmpty)
        #expect(press(&model, "z").isEmpty)
        #expect(model.rows.shownIDs == [2])
    }

    @Test("z brings cleared rows back, and the session never hears of it")
    func undoing() {
        var model = model(.done, .failed, .cancelled)
        _ = press(&model, "C")
        #expect(press(&model, "c").isEmpty)
        #expect(model.rows.count == 0)
        #expect(press(&model, "z").isEmpty)
        #expect(Set(model.rows.shownIDs) == [1, 2, 3])
        #expect(model.toasts.current?.text == "Back in the list: 3 tasks")
        #expect(update(&model, .clock(900_000)).isEmpty)
    }

    @Test("A second clear lets the first one take effect")
    func twice() {
        var model = model(.done, .running)
        _ = press(&model, "c")
        _ = update(&model, .rows([row(2, .done)]))
        #expect(press(&model, "c") == [.clear([1])])
        #expect(press(&model, "z").isEmpty)
        #expect(model.rows.shownIDs == [2])
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

    @Test("Rows that the session drops meanwhile stay away")
    func dropped() {
        var model = model(.done, .done)
        _ = press(&model, "c")
        _ = update(&model, .removed([1]))
        #expect(model.dropCleared() == [.clear([2])])
        #expect(model.dropCleared().isEmpty)
    }
}
