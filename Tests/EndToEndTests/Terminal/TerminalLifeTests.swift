import CLinux
import Foundation
import Glibc
import TerminalTestSupport
import Testing

/// The real program on a real terminal: every way in, every way out.
@Suite("Life on a terminal", .serialized, .timeLimit(.minutes(1)))
struct TerminalLifeTests {
    /// A dashboard without work.
    static func dashboard(
        environment: [String: String] = [:], rows: Int = 24, columns: Int = 80,
        streams: PseudoTerminal.Streams = .init()
    ) async throws -> PseudoTerminal {
        let terminal = try PseudoTerminal(
            [Program.path()], environment: environment, rows: rows, columns: columns, streams: streams)
        try await terminal.waitForScreen("the dashboard") { $0.text.contains("Quit") }
        return terminal
    }

    @Test(
        "Whatever ends the program, the terminal is as it was and the status tells",
        arguments: [
            (SIGTERM, 143), (SIGINT, 130), (SIGHUP, 129), (SIGQUIT, 131), (SIGSEGV, 139), (SIGABRT, 134), (SIGBUS, 135),
            (SIGILL, 132), (SIGFPE, 136), (SIGTRAP, 133), (SIGSYS, 159),
        ])
    func signals(number: Int32, status: Int) async throws {
        let terminal = try await Self.dashboard()
        #expect(terminal.modes != terminal.modesBefore)
        try terminal.signal(number)
        let ended = try await terminal.waitForEnd()
        #expect(ended == status, "\(terminal.screen.text)")
        Self.expectRestored(terminal)
    }

    @Test("A crash says one sentence on the restored screen")
    func crashSentence() async throws {
        let terminal = try await Self.dashboard()
        try terminal.signal(SIGSEGV)
        _ = try await terminal.waitForEnd()
        #expect(terminal.screen.text.contains("netdash has crashed"))
    }

    @Test("Leaving by key restores the terminal", arguments: ["q", "Q", "\u{3}"])
    func leaving(key: String) async throws {
        let terminal = try await Self.dashboard()
        try terminal.type(key)
        let status = try await terminal.waitForEnd()
        #expect(status == 0, "\(terminal.screen.text)")
        Self.expectRestored(terminal)
    }

    @Test(
        "Every terminal type is restored",
        arguments: ["xterm-256color", "tmux-256color", "screen-256color", "linux", "vt100"])
    func types(type: String) async throws {
        let terminal = try await Self.dashboard(environment: ["TERM": type])
        try terminal.type("q")
        #expect(try await terminal.waitForEnd() == 0)
        Self.expectRestored(terminal)
    }

    @Test("An idle dashboard sends nothing")
    func idle() async throws {
        let terminal = try await Self.dashboard()
        // Its start may take as long as it likes; one that goes on sending is never quiet.
        try await terminal.waitForQuiet(.seconds(2))
    }

    @Test("A storm of sizes, down to one cell, ends on a dashboard of the last one")
    func resizing() async throws {
        let terminal = try await Self.dashboard()
        for (rows, columns) in [(1, 1), (2, 2), (1, 300), (100, 1), (3, 20), (100, 300), (30, 100)] {
            try terminal.resize(rows: rows, columns: columns)
        }
        try await terminal.waitForScreen("the footer in the last row") {
            $0.rows == 30 && $0.text(row: 29).contains("Quit")
        }
        #expect(terminal.screen.errors.isEmpty, "\(terminal.screen.errors)")
    }

    @Test("When the window is closed the program ends by itself")
    func hangUp() async throws {
        let terminal = try await Self.dashboard()
        let process = try #require(terminal.process)
        terminal.hangUp()
        _ = try await waitUntil("the end of the process") { Program.isRunning(process) ? nil : true }
    }

    @Test("Keys are read from the terminal when standard input is not one")
    func redirectedInput() async throws {
        let null = open("/dev/null", O_RDWR | O_CLOEXEC)
        defer { close(null) }
        let terminal = try await Self.dashboard(streams: .init(input: null))
        try terminal.type("q")
        #expect(try await terminal.waitForEnd() == 0)
        Self.expectRestored(terminal)
    }

    @Test("NO_COLOR sends no colour")
    func noColor() async throws {
        let terminal = try await Self.dashboard(environment: ["NO_COLOR": "1"])
        #expect(terminal.screen.cells.joined().allSatisfy { $0.rendition.foreground == nil })
        let text = String(decoding: terminal.bytes, as: UTF8.self)
        #expect(text.firstMatch(of: /\u{1B}\[[0-9;]*\b3[0-7]m/) == nil)
    }

    /// No trace of the dashboard: modes, screen, cursor, pastes, attributes.
    static func expectRestored(_ terminal: PseudoTerminal, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(terminal.modes == terminal.modesBefore, sourceLocation: sourceLocation)
        #expect(!terminal.screen.isAlternate, sourceLocation: sourceLocation)
        #expect(terminal.screen.showsCursor, sourceLocation: sourceLocation)
        #expect(
            terminal.screen.modes.isDisjoint(with: [1, 1000, 1002, 1004, 1006, 2004]), sourceLocation: sourceLocation)
        #expect(terminal.screen.errors.isEmpty, "\(terminal.screen.errors)", sourceLocation: sourceLocation)
    }
}
