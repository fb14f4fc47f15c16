import CLinux
import Foundation
import Glibc
import LoopbackServer
import TerminalTestSupport
import Testing

/// Lines that cannot be written: whoever reads the exit status must not believe that everything was told.
@Suite("Reports that cannot be written", .timeLimit(.minutes(1)))
struct UnwrittenReportTests {
    private let folder: ScratchFolder
    private let server: LoopbackServer

    init() throws {
        folder = try ScratchFolder()
        server = try Served.start(["/file": .file(count: 1000)])
    }

    @Test("JSON that meets a full disk ends with 3 and one sentence, and the transfer is done all the same")
    func fullOutput() async throws {
        let full = try DeviceFile("/dev/full")
        let run = try ProgramRun(["--json", server.url("/file")], in: folder, output: full.descriptor)
        let result = try await run.waitForEnd()
        #expect(result.status == 3)
        #expect(result.lines == ["netdash: cannot write standard output: No space left on device"])
        #expect(folder.bytes(of: "file")?.count == 1000)
    }

    @Test("JSON that nobody reads ends with 1 and one sentence")
    func readerGone() async throws {
        let pipe = try Pipeline()
        // Before the program can have written its lines into the pipe.
        pipe.closeReadEnd()
        let run = try ProgramRun(["--json", server.url("/file")], in: folder, output: pipe.writeEnd)
        let result = try await run.waitForEnd()
        #expect(result.status == 1)
        #expect(result.lines == ["netdash: standard output closed (broken pipe)"])
    }

    @Test("A log that meets a full disk ends with 3 and a sentence that names it")
    func fullLog() async throws {
        let result = try await ProgramRun.finished(["--log", "/dev/full", server.url("/file")], in: folder)
        #expect(result.status == 3)
        #expect(result.lines.last == "netdash: cannot write /dev/full: No space left on device")
    }

    @Test("Lines that meet a full disk end with 3")
    func fullMessages() async throws {
        let result = try await ProgramRun.finished(
            ["--plain", server.url("/file")], in: folder, before: ["/bin/sh", "-c", "exec \"$@\" 2>/dev/full", "sh"])
        #expect(result.status == 3)
    }

    @Test("A closed standard error is unwanted lines and no failure, a closed standard output with lines for it is one")
    func closedStreams() async throws {
        let quiet = try await ProgramRun.finished(
            ["--plain", server.url("/file")], in: folder, before: ["/bin/sh", "-c", "exec \"$@\" 2>&-", "sh"])
        #expect(quiet.status == 0)
        #expect(folder.bytes(of: "file")?.count == 1000)
        let mute = try await ProgramRun.finished(
            ["--json", server.url("/file")], in: folder, before: ["/bin/sh", "-c", "exec \"$@\" >&-", "sh"])
        #expect(mute.status == 1)
    }

    @Test("A failed transfer decides about the status before its report does")
    func failedTransfer() async throws {
        let full = try DeviceFile("/dev/full")
        let run = try ProgramRun(["--json", server.url("/missing")], in: folder, output: full.descriptor)
        #expect(try await run.waitForEnd().status == 1)
    }

    @Test("Help that cannot be written ends with 3 and one sentence")
    func fullHelp() async throws {
        let full = try DeviceFile("/dev/full")
        let result = try await ProgramRun(["--help"], in: folder, output: full.descriptor).waitForEnd()
        #expect(result.status == 3)
        #expect(result.lines == ["netdash: cannot write standard output: No space left on device"])
    }
}

/// What the real program sends to terminals, slow ones and those that are none.
@Suite("Output to terminals", .serialized, .timeLimit(.minutes(1)))
struct TerminalOutputTests {
    @Test(
        "A terminal that cannot show a dashboard gets sentences and no escape", arguments: ["dumb", "", "no-such-type"])
    func unsuitableTypes(type: String) async throws {
        let terminal = try PseudoTerminal([Program.path()], environment: ["TERM": type])
        #expect(try await terminal.waitForEnd() != 0)
        #expect(!terminal.bytes.contains(0x1B))
        #expect(terminal.screen.text.contains("netdash: "))
        #expect(terminal.modes == terminal.modesBefore)
    }

    @Test("Standard output that is no terminal gets no escape, and neither does the terminal beside it")
    func redirectedOutput() async throws {
        let file = cl_memfd("output")
        defer { close(file) }
        let terminal = try PseudoTerminal([Program.path()], streams: .init(output: file))
        #expect(try await terminal.waitForEnd() != 0)
        #expect(!terminal.bytes.contains(0x1B))
        let output = try String(contentsOfFile: "/proc/self/fd/\(file)", encoding: .utf8)
        #expect(!output.utf8.contains(0x1B))
    }

    @Test("A terminal that takes nothing does not hold up keys, and shows the last state once it does")
    func blockedTerminal() async throws {
        let terminal = try await TerminalLifeTests.dashboard(rows: 100, columns: 300)
        try await terminal.fill()
        try terminal.type("?", looking: false)
        try await terminal.waitForScreen("the help") { $0.text.contains("Help") && !$0.text.contains("Quit  ") }
        #expect(terminal.screen.errors.isEmpty, "\(terminal.screen.errors)")
        #expect(terminal.bytes.count < 1_000_000, "Frames that nobody can see must be dropped")
    }

    @Test("A terminal that takes nothing cannot keep the program from ending")
    func blockedEnd() async throws {
        let terminal = try await TerminalLifeTests.dashboard(rows: 100, columns: 300)
        let process = try #require(terminal.process)
        try await terminal.fill()
        try terminal.signal(SIGTERM)
        _ = try await waitUntil("the end of the process") {
            Program.isRunning(process) ? nil : true
        }
        #expect(terminal.modes == terminal.modesBefore)
    }

    /// That it takes 25 ms and not a second is `TerminalInputParserTests`' to show, on a clock of its own.
    @Test("Escape alone leaves the help, though not before a sequence that the line has cut could go on")
    func escape() async throws {
        let terminal = try await TerminalLifeTests.dashboard()
        let list = terminal.screen.text
        try terminal.type("?")
        try await terminal.waitForScreen("the help") { $0.text != list && $0.text.contains("Help") }
        try await terminal.waitForQuiet()
        let start = ContinuousClock.now
        try terminal.type("\u{1B}")
        try await terminal.waitForScreen("the list") { $0.text == list }
        #expect(ContinuousClock.now - start >= .milliseconds(20), "A sequence that is cut by the line needs time")
    }

    @Test("A paste of many URLs opens the form and fires no key")
    func paste() async throws {
        let terminal = try await TerminalLifeTests.dashboard()
        let urls = (0..<500).map { "http://127.0.0.1:1/quit-\($0)" }.joined(separator: "\r")
        try terminal.type("\u{1B}[200~\(urls)\u{1B}[201~")
        try await terminal.waitForScreen("the form") { $0.text.contains("500") }
        #expect(terminal.process != nil)
    }

    @Test("A full repaint of 120 x 36 stays below 8 KB")
    func repaintBudget() async throws {
        let terminal = try await TerminalLifeTests.dashboard(rows: 36, columns: 120)
        try await terminal.waitForQuiet()
        let before = terminal.bytes.count
        try terminal.type("\u{C}")
        try await terminal.waitForScreen("a repaint") { _ in terminal.bytes.count > before }
        try await terminal.waitForQuiet()
        #expect(terminal.bytes.count - before <= 8192)
    }
}
