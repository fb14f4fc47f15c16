import TerminalTestSupport
import Testing

/// The demo as a new user has it, who presses what it says.
@Suite("The demo", .serialized, .timeLimit(.minutes(2)), .enabled(if: TmuxSession.isAvailable))
struct DemoTests {
    @Test("It goes on after its first tasks, its tour leads from key to key, and q leaves the tour before the demo")
    func story() async throws {
        let terminal = try TmuxSession(rows: 24, columns: 80, command: [try Program.path(), "demo"])
        try await terminal.waitUntilScreen("the invitation") { $0.joined().contains("F3 starts a tour") }
        try terminal.send("F3")
        for (words, keys) in [
            ("Tour 1/7: Down", ["Down"]), ("Tour 2/7: p ", ["Home", "p"]), ("Tour 3/7: r ", ["r"]),
            ("Tour 4/7: Enter", ["Enter"]), ("Tour 5/7: q ", ["q"]), ("Tour 6/7: / ", ["/", "Escape"]),
            ("Tour 7/7: x ", ["F3"]),
        ] {
            try await wait(for: words, terminal)
            for key in keys { try terminal.send(key) }
        }
        try await terminal.waitUntilScreen("the tour's end", within: .seconds(30)) {
            $0.joined().contains("End of tour. ?")
        }
        try terminal.send("q")
        try await terminal.waitUntilScreen("the list alone") { !$0.joined().contains("End of tour") }
        // Thirteen tasks were there at first.
        try await terminal.waitUntilScreen("more tasks", within: .seconds(60)) { screen in
            screen.joined().firstMatch(of: /All (\d+)/).flatMap { Int($0.1) }.map { $0 > 13 } ?? false
        }
        try terminal.send("F1")
        try await terminal.waitUntilScreen("the help") { $0.joined().contains("Help: List") }
    }

    /// Waits for a step of the tour; a task that has ended before the key for its pause came is left for another one.
    private func wait(for words: String, _ terminal: TmuxSession) async throws {
        while true {
            let screen = try await terminal.waitUntilScreen(words, within: .seconds(30)) { screen in
                screen.joined().contains(words) || words.contains("3/7") && hasEndedSelection(screen)
            }
            if screen.joined().contains(words) { return }
            for key in ["Home", "p"] { try terminal.send(key) }
        }
    }

    private func hasEndedSelection(_ screen: [String]) -> Bool {
        screen.contains { $0.hasPrefix("▌") && ($0.contains("✓") || $0.contains("✗")) }
    }

    @Test("Quit when done comes to its end: the demo adds nothing more")
    func quitWhenDone() async throws {
        let terminal = try TmuxSession()
        try terminal.type("'\(try Program.path())' demo; echo ended with $?")
        try terminal.send("Enter")
        // Without tasks q would end it at once.
        try await terminal.waitUntilScreen("tasks") { $0.joined().contains("running") }
        try terminal.send("q")
        try await terminal.waitUntilScreen("the question") { $0.joined().contains("Quit when done") }
        try terminal.send("w")
        try await terminal.waitUntilScreen("the promise") { $0.joined().contains("Quits after") }
        try await terminal.waitUntilScreen("its end", within: .seconds(60)) { $0.contains("ended with 0") }
    }

    @Test("The tour fits small screens", arguments: [(10, 40), (5, 20)])
    func small(rows: Int, columns: Int) async throws {
        let terminal = try TmuxSession(rows: rows, columns: columns, command: [try Program.path(), "demo"])
        // The invitation would cover the keys that leave.
        try await terminal.waitUntilScreen("the keys that leave") { $0.joined().contains("q Quit") }
        try terminal.send("F3")
        try await terminal.waitUntilScreen("the first step, and how to end it") { screen in
            screen.joined().contains("Down to") && screen.joined().contains("Esc end")
        }
        try terminal.send("Escape")
        try await terminal.waitUntilScreen("no tour") { !$0.joined().contains("Esc end") }
    }
}
