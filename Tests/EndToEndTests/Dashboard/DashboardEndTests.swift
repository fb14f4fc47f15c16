import Glibc
import LoopbackServer
import TerminalTestSupport
import Testing

/// Every way out of a dashboard with work under way: the terminal, the status and the part.
@Suite("Leaving a dashboard at work", .serialized, .timeLimit(.minutes(1)))
struct DashboardEndTests {
    @Test(
        "A signal keeps the part, restores the terminal and tells the shell",
        arguments: [(SIGTERM, 143), (SIGINT, 130), (SIGHUP, 129), (SIGQUIT, 131)])
    func signals(number: Int32, status: Int) async throws {
        let download = try GatedDownload()
        let terminal = try await download.dashboard()
        try terminal.signal(number)
        #expect(try await terminal.waitForEnd() == status)
        TerminalLifeTests.expectRestored(terminal)
        try await expectResumable(download)
    }

    @Test(
        "A crash restores the terminal, says one sentence and leaves nothing under the name",
        arguments: [SIGSEGV, SIGABRT])
    func crashes(number: Int32) async throws {
        let download = try GatedDownload()
        let terminal = try await download.dashboard()
        try terminal.signal(number)
        #expect(try await terminal.waitForEnd() == 128 + Int(number))
        TerminalLifeTests.expectRestored(terminal)
        let lines = terminal.screen.text.split(separator: "\n").filter { $0.contains("netdash has crashed") }
        #expect(lines.count == 1, "\(terminal.screen.text)")
        // What the process still held in memory is gone; what comes next is whole all the same.
        try await expectResumable(download, from: nil)
    }

    @Test("A failed check of Swift restores the terminal, says one sentence and leaves nothing under the name")
    func trap() async throws {
        let download = try GatedDownload()
        let terminal = try await download.dashboard()
        try await TrapInstruction.place(in: #require(terminal.process))
        try terminal.type("j")
        #expect(try await terminal.waitForEnd() == TrapInstruction.status)
        TerminalLifeTests.expectRestored(terminal)
        let lines = terminal.screen.text.split(separator: "\n").filter { $0.contains("netdash has crashed") }
        #expect(lines.count == 1, "\(terminal.screen.text)")
        try await expectResumable(download, from: nil)
    }

    /// In front of a program that is not to be told when its window is closed.
    static let withoutHangUps = ["/bin/sh", "-c", #"trap '' HUP; exec "$@""#, "sh"]

    @Test(
        "When the window is closed the program keeps the part and ends by itself, without turning in circles",
        arguments: [[], withoutHangUps])
    func hangUp(before: [String]) async throws {
        let download = try GatedDownload()
        let terminal = try await download.dashboard(before: before)
        let process = try #require(terminal.process)
        let start = try #require(Program.processorTicks(of: process))
        var end = start
        terminal.hangUp()
        _ = try await waitUntil("the end of the process") {
            guard let ticks = Program.processorTicks(of: process) else { return true }
            end = ticks
            return nil
        }
        #expect(end - start <= 20, "\(end - start) ticks")
        try await expectResumable(download)
    }

    @Test("The question before quitting: Esc stays, q leaves, and what was under way is no failure")
    func quitting() async throws {
        let download = try GatedDownload()
        let terminal = try await download.dashboard()
        try terminal.type("q")
        try await terminal.waitForScreen("the question") { $0.text.contains("unfinished task") }
        try terminal.type("\u{1B}")
        try await terminal.waitForScreen("the list") { !$0.text.contains("unfinished task") }
        try terminal.type("q")
        try await terminal.waitForScreen("the question") { $0.text.contains("unfinished task") }
        try terminal.type("q")
        #expect(try await terminal.waitForEnd() == 0)
        TerminalLifeTests.expectRestored(terminal)
        try await expectResumable(download)
    }

    @Test("Wait, then quit: the dashboard goes on to the end of the last transfer and leaves then")
    func waiting() async throws {
        let download = try GatedDownload()
        let terminal = try await download.dashboard()
        try terminal.type("q")
        try await terminal.waitForScreen("the question") { $0.text.contains("Quit when done") }
        try terminal.type("w")
        try await terminal.waitForScreen("the word for it") { $0.text.contains("quits when done") }
        #expect(terminal.process != nil)
        download.release()
        #expect(try await terminal.waitForEnd() == 0)
        TerminalLifeTests.expectRestored(terminal)
        #expect(download.file == GatedDownload.content.bytes)
        #expect(try download.folder.names == ["file.bin"])
    }

    @Test("^C twice leaves a dashboard at work")
    func twice() async throws {
        let download = try GatedDownload()
        let terminal = try await download.dashboard()
        try terminal.type("\u{3}")
        try await terminal.waitForScreen("the question") { $0.text.contains("unfinished task") }
        try terminal.type("\u{3}")
        #expect(try await terminal.waitForEnd() == 0)
        TerminalLifeTests.expectRestored(terminal)
        try await expectResumable(download)
    }

    @Test("With --exit-when-done the dashboard leaves by itself, with the status of its transfers")
    func exitWhenDone() async throws {
        let download = try GatedDownload()
        let terminal = try await download.dashboard(options: ["--exit-when-done"])
        download.release()
        #expect(try await terminal.waitForEnd() == 0)
        #expect(download.file == GatedDownload.content.bytes)
        TerminalLifeTests.expectRestored(terminal)
        let failing = try PseudoTerminal(
            [Program.path(), "--exit-when-done", "-d", download.folder.path, download.server.url("/missing")])
        #expect(try await failing.waitForEnd() == 1)
        TerminalLifeTests.expectRestored(failing)
    }

    /// Nothing stands under the final name, and the next run asks for the rest alone.
    private func expectResumable(
        _ download: GatedDownload, from offset: Int64? = GatedDownload.passed,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        #expect(download.file == nil, sourceLocation: sourceLocation)
        let result = try await ProgramRun.finished([download.url], in: download.folder)
        #expect(result.status == 0, "\(result.messages)", sourceLocation: sourceLocation)
        if let offset {
            let range = download.server.requests.last?.header("Range")
            #expect(range == "bytes=\(offset - GatedDownload.overlap)-", sourceLocation: sourceLocation)
        }
        #expect(download.file == GatedDownload.content.bytes, sourceLocation: sourceLocation)
        #expect(try download.folder.names == ["file.bin"], sourceLocation: sourceLocation)
    }
}

/// What stands in the shell's window when the dashboard has gone.
@Suite("The dashboard's last words", .serialized, .timeLimit(.minutes(1)))
struct ClosingTests {
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
            return ["50%", "404", "failed 1 done 1"].allSatisfy { text.contains($0) }
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
