import LoopbackServer
import TerminalTestSupport
import Testing

/// Somebody looks in the dashboard for what cut downloads have left, and removes it.
@Suite("Left parts in the dashboard", .serialized, .timeLimit(.minutes(1)), .enabled(if: TmuxSession.isAvailable))
struct LeftPartsStoryTests {
    @Test("A part of a run that was cut is listed and removed by key; that of a row of this run is not")
    func story() async throws {
        let server = try Served.start()
        let folder = try ScratchFolder()
        for name in ["left.iso", "owned.iso"] {
            server.setRoute("/" + name, .file(seed: 5, count: 400_000).cutting(after: 300_000))
        }
        let cut = try await ProgramRun.finished(
            ["--plain", "--retries", "0", server.url("/left.iso")], in: folder)
        #expect(cut.status != 0)
        let terminal = try TmuxSession(rows: 24, columns: 100)
        try await terminal.waitUntilScreen("a prompt") { $0.joined().contains { "#$".contains($0) } }
        try terminal.type(
            "cd \(folder.path(of: ".")) && \(Program.path()) --ephemeral --retries 0 \(server.url("/owned.iso"))")
        try terminal.send("Enter")
        try await terminal.waitUntilScreen("the row has failed") {
            $0.joined().contains("Failed 1") || $0.joined().contains("failed")
        }
        try terminal.type("~")
        try await terminal.waitUntilScreen("the part that is left, and no other") { lines in
            let text = lines.joined()
            return text.contains("Leftovers: 1") && text.contains(".left.iso.") && !text.contains(".owned.iso.")
        }
        try terminal.type("x")
        try await terminal.waitUntilScreen("the question") { $0.joined().contains("y Yes, Esc No") }
        #expect(try folder.names.contains { $0.hasPrefix(".left.iso.") })
        try terminal.type("y")
        try await terminal.waitUntilScreen("nothing is left") { $0.joined().contains("No leftover") }
        #expect(try !folder.names.contains { $0.hasPrefix(".left.iso.") })
        #expect(try folder.names.contains { $0.hasPrefix(".owned.iso.") })
        try terminal.type("qQ")
    }
}
