import Foundation
import LoopbackServer
import Testing

/// The program for those who do not look at a screen, on a real terminal.
@Suite("Commands by line on a terminal", .serialized, .timeLimit(.minutes(1)))
struct InteractiveTests {
    private static func start(_ arguments: [String]) throws -> PseudoTerminal {
        try PseudoTerminal([Program.path()] + arguments, environment: ["ACCESSIBLE": "1"], columns: 200)
    }

    /// The lines that were written so far.
    private static func lines(_ terminal: PseudoTerminal) -> String {
        terminal.pump()
        return String(decoding: terminal.bytes, as: UTF8.self)
    }

    private static func wait(for text: String, on terminal: PseudoTerminal) async throws {
        _ = try await waitUntil(text, otherwise: { lines(terminal) }) { lines(terminal).contains(text) ? true : nil }
    }

    @Test("A task is paused, resumed and completed by lines, and no line is ever drawn over")
    func story() async throws {
        let server = LoopbackServer()
        try server.start()
        defer { server.stop() }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("spoken-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let gate = try server.gate(named: "half")
        server.setRoute("/f.bin", .file(seed: 1, count: 2_000_000).stalling(after: 1_200_000, until: gate))
        let terminal = try Self.start(["-d", folder.path, server.url("/f.bin")])
        try await Self.wait(for: "Type help", on: terminal)
        try #require(gate.waitForArrivals())
        // That the server has sent its part says nothing of how much of it was read; the milestone does.
        try await Self.wait(for: "#1 received ", on: terminal)
        try terminal.type("pause 1\n")
        try await Self.wait(for: "#1 paused", on: terminal)
        try terminal.type("list\n")
        try await Self.wait(for: "1, download, paused", on: terminal)
        gate.release()
        try terminal.type("resume 1\n")
        try await Self.wait(for: "#1 completed", on: terminal)
        try terminal.type("quit\n")
        #expect(try await terminal.waitForEnd() == 0)
        #expect(terminal.modes == terminal.modesBefore)
        #expect(!terminal.bytes.contains(0x1B), "an escape sequence")
        #expect(!terminal.bytes.contains(7), "a bell without a failure")
        let returns = zip(terminal.bytes, terminal.bytes.dropFirst()).contains { $0 == 0x0D && $1 != 0x0A }
        #expect(!returns, "a line was drawn over")
    }

    @Test("A failure rings the bell, says why, and decides the exit code")
    func failure() async throws {
        let server = LoopbackServer()
        try server.start()
        defer { server.stop() }
        let terminal = try Self.start([])
        try await Self.wait(for: "Type help", on: terminal)
        try terminal.type("add \(server.url("/missing"))\n")
        try await Self.wait(for: "#1 failed", on: terminal)
        try await Self.wait(for: "\u{7}", on: terminal)
        try terminal.type("quit\n")
        #expect(try await terminal.waitForEnd() == 1)
    }

    @Test("Bodies of requests are printed one after the other, below a heading, when they are asked for")
    func bodies() async throws {
        let server = LoopbackServer()
        try server.start()
        defer { server.stop() }
        for name in ["one", "two"] {
            server.setRoute("/" + name, .respond(.text("first of \(name)\nlast of \(name)\n")))
        }
        let terminal = try Self.start([])
        try await Self.wait(for: "Type help", on: terminal)
        try terminal.type("request \(server.url("/one"))\n")
        try terminal.type("request \(server.url("/two")) 'header=X-A: b c'\n")
        try await Self.wait(for: "Type body 1 for", on: terminal)
        try await Self.wait(for: "Type body 2 for", on: terminal)
        #expect(!Self.lines(terminal).contains("first of"), "not asked for")
        try terminal.type("body 2\nbody 1\n")
        try await Self.wait(for: "last of one", on: terminal)
        let said = Self.lines(terminal).split(whereSeparator: \.isNewline).map(String.init)
        let start = try #require(said.firstIndex { $0.hasPrefix("Body of task 2, text") })
        let bodies = said[start...].filter { $0.contains(" of ") || $0.hasPrefix("End") }
        #expect(
            bodies.map { String($0.prefix(14)) } == [
                "Body of task 2", "first of two", "last of two", "End of body", "Body of task 1", "first of one",
                "last of one", "End of body",
            ])
        try terminal.type("quit\n")
        #expect(try await terminal.waitForEnd() == 0)
    }

    @Test("Files are sent, limits set, tasks changed and steps taken back by lines")
    func furtherCommands() async throws {
        let server = LoopbackServer()
        try server.start()
        defer { server.stop() }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("spoken-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("a file")
        try Data("sent".utf8).write(to: file)
        server.setRoute("/in", .respond(.text("thanks")))
        let gate = try server.gate(named: "half")
        server.setRoute("/f.bin", .file(seed: 1, count: 2_000_000).stalling(after: 1_200_000, until: gate))
        let terminal = try Self.start(["-d", folder.path])
        try await Self.wait(for: "Type help", on: terminal)
        try terminal.type("upload '\(file.path)' \(server.url("/in"))\n")
        try await Self.wait(for: "#1 completed", on: terminal)
        try terminal.type("limit 900M\nlimit 900M 800M\nundo\n")
        try await Self.wait(for: "Downloads: 900M, uploads: 800M", on: terminal)
        try await Self.wait(for: "Downloads: 900M, uploads: off", on: terminal)
        try terminal.type("add \(server.url("/f.bin"))\n")
        try await Self.wait(for: "#2 received ", on: terminal)
        try terminal.type("pause 2\n")
        try await Self.wait(for: "#2 paused", on: terminal)
        try terminal.type("undo\n")
        try await Self.wait(for: "#2 resumed", on: terminal)
        try terminal.type("undo\n")
        try await Self.wait(for: "An added task stays", on: terminal)
        try terminal.type("edit 2 out=other.bin\n")
        try await Self.wait(for: "stops, then restarts with the changes", on: terminal)
        gate.release()
        try await Self.wait(for: "other.bin", on: terminal)
        try await Self.wait(for: "#2 completed", on: terminal)
        try terminal.type("quit\n")
        #expect(try await terminal.waitForEnd() == 0)
    }
}
