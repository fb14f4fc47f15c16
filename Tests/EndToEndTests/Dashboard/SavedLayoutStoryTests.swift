import TerminalTestSupport
import Testing

/// Looks that somebody works with are there again the next time, without a word and without a changed configuration.
@Suite("Looks of a session from run to run", .serialized, .timeLimit(.minutes(1)))
struct SavedLayoutStoryTests {
    @Test("Order and pane are there again in the session in which they were chosen, and in no other")
    func story() async throws {
        let user = try UserFolder()
        try await run(user) { terminal in
            try terminal.type("Id")
            try await terminal.waitForScreen("the new looks") { $0.text.contains("state ▴") && Self.isLarge($0.text) }
        }
        #expect(try user.saved.contains("one.layout"))
        try await run(user) { terminal in
            try await terminal.waitForScreen("the same looks") { $0.text.contains("state ▴") && Self.isLarge($0.text) }
            // Back to what the configuration says.
            try terminal.type("Idd")
            try await terminal.waitForScreen("the usual looks") {
                $0.text.contains("state ▾") && !Self.isLarge($0.text)
            }
        }
        #expect(try !user.saved.contains("one.layout"))
    }

    private static func isLarge(_ text: String) -> Bool {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.firstIndex { $0.contains("sort state") }.map { $0 < 20 } ?? false
    }

    private func run(_ user: UserFolder, _ body: (PseudoTerminal) async throws -> Void) async throws {
        let terminal = try PseudoTerminal(
            [try Program.path(), "--session", "one"], environment: user.environment, rows: 36, columns: 120)
        try await terminal.waitForScreen("the dashboard") { $0.text.contains("No tasks yet") }
        try await body(terminal)
        try terminal.type("q")
        #expect(try await terminal.waitForEnd() == 0)
    }
}
