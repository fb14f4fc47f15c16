import Testing

@testable import Dashboard
@testable import TransferService
@testable import netdash

@Suite("Every screen over a scripted service", .timeLimit(.minutes(2)))
struct ScriptedScreensTests {
    private struct Step: Sendable {
        let screen: Screen
        /// The keys that lead there from the list.
        let keys: String
        /// The key after them that is no character.
        var key: KeyPress?
        var enters = false
        /// Whether the tasks run in another process.
        var isInService = false
        /// Whether the first task has found an existing file.
        var isUndecided = false
        /// What the screen shows that the service alone knows, or the screen alone says.
        let words: [String]
    }

    private static let steps: [Step] = [
        Step(screen: .list, keys: "", words: ["first.iso", "second.tar", "third.json"]),
        Step(screen: .details, keys: "", enters: true, words: ["first.iso", "206 Partial Content"]),
        Step(screen: .help, keys: "?", words: ["pause"]),
        Step(screen: .cancelDialog, keys: "x", words: ["first.iso"]),
        Step(screen: .removeDialog, keys: "X", words: ["Remove 1 task from the list?"]),
        Step(screen: .quitDialog, keys: "q", words: ["Quit"]),
        Step(screen: .detachDialog, keys: "q", isInService: true, words: ["Detach", "Stop all, quit"]),
        Step(screen: .clearDialog, keys: "C", words: ["Clear"]),
        Step(screen: .fileDialog, keys: "", isUndecided: true, words: ["File exists", "Keep both", "Later"]),
        Step(screen: .actionMenu, keys: "m", words: ["first.iso"]),
        Step(screen: .addForm, keys: "a", words: ["URL"]),
        Step(screen: .editForm, keys: "e", words: ["http://a.test/first.iso"]),
        Step(screen: .filterPrompt, keys: "/sec", words: ["second.tar"]),
        Step(screen: .prompt, keys: "u", words: ["first.iso"]),
        Step(screen: .sortMenu, keys: "s", words: ["Sort"]),
        Step(screen: .stateMenu, keys: "f", words: ["running"]),
        Step(screen: .options, keys: "o", words: ["Options"]),
        Step(screen: .eventLog, keys: "L", words: ["log"]),
        Step(screen: .leftovers, keys: "~", words: [".gone.iso.1234.part"]),
        Step(screen: .palette, keys: ":pau", words: ["pause"]),
        Step(screen: .history, keys: "", key: .control("r"), words: ["old.iso", "1 task"]),
    ]

    private func dashboard() throws -> ScriptedDashboard {
        let names: [(SafeText, Job.Kind, RowState)] = [
            ("first.iso", .download, .running), ("second.tar", .upload, .paused), ("third.json", .data, .done),
        ]
        let rows = names.enumerated().map { index, row in
            var snapshot = RowSnapshot(id: UInt64(index + 1), kind: row.1, name: row.0, url: "http://a.test/" + row.0)
            snapshot.state = row.2
            (snapshot.received, snapshot.expected) = (500_000, 1_000_000)
            return snapshot
        }
        let dashboard = try ScriptedDashboard(rows: rows)
        var details = RowDetails()
        details.statusLine = "206 Partial Content"
        dashboard.service.setDetails(details, of: 1)
        dashboard.service.setHistory([
            HistoryEntry(
                endedAt: 1_790_000_000, kind: .download, outcome: .done, name: "old.iso", host: "a.test",
                url: "http://a.test/old.iso", bytes: 10)
        ])
        dashboard.service.setLeftParts([
            LeftoverLine(path: "/d/.gone.iso.1234.part", meaning: .resumable, byteCount: 10, age: 10)
        ])
        try #require(dashboard.wait { $0.model.rows.count == 3 })
        dashboard.press("g")
        return dashboard
    }

    @Test("There is a step for every screen")
    func completeness() {
        #expect(Set(Self.steps.map(\.screen)) == Set(Screen.allCases))
    }

    @Test("Keys and a service's answers lead to it, and nothing of an engine is there", arguments: 0..<Self.steps.count)
    func screens(number: Int) throws {
        let step = Self.steps[number]
        let dashboard = try dashboard()
        if step.isInService { dashboard.receive(.owned(.service)) }
        if step.isUndecided {
            var row = RowSnapshot(id: 1, kind: .download, name: "first.iso", url: "http://a.test/first.iso")
            (row.state, row.cause, row.error) = (.paused, .destinationExists, "File exists: first.iso")
            dashboard.receive(.rows([row]))
        }
        dashboard.press(step.keys)
        if let key = step.key { dashboard.press("", key) }
        if step.enters { dashboard.press("", .enter) }
        let isThere = dashboard.wait { dashboard in
            dashboard.model.screen == step.screen && step.words.allSatisfy { dashboard.screen.contains($0) }
        }
        #expect(isThere, "\(step.screen), not \(dashboard.model.screen):\n\(dashboard.screen)")
    }

    @Test("A key's command goes to the service, and what the service tells of it is on the screen")
    func pausing() throws {
        let dashboard = try dashboard()
        dashboard.press("p")
        #expect(dashboard.service.commands == [.pause([1])])
        dashboard.service.change(state: .paused, of: 1)
        #expect(dashboard.wait { $0.screen.contains(/first\.iso.*paused/) }, "\(dashboard.screen)")
        dashboard.press("r")
        #expect(dashboard.service.commands.last == .resume([1]))
    }
}
