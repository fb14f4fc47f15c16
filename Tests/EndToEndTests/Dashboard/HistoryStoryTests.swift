import Glibc
import LoopbackServer
import TerminalTestSupport
import Testing

/// What ended in an earlier run and was cleared from the list is found in the history.
@Suite("History from run to run", .serialized, .timeLimit(.minutes(1)))
struct HistoryStoryTests {
    private static let controlR = "\u{12}"

    @Test("A second run lists, finds, adds again and forgets what ended in the first one, and a script prints it")
    func story() async throws {
        let server = try Served.start(["/old.iso": .file(seed: 5, count: 4_000)])
        let folder = try ScratchFolder()
        let user = try UserFolder()
        let url = server.url("/old.iso") + "?token=abcsecret&part=1"

        let first = try dashboard(user, folder, [url])
        try await first.waitForScreen("the finished download") { $0.text.contains(/old\.iso.*done/) }
        try first.type("c")
        try await first.waitForScreen("an empty list") { !$0.text.contains(/old\.iso.*done/) }
        try first.type("q")
        #expect(try await first.waitForEnd() == 0)

        let printed = try await ProgramRun.finished(
            ["history", "--json", "host:127.0.0.1", "age:<1d"], in: folder, environment: user.environment)
        #expect(printed.status == 0 && printed.text.contains("\"name\":\"old.iso\""), "\(printed.messages)")
        #expect(printed.text.contains("part=1") && !printed.text.contains("abcsecret"))

        let second = try dashboard(user, folder, [])
        try await second.waitForScreen("an empty list") { $0.text.contains("No tasks yet") }
        try second.type(Self.controlR)
        try await second.waitForScreen("the end of the first run") {
            $0.text.contains(/done.*old\.iso/) && $0.text.contains("1 task")
        }
        #expect(!second.screen.text.contains("abcsecret"))
        try second.type("/nothing")
        try await second.waitForScreen("no match") { $0.text.contains("No ended task matches") }
        try second.type("\u{1B}")
        try await second.waitForScreen("the history again") { $0.text.contains(/done.*old\.iso/) }
        try second.type("\r")
        try await second.waitForScreen("the form with its URL") { $0.text.contains("part=1") }
        try second.type("\u{1B}")
        try await second.waitForScreen("the list") { $0.text.contains("No tasks yet") && !$0.text.contains("part=1") }
        try second.type(Self.controlR)
        try await second.waitForScreen("the history") { $0.text.contains(/done.*old\.iso/) }
        try second.type("x")
        try await second.waitForScreen("the question") { $0.text.contains("Forget 1 task?") }
        try second.type("y")
        try await second.waitForScreen("nothing is left") { $0.text.contains("No ended tasks yet") }
        try second.type("q")
        try await second.waitForScreen("the list") { !$0.text.contains("No ended tasks yet") }
        try second.type("q")
        #expect(try await second.waitForEnd() == 0)

        let rest = try await ProgramRun.finished(["history"], in: folder, environment: user.environment)
        #expect(rest.status != 0 && rest.text.isEmpty)
    }

    @Test("Windows on one service show its history, what one forgets is gone for the other, and a kill loses no line")
    func windows() async throws {
        let server = try Served.start([
            "/old.iso": .file(seed: 5, count: 4_000), "/new.iso": .file(seed: 6, count: 4_000),
        ])
        let shared = try SharedService()
        let service = try await shared.serve()
        #expect(try await shared.run("add", server.url("/old.iso"), server.url("/new.iso")).status == 0)
        #expect(try await shared.run("wait").status == 0)
        let windows = try [shared.window(), shared.window()]
        for window in windows {
            try await window.waitForScreen("the tasks") { $0.text.contains("new.iso") }
            try window.type(Self.controlR)
            try await window.waitForScreen("both ends") {
                $0.text.contains(/done.*old\.iso/) && $0.text.contains(/done.*new\.iso/)
            }
        }
        try windows[0].type("/old\r")
        try await windows[0].waitForScreen("one end") { $0.text.contains("History: old") }
        try windows[0].type("x")
        try await windows[0].waitForScreen("the question") { $0.text.contains("Forget 1 task?") }
        try windows[0].type("y")
        try await windows[0].waitForScreen("no match") { $0.text.contains("No ended task matches") }
        // A window shows what it has asked for; the service forgets a moment later.
        try await shared.waitForOutput(of: "history", "one end") {
            $0.contains("new.iso") && !$0.contains("old.iso")
        }
        try windows[1].type("q" + Self.controlR)
        try await windows[1].waitForScreen("the other end") {
            $0.text.contains(/done.*new\.iso/) && !$0.text.contains("old.iso") && $0.text.contains("1 task")
        }
        for window in windows {
            try window.type("q")
            try await window.waitForScreen("the list") { $0.text.contains("NAME") }
            try window.type("q")
            #expect(try await window.waitForEnd() == 0)
        }
        kill(service.process, SIGKILL)
        _ = try await service.waitForEnd()
        let printed = try await shared.run("history")
        #expect(printed.status == 0 && printed.text.contains("new.iso") && !printed.text.contains("old.iso"))
    }

    private func dashboard(_ user: UserFolder, _ folder: ScratchFolder, _ words: [String]) throws -> PseudoTerminal {
        try PseudoTerminal(
            [Program.path(), "-d", folder.path] + words, environment: user.environment, rows: 30, columns: 120)
    }
}
