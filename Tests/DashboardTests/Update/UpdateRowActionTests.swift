import DashboardTestSupport
import Testing

@testable import Dashboard
@testable import DashboardView

@Suite("What is done with a row and its file")
struct UpdateRowActionTests {
    private func row(_ id: UInt64, _ kind: Job.Kind, _ state: RowState, moved: Int64 = 0) -> RowSnapshot {
        var row = RowSnapshot(id: id, kind: kind, name: "row" + SafeText(id), url: "http://a/")
        row.state = state
        row.received = moved
        row.continuation = .yes
        if kind == .download { row.path = "/d/row" + SafeText(id) }
        return row
    }

    private func model(_ rows: RowSnapshot...) -> Model { .showing(rows) }

    private func press(_ model: inout Model, _ keys: KeyPress...) -> [Effect] {
        keys.flatMap { update(&model, .key($0)) }.filter { effect in
            if case .watch = effect { false } else { true }
        }
    }

    /// `D` stands for Ctrl-O, which opens a folder.
    private static func key(_ name: Character) -> KeyPress { name == "D" ? .control("o") : .character(name) }

    private func type(_ model: inout Model, _ text: String) -> [Effect] {
        text.flatMap { update(&model, .key(.character($0))) } + press(&model, .enter)
    }

    private func said(_ model: Model) -> String { model.toasts.current?.text.string ?? "" }

    // MARK: Refusals

    /// Whether each command makes sense for a download in each state.
    @Test(
        "Each key makes sense in some states, and says in a sentence why not in the others",
        arguments: [
            (RowState.queued, "S! WDX"), (.running, "! WDX"), (.retrying, "S! WDX"), (.pausing, "S! WDX"),
            (.paused, "S! WDX"), (.verifying, "DX"), (.saving, "DX"), (.failed, "S! WDX"), (.cancelled, "S! WDX"),
            (.done, "TWODX"),
        ])
    func downloads(state: RowState, keys: String) {
        for key in "ST!WODX" {
            let model = model(row(1, .download, state, moved: 10))
            let command = KeyBindings.standard.command(for: Self.key(key), on: .list)
            let reason = command.flatMap { $0.reason(in: model) }
            #expect((reason == nil) == keys.contains(key), "\(key) \(state)")
        }
    }

    @Test("Requests and uploads have no part to go on with, and no file that was made here")
    func others() {
        for kind in [Job.Kind.data, .upload] {
            var model = model(row(1, kind, .failed))
            #expect(press(&model, .character("!")).isEmpty)
            #expect(said(model) == TaskReasons.onlyUnfinishedDownloads.string)
            #expect(press(&model, .character("W"), .control("o")).isEmpty)
            #expect(said(model) == "This task has no file")
        }
    }

    @Test("What is resumed while it is being cancelled is told to the service at once, and can be cancelled again")
    func resumedTooEarly() {
        var model = model(row(1, .download, .running, moved: 10))
        let cancel = Effect.send(.cancel([1], deletingParts: false))
        for _ in 1...2 {
            #expect(press(&model, .character("x"), .character("k")) == [cancel])
            #expect(press(&model, .character("r")) == [.send(.resume([1]))])
            #expect(said(model) == TaskToasts.resumesOnceCancelled(1).string)
        }
        let effects = update(&model, .rows([row(1, .download, .cancelled, moved: 10)]))
        #expect(effects.allSatisfy { $0 != .send(.resume([1])) })
    }

    @Test("There is nothing to view of a file whose checksum was wrong, and of one that is not whole")
    func viewing() {
        var wrong = row(1, .download, .failed, moved: 10)
        wrong.cause = .checksum
        var bad = model(wrong)
        #expect(press(&bad, .character("v")).isEmpty)
        #expect(said(bad) == TaskReasons.checksumMismatch.string)
        var half = model(row(1, .download, .running, moved: 10))
        #expect(press(&half, .character("v")).isEmpty)
        #expect(said(half) == TaskReasons.nothingToView.string)
        var complete = model(row(1, .download, .done, moved: 10))
        #expect(press(&complete, .character("v")) == [.view(1)])
    }

    // MARK: Removing

    @Test("A row that leaves nothing behind is removed at once, and can be had back")
    func removing() {
        var model = model(row(1, .data, .done), row(2, .data, .failed))
        #expect(press(&model, .character("X")) == [.send(.remove([2], deletingParts: false))])
        #expect(model.rows.shownIDs == [1])
        #expect(said(model) == "Removed 1 task · z undo")
        #expect(press(&model, .character("z")) == [.send(.restore([2]))])
        #expect(Set(model.rows.shownIDs) == [1, 2])
    }

