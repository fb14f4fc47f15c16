import Testing

@testable import Dashboard

@Suite("Taking steps back")
struct UpdateUndoTests {
    private func row(
        _ id: UInt64, _ state: RowState, _ kind: Job.Kind = .download, moved: Int64 = 0,
        _ continuation: Resumability = .yes
    ) -> RowSnapshot {
        var row = RowSnapshot(id: id, kind: kind, name: "row" + SafeText(id), url: "http://a/" + SafeText(id))
        row.state = state
        row.received = moved
        row.sent = moved
        row.continuation = continuation
        return row
    }

    private func model(_ rows: RowSnapshot...) -> Model { .showing(rows) }

    private func press(_ model: inout Model, _ text: String, then keys: KeyPress...) -> [Effect] {
        (text.map(KeyPress.character) + keys).flatMap { update(&model, .key($0)) }.filter { effect in
            if case .watch = effect { false } else { true }
        }
    }

    private func said(_ model: Model) -> String { model.toasts.current?.text.string ?? "" }

    @Test("Undo works on the full screen of a task, whose messages promise it")
    func fullScreen() {
        var model = model(row(1, .running), row(2, .running))
        _ = press(&model, "", then: .enter)
        #expect(model.screen == .details)
        #expect(press(&model, "p").last == .send(.pause([1])))
        #expect(said(model).hasSuffix("z undo"))
        #expect(press(&model, "z") == [.send(.undo(.resume([1])))])
    }

    @Test("A key of the list says on the full screen of a task that it belongs there", arguments: Array("aPRsc~"))
    func keysOfList(key: Character) throws {
        var model = model(row(1, .running))
        _ = press(&model, "", then: .enter)
        try #require(KeyBindings.standard.command(for: .character(key), on: .details) == nil)
        #expect(press(&model, String(key)).isEmpty)
        #expect(said(model).contains("only in the list"))
    }

    @Test("An edit that was refused is no step: undo takes back the one before it", arguments: [true, false])
    func refusedEdit(isOne: Bool) {
        var model = model(row(1, .running), row(2, .paused))
        _ = press(&model, "p")
        let refusal = Message.edit(1, Job(kind: .download, url: "http://a/1"), problem: "changed")
        model.passUndo(model.reasonAfterAdding)
        model.passUndo(model.reasonAfterEditing)
        _ = update(&model, isOne ? refusal : .notAmended)
        _ = press(&model, "", then: .escape)
        #expect(press(&model, "z").isEmpty && said(model) == model.reasonAfterAdding.string)
        #expect(press(&model, "z") == [.send(.undo(.resume([1])))])
    }

    @Test("A move that failed is no step: undo takes back the one before it")
    func failedMove() {
        var model = model(row(1, .done, moved: 5), row(2, .done, moved: 5), row(3, .running))
        _ = model.remember(.paused([3]))
        _ = model.remember(.movedFiles([FilePlace(id: 1, path: "/d/1"), FilePlace(id: 2, path: "/d/2")]))
        let places = [1, 2].map { FilePlace(id: $0, path: "/d/\($0)") }
        _ = update(&model, .notMoved([places[0]]))
        #expect(model.undo.next == .movedFiles([FilePlace(id: 2, path: "/d/2")]))
        _ = model.remember(.movedFile(1, from: "/d/1"))
        model.passUndo("lasting")
        _ = update(&model, .notMoved(places))
        #expect(model.undo.refusal == "lasting")
        _ = press(&model, "z")
        #expect(model.undo.next == .paused([3]))
        _ = update(&model, .notMoved(places))
        #expect(model.undo.next == .paused([3]))
    }

    @Test("A move that is refused after its step was taken back leaves the steps before it")
    func lateRefusal() {
        var model = model(row(1, .done, moved: 5))
        _ = model.remember(.movedFile(1, from: "/a/f"))
        _ = model.remember(.movedFile(1, from: "/b/f"))
        _ = press(&model, "z")
        _ = update(&model, .notMoved([FilePlace(id: 1, path: "/b/f")]))
        #expect(model.undo.next == .movedFile(1, from: "/a/f"))
    }

