import DashboardTestSupport
import DashboardView
import Testing

@testable import Dashboard

/// A window whose service does not answer, or has ended.
@Suite("A window without its service", .timeLimit(.minutes(1)))
struct UpdateAwayTests {
    /// A row that has moved for ten seconds, and one that waits for its next attempt.
    private static func model() -> Model {
        var running = RowSnapshot(id: 1, kind: .download, name: "runs", url: "http://a/runs")
        (running.state, running.expected) = (.running, 100_000_000)
        var retrying = RowSnapshot(id: 2, kind: .download, name: "waits", url: "http://a/waits")
        (retrying.state, retrying.retryAt, retrying.failedAttempts) = (.retrying, 60_000, 1)
        var model = Model()
        _ = update(&model, .resized(Size(columns: 140, rows: 20)))
        _ = update(&model, .owned(.service))
        for second in (0...10 as ClosedRange<Int64>) {
            running.received = second * 1_000_000
            _ = update(&model, .rows([running, retrying]))
            _ = update(&model, .clock(second * 1_000))
        }
        return model
    }

    /// The same with the line of their host selected.
    private static func onGroup() -> Model {
        var model = model()
        for _ in Grouping.allCases where model.rows.query.grouping != .host {
            _ = update(&model, .key(.character("&")))
        }
        _ = update(&model, .key(.character("g")))
        return model
    }

    private static func text(_ model: Model) -> String {
        GoldenFiles.text(of: view(model, size: Size(columns: 140, rows: 20), capabilities: ViewCapabilities()))
    }

    @Test("A complaint that is withdrawn does not come back when the line over it ends")
    func withdrawn() {
        var model = Self.model()
        _ = update(&model, .toast("No answer", isError: true))
        _ = update(&model, .toast("Folder is full", isError: true))
        _ = update(&model, .toast("No answer; counts are old", isError: true))
        _ = update(&model, .withdrawn("No answer; counts are old"))
        _ = update(&model, .withdrawn("No answer"))
        _ = update(&model, .toast("It answers again", isError: false))
        #expect(model.toasts.current?.text == "It answers again")
        _ = update(&model, .clock(model.now + Toast.duration))
        #expect(model.toasts.current?.text == "Folder is full")
    }

    @Test(
        "Nothing moves on, and the state says why",
        arguments: [TransferOwner.lostService, .stoppedService, .hungService("kill it")])
    func silence(owner: TransferOwner) throws {
        var model = Self.model()
        #expect(model.rates.down > 0 && model.rates.totalRemainingSeconds != nil && model.isMoving)
        _ = update(&model, .owned(owner))
        for second in (11...60 as ClosedRange<Int64>) { _ = update(&model, .clock(second * 1_000)) }
        #expect(model.rates.down == 0 && model.rates.totalRemainingSeconds == nil && !model.isMoving)
        for id in [1, 2] as [UInt64] {
            let row = try #require(model.rows.figures(of: id))
            #expect(model.rates.speed(of: id) == nil)
            #expect(model.stateWord(of: row, cells: 14) == RowStates.serviceAway)
            #expect(model.stateWord(of: row, cells: 8) == RowStates.away)
            #expect(model.timeText(of: row) == "-")
        }
        #expect(!Self.text(model).contains("stalled"))
    }

    @Test("The average speed of a task does not sink while its service is away: it is not shown")
    func average() {
        var model = Self.model()
        _ = update(&model, .resized(Size(columns: 140, rows: 40)))
        _ = update(&model, .key(.character("g")))
        var details = RowDetails()
        (details.attemptStartedAt, details.firstByte, details.total) = (0, 1, 1)
        _ = update(&model, .details(1, details))
        func shown() -> String {
            GoldenFiles.text(of: view(model, size: Size(columns: 140, rows: 40), capabilities: ViewCapabilities()))
        }
        #expect(shown().contains("average"))
        _ = update(&model, .owned(.stoppedService))
        _ = update(&model, .clock(60_000))
        #expect(!shown().contains("average"))
    }

    @Test("The full screen of a running task says in its title too that the service is away")
    func title() {
        var model = Self.model()
        _ = update(&model, .key(.character("g")))
        _ = update(&model, .key(.enter))
        let isWaiting = model.current?.state == .retrying
        #expect(Self.text(model).split(separator: "\n")[0].contains(isWaiting ? "retrying" : "running"))
        _ = update(&model, .owned(.lostService))
        let first = Self.text(model).split(separator: "\n")[0]
        #expect(first.contains(RowStates.serviceAway.string) && !first.contains("running"), "\(first)")
    }