    @Test("A row with a part or a file is asked about: the safe answer first, and only the third one deletes")
    func asking() {
        var model = model(row(1, .download, .failed, moved: 10))
        #expect(press(&model, .character("X")).isEmpty)
        #expect(model.overlay == .question(.removing([1])))
        #expect(press(&model, .enter).isEmpty)
        #expect(model.overlay == nil && model.rows.shownIDs == [1])
        #expect(
            press(&model, .character("X"), .character("k")) == [.send(.remove([1], deletingParts: false))])
        #expect(model.rows.shownIDs.isEmpty)
        #expect(
            press(&model, .character("z"), .character("X"), .character("d")) == [
                .send(.restore([1])), .send(.remove([1], deletingParts: true)),
            ])
        #expect(model.rows.shownIDs.isEmpty)
        #expect(model.dropCleared().isEmpty)
    }

    @Test("The question says how many of the marked rows the view does not show, and counts what lies there")
    func hiddenMarks() {
        var model = model(row(1, .download, .running, moved: 10), row(2, .download, .done), row(3, .data, .done))
        _ = press(&model, .character("A"), .character("/"))
        _ = type(&model, "row1")
        _ = press(&model, .character("X"))
        let screen = GoldenFiles.text(of: view(model, size: model.size, capabilities: ViewCapabilities()))
        for sentence in [
            Questions.remove(3), QuestionLines.outOfView(2), QuestionLines.stopsTasks(1), QuestionLines.filesOnDisk(1),
            QuestionLines.partsOnDisk(1),
        ] { #expect(screen.contains(sentence.string), "\(sentence)") }
    }

    @Test("The file of a completed download is deleted only when that is said")
    func files() {
        var model = model(row(1, .download, .done, moved: 10))
        #expect(
            press(&model, .character("X"), .right, .enter) == [.send(.remove([1], deletingParts: false))])
        #expect(model.rows.shownIDs.isEmpty)
        #expect(
            press(&model, .character("z"), .character("X"), .right, .right, .enter) == [
                .send(.restore([1])), .deleteFiles([1]),
            ])
        #expect(model.rows.shownIDs.isEmpty)
        // A file that cannot be deleted keeps its row.
        _ = update(&model, .rows([row(1, .download, .done, moved: 10)]))
        #expect(model.rows.shownIDs == [1])
    }

    @Test("Nothing is said to bring a row back whose file or part is deleted")
    func lastingRemoval() {
        var model = model(row(1, .download, .done, moved: 10), row(2, .download, .failed, moved: 10))
        _ = press(&model, .character("A"), .character("X"), .character("d"))
        #expect(said(model) == TaskToasts.removedWithFiles(2).string)
        _ = update(&model, .removed([1]))
        #expect(press(&model, .character("z")).isEmpty)
        #expect(model.rows.shownIDs.isEmpty)
        #expect(said(model) == UndoReasons.filesDeleted.string)
    }

    @Test("Removing, the menu and copying act on a group whose line is selected, as the other keys do")
    func groups() {
        for key in "XmyY" {
            var model = model(row(1, .download, .done, moved: 10), row(2, .download, .failed, moved: 10))
            _ = press(&model, .character("&"), .home)
            #expect(model.currentGroup != nil)
            let command = KeyBindings.standard.command(for: .character(key), on: .list)
            #expect(command.flatMap { $0.reason(in: model) } == nil, "\(key)")
            let effects = press(&model, .character(key))
            switch key {
            case "X": #expect(model.overlay == .question(.removing([2, 1])))
            case "m": #expect(model.overlay == .actions(ActionMenu()))
            default: #expect(effects == [.quote([2, 1], asCommands: key == "Y")])
            }
        }
        for key in "!OD" {
            var model = model(row(1, .download, .failed, moved: 10))
            _ = press(&model, .character("&"), .home, Self.key(key))
            #expect(said(model) == TaskReasons.oneTaskOnly.string, "\(key)")
        }
    }

    @Test("A row that is under way is stopped and leaves when it has ended")
    func live() {
        var model = model(row(1, .download, .running, moved: 10), row(2, .download, .queued))
        let effects = press(&model, .character("A"), .character("X"), .character("d"))
        #expect(effects == [.send(.remove([1, 2], deletingParts: true))])
        #expect(Set(model.rows.shownIDs) == [1, 2])
        _ = update(&model, .rows([row(2, .download, .cancelled)]))
        #expect(model.rows.shownIDs == [1])
        _ = update(&model, .figures([row(1, .download, .cancelled).figures]))
        #expect(model.rows.shownIDs == [1], "its end is told with its cause")
        _ = update(&model, .rows([row(1, .download, .cancelled)]))
        #expect(model.rows.shownIDs.isEmpty)
    }

    @Test("What was cleared before something is removed comes back after it")
    func clearedBefore() {
        var model = model(row(1, .data, .done), row(2, .data, .failed))
        _ = press(&model, .character("c"))
        #expect(press(&model, .character("X")) == [.send(.remove([2], deletingParts: false))])
        _ = press(&model, .character("z"))
        #expect(model.rows.shownIDs == [2])
        _ = press(&model, .character("z"))
        #expect(Set(model.rows.shownIDs) == [1, 2])
    }

    // MARK: Starting

    @Test("Starting now acts on what waits or has stopped, and says what it skipped")
    func starting() {
        var model = model(
            row(1, .download, .queued), row(2, .download, .running), row(3, .data, .paused), row(4, .upload, .failed))
        let effects = press(&model, .character("A"), .character("S"))
        #expect(effects == [.send(.startNow([1, 3, 4]))])
        #expect(said(model) == "\(TaskToasts.startedNow(3)), 1 skipped")
    }

    @Test("Once more is for what is done")
    func again() {
        var model = model(row(1, .download, .done), row(2, .upload, .done), row(3, .download, .failed))
        #expect(press(&model, .character("A"), .character("T")) == [.send(.fetchAgain([1, 2]))])
    }

    // MARK: Another URL and another place

    @Test("A URL is asked for, and a wrong one is said to be wrong")
    func newURL() {
        var model = model(row(1, .download, .failed, moved: 10))
        _ = press(&model, .character("!"))
        #expect(type(&model, "ftp://h/f").isEmpty)
        guard case .prompt(let prompt) = model.overlay else {
            Issue.record("the prompt is gone")
            return
        }
        #expect(prompt.problem == "Only http and https URLs work")
        _ = press(&model, .control("u"))
        _ = update(&model, .paste("https://h/f?signature=new\n"))
        #expect(press(&model, .enter) == [.changeURL(1, url: "https://h/f?signature=new")])
        #expect(model.overlay == nil)
    }

    @Test(
        "Another URL of a download that is under way is for the service, which stops it",
        arguments: [RowState.paused, .running])
    func newURLOfLive(state: RowState) {
        var model = model(row(1, .download, state, moved: 10))
        _ = press(&model, .character("!"))
        #expect(type(&model, "http://h/f") == [.changeURL(1, url: "http://h/f")])
        let effects = update(&model, .rows([row(1, .download, .cancelled, moved: 10)]))
        #expect(effects.allSatisfy { $0 != .changeURL(1, url: "http://h/f") })
    }

    @Test("A path is asked for, beginning with where the file is")
    func moving() {
        var model = model(row(1, .download, .done, moved: 10))
        #expect(press(&model, .character("W")) == [.askPaths([1])])
        _ = update(&model, .destinations([FilePlace(id: 1, path: "/d/row1")]))
        #expect(type(&model, "x") == [.moveFile(FilePlace(id: 1, path: "/d/row1"), to: "/d/row1x")])
    }

    @Test("Marked files are moved to one folder, whatever row is selected, and z moves them back")
    func movingMarked() {
        var model = model(
            row(1, .download, .done, moved: 10), row(2, .data, .done), row(3, .download, .done, moved: 10),
            row(4, .download, .done, moved: 10))
        for _ in 0..<3 { _ = press(&model, .character(" ")) }
        #expect(model.targets.map(\.id) == [1, 2, 3] && model.current?.id == 4)
        #expect(press(&model, .character("W")) == [.askPaths([1, 3])])
        let places = [FilePlace(id: 1, path: "/d/one"), FilePlace(id: 3, path: "/d/three")]
        _ = update(&model, .destinations(places))
        #expect(type(&model, "/e") == [.moveFiles(places, to: "/e/")])
        #expect(press(&model, .character("z")) == [.moveFilesBack(places)])
    }

    @Test("One marked file is renamed, whatever row is selected")
    func movingOneMarked() {
        var model = model(row(1, .download, .done, moved: 10), row(2, .download, .done, moved: 10))
        _ = press(&model, .character(" "))
        #expect(model.current?.id == 2 && press(&model, .character("W")) == [.askPaths([1])])
    }

    @Test(
        "One that runs or is paused is moved by the service; where its bytes would be lost it stays, and says why",
        arguments: [RowState.running, .paused])
    func movingLive(state: RowState) {
        var model = model(row(1, .download, state, moved: 10))
        _ = press(&model, .character("W"))
        _ = update(&model, .destinations([FilePlace(id: 1, path: "/d/")]))
        #expect(type(&model, "new") == [.moveFile(FilePlace(id: 1, path: "/d/"), to: "/d/new")])

        var unsure = row(2, .download, .running, moved: 10)
        unsure.continuation = .unknown
        model = self.model(unsure)
        _ = update(&model, .destinations([FilePlace(id: 2, path: "/d/")]))
        #expect(type(&model, "new").isEmpty)
        guard case .prompt(let prompt) = model.overlay else {
            Issue.record("the prompt is gone")
            return
        }
        #expect(prompt.problem == TaskReasons.moveWouldLoseBytes)
    }

    @Test("A row whose link may have expired names the key for another URL, where its bytes would be kept")
    func expiredHint() {
        for (code, continuation, isNamed) in [
            (403, .yes, true), (410, .unknown, true), (403, .no, false), (500, .yes, false),
        ] as [(Int, Resumability, Bool)] {
            var failed = row(1, .download, .failed, moved: 10)
            (failed.statusCode, failed.error, failed.continuation) = (code, "refused", continuation)
            let content = DetailsContent(model: model(failed), row: failed)
            let hasHint = content.brief.contains {
                $0.text.string.contains("\(DetailsHints.newURL("!")) · \(DetailsHints.edit("e"))")
            }
            #expect(hasHint == isNamed, "\(code) \(continuation)")
        }
    }

    @Test("On the whole screen a reason is read to its end, in as many lines as it needs", arguments: [30, 40, 80])
    func wrappedReason(columns: Int) {
        var failed = row(1, .download, .failed, moved: 10)
        (failed.statusCode, failed.error) = (
            403, "one two three four five six seven eight nine ten eleven twelve thirteen and a few more words"
        )
        var model = model(failed)
        _ = update(&model, .resized(Size(columns: columns, rows: 24)))
        _ = press(&model, .enter)
        let screen = GoldenFiles.text(of: view(model, size: model.size, capabilities: ViewCapabilities()))
        for word in ["one", "seven", "thirteen", "edit", "retry"] { #expect(screen.contains(word), "\(word)") }
        #expect(DetailsContent(model: model, row: failed).lines(of: .overview).filter { $0.role == .error }.count > 1)
    }

    @Test("Beside the list a reason is read to its end too", arguments: [(60, 36), (80, 24), (120, 36), (140, 40)])
    func wrappedReasonBeside(columns: Int, rows: Int) {
        var failed = row(1, .download, .failed, moved: 10)
        failed.error = "The certificate of a.quite.long.name.example.org cannot be trusted: it is self-signed and old"
        var model = model(failed)
        _ = update(&model, .resized(Size(columns: columns, rows: rows)))
        let screen = GoldenFiles.text(of: view(model, size: model.size, capabilities: ViewCapabilities()))
        #expect(screen.contains("self-signed and old"), "\(screen)")
        #expect(screen.contains("e edit and retry") || columns < 80)
    }

    @Test("A file that was renamed has its old place again with z", arguments: [RowState.done, .running])
    func movingBack(state: RowState) {
        var model = model(row(1, .download, state, moved: 10))
        _ = update(&model, .destinations([FilePlace(id: 1, path: "/d/row1")]))
        #expect(type(&model, "x") == [.moveFile(FilePlace(id: 1, path: "/d/row1"), to: "/d/row1x")])
        #expect(press(&model, .character("z")) == [.moveFileBack(FilePlace(id: 1, path: "/d/row1"))])
    }

    // MARK: The menu

    @Test("The menu does what the keys do, and refuses what they refuse")
    func menu() throws {
        var model = model(row(1, .download, .failed, moved: 10))
        _ = press(&model, .character("m"))
        let start = try #require(model.keys.menu.firstIndex { $0.id == "start-now" })
        for _ in 0..<start { _ = press(&model, .character("j")) }
        #expect(press(&model, .enter) == [.send(.startNow([1]))])
        #expect(model.overlay == nil)
        _ = press(&model, .character("m"))
        let again = try #require(model.keys.menu.firstIndex { $0.id == "fetch-again" })
        #expect(update(&model, .chosen(again)).isEmpty)
        #expect(said(model) == TaskReasons.noneDone.string)
        _ = press(&model, .character("m"), .character("G"), .enter)
        #expect(model.overlay == .question(.removing([1])))
    }

    @Test("The menu of marked rows names the one under the cursor where a command acts on that one")
    func menuWithMarks() {
        var model = model(row(1, .download, .failed, moved: 10), row(2, .download, .failed, moved: 10))
        _ = press(&model, .character(" "), .character("m"))
        let current = model.current?.name.string ?? ""
        #expect(model.targets.count == 1 && model.targets.first?.id != model.current?.id)
        let screen = GoldenFiles.text(of: view(model, size: model.size, capabilities: ViewCapabilities()))
        #expect(screen.contains("New URL  (\(current))"))
        #expect(!screen.contains("Rename  (") && !screen.contains("Resume  (") && !screen.contains("Edit  ("))
    }
}
