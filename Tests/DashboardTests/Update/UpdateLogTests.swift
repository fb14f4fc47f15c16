import DashboardTestSupport
import Testing

@testable import Dashboard

@Suite("The event log", .timeLimit(.minutes(1)))
struct UpdateLogTests {
    private func row(_ id: UInt64, _ name: SafeText, _ state: RowState = .running) -> RowSnapshot {
        var row = RowSnapshot(id: id, kind: .download, name: name, url: "http://h/" + name)
        row.host = id == 1 ? "first.example" : "second.example"
        row.state = state
        return row
    }

    private func entry(_ time: Int64, _ id: UInt64, _ text: SafeText, isError: Bool = false) -> LogEntry {
        LogEntry(time: time, id: id, name: id == 1 ? "a.iso" : "b.iso", text: text, isError: isError)
    }

    /// A model at ten seconds with two rows, whose log was opened.
    private func opened(_ entries: [LogEntry]) -> Model {
        var model = Model()
        _ = update(&model, .clock(10_000))
        _ = update(&model, .rows([row(1, "a.iso"), row(2, "b.iso")]))
        #expect(update(&model, .key(.character("L"))) == [.readLog(true)])
        #expect(update(&model, .log(entries)).isEmpty)
        return model
    }

    private func press(_ model: inout Model, _ text: String, _ keys: KeyPress...) -> [Effect] {
        (text.map(KeyPress.character) + keys).flatMap { update(&model, .key($0)) }
    }

    private func lines(_ model: Model) -> [String] {
        model.logEntries(filter: model.openLog?.filter ?? "").map(\.sentence.string)
    }

    @Test("Events of transfers are asked for when the log is opened, and no longer when it is closed")
    func reading() {
        var model = opened([entry(1_000, 1, "started")])
        #expect(lines(model) == ["a.iso  started"])
        _ = update(&model, .logged([entry(2_000, 1, "done: 5 B in 1 s")]))
        #expect(lines(model) == ["a.iso  started", "a.iso  done: 5 B in 1 s"])
        #expect(press(&model, "?").isEmpty)
        #expect(press(&model, "", .escape).isEmpty)
        #expect(press(&model, "/", .escape).isEmpty)
        #expect(model.screen == .eventLog)
        #expect(press(&model, "q") == [.readLog(false)])
        _ = update(&model, .logged([entry(3_000, 1, "too late")]))
        #expect(model.log.entries.isEmpty)
    }

    @Test("What the dashboard said and what happened to transfers stand in the order of their times")
    func merging() {
        var model = Model()
        _ = update(&model, .clock(10_000))
        _ = update(&model, .toast("Hello", isError: false))
        #expect(update(&model, .key(.character("L"))) == [.readLog(true)])
        _ = update(&model, .log([entry(9_000, 1, "started"), entry(11_000, 1, "answered with 200")]))
        #expect(lines(model) == ["a.iso  started", "Hello", "a.iso  answered with 200"])
    }

    @Test("Keys that a message names are not in the log: they mean something only at that moment")
    func hints() {
        var model = opened([])
        _ = press(&model, "q9S")
        _ = press(&model, "pZZL")
        let said = lines(model)
        #expect(!said.isEmpty)
        #expect(said.contains(TaskToasts.paused(1).string))
        #expect(said.contains(ViewToasts.viewEmpty(9).string))
        #expect(said.contains(ViewToasts.frozen.string))
        #expect(said.allSatisfy { !$0.contains("undo") && !$0.contains("shows") && !$0.contains("saves") })
    }

    @Test("A reader who has scrolled up stays at the same line, also when the oldest ones are forgotten")
    func place() {
        var model = opened((0..<2_000).map { entry(Int64($0), 1, "line " + SafeText($0)) })
        _ = press(&model, "", .up, .up, .up)
        func shown() -> String? { lines(model).dropLast(model.openLog?.scroll ?? 0).last }
        #expect(shown() == "a.iso  line 1996")
        _ = update(&model, .logged([entry(3_000, 1, "new"), entry(3_001, 2, "new")]))
        #expect(shown() == "a.iso  line 1996")
        _ = update(&model, .toast("Hello", isError: false))
        #expect(shown() == "a.iso  line 1996")
        // What the filter hides moves nothing.
        _ = press(&model, "/host:first", .enter)
        _ = press(&model, "", .up, .up)
        let position = shown()
        _ = update(&model, .logged([entry(12_000, 2, "another")]))
        #expect(shown() == position)
    }