    @Test("An addition without an answer brings its form back, unless the user does something else by then")
    func unansweredAddition() throws {
        let job = Job(kind: .download, url: "http://a/new")
        for isBusy in [false, true] {
            var model = Self.model()
            _ = update(&model, .key(.character("a")))
            _ = update(&model, .paste(job.url))
            #expect(update(&model, .key(.enter)).contains(.send(.add([job]))))
            if isBusy { _ = update(&model, .key(.character("?"))) }
            _ = update(&model, .clock(model.now + Question.rest))
            _ = update(&model, .unanswered(.add([job])))
            #expect(model.toasts.current?.text == TaskToasts.additionUnanswered)
            #expect(!model.toasts.events.contains { $0.text == TaskToasts.added(1) })
            #expect(model.undo.refusal == nil)
            guard !isBusy else {
                #expect(model.screen == .help)
                continue
            }
            guard case .addForm(let form) = model.overlay else {
                Issue.record("The form should be open")
                continue
            }
            #expect(form[.url].text == job.url && form.editedID == nil)
            #expect(form.problem == TaskToasts.additionUnanswered)
        }
    }

    @Test("A form that comes back takes no key that is meant for the list")
    func unansweredWhileTyping() {
        var model = Self.model()
        let job = Job(kind: .download, url: "http://a/new")
        _ = update(&model, .key(.character("j")))
        _ = update(&model, .unanswered(.add([job])))
        #expect(model.overlay == nil && model.toasts.current?.text == TaskToasts.additionUnanswered)
    }

    @Test("A cancellation without an answer ends no row, and a restoration can be tried again")
    func unansweredEnds() {
        var model = Self.model()
        model.endPlans[1] = .ends
        _ = update(&model, .unanswered(.cancel([1], deletingParts: false)))
        #expect(model.endPlans[1] == nil)
        _ = update(&model, .unanswered(.restore([3])))
        #expect(model.undo.next == .removed([3], StoppedTasks()))
        #expect(model.toasts.current?.text == TaskToasts.unanswered)
    }

    @Test("An edit without an answer brings its form back, and a removal its row")
    func unansweredChanges() {
        var model = Self.model()
        _ = update(&model, .unanswered(.replace(1, with: Job(kind: .download, url: "http://a/other"))))
        guard case .addForm(let form) = model.overlay else {
            Issue.record("The form should be open")
            return
        }
        #expect(form.editedID == 1 && form[.url].text == "http://a/other")
        #expect(form.problem == TaskToasts.editUnanswered)
        model = Self.model()
        var done = RowSnapshot(id: 3, kind: .download, name: "done", url: "http://a/done")
        done.state = .failed
        _ = update(&model, .rows([done]))
        _ = model.remember(.removed([3], StoppedTasks()))
        model.setAside([3])
        #expect(model.rows.figures(of: 3) == nil)
        _ = update(&model, .unanswered(.remove([3], deletingParts: false)))
        #expect(model.rows.figures(of: 3)?.state == .failed)
        #expect(model.toasts.current?.text == TaskToasts.unanswered)
        _ = update(&model, .unanswered(.pause([1])))
        #expect(model.toasts.current?.text == TaskToasts.unanswered)
    }

    @Test("A key for all tasks does nothing while some are still being read", arguments: Array("PRAicC"))
    func reading(key: Character) {
        var model = Self.model()
        _ = update(&model, .reading(true))
        _ = update(&model, .key(.character(key)))
        #expect(model.toasts.current?.words == TaskReasons.stillReading && model.list.marks.isEmpty)
        #expect(Self.text(model).contains("reading the tasks"))
        _ = update(&model, .reading(false))
        _ = update(&model, .key(.character("P")))
        #expect(model.toasts.current?.words != TaskReasons.stillReading)
    }

    @Test(
        "A key for a group's tasks does nothing while some are still being read",
        arguments: Array("prxX +-eyYSTuWKJ") + ["A"])
    func readingGroup(key: Character) {
        var model = Self.onGroup()
        #expect(model.currentGroup?.count == 2)
        _ = update(&model, .reading(true))
        #expect(update(&model, .key(.character(key))).isEmpty)
        #expect(model.toasts.current?.words == TaskReasons.stillReading)
        #expect(model.list.marks.isEmpty && model.overlay == nil)
        _ = update(&model, .owned(.lostService))
        _ = update(&model, .key(.character(key)))
        #expect(model.toasts.current?.words == TaskReasons.partlyRead)
    }

    @Test("One task, and marked ones, need no others: their keys work while further ones are being read")
    func readingOthers() {
        var model = Self.model()
        _ = update(&model, .reading(true))
        #expect(update(&model, .key(.character("p"))).contains(.send(.pause([1]))))
        model = Self.model()
        _ = update(&model, .key(.character("A")))
        _ = update(&model, .reading(true))
        #expect(update(&model, .key(.character("p"))).contains(.send(.pause([1, 2]))))
    }

