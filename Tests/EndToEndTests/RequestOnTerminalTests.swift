import Foundation
import LoopbackServer
import TerminalTestSupport
import Testing

/// Bodies of requests in front of a person's eyes.
@Suite("Requests on a terminal", .serialized, .timeLimit(.minutes(1)))
struct RequestOnTerminalTests {
    private func run(_ words: [String], environment: [String: String] = [:]) async throws -> (Int, PseudoTerminal) {
        let terminal = try PseudoTerminal([Program.path()] + words, environment: environment, columns: 200)
        return (try await terminal.waitForEnd(), terminal)
    }

    @Test(
        "A request's body is printed, also that of an error status, and it cannot control the terminal",
        arguments: [
            (["request", "--plain"], "/good", 0), (["request", "--quiet"], "/good", 0),
            (["--plain", "request", "POST", "-b", "x"], "/bad", 1), (["--plain", "-o", "-"], "/good", 0),
            (["upload", "--plain", "-o", "-", "-b", "x"], "/good", 0),
        ])
    func body(words: [String], path: String, status: Int) async throws {
        let text = "first\n\u{1B}]0;evil\u{7}second, without an end"
        let server = try Served.start([
            "/good": .respond(.text(text)), "/bad": .respond(.text(text, status: 422)),
        ])
        let (code, terminal) = try await run(words + [server.url(path)])
        #expect(code == status, "\(terminal.screen.text)")
        #expect(!terminal.bytes.contains(0x1B))
        #expect(!terminal.bytes.contains(0x07))
        let lines = terminal.screen.text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        #expect(lines.contains("first"), "\(terminal.screen.text)")
        #expect(lines.contains("␛]0;evil␇second, without an end"), "\(terminal.screen.text)")
    }

    @Test("A terminal without a dashboard gets the body as well")
    func dumbTerminal() async throws {
        let server = try Served.start(["/good": .respond(.text("the body\n"))])
        let (code, terminal) = try await run(["request", server.url("/good")], environment: ["TERM": "dumb"])
        #expect(code == 0, "\(terminal.screen.text)")
        #expect(terminal.screen.text.contains("the body"), "\(terminal.screen.text)")
    }

    @Test("A body that is typed ends with Control-D, and no key of it goes to a dashboard")
    func typedBody() async throws {
        let server = try Served.start(["/sink": .respond(.text("thanks\n"))])
        let terminal = try PseudoTerminal(
            [Program.path(), "request", "--ephemeral", "-b", "@-", server.url("/sink")], columns: 200)
        try terminal.type("q?typed\n\u{4}")
        #expect(try await terminal.waitForEnd() == 0, "\(terminal.screen.text)")
        #expect(server.requests(for: "/sink").map(\.bodyPrefix) == [Array("q?typed\n".utf8)])
        #expect(terminal.screen.text.contains("thanks"), "\(terminal.screen.text)")
    }

    @Test("A body that is no text is not sent to a terminal, which a sentence says")
    func binary() async throws {
        let server = try Served.start(["/file": .file(seed: 1, count: 300_000)])
        let (code, terminal) = try await run(["request", "--plain", server.url("/file")])
        #expect(code == 1)
        #expect(terminal.screen.text.contains("not text"), "\(terminal.screen.text)")
        #expect(terminal.screen.text.contains("-o FILE"), "\(terminal.screen.text)")
        #expect(terminal.bytes.count < 10_000)
    }
}
