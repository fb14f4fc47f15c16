import LoopbackServer
import TerminalTestSupport
import Testing

/// Something that a user expects of the dashboard: keys, and what the screen says after each.
struct ScreenExpectation: Sendable, CustomTestStringConvertible {
    /// Keys, and a piece of the screen to wait for after them.
    struct Step: Sendable {
        var keys: String
        var shows: String
    }

    let what: String
    let arguments: [String]
    let steps: [Step]

    var testDescription: String { what }

    /// `$S` in arguments and keys is the address of the server.
    init(_ what: String, _ arguments: [String] = [], _ steps: (keys: String, shows: String)...) {
        (self.what, self.arguments) = (what, arguments)
        self.steps = steps.map { Step(keys: $0.keys, shows: $0.shows) }
    }

    func check() async throws {
        let server = try Served.start(Self.routes)
        let folder = try ScratchFolder()
        try folder.write("\(server.url("/a.bin"))\n\(server.url("/b.bin"))\n", to: "list.txt")
        let address = "http://127.0.0.1:\(server.port)"
        func filled(_ text: String) -> String { text.replacing("$S", with: address).replacing("$D", with: folder.path) }
        let start = ["/usr/bin/env", "-C", folder.path, try Program.path()]
        let terminal = try PseudoTerminal(
            start + arguments.map(filled), environment: try UserFolder().environment, rows: 36, columns: 120)
        for step in steps {
            if !step.keys.isEmpty {
                #expect(!terminal.screen.text.contains(step.shows), "\(step.shows) stands before \(step.keys)")
                try terminal.type(filled(step.keys))
            }
            try await terminal.waitForScreen("\(step.shows) after \(step.keys)") { $0.text.contains(step.shows) }
        }
    }

    private static var routes: [String: Behaviour] {
        let file = Behaviour.resource(ServedResource(seed: 1, count: 3_000))
        return [
            "/a.bin": file, "/b.bin": file, "/n1.bin": file, "/n2.bin": file,
            "/gone": .respond(.text("No more.\n", status: 410)),
        ]
    }

    /// The table, its dialogs and its words.
    static let table = [
        ScreenExpectation(
            "Rows of one name are told apart", ["$S/x/f.bin", "$S/y/f.bin"], ("", "f.bin /x"), ("", "f.bin /y")),
        ScreenExpectation("A list in the form", [], ("", "Press a"), ("a", "Save as"), ("$D/list.txt\r", "b.bin")),
        ScreenExpectation(
            "A pattern in the form", [], ("", "Press a"), ("a", "Save as"), ("$S/n[1-2].bin\r", "n2.bin")),
        ScreenExpectation(
            "A paused task is edited in its place", ["--start-at", "+1h", "$S/a.bin"], ("", "a.bin"), ("e", "Edit")),
        ScreenExpectation("The palette knows everyday words", ["$S/a.bin"], ("", "a.bin"), (":throttle", "imit")),
        ScreenExpectation("1 shows all kinds", ["$S/a.bin"], ("", "a.bin"), ("3", "┃3 Upload"), ("1", "┃1 All")),
        ScreenExpectation("A failure is in words", ["$S/gone"], ("", "410 Gone")),
        ScreenExpectation("A filter counts", ["$S/a.bin", "$S/b.bin"], ("", "b.bin"), ("/a.bin\r", "1/2")),
    ]
}

@Suite("What people expect of the dashboard", .timeLimit(.minutes(2)))
struct ScreenExpectationTests {
    @Test("The table", arguments: ScreenExpectation.table)
    func table(expectation: ScreenExpectation) async throws { try await expectation.check() }
}
