import LoopbackServer
import TerminalTestSupport
import Testing

/// The question about existing files, and programs that cannot ask.
@Suite("The question about existing files, by the program", .timeLimit(.minutes(1)))
struct FileQuestionTests {
    @Test("The dashboard asks, and numbers the file that is to be kept beside the old one")
    func dashboard() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start(["/file": .file(seed: 3, count: 10)])
        try folder.write("there".utf8, to: "file")
        let terminal = try PseudoTerminal(
            [try Program.path(), "--ephemeral", "-d", folder.path, "--if-exists", "ask", server.url("/file")], rows: 24,
            columns: 80)
        try await terminal.waitForScreen("the question") {
            $0.text.contains("Keep both") && $0.text.contains("File exists")
        }
        // The first key of a window may have been typed for the table: soon after the question has opened, it is no answer.
        // For how long is not for this test to know, and an early key begins that time anew.
        var pressed = ContinuousClock.now - .seconds(1)
        try await terminal.waitForScreen("the end") { screen in
            if screen.text.contains("Keep both"), ContinuousClock.now - pressed > .seconds(1) {
                pressed = .now
                try? terminal.type("k", looking: false)
            }
            return screen.text.contains("done")
        }
        #expect(folder.bytes(of: "file")?.count == 5 && folder.bytes(of: "file (1)")?.count == 10)
        #expect(terminal.screen.errors.isEmpty, "\(terminal.screen.errors)")
    }

    @Test("A script is told to choose, by the command line, a list and a list that arrives")
    func scripts() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start(["/file": .file(seed: 3, count: 10)])
        let list = server.url("/file") + "\n if-exists=ask\n"
        try folder.write(list.utf8, to: "list")
        for words in [["--if-exists", "ask", server.url("/file")], ["-i", "list"], ["--json", "-i", "list"]] {
            let run = try await ProgramRun.finished(words, in: folder)
            #expect(run.status == 2 && run.messages.contains("--if-exists: ask needs the dashboard"), "\(run.messages)")
        }
        let arriving = try await ProgramRun.finished(["-i", "-"], in: folder, input: list)
        #expect(arriving.status == 1 && arriving.messages.contains("ask needs the dashboard"), "\(arriving.messages)")
        #expect(server.requestCount == 0)
    }
}
