import LoopbackServer
import TerminalTestSupport
import Testing

/// What stands in the shell's window when the dashboard has gone.
@Suite("The dashboard's last words", .serialized, .timeLimit(.minutes(1)))
struct FarewellTests {
    @Test("What was completed, what has failed and why, and what is kept stand on the restored screen")
    func results() async throws {
        let folder = try ScratchFolder()
        let server = LoopbackServer()
        try server.start()
        defer { server.stop() }
        server.setRoute("/done.bin", .file(seed: 1, count: 100))
        let gate = try server.gate(named: "half")
        server.setRoute("/half.bin", .file(seed: 1, count: 2_000_000).stalling(after: 1_000_000, until: gate))
        let urls = ["/done.bin", "/missing.pdf", "/half.bin"].map { server.url($0) }
        let terminal = try PseudoTerminal([Program.path(), "-d", folder.path] + urls)
        try await terminal.waitForScreen("the three rows", within: .seconds(30)) { screen in
            let text = screen.text
            return ["50%", "404", "fail 1 done 1"].allSatisfy { text.contains($0) }
        }
        try terminal.type("Q")
        #expect(try await terminal.waitForEnd() == 1)
        TerminalLifeTests.expectRestored(terminal)
        let text = terminal.screen.text
        #expect(text.contains("1 completed, 1 failed, 1 unfinished"), "\(text)")
        #expect(text.contains("failed: missing.pdf, 404 Not Found from 127.0.0.1"), "\(text)")
        #expect(text.contains("kept: half.bin, 50%"), "\(text)")
    }

    @Test("A dashboard that had nothing to do says nothing")
    func silence() async throws {
        let terminal = try await TerminalLifeTests.dashboard()
        try terminal.type("q")
        #expect(try await terminal.waitForEnd() == 0)
        #expect(!terminal.screen.text.contains("completed"))
    }
}
