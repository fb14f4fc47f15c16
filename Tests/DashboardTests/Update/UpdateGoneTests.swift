import DashboardTestSupport
import DashboardView
import Testing

@testable import Dashboard

/// Tasks that no key can reach: another window has removed them, or they are held.
@Suite("Tasks that are gone or held")
struct UpdateGoneTests {
    private func row(_ id: UInt64, _ state: RowState, moved: Int64 = 0) -> RowSnapshot {
        var row = RowSnapshot(id: id, kind: .download, name: "row" + SafeText(id), url: "http://a/")
        (row.state, row.received, row.continuation) = (state, moved, .yes)
        row.path = "/d/row" + SafeText(id)
        return row
    }

    private func model(_ rows: RowSnapshot...) -> Model { .showing(rows) }

    private func press(_ model: inout Model, _ keys: KeyPress...) -> [Effect] {
        keys.flatMap { update(&model, .key($0)) }.filter { effect in
            if case .watch = effect { false } else { true }
        }
    }

    private func said(_ model: Model) -> String { model.toasts.current?.text.string ?? "" }

    @Test("A question loses the tasks that another window removes, and closes with the last", arguments: ["x", "X"])
    func goneInQuestion(key: Character) {
        var model = model(row(1, .running, moved: 10), row(2, .running, moved: 10))
        _ = press(&model, .character("A"), .character(key))
        #expect(model.question?.ids == [1, 2])
        _ = update(&model, .removed([1]))
        #expect(model.question?.ids == [2])
        _ = update(&model, .remaining([]))
        #expect(model.overlay == nil && said(model) == TaskReasons.alreadyRemoved.string)
    }

    @Test(
        "A prompt about a task that another window has removed says that",
        arguments: [("W", "/other"), ("!", "http://b/"), ("u", "30k")] as [(Character, String)])
    func goneInPrompt(key: Character, answer: String) throws {
        var model = model(row(1, .running, moved: 10))
        let effects = press(&model, .character(key))
        if effects.contains(.askPaths([1])) {
            _ = update(&model, .destinations([FilePlace(id: 1, path: "/d/row1")]))
        }
        guard case .prompt = model.overlay else {
            Issue.record("no prompt: \(effects)")
            return
        }
        _ = update(&model, .removed([1]))
        model.edit { $0 = TextField(answer) }
        #expect(press(&model, .enter).isEmpty)
        guard case .prompt(let prompt) = model.overlay else {
            Issue.record("The prompt should be open")
            return
        }
        #expect(prompt.problem == TaskReasons.alreadyRemoved)
    }

    @Test(
        "A task that is held says why in its row at each width, and r names the key that starts it",
        arguments: [
            (WaitMoment(rawValue: 1_320), "from 22:00"), (WaitMoment(rawValue: 2_003), "in 3 days"),
            (.afterOthers, "after task"),
        ] as [(WaitMoment, String)])
    func held(opening: WaitMoment, word: String) {
        var held = row(1, .queued)
        held.opening = opening
        var model = model(held)
        for columns in [140, 100, 80, 60, 40] {
            let size = Size(columns: columns, rows: 12)
            _ = update(&model, .resized(size))
            let screen = GoldenFiles.text(of: view(model, size: size, capabilities: ViewCapabilities()))
            #expect(screen.contains(word), "\(columns): \(screen)")
        }
        #expect(press(&model, .character("r")).isEmpty)
        #expect(said(model) == TaskReasons.held(SafeText(untrusted: word), "S").string)
    }
}
