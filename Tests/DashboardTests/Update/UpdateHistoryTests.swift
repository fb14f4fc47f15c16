import DashboardTestSupport
import Testing

@testable import Dashboard
@testable import DashboardView
@testable import TransferValues

@Suite("The history on the screen", .timeLimit(.minutes(1)))
struct UpdateHistoryTests {
    /// Thirty ends, an hour apart, of which the first ten are of the day on which they are read.
    private static let page = HistoryPage(
        (0..<30).map { number in
            let entry = HistoryEntry(
                endedAt: 1_000_000 - Int64(number) * 3_600, kind: number % 3 == 0 ? .data : .download,
                outcome: number % 5 == 0 ? .failed : .done, name: "file" + SafeText(number),
                host: number < 10 ? "a.test" : "b.test", url: "http://a.test/f" + SafeText(number), bytes: 1 << 20,
                milliseconds: 1024, reason: number % 5 == 0 ? "404 Not Found" : nil)
            return HistoryLine(day: number < 10 ? "2026-11-28" : "2026-11-27", time: "10:00", entry)
        }, now: 1_000_000, today: "2026-11-28")
    private static let entries = page.lines.map(\.entry)

    private func model() -> Model {
        var model = Model()
        _ = update(&model, .resized(Size(columns: 100, rows: 20)))
        #expect(press(&model, .control("r")) == [.readHistory])
        #expect(model.screen == .history)
        _ = update(&model, .history(Self.page, problem: nil))
        return model
    }

    @discardableResult
    private func press(_ model: inout Model, _ keys: KeyPress...) -> [Effect] {
        keys.flatMap { update(&model, .key($0)) }
    }

    @discardableResult
    private func type(_ model: inout Model, _ text: String) -> [Effect] {
        text.map(KeyPress.character).flatMap { update(&model, .key($0)) }
    }

    private func screen(_ model: Model) -> String {
        GoldenFiles.text(of: view(model, size: model.size, capabilities: ViewCapabilities()))
    }

    private func days(_ filter: String) -> [HistoryDay] {
        HistoryState.items(of: Self.page, filter: filter).compactMap { if case .day(let day) = $0 { day } else { nil } }
    }

    @Test("A request is entered again with its URL alone, and the form says what the history has not kept")
    func again() throws {
        // The first entry is a request, the second one a download.
        for (keys, problem) in [([], FormErrors.onlyURLKept), ([KeyPress.down], nil)] as [([KeyPress], SafeText?)] {
            var model = model()
            for key in keys { press(&model, key) }
            press(&model, .character("a"))
            guard case .addForm(let form) = model.overlay else {
                Issue.record("no form")
                return
            }
            #expect(form.problem == problem)
            #expect(form[.url].text == Self.entries[keys.count].url.string)
        }
    }

    @Test("A request without fields, a body and options is entered again completely, and the form says nothing")
    func complete() throws {
        var line = Self.page.lines[0]
        line.entry.isComplete = true
        var model = model()
        _ = update(&model, .history(HistoryPage([line], now: 1_000_000, today: "2026-11-28"), problem: nil))
        press(&model, .character("a"))
        guard case .addForm(let form) = model.overlay else {
            Issue.record("no form")
            return
        }
        #expect(form.problem == nil && form[.method].text == "GET")
    }

    @Test("Each day is summed up before its tasks")
    func sums() {
        #expect(days("").map(\.day) == ["2026-11-28", "2026-11-27"])
        #expect(days("").map(\.count) == [10, 20] && days("").map(\.failures) == [2, 4])
        #expect(days("").map(\.bytes) == [10 << 20, 20 << 20])
        #expect(HistoryState.items(of: Self.page, filter: "").first == .day(days("")[0]))
        #expect(HistoryState.items(of: HistoryPage([], now: 0, today: ""), filter: "").isEmpty)
    }

    @Test("Sums of numbers from a damaged file stay numbers")
    func hugeSums() {
        var day = HistoryDay(day: "2026-11-28")
        for bytes in [Int64.max, 5, -7] {
            day.add(
                HistoryEntry(endedAt: 0, kind: .download, outcome: .done, name: "", host: "", url: "", bytes: bytes))
        }
        #expect(day.bytes == .max && day.count == 3)
    }

