import DashboardTestSupport
import Testing

@testable import Dashboard
@testable import DashboardView
@testable import TransferValues

@Suite("Changing several tasks at once")
struct UpdateAmendTests {
    private static let states: [RowState] = [.failed, .paused, .running, .done, .queued, .verifying]

    /// A row of each state, all of them marked.
    private func model(marked: Bool = true) -> Model {
        var model = Model()
        _ = update(&model, .resized(Size(columns: 100, rows: 30)))
        let rows = Self.states.enumerated().map { index, state in
            var row = RowSnapshot(id: UInt64(index) + 1, kind: .download, name: "f", url: "http://h/f")
            row.host = "h"
            row.state = state
            return row
        }
        _ = update(&model, .rows(rows))
        if marked { _ = press(&model, "A") }
        return model
    }

    private var ids: [UInt64] { Self.states.indices.map { UInt64($0) + 1 } }

    private func job(_ id: UInt64, _ change: (inout Job) -> Void = { _ in }) -> Job {
        var job = Job(kind: .download, url: "http://h/\(id)", directory: "/data")
        change(&job)
        return job
    }

    private func press(_ model: inout Model, _ text: String, then keys: KeyPress...) -> [Effect] {
        (text.map(KeyPress.character) + keys).flatMap { update(&model, .key($0)) }.filter { effect in
            if case .watch = effect { false } else { true }
        }
    }

    private func prompt(of model: Model) throws -> Prompt {
        guard case .prompt(let prompt) = model.overlay else { throw NoPrompt() }
        return prompt
    }

    private struct NoPrompt: Error {}

    @Test("e asks for the settings of all marked tasks, and requests their jobs")
    func asks() throws {
        var model = model()
        #expect(press(&model, "e").isEmpty)
        #expect(try prompt(of: model).purpose == .amend(ids))
        #expect(press(&model, "user=me:new", then: .enter) == [.amend(ids, line: "user=me:new")])
        #expect(model.overlay == nil)
    }

    @Test("e on a group asks for the settings of its tasks; one marked task has its form")
    func targets() throws {
        var model = model(marked: false)
        _ = press(&model, "&", then: .home)
        #expect(press(&model, "e").isEmpty)
        guard case .amend(let asked) = try prompt(of: model).purpose else { throw NoPrompt() }
        #expect(asked.sorted() == ids)
        _ = press(&model, "", then: .escape)
        #expect(model.overlay == nil)
        model = self.model(marked: false)
        _ = press(&model, "", then: .home)
        let first = try #require(model.current?.id)
        #expect(press(&model, " e") == [.edit(first)])
    }

    @Test("A wrong line is told below the prompt, which stays")
    func wrong() throws {
        var model = model()
        model.variables = []
        for (line, problem) in [
            ("colour=red", OptionLineErrors.unknown("colour")), ("", AmendmentErrors.empty),
            ("user=me:@env:NONE", FormErrors.variableUnset("user", "NONE")),
        ] {
            #expect(press(&model, "e" + line, then: .enter).isEmpty)
            #expect(try prompt(of: model).problem?.string == problem)
            _ = press(&model, "", then: .escape)
        }
    }

    @Test("No history offers a line again, because it may contain a password")
    func noHistory() throws {
        var model = model()
        _ = press(&model, "euser=me:secret", then: .enter)
        _ = press(&model, "e", then: .up)
        #expect(try prompt(of: model).field.text.isEmpty)
    }

    @Test("Ended tasks are replaced, live ones stopped first; paused ones stay paused, completed ones as they are")
    func changes() throws {
        var model = model()
        let effects = update(&model, .amend(ids, ids.map { job($0) }, line: "user=me:new"))
        func changed(_ id: UInt64, paused: Bool = false) -> Job {
            job(id) {
                $0.options = [JobOption.Value(.user, "me:new")]
                $0.startsPaused = paused
            }
        }
        #expect(
            effects == [.send(.cancel([2, 3, 5], deletingParts: false)), .send(.replace(1, with: changed(1)))])
        #expect(model.toasts.current?.text.string.contains(TaskToasts.amended(4).string) == true)
        #expect(model.toasts.current?.text.string.contains(TaskToasts.skipped(2).string) == true)
        var ended = try #require(model.rows[2])
        ended.state = .cancelled
        #expect(update(&model, .rows([ended])).contains(.send(.replace(2, with: changed(2, paused: true)))))
        ended = try #require(model.rows[3])
        ended.state = .cancelled
        #expect(update(&model, .rows([ended])).contains(.send(.replace(3, with: changed(3)))))
    }

    @Test("A speed limit alone stops nothing")
    func limits() {
        var model = model()
        let effects = update(&model, .amend([2, 3, 5], [2, 3, 5].map { job($0) }, line: "limit-rate=1k"))
        #expect(effects == [.send(.limitTasks([2, 3, 5], TaskRates(download: 1024)))])
    }

    @Test("A line that changes nothing is told, and rows that are gone are left out")
    func nothing() {
        var model = model()
        #expect(update(&model, .amend([4], [job(4)], line: "user=me:new")).isEmpty)
        #expect(model.toasts.current?.text == TaskReasons.nothingToAmend)
        #expect(update(&model, .amend([99], [job(9)], line: "user=me:new")).isEmpty)
        #expect(update(&model, .amend([1], [job(1)], line: "dir=/data")).isEmpty)
    }
}
