import TerminalTestSupport
import Testing

/// What the real program says of rows that went through a real server, screen by screen.
///
/// Ports, moments and measurements are on these screens, so they are looked at by their meaning; how the same screens are
/// drawn, at every size, is what the view's golden screens show.
@Suite("Screens of rows that stand still", .serialized, .timeLimit(.minutes(2)))
struct StandingRowsTests {
    private static let sizes = [(20, 3), (20, 5), (40, 10), (60, 16), (80, 24), (140, 40), (120, 36)]

    @Test("Every screen says what it is there to say", arguments: [StandingRows.table, .strange])
    func screens(rows: StandingRows) async throws {
        let dashboard = try await StandingDashboard(rows)
        let terminal = try dashboard.terminal(rows: 36, columns: 120)
        try await terminal.waitForScreen("the dashboard") { $0.isAlternate && $0.text.contains("↓") }
        try await waitForRows(rows, on: terminal)
        for step in rows.steps {
            try await terminal.press(step.keys)
            try await terminal.waitForScreen("\(step.keys.debugDescription) to show \(step.words)") { screen in
                step.words.allSatisfy { screen.text.contains($0) }
            }
            for keys in step.back { try await terminal.press(keys) }
        }
        for size in Self.sizes {
            try terminal.resize(rows: size.1, columns: size.0)
            try await terminal.press("")
        }
        #expect(terminal.screen.errors.isEmpty, "\(terminal.screen.errors)")
        #expect(terminal.screen.commands.allSatisfy { !$0.contains("title") }, "\(terminal.screen.commands)")
        #expect(terminal.process != nil)
    }

    @Test("A dashboard without rows takes what is typed and pasted, and says what cannot be done")
    func empty() async throws {
        let terminal = try PseudoTerminal([try Program.path(), "--ephemeral"], rows: 36, columns: 120)
        try await terminal.waitForScreen("the dashboard") { $0.text.contains("No tasks yet") }
        for step in Self.emptySteps {
            try await terminal.press(step.keys)
            try await terminal.waitForScreen("\(step.keys.debugDescription) to show \(step.words)") { screen in
                step.words.allSatisfy { screen.text.contains($0) }
            }
            for keys in step.back { try await terminal.press(keys) }
        }
        #expect(terminal.screen.errors.isEmpty, "\(terminal.screen.errors)")
    }

    private static let emptySteps = [
        StandingRows.Step("p", "Nothing to pause", back: [Keys.escape]),
        StandingRows.Step("aht tp\r", " ! URLs cannot contain spaces; use %20", back: [Keys.escape, Keys.escape]),
        StandingRows.Step(
            Keys.pasting("http://a.example/1\rhttp://a.example/2\r"), "Add 2 tasks", "http://a.example/1",
            "and 1 more from the pasted list", back: [Keys.escape]),
        StandingRows.Step("?\(Keys.end)", "Help: List", back: [Keys.escape]),
        StandingRows.Step("?mark", "/ mark", "Mark all tasks in this view", back: [Keys.escape]),
        StandingRows.Step("L", "Event log", "Nothing to pause", back: ["q"]),
    ]

    /// Waits until rows stand still, with the first one selected: at first the selection is where the first row came.
    private func waitForRows(_ rows: StandingRows, on terminal: PseudoTerminal) async throws {
        let deadline = ContinuousClock.now + patience
        repeat {
            try await terminal.press("g")
            if rows.isReady(terminal.screen.text) {
                try await terminal.press("g")
                return
            }
        } while ContinuousClock.now < deadline
        throw WaitingFailed(description: "The rows do not come to a stand-still: \(terminal.screen.text)")
    }
}