    @Test(
        "A filter searches by name, host, state, kind, size, speed and time, and sums up what it shows",
        arguments: [
            ("file7", [1]), ("host:a.test", [10]), ("failed", [2, 4]), ("state:failed", [2, 4]),
            ("error:404 -host:b", [2]), ("2026-11-27", [20]), ("2026-11", [10, 20]), ("today", [10]), ("-today", [20]),
            ("age:<150m", [3]), ("age:>1430m", [6]), ("size:>2M", []), ("speed:>1000", [10, 20]),
            ("kind:data today", [4]), ("progress:>0", []), ("~file2[0-3]", [4]), ("not found", [2, 4]),
            ("nothing", []),
        ] as [(String, [Int])])
    func filters(filter: String, counts: [Int]) {
        #expect(HistoryFilter(filter).problem == nil)
        #expect(days(filter).map(\.count) == counts)
    }

    @Test("It is searched as the list is, and Esc restores the earlier filter")
    func search() {
        var model = model()
        #expect(screen(model).contains("2026-11-28"))
        type(&model, "/host:b")
        #expect(!screen(model).contains("2026-11-28"))
        press(&model, .escape)
        #expect(model.screen == .history && screen(model).contains("2026-11-28"))
        type(&model, "/host:b")
        press(&model, .enter)
        #expect(model.openHistory?.filter == "host:b" && model.openHistory?.count == 20)
        #expect(screen(model).contains("History: host:b"))
        type(&model, "/")
        press(&model, .control("u"))
        type(&model, "size:>")
        press(&model, .enter)
        #expect(model.screen == .prompt)
        press(&model, .escape, .escape)
        #expect(model.overlay == nil)
    }

    @Test("The highlight goes to the oldest task and no further, and what it is on is on the screen")
    func moving() {
        var model = model()
        #expect(model.openHistory?.current == Self.entries.first)
        press(&model, .end)
        #expect(model.openHistory?.current == Self.entries.last && screen(model).contains("file29 "))
        press(&model, .up)
        #expect(model.openHistory?.current == Self.entries[28] && screen(model).contains("file28 "))
        press(&model, .home)
        #expect(model.openHistory?.line == 0 && screen(model).contains("file0 "))
        _ = update(&model, .chosen(4))
        #expect(model.openHistory?.line == 4)
    }

    @Test("An answer that comes late changes nothing but the history, also below its prompt")
    func lateAnswers() {
        var model = model()
        type(&model, "/file2")
        _ = update(&model, .history(Self.page, problem: nil))
        #expect(model.screen == .prompt && screen(model).contains("file2"))
        press(&model, .escape, .escape)
        _ = update(&model, .history(nil, problem: "no disk"))
        #expect(model.overlay == nil)
    }

    private func end(of id: UInt64, repeats: Bool = false) -> Message {
        var row = RowSnapshot(id: id, kind: .data, name: "n", url: "http://a.test/")
        row.figures.state = .done
        if repeats { row.figures.repetition = .active }
        return .rows([row])
    }

    private func reads(_ model: inout Model, _ message: Message) -> Bool {
        update(&model, message).contains(.readHistory)
    }

    @Test("It is read again when tasks have ended, once a second, and less often when it is long")
    func readAgain() {
        var model = model()
        _ = update(&model, .clock(5_000))
        #expect(model.historyDue == nil && reads(&model, end(of: 1)))
        #expect(!reads(&model, end(of: 2)) && model.historyDue == 6_000)
        #expect(model.nextDeadline.map { $0 <= 6_000 } == true)
        #expect(!reads(&model, .clock(5_999)) && reads(&model, .clock(6_000)))
        #expect(!reads(&model, .clock(9_000)) && model.historyDue == nil)
        let long = HistoryPage(Array(repeating: Self.page.lines[0], count: 4_000), now: 0, today: "")
        _ = update(&model, .history(long, problem: nil))
        #expect(!reads(&model, end(of: 3)) && model.historyDue == 10_000)
        type(&model, "/file")
        #expect(reads(&model, .clock(10_000)))
        press(&model, .escape, .escape)
        #expect(!reads(&model, end(of: 4)) && model.historyDue == nil)
    }

    @Test("What ends again and again is not in it, so it is not read again for that")
    func repeated() {
        var model = model()
        _ = update(&model, .clock(5_000))
        #expect(!reads(&model, end(of: 1, repeats: true)) && model.historyDue == nil)
    }

