import TerminalTestSupport
import Testing

/// What the real program's bytes make of a terminal.
///
/// Where `GoldenScreenTests` looks at the view, this looks at what arrives.
@Suite("Golden screens of a terminal", .serialized, .timeLimit(.minutes(2)))
struct GoldenTerminalTests {
    static let sizes = [(80, 24), (120, 36)]

    @Test("Every screen is as it was at every size", arguments: GoldenScene.all, sizes)
    func screens(scene: GoldenScene, size: (columns: Int, rows: Int)) async throws {
        let name = "\(scene.name)-\(size.columns)x\(size.rows)"
        let folder = try ScratchFolder()
        try folder.write(scene.list, to: "list")
        let input = scene.list.isEmpty ? [] : ["-i", folder.path(of: "list")]
        // The overview says at what time of day something was noted in the log, so another part of the details is shown.
        let terminal = try PseudoTerminal(
            [try Program.path(), "--ephemeral", "-d", "/srv/downloads"] + input,
            environment: ["TERM": "tmux-256color"], rows: size.rows, columns: size.columns)
        let count = scene.rowCount
        try await terminal.waitForScreen("\(count) rows") { $0.isAlternate && $0.text.contains("All \(count)") }
        try await terminal.press("]]]]g" + scene.keys)
        if GoldenFiles.isUpdating {
            try await terminal.waitForQuiet(.milliseconds(500))
            return try GoldenFiles.write(Self.text(of: terminal.screen), to: name)
        }
        let golden = try #require(GoldenFiles.read(name), "\(name) is missing")
        do {
            try await terminal.waitForScreen(name) { Self.text(of: $0) == golden }
        } catch is WaitingFailed {
            Issue.record("\(name) is\n\(Self.text(of: terminal.screen))\ninstead of\n\(golden)")
        }
        #expect(terminal.screen.errors.isEmpty, "\(terminal.screen.errors)")
        #expect(terminal.screen.commands.allSatisfy { !$0.contains("title") }, "\(terminal.screen.commands)")
        #expect(terminal.process != nil)
    }

    @Test("There is no golden screen that nothing looks at")
    func noneIsLeftOver() throws {
        let wanted = Self.sizes.flatMap { size in GoldenScene.all.map { "\($0.name)-\(size.0)x\(size.1)" } }
        #expect(Set(wanted).count == wanted.count)
        #expect(Set(try GoldenFiles.names) == Set(wanted))
    }

    /// A screen as golden files have it: its text and its cursor.
    private static func text(of screen: VirtualScreen) -> String {
        let cursor = screen.showsCursor ? "cursor at \(screen.row), \(screen.column)" : "no cursor"
        return (0..<screen.rows).map { screen.text(row: $0) }.joined(separator: "\n") + "\n\(cursor)\n"
    }
}