    @Test("Of a group's line, commands for further tasks than the one below the cursor are known as such")
    func targets() {
        let model = Self.onGroup()
        let known = Command.ofTargets.union(Command.ofWholeView)
        let others = model.keys.commands(on: .list).filter { !known.contains($0.id) && $0.reason(in: model) == nil }
        #expect(others.count > 20)
        for command in others {
            var other = model
            for case .send(let sent) in command.run(&other) { #expect(sent.rows.count < 2, "\(command.id)") }
            #expect(other.list.marks.isEmpty, "\(command.id)")
            #expect((other.question?.ids.count ?? 0) < 2, "\(command.id)")
        }
    }

    @Test("With the next service the numbers begin anew")
    func returns() throws {
        var model = Self.model()
        _ = update(&model, .owned(.lostService))
        _ = update(&model, .owned(.service))
        var row = RowSnapshot(id: 1, kind: .download, name: "runs", url: "http://a/runs")
        (row.state, row.expected) = (.running, 100_000_000)
        for second in (20...30 as ClosedRange<Int64>) {
            row.received = second * 1_000_000
            _ = update(&model, .rows([row]))
            _ = update(&model, .clock(second * 1_000))
        }
        #expect(model.rates.down > 0 && model.stateWord(of: row.figures, cells: 14) == RowState.running.word)
    }

    @Test(
        "Resuming starts the service again, with the tasks that went on",
        arguments: [("r", [1]), ("R", [1, 2]), ("S", [1])] as [(Character, [UInt64])])
    func resumed(key: Character, ids: [UInt64]) {
        var model = Self.model()
        _ = update(&model, .key(.character("g")))
        let first = model.list.cursor
        #expect(!Self.sends(&model, key, first.map { key == "R" ? ids : [$0] } ?? ids))
        _ = update(&model, .owned(.lostService))
        #expect(Self.sends(&model, key, first.map { key == "R" ? ids : [$0] } ?? ids))
    }

    /// Whether a key sends a command that resumes or starts tasks.
    private static func sends(_ model: inout Model, _ key: Character, _ ids: [UInt64]) -> Bool {
        update(&model, .key(.character(key))).contains { effect in
            switch effect {
            case .send(.resume(let sent)), .send(.startNow(let sent)): Set(sent) == Set(ids)
            default: false
            }
        }
    }

    @Test("The counts do not say that tasks run")
    func counts() {
        var model = Self.model()
        #expect(Self.text(model).contains("running 1"))
        _ = update(&model, .owned(.lostService))
        #expect(!Self.text(model).contains("running 1") && Self.text(model).contains("no service 2"))
    }

    @Test(
        "A command that asks the service for something says that it is away, in the list and in the details",
        arguments: [Job.Kind.download, .upload, .data], [RowState.running, .done])
    func asking(kind: Job.Kind, state: RowState) {
        var row = RowSnapshot(id: 3, kind: kind, name: "f", url: "http://a/f")
        (row.state, row.path, row.received) = (state, "/d/f", 5)
        var model = Self.model()
        _ = update(&model, .removed([1, 2]))
        _ = update(&model, .rows([row]))
        _ = update(&model, .key(.character("g")))
        var details = RowDetails()
        details.body.lines = ["{}"]
        _ = update(&model, .details(3, details))
        _ = update(&model, .owned(.lostService))
        for command in CommandTable.sections.flatMap(\.commands) {
            guard command.name != nil, command.reason(in: model) != TaskReasons.serviceAway else { continue }
            #expect(!Command.askingService.contains(command.id))
            var after = model
            #expect(!command.run(&after).contains(where: Self.asks), "\(command.id)")
        }
        _ = update(&model, .key(.character("e")))
        #expect(model.toasts.current?.words == TaskReasons.serviceAway)
    }

    /// Whether an effect is a question that only the service answers.
    private static func asks(_ effect: Effect) -> Bool {
        switch effect {
        case .edit, .quote, .askPaths, .moveFile, .moveFiles, .open, .view, .writeBody, .changeURL, .findParts,
            .readHistory, .removeParts, .deleteFiles:
            true
        default: false
        }
    }

    @Test(
        "Of a process that hangs each key tells what ends it, not what does not", arguments: ["J", "K", "z", "y", "e"])
    func hung(key: Character) {
        var model = Self.model()
        _ = update(&model, .key(.character("g")))
        _ = update(&model, .owned(.hungService("kill it")))
        #expect(update(&model, .key(.character(key))).isEmpty)
        #expect(model.toasts.current?.words == "kill it")
    }

    @Test("Keys that need a queue or an earlier step say that the service is away", arguments: ["J", "K", "z"])
    func keys(key: Character) {
        var model = Self.model()
        _ = update(&model, .owned(.lostService))
        #expect(update(&model, .key(.character(key))).isEmpty)
        #expect(model.toasts.current?.words == TaskReasons.serviceAway)
    }
}
