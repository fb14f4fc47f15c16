import Glibc
import LoopbackServer
import TerminalTestSupport
import Testing

/// The event log as somebody reads it: on the screen while things happen, and in a file.
@Suite("The event log on the screen and in a file", .timeLimit(.minutes(1)))
struct EventLogTests {
    private let download: GatedDownload

    init() throws { download = try GatedDownload() }

    @Test("It has what happened before it was opened and what happens while it is read, with the time of day")
    func reading() async throws {
        let terminal = try await download.dashboard(options: ["--ephemeral"])
        try await terminal.press("p")
        try await terminal.waitForScreen("a pause") { $0.text.contains("‖") }
        try await terminal.press("L")
        try await terminal.waitForScreen("the log") { screen in
            ["started", "response 200", "paused"].allSatisfy { screen.text.contains("file.bin  " + $0) }
        }
        #expect(terminal.screen.text.contains(/│ \d\d:\d\d:\d\d  file\.bin  started/))
        try terminal.type("q")
        try await terminal.press("r")
        download.release()
        try await terminal.press("L")
        try await terminal.waitForScreen("the end") { $0.text.contains("file.bin  completed, ") }
        try await terminal.press("/paus\r")
        try await terminal.waitForScreen("the filter") { screen in
            screen.text.contains("Event log: paus") && screen.text.contains("file.bin  paused")
                && !screen.text.contains("started")
        }
        try await terminal.press("/\u{15}state:x\r")
        try await terminal.waitForScreen("what is wrong") { $0.text.contains("No state x: running") }
        try await terminal.press("\u{1B}")
        try await terminal.waitForScreen("the filter from before") { $0.text.contains("Event log: paus") }
        try terminal.type("qQ")
        #expect(try await terminal.waitForEnd() == 0)
    }

    @Test("It is legible at small sizes", arguments: [(10, 40), (5, 20)])
    func small(rows: Int, columns: Int) async throws {
        let terminal = try await download.dashboard(options: ["--ephemeral"], rows: rows, columns: columns)
        try await terminal.press("L")
        try await terminal.waitForScreen("the log") { ["file.bin", "response 200"].allSatisfy($0.text.contains) }
        try await terminal.press("/resp")
        try await terminal.waitForScreen("the filter") { $0.text.contains("resp") && !$0.text.contains("started") }
        try await terminal.press("\u{1B}")
        try terminal.type("qQ")
        #expect(try await terminal.waitForEnd() == 0)
    }

    @Test("A log file has every line soon, while the dashboard is open")
    func file() async throws {
        let path = download.folder.path(of: "log")
        let terminal = try await download.dashboard(options: ["--ephemeral", "--log", path])
        download.release()
        _ = try await waitUntil("the end in the file") {
            terminal.pump()
            let text = download.folder.bytes(of: "log").map { String(decoding: $0, as: UTF8.self) } ?? ""
            return text.contains("completed, ") && text.contains("response 200") ? true : nil
        }
        try terminal.type("Q")
        #expect(try await terminal.waitForEnd() == 0)
    }

    @Test("A log that meets a full disk is said once, and transfers go on")
    func fullDisk() async throws {
        let terminal = try await download.dashboard(options: ["--ephemeral", "--log", "/dev/full"])
        try await terminal.waitForScreen("the sentence") { $0.text.contains("cannot write /dev/full") }
        download.release()
        _ = try await waitUntil("the file") { download.file == GatedDownload.content.bytes ? true : nil }
        try await terminal.waitForScreen("the end") { $0.text.contains("done") }
        try terminal.type("Q")
        #expect(try await terminal.waitForEnd() == 3)
    }

    @Test(
        "A log on the terminal itself has its lines instead of a dashboard's screen",
        arguments: [
            ["--ephemeral", "--log", "/dev/stdout"], ["--no-service", "--log=/dev/tty"], ["aria2c", "-l", "-"],
        ])
    func onTerminal(words: [String]) async throws {
        download.release()
        let command = [try Program.path()] + words + ["-d", download.folder.path, download.url]
        let terminal = try PseudoTerminal(command, rows: 24, columns: 120)
        #expect(try await terminal.waitForEnd() == 0)
        #expect(terminal.screen.text.contains("completed, "), "\(terminal.screen.text)")
    }

    @Test("A log that is a folder is refused in a sentence before anything begins")
    func folder() async throws {
        let result = try await ProgramRun.finished(["--log", ".", download.url], in: download.folder)
        #expect(result.status == 2)
        #expect(result.messages == "netdash: --log: cannot write \".\": Is a directory\n")
        #expect(download.server.requestCount == 0)
    }
}