    @Test("An error goes sooner when keys are pressed, and is still seen after what covers it")
    func hurriedErrors() {
        var model = Model()
        _ = update(&model, .clock(10_000))
        _ = update(&model, .rows([row(1, "a.iso")]))
        _ = update(&model, .toast("Bad", isError: true))
        _ = update(&model, .clock(11_000))
        _ = press(&model, "p")
        #expect(model.toasts.current?.words == TaskToasts.paused(1))
        _ = update(&model, .clock(18_999))
        #expect(model.toasts.current?.text == "Bad")
        _ = update(&model, .clock(19_000))
        #expect(model.toasts.current == nil)
        _ = update(&model, .toast("Worse", isError: true))
        _ = update(&model, .clock(33_999))
        #expect(model.toasts.current?.text == "Worse")
    }

    @Test("What was said about a failure goes when the row runs again or has left the list")
    func mootErrors() {
        for message in [Message.rows([row(1, "a.iso", .queued)]), .removed([1])] {
            var model = Model()
            _ = update(&model, .clock(10_000))
            _ = update(&model, .rows([row(1, "a.iso"), row(2, "b.iso")]))
            _ = update(&model, .rows([row(1, "a.iso", .failed), row(2, "b.iso", .failed)]))
            #expect(model.toasts.toasts.count == 2)
            _ = update(&model, message)
            #expect(model.toasts.toasts.map(\.id) == [2])
        }
    }

    @Test("A failure is one line of the log, although it is shown above the footer too")
    func failure() {
        var model = opened([])
        _ = update(&model, .rows([row(1, "a.iso", .failed)]))
        #expect(model.toasts.current?.isError == true)
        #expect(lines(model).isEmpty)
    }

    @Test(
        "The filter has the words of the list's: text in the line, conditions of its task",
        arguments: [
            ("", ["Hello", "a.iso  started", "b.iso  started", "a.iso  failed: No such HOST"]),
            ("started", ["a.iso  started", "b.iso  started"]), ("no such host", ["a.iso  failed: No such HOST"]),
            ("host:second", ["b.iso  started"]), ("started host:first", ["a.iso  started"]), ("nothing", []),
            ("state:failed", []), ("hello", ["Hello"]),
        ])
    func filter(text: String, shown: [String]) {
        var model = Model()
        _ = update(&model, .clock(500))
        _ = update(&model, .toast("Hello", isError: false))
        _ = update(&model, .rows([row(1, "a.iso"), row(2, "b.iso")]))
        _ = update(&model, .key(.character("L")))
        _ = update(
            &model,
            .log([entry(1_000, 1, "started"), entry(1_001, 2, "started"), entry(2_000, 1, "failed: No such HOST")]))
        #expect(press(&model, "/" + text, .enter).isEmpty)
        #expect(model.screen == .eventLog)
        #expect(lines(model) == shown)
        #expect(press(&model, "/", .control("u"), .enter).isEmpty)
        #expect(lines(model).count == 4)
    }

    @Test("A condition that is wrong is said, and the prompt stays; Esc keeps the filter that was on")
    func slips() {
        var model = opened([entry(1_000, 1, "started"), entry(1_001, 2, "started")])
        _ = press(&model, "/b.iso", .enter)
        _ = press(&model, "/", .control("u"))
        _ = press(&model, "state:x", .enter)
        guard case .prompt(let prompt) = model.overlay else { return #expect(Bool(false), "no prompt") }
        #expect(prompt.problem != nil)
        _ = press(&model, "", .escape)
        #expect(lines(model) == ["b.iso  started"])
    }

    @Test("Whoever has scrolled up stays at the same line while more is told")
    func scrolling() {
        var model = opened((1...50).map { entry(Int64($0), 1, SafeText($0)) })
        _ = press(&model, "kkk")
        #expect(model.openLog?.scroll == 3)
        _ = update(&model, .logged([entry(60, 2, "started"), entry(61, 2, "paused")]))
        #expect(model.openLog?.scroll == 5)
        _ = press(&model, "G")
        #expect(model.openLog?.scroll == 0)
        _ = update(&model, .logged([entry(62, 2, "resumed")]))
        #expect(model.openLog?.scroll == 0)
        _ = press(&model, "g")
        #expect(model.openLog?.scroll == 52)
    }

    @Test("The oldest events are forgotten")
    func limit() {
        let model = opened((1...EventLog.limit + 5).map { entry(Int64($0), 1, SafeText($0)) })
        #expect(lines(model).count == EventLog.limit)
        #expect(lines(model).first == "a.iso  6")
    }
}