    @Test("When it is read again the highlight stays on its task, and an open question stays")
    func stays() {
        var model = model()
        press(&model, .down)
        var newer = Self.page
        newer.lines.insert(
            HistoryLine(
                day: "2026-11-28", time: "10:01",
                HistoryEntry(
                    endedAt: 1_000_060, kind: .data, outcome: .done, name: "new", host: "c.test",
                    url: "http://c.test/", bytes: 1)), at: 0)
        _ = update(&model, .history(newer, problem: nil))
        #expect(model.openHistory?.current == Self.entries[1] && model.openHistory?.count == 31)
        press(&model, .home)
        _ = update(&model, .history(Self.page, problem: nil))
        #expect(model.openHistory?.line == 0 && model.openHistory?.count == 30)
        type(&model, "x")
        _ = update(&model, .clock(5_000))
        _ = update(&model, .history(newer, problem: nil))
        #expect(model.openHistory?.question == .highlighted && model.openHistory?.count == 30)
        #expect(!reads(&model, end(of: 1)) && type(&model, "n").contains(.readHistory))
    }

    @Test("Enter opens the form with a task's request, and tells which secrets were not kept")
    func addingAgain() throws {
        var model = model()
        press(&model, .down, .enter)
        guard case .addForm(let form) = model.overlay else { throw NoForm() }
        #expect(form.kind == .download && form[.url].text == "http://a.test/f1" && form.problem == nil)
        #expect(form.editedID == nil)
        let job = Job(kind: .download, url: "http://a.test/f1")
        let added = press(&model, .enter).compactMap { if case .send(.add(let jobs)) = $0 { jobs.first } else { nil } }
        #expect(added.map(\.url) == [job.url] && added.map(\.kind) == [.download])

        model = self.model()
        let secret = HistoryEntry(
            endedAt: 0, kind: .data, outcome: .done, method: "PUT", name: "n", host: "h",
            url: "http://h/f?token=***", bytes: 0)
        let long = HistoryEntry(
            endedAt: 0, kind: .data, outcome: .done, name: "n", host: "h",
            url: "http://h/" + SafeText("x") * 2000, bytes: 0)
        let lines = [secret, long].map { HistoryLine(day: "2026-11-28", time: "10:00", $0) }
        _ = update(&model, .history(HistoryPage(lines, now: 0, today: ""), problem: nil))
        press(&model, .enter)
        guard case .addForm(let asking) = model.overlay else { throw NoForm() }
        #expect(asking.problem == FormErrors.hiddenURL && asking[.method].text == "PUT")

        press(&model, .escape, .control("r"))
        _ = update(&model, .history(HistoryPage(lines, now: 0, today: ""), problem: nil))
        press(&model, .down, .enter)
        #expect(model.screen == .history && model.toasts.current?.text == TaskReasons.urlNotKept)
    }

    private struct NoForm: Error {}

    @Test("A task is forgotten after a question, by name; all that a filter shows, too; all of them as all")
    func forgetting() {
        var model = model()
        press(&model, .down)
        type(&model, "x")
        #expect(screen(model).contains(Questions.forget(1).string))
        press(&model, .escape)
        #expect(model.screen == .history && model.openHistory?.question == nil)
        #expect(type(&model, "xy") == [.send(.forgetEnds([Self.entries[1]]))])
        #expect(model.openHistory?.count == 29 && !screen(model).contains("file1 "))
        type(&model, "/today")
        press(&model, .enter)
        #expect(type(&model, "Xn").isEmpty && model.openHistory?.count == 9)
        let today = Array(Self.entries[0..<1] + Self.entries[2..<10])
        #expect(type(&model, "Xy") == [.send(.forgetEnds(today))])
        #expect(model.openHistory?.count == 0)
        type(&model, "/")
        press(&model, .control("u"), .enter)
        #expect(model.openHistory?.count == 20)
        #expect(type(&model, "Xy") == [.send(.forgetEnds(nil))])
        #expect(type(&model, "y").isEmpty && model.openHistory?.count == 0)
    }

    @Test("Moving withdraws a question")
    func withdrawn() {
        var model = model()
        type(&model, "Xj")
        #expect(type(&model, "y").isEmpty && model.openHistory?.count == 30)
    }

    @Test("Why it cannot be read is told, and that it is being read")
    func problem() {
        var model = Model()
        _ = update(&model, .resized(Size(columns: 60, rows: 12)))
        press(&model, .control("r"))
        #expect(screen(model).contains(DialogLabels.readingHistory.string))
        #expect(press(&model, .enter).isEmpty && type(&model, "xXy").isEmpty)
        _ = update(&model, .history(nil, problem: "no disk"))
        #expect(screen(model).contains("no disk"))
    }
}
