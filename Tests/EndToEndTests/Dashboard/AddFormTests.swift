import Foundation
import Glibc
import LoopbackServer
import TerminalTestSupport
import Testing

/// The add form of the real program: what its buttons and its check box lead to.
@Suite("The add form on a terminal", .serialized, .timeLimit(.minutes(1)))
struct AddFormTests {
    private static let backTab = "\u{1B}[Z"

    @Test("Add another adds a task and takes the next one, by key and by button; Cancel leaves both alone")
    func another() async throws {
        let server = try Served.start()
        let folder = try ScratchFolder()
        for name in ["a", "b", "c"] { server.setRoute("/\(name).bin", .file(count: 1000)) }
        let terminal = try PseudoTerminal([Program.path(), "-d", folder.path], rows: 36, columns: 120)
        try await terminal.waitForScreen("an empty list") { $0.text.contains("No tasks yet") }
        try terminal.type("a" + server.url("/a.bin") + "\u{E}")
        try await terminal.waitForToast("a.bin added")
        // Up and back again from the URL, the last button is Cancel, and Add another stands beside it.
        try terminal.type(server.url("/b.bin") + Self.backTab + "\u{1B}[D")
        try await terminal.waitForScreen("the button") { $0.text.contains("[ Add another ]") }
        try terminal.type("\r")
        try await terminal.waitForToast("b.bin added")
        // The same once more is left out, and the form does not say otherwise.
        try terminal.type(server.url("/b.bin") + "\u{E}")
        try await terminal.waitForToast("! Left out 1 task: already in the list")
        try terminal.type(server.url("/c.bin") + Self.backTab + "\r")
        try await terminal.waitForScreen("both, done") { $0.text.contains("done 2") && !$0.text.contains("Save as") }
        #expect(try folder.names == ["a.bin", "b.bin"])
        #expect(server.requests(for: "/c.bin").isEmpty)
        try terminal.type("q")
        #expect(try await terminal.waitForEnd() == 0)
    }

    @Test("The resume box decides whether a part is gone on with, and the note says so", arguments: [true, false])
    func resumeBox(isOn: Bool) async throws {
        let download = try GatedDownload()
        let first = try await download.dashboard()
        try first.signal(SIGTERM)
        #expect(try await first.waitForEnd() == 143)
        #expect(try download.folder.parts.count == 1)
        let words = [try Program.path(), "-d", download.folder.path] + (isOn ? [] : ["--no-continue"])
        let second = try PseudoTerminal(words, rows: 36, columns: 120)
        try await second.waitForScreen("an empty list") { $0.text.contains("No tasks yet") }
        let notes = ["partial file found; resumes at", "found; restarts from zero"]
        try second.type("a" + download.url)
        try await second.waitForScreen("the note") { $0.text.contains(isOn ? notes[0] : notes[1]) }
        // The box is as the command line says, and a blank changes it.
        try second.type(String(repeating: Self.backTab, count: 6) + " ")
        try await second.waitForScreen("the other note") { $0.text.contains(isOn ? notes[1] : notes[0]) }
        try second.type("\r")
        try await second.waitForScreen("the end of the download") { $0.text.contains("done 1") }
        #expect(download.file == GatedDownload.content.bytes)
        let range = download.server.requests.last?.header("Range")
        #expect(range == (isOn ? nil : GatedDownload.restRange))
        try second.type("q")
        #expect(try await second.waitForEnd() == 0)
    }
}

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
        #expect(terminal.screen.text.contains("Binary body"), "\(terminal.screen.text)")
        #expect(terminal.screen.text.contains("-o FILE"), "\(terminal.screen.text)")
        #expect(terminal.bytes.count < 10_000)
    }
}
