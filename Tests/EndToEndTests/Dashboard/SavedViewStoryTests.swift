import LoopbackServer
import Testing

/// Views under digits, from the keys to the configuration file and back in a later run.
@Suite("Saved views in tmux", .serialized, .timeLimit(.minutes(1)), .enabled(if: TmuxSession.isAvailable))
struct SavedViewStoryTests {
    @Test(
        "A view is saved under a digit, shown again after a restart, put in the place of another one and forgotten",
        arguments: [(24, 80), (10, 40)])
    func story(rows: Int, columns: Int) async throws {
        let server = try Served.start()
        let folder = try ScratchFolder()
        for name in ["done-one.zip", "done-two.zip", "other.iso"] { server.setRoute("/" + name, .file(count: 1000)) }
        try folder.write(
            ["done-one.zip", "done-two.zip", "other.iso"].map { server.url("/" + $0) + "\n" }.joined(), to: "l")
        let terminal = try TmuxSession(rows: rows, columns: columns)
        try await start("-i l", in: folder, on: terminal)
        try await terminal.waitUntilScreen("the rows, done") { screen in
            screen.filter { $0.contains(/✓.*(done-|other)/) }.count == 3
        }
        // What is shown goes under the first free digit: its name is all that is typed.
        try terminal.type("/done -two")
        try terminal.send("Enter")
        try terminal.type("&")
        try await terminal.waitUntilScreen("one row under its host") { screen in
            screen.contains { $0.contains("127.0.") }
                && screen.contains { $0.contains("done-one") } && !screen.contains { $0.contains("done-two") }
        }
        try terminal.type("; an \"odd\" näme")
        try terminal.send("Enter")
        try await terminal.waitForToast("Saved view 5 \"an \"odd\" nä")
        try await leave(terminal)

        try await start("", in: folder, on: terminal)
        try await terminal.waitUntilScreen("the rows") { $0.contains { $0.contains("other") } }
        try terminal.type("6")
        try await terminal.waitForToast("View 6 is empty")
        try terminal.type("5")
        try await terminal.waitForToast("View 5: an \"odd\" näm")
        try await terminal.waitUntilScreen("the view") { screen in
            screen.contains { $0.contains("127.0.") }
                && screen.contains { $0.contains("done-one") } && !screen.contains { $0.contains("other") }
        }
        // The same digit again, and then without a name.
        try terminal.type("/")
        try terminal.send("C-u", "Enter")
        try await terminal.waitUntilScreen("all rows") { $0.contains { $0.contains("other") } }
        try terminal.type("; ")
        try terminal.send("C-u")
        try terminal.type("5 all")
        try terminal.send("Enter")
        try await terminal.waitForToast("Saved view 5 \"all\" (was")
        try terminal.type("; ")
        try terminal.send("C-u")
        try terminal.type("5")
        try terminal.send("Enter")
        try await terminal.waitForToast("Deleted view 5 \"all\"")
        try await leave(terminal)
    }

    private func start(_ words: String, in folder: ScratchFolder, on terminal: TmuxSession) async throws {
        try terminal.type("PS1='ready> '; cd \(folder.path); clear; \(Program.path()) -d files \(words)\n")
    }

    private func leave(_ terminal: TmuxSession) async throws {
        try terminal.send("q")
        try await terminal.waitUntilScreen("a prompt") { $0.last { !$0.isEmpty }?.hasPrefix("ready>") == true }
    }
}
