import Foundation
import Glibc
import LoopbackServer
import TerminalTestSupport
import Testing

/// What the program tells the window around its screen.
@Suite("Title and taskbar on a terminal", .serialized, .timeLimit(.minutes(1)))
struct WindowTests {
    private static let environment = ["WT_SESSION": "1"]

    /// Whether a text was sent after another one, the last time each of them was.
    private static func isSent(_ text: String, after other: String, on terminal: PseudoTerminal) -> Bool {
        let sent = String(decoding: terminal.bytes, as: UTF8.self)
        guard let first = sent.range(of: other, options: .backwards) else { return false }
        return sent[first.upperBound...].contains(text)
    }

    @Test(
        "Whatever ends the program, the progress goes and the title is the one before",
        arguments: [SIGTERM, SIGHUP, SIGSEGV, SIGABRT, SIGILL])
    func signals(number: Int32) async throws {
        let server = LoopbackServer()
        try server.start()
        defer { server.stop() }
        let folder = try ScratchFolder()
        let gate = try server.gate(named: "half")
        server.setRoute("/f.bin", .file(seed: 1, count: 2_000_000).stalling(after: 1_000_000, until: gate))
        let terminal = try PseudoTerminal(
            [Program.path(), "-d", folder.path, server.url("/f.bin")], environment: Self.environment)
        try await terminal.waitForScreen("the title", within: .seconds(30)) { $0.titles.last == "50% f.bin - netdash" }
        let progress = "\u{1B}]9;4;1;50\u{7}"
        _ = try await waitUntil("the progress") {
            terminal.pump()
            return String(decoding: terminal.bytes, as: UTF8.self).contains(progress) ? true : nil
        }
        try terminal.signal(number)
        _ = try await terminal.waitForEnd()
        #expect(Self.isSent("\u{1B}]9;4;0;0\u{7}\u{1B}[23;2t", after: progress, on: terminal))
        TerminalLifeTests.expectRestored(terminal)
    }

    @Test("A terminal that is not known to show progress is sent none, and an idle one is sent its title once")
    func unknownTerminal() async throws {
        let terminal = try await TerminalLifeTests.dashboard()
        try await terminal.waitForQuiet()
        #expect(terminal.screen.titles == ["netdash"])
        try terminal.type("q")
        #expect(try await terminal.waitForEnd() == 0)
        #expect(!String(decoding: terminal.bytes, as: UTF8.self).contains("\u{1B}]9;4"))
    }

    @Test("The configuration switches both off")
    func switchedOff() async throws {
        let folder = try ScratchFolder()
        mkdir(folder.path(of: "netdash"), 0o700)
        try folder.write("title = no\ntaskbar = no\n", to: "netdash/config")
        let terminal = try await TerminalLifeTests.dashboard(
            environment: Self.environment.merging(["XDG_CONFIG_HOME": folder.path]) { $1 })
        try terminal.type("q")
        #expect(try await terminal.waitForEnd() == 0)
        let sent = String(decoding: terminal.bytes, as: UTF8.self)
        #expect(!sent.contains("\u{1B}]"))
        #expect(!sent.contains("\u{1B}[22;2t"))
    }
}
