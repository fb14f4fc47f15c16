import Foundation
import LoopbackServer
import TerminalTestSupport

/// The dashboard in tmux, started from a shell, on transfers of a server in the test's own process.
///
/// There are six rows: four downloads, an upload and a data request. All but `delta.bin` stand still at a gate of their
/// own name until the test lets them go on.
final class DashboardSession {
    /// How many bytes of each download pass before its gate.
    static let passed: Int64 = 100_000
    /// What each download consists of, by name.
    static let contents = [
        "alpha.bin": DeterministicContent(seed: 1, count: 400_000),
        "beta.bin": DeterministicContent(seed: 2, count: 400_000),
        "gamma.bin": DeterministicContent(seed: 3, count: 400_000),
        "delta.bin": DeterministicContent(seed: 4, count: 4_000),
        "epsilon.bin": DeterministicContent(seed: 5, count: 4_000),
    ]
    static let payload = DeterministicContent(seed: 6, count: 8_000_000)

    let server: LoopbackServer
    let folder: ScratchFolder
    let terminal: TmuxSession

    /// Starts the server, the shell and the dashboard, and waits until its first screen is there.
    init(rows: Int = 36, columns: Int = 120, options: String = "") async throws {
        folder = try ScratchFolder()
        let server = LoopbackServer()
        self.server = server
        try Self.setRoutes(of: server)
        try server.start()
        try folder.write(Self.payload.bytes, to: "payload")
        let list = ["alpha", "beta", "gamma", "delta"].map { server.url("/\($0).bin") + "\n" }.joined()
        let upload = "\(server.url("/in/upload.bin"))\n kind=upload\n body-file=payload\n"
        let request = "\(server.url("/api"))\n kind=data\n out=answer\n"
        try folder.write(list + upload + request, to: "list")
        terminal = try TmuxSession(rows: rows, columns: columns)
        try await terminal.waitUntilScreen("a prompt") { $0.joined().contains { "#$".contains($0) } }
        try terminal.type("PS1='ready> '; cd \(folder.path); stty -a >stty-before; clear; \\\n")
        try terminal.type("\(Program.path()) -j 9 -d files \(options) -i list; stty -a >stty-after")
        try terminal.send("Enter")
    }

    private static func setRoutes(of server: LoopbackServer) throws {
        for (name, content) in contents {
            let complete = Behaviour.resource(
                ServedResource(seed: content.seed, count: content.count))
            let isGated = content.count > passed
            let gate = try server.gate(named: name)
            let first = isGated ? complete.stalling(after: passed, until: gate) : complete
            server.setRoute("/" + name, .sequence([first, complete]))
        }
        let upload = Stall(after: 1_000_000, gate: try server.gate(named: "upload"))
        server.setRoute("/in/*", .uploadSink(UploadPolicy(delivery: Delivery(stalls: [upload]))))
        let answer = Behaviour.respond(.text("the answer\n"))
        server.setRoute("/api", answer.stalling(after: 4, until: try server.gate(named: "api")))
    }

    /// Lets a transfer go on.
    func release(_ name: String) throws { try server.gate(named: name).release() }

    /// Waits until every held transfer has come to its gate.
    func waitForGates() async throws {
        let gates = try ["alpha.bin", "beta.bin", "gamma.bin", "upload", "api"].map { try server.gate(named: $0) }
        _ = try await waitUntil("the transfers to come to their gates") {
            gates.allSatisfy { $0.arrivals > 0 } ? true : nil
        }
    }

    /// The rows of the table on a screen.
    static func table(_ screen: [String]) -> [String] {
        guard let header = screen.firstIndex(where: { $0.contains(" NAME") }),
            let rule = screen[header...].firstIndex(where: { $0.hasPrefix("─") })
        else { return [] }
        return screen[(header + 1)..<rule].filter { !$0.allSatisfy { $0 == " " } }
    }

    /// Waits until the table's rows are as wanted.
    @discardableResult
    func waitForTable(_ what: String, _ isWanted: ([String]) -> Bool) async throws -> [String] {
        Self.table(try await terminal.waitUntilScreen(what) { isWanted(Self.table($0)) })
    }

    /// Waits until a row has a word in it.
    func waitForRow(_ name: String, _ word: String) async throws {
        try await waitForTable("\(name) to be \(word)") { $0.contains { $0.contains(name) && $0.contains(word) } }
    }

    /// Shows one row alone, by a filter.
    func select(_ name: String) async throws {
        try terminal.send("/")
        try terminal.type(name)
        try terminal.send("Enter")
        try await waitForTable("\(name) alone") { $0.count == 1 && $0[0].contains(name) }
    }

    /// Takes the filter away.
    func selectAll(count: Int = 6) async throws {
        // Not Escape, which takes a message away first.
        try terminal.send("/", "C-u", "Enter")
        try await waitForTable("all rows") { $0.count == count }
    }

    /// The parts beside the downloads.
    var parts: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: folder.path(of: "files")).filter {
                $0.hasSuffix(".part")
            }
        }
    }

    /// Waits until the shell has its terminal back and has looked at its modes.
    func waitForPrompt() async throws {
        try await terminal.waitUntilScreen("the shell's prompt") {
            $0.last { !$0.isEmpty }?.hasPrefix("ready>") ?? false
        }
    }
}

/// A dashboard with many downloads that all move, each at a speed of its own.
final class MovingRows {
    let folder: ScratchFolder
    let terminal: PseudoTerminal
    private let server: LoopbackServer

    /// Starts `running` of `count` downloads, each of some minutes, and waits until they move.
    init(count: Int, running: Int, options: [String] = [], rows: Int, columns: Int) async throws {
        folder = try ScratchFolder()
        let server = try Served.start()
        self.server = server
        server.setRoute(
            "/*",
            .choosing { request in
                let number = Int64(request.path.filter(\.isNumber)) ?? 1
                return Behaviour.file(count: 400_000).adjusting {
                    $0.delivery.bytesPerSecond = 200 + number * 53 % 1_500
                }
            })
        try folder.write((1...count).map { server.url("/moving-\($0).bin") + "\n" }.joined(), to: "list")
        let limits = ["-j", String(running), "--max-per-host", String(running), "--ephemeral"]
        let start = ["/usr/bin/env", "-C", folder.path, try Program.path(), "-d", "files", "-i", "list"]
        terminal = try PseudoTerminal(
            start + limits + options, environment: ["TERM": "tmux-256color"], rows: rows, columns: columns)
        _ = try await waitUntil("all requests") { server.requestCount >= running ? true : nil }
        try await terminal.waitForScreen("all rows") { $0.text.contains("running \(running)") }
    }

    /// Presses keys, and waits for the name in the row of the selection, in the first frame after them.
    ///
    /// Of a later frame this process may have read a part, with the mark in one row and the name in another.
    func selectedName(after keys: String) async throws -> String {
        var replay = try await terminal.press(keys)
        return try await waitUntil("a selected row", otherwise: { terminal.screen.text }) {
            terminal.pump()
            return replay.first(in: terminal.bytes) { screen in
                guard screen.cells[screen.row][0].text == "▌" else { return nil }
                return screen.text(row: screen.row).firstMatch(of: /moving-\d+\.bin/).map { String($0.output) }
            }
        }
    }
}