    @Test("Every step is taken back, the newest first, as often as it was said")
    func deep() {
        var model = model(row(1, .running), row(2, .running), row(3, .running))
        _ = press(&model, "A")
        for steps in 1...3 {
            _ = press(&model, "-")
            #expect(model.toasts.current?.count == steps)
        }
        _ = update(&model, .key(.escape))
        _ = press(&model, "Up)")
        #expect(said(model) == LimitToasts.counts(6, perHost: 16).string)
        #expect(press(&model, "z") == [.send(.undo(.setLimits(TransferLimits())))])
        #expect(press(&model, "z") == [.send(.undo(.resume([1])))])
        for _ in 1...3 { #expect(press(&model, "z") == [.send(.undo(.prioritise([1, 2, 3], by: 1)))]) }
        #expect(press(&model, "z").isEmpty)
        #expect(said(model) == UndoReasons.nothing.string)
    }

    @Test("A cancel of what can go on is taken back, also before it has ended, and what was paused stays paused")
    func cancelled() {
        var model = model(row(1, .running, moved: 5), row(2, .paused, moved: 5))
        _ = press(&model, "R")
        _ = update(&model, .rows([row(2, .paused, moved: 5)]))
        _ = press(&model, "Ax")
        #expect(press(&model, "k") == [.send(.cancel([1, 2], deletingParts: false))])
        #expect(said(model) == "Cancelled 2 tasks · z undo")
        _ = update(&model, .rows([row(1, .cancelled, moved: 5)]))
        #expect(press(&model, "z") == [.send(.undo(.resume([1, 2]))), .send(.undo(.pause([2])))])
        #expect(update(&model, .rows([row(2, .cancelled, moved: 5)])).isEmpty)
        // The step before it is the next one.
        #expect(press(&model, "z") == [.send(.undo(.pause([2])))] || said(model) == UndoReasons.stepIsGone.string)
    }

    @Test("An undone cancel of paused tasks says that they are paused again")
    func pausedAgain() {
        var model = model(row(1, .paused, moved: 5))
        _ = press(&model, "x")
        _ = press(&model, "k")
        _ = update(&model, .rows([row(1, .cancelled, moved: 5)]))
        #expect(press(&model, "z") == [.send(.undo(.resume([1]))), .send(.undo(.pause([1])))])
        #expect(said(model) == TaskToasts.pausedAgain(1).string)
    }

    @Test(
        "A cancel that loses something is passed over with its reason, and the step before it is the next one",
        arguments: [
            (Job.Kind.upload, Resumability.no, "k"), (.data, .no, "k"), (.download, .no, "k"),
            (.download, .unknown, "k"),
            (.download, .yes, "d"),
        ])
    func lost(kind: Job.Kind, continuation: Resumability, key: String) {
        var model = model(row(1, .running, kind, moved: 5, continuation), row(2, .paused), row(3, .paused))
        #expect(press(&model, "R") == [.send(.resume([2, 3]))])
        _ = update(&model, .rows([row(2, .running), row(3, .running)]))
        _ = press(&model, "x")
        #expect(press(&model, key) == [.send(.cancel([1], deletingParts: key == "d"))])
        #expect(said(model) == TaskToasts.cancelled(1).string)
        #expect(press(&model, "P") == [.send(.pause([1, 2, 3]))])
        #expect(press(&model, "z").count == 1, "A later step comes first")
        #expect(press(&model, "z").isEmpty)
        #expect(said(model) == UndoReasons.cancelled("r").string)
        #expect(press(&model, "z") == [.send(.undo(.pause([2, 3])))])
        #expect(press(&model, "z").isEmpty)
        #expect(said(model) == UndoReasons.nothing.string)
    }

    @Test(
        "A row that was removed while it ran comes back and goes on; with its files it is gone, and nothing is promised"
    )
    func removed() {
        for key in ["k", "d"] {
            var model = model(row(1, .running, moved: 5), row(2, .done))
            _ = press(&model, "AX")
            _ = press(&model, key)
            _ = update(&model, .rows([row(1, .cancelled, moved: 5)]))
            #expect(model.rows.count == 0)
            if key == "k" {
                #expect(said(model) == "Removed 2 tasks · z undo")
                #expect(press(&model, "z") == [.send(.restore([2, 1])), .send(.undo(.resume([1])))])
                #expect(said(model) == TaskToasts.restored(2).string)
                #expect(model.rows.count == 2)
            } else {
                #expect(said(model) == TaskToasts.removedWithFiles(2).string)
                #expect(press(&model, "z").isEmpty)
                #expect(said(model) == UndoReasons.filesDeleted.string)
            }
        }
    }

    @Test("A row that left before its end was shown comes back and goes on too")
    func removedBeforeItsEnd() {
        var model = model(row(1, .running, moved: 5))
        _ = press(&model, "X")
        #expect(press(&model, "k") == [.send(.remove([1], deletingParts: false))])
        _ = update(&model, .removed([1]))
        #expect(model.rows.count == 0)
        #expect(press(&model, "z") == [.send(.restore([1])), .send(.undo(.resume([1])))])
        #expect(model.rows.count == 1)
    }

    @Test("Moves in the queue are taken back by those that moved")
    func queue() {
        var model = model(row(1, .queued), row(2, .queued))
        _ = press(&model, "jK")
        var (first, second) = (row(1, .queued), row(2, .queued))
        (first.position, second.position) = (2, 1)
        _ = update(&model, .rows([first, second]))
        _ = press(&model, "K")
        #expect(press(&model, "z").isEmpty, "It stood at the front already")
        #expect(press(&model, "z") == [.send(.undo(.moveInQueue([2], by: 1)))])
    }

    @Test(
        "What cannot be taken back says so, and leaves older steps alone",
        arguments: [("S", RowState.queued), ("T", .done), ("r", .failed)])
    func ends(key: String, state: RowState) {
        var model = model(row(1, state, .upload, moved: 5), row(2, .running))
        #expect(press(&model, "p") == [.send(.pause([2]))])
        #expect(press(&model, "j" + key).count == 1)
        #expect(press(&model, "z").isEmpty)
        #expect(said(model).contains(" · "), "\(said(model))")
    }

    @Test(
        "Requests and uploads that have not begun come back after a removal and a cancellation",
        arguments: [true, false])
    func unbegun(isRemoved: Bool) {
        let rows = [row(1, .paused, .data), row(2, .queued, .upload)]
        var model = model(rows[0], rows[1])
        _ = press(&model, isRemoved ? "AXk" : "Axk")
        #expect(said(model).contains("z undo"), "\(said(model))")
        var begun = rows[0]
        begun.startedAt = 5
        #expect(rows.allSatisfy(\.figures.canBeStoppedAndGoOn) && !begun.figures.canBeStoppedAndGoOn)
        begun = row(2, .running, .upload)
        #expect(!begun.figures.canBeStoppedAndGoOn)
    }

    @Test("Old steps fall off a list that is full, and the rows that they had cleared go for good")
    func limit() {
        var list = UndoList()
        #expect(list.add(.removed([7], StoppedTasks())).isEmpty)
        for id in UInt64(1)...99 { #expect(list.add(.paused([id])).isEmpty) }
        #expect(list.add(.paused([100])).flatMap(\.ids) == [7])
        #expect(list.add(.paused(Array(1...200_000))).count == 100)
        #expect(list.takeNext()?.ids.count == 200_000)
        #expect(list.takeNext() == nil)
        #expect(list.refusal == UndoReasons.tooOld)
    }

    @Test("A refused step takes only itself back, not an earlier one of the same sentence", arguments: [false, true])
    func refusedStep(isBehindStep: Bool) {
        var list = UndoList()
        if isBehindStep { _ = list.add(.paused([1])) }
        list.pass("A")
        list.pass("A")
        list.takeBack("A")
        #expect(list.refusal == "A")
        list.takeBack("A")
        #expect(list.refusal == nil && (list.next != nil) == isBehindStep)
    }

    @Test("A step that cannot be undone goes with the steps before it, and alone it keeps its sentence")
    func passed() {
        var list = UndoList()
        list.pass("A")
        #expect(list.passOver() == "A" && list.passOver() == "A" && list.takeNext() == nil)
        for id in UInt64(1)...100 { #expect(list.add(.paused([id])).isEmpty) }
        list.pass("B")
        list.pass("C")
        #expect(list.refusal == "C" && list.next == nil && list.takeNext() == nil)
        #expect(list.passOver() == "C" && list.takeNext() == .paused([100]))
        list.pass("D")
        #expect(list.add(.paused(Array(1...200_000))).count == 99)
        #expect(list.takeNext()?.ids.count == 200_000)
        #expect(list.passOver() == UndoReasons.tooOld && list.takeNext() == nil)
    }
}
