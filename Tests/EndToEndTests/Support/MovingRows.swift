import Foundation
import LoopbackServer
import TerminalTestSupport

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

    /// The name in the row of the selection; nil when there is none on the screen.
    var selectedName: String? {
        let row = (0..<terminal.screen.rows).map { terminal.screen.text(row: $0) }.first { $0.hasPrefix("▌") }
        return row?.firstMatch(of: /moving-\d+\.bin/).map { String($0.output) }
    }
}
