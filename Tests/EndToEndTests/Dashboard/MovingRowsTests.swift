import Foundation
import TerminalTestSupport
import Testing

/// A dashboard on which everything moves, and a person who does not wait for it.
@Suite("While rows move", .serialized, .timeLimit(.minutes(2)))
struct MovingRowsTests {
    @Test("A storm of sizes from 5x1 to 300x100 while 200 rows move ends on a whole screen of the last one")
    func resizeStorm() async throws {
        let rows = try await MovingRows(count: 200, running: 200, options: ["--fps", "30"], rows: 36, columns: 120)
        let terminal = rows.terminal
        for round in 0..<40 {
            for (columns, lines) in [(5, 1), (2, 2), (300, 100)] {
                try terminal.resize(rows: lines, columns: columns)
                // In some rounds each size is painted, in the others the next one comes before that.
                if round % 4 == 0 { try await terminal.press("") }
            }
        }
        try await terminal.press("")
        try await terminal.waitForScreen("every line in its place") { Self.isComplete($0) }
        #expect(terminal.screen.errors.isEmpty, "\(terminal.screen.errors)")
        try terminal.type("Q")
        _ = try await terminal.waitForEnd()
        TerminalLifeTests.expectRestored(terminal)
    }

    /// Whether a screen of 300 x 100 has every line of the dashboard where it belongs.
    private static func isComplete(_ screen: VirtualScreen) -> Bool {
        let lines = (0..<screen.rows).map { screen.text(row: $0) }
        guard screen.columns == 300, lines.count == 100, lines[99].hasSuffix("q Quit"),
            lines[0].hasPrefix(" netdash  ·  ↓"), let title = lines.firstIndex(where: { $0.hasPrefix("       NAME") }),
            let rule = lines.firstIndex(where: { $0.hasPrefix("──") }), rule - title > 60
        else { return false }
        let end = lines[title].count
        return lines[(title + 1)..<rule].allSatisfy { line in
            line.contains(#/^[▌ ] +▸ +↓ +moving-\d+\.bin .* running /#) && line.count >= end
        }
    }

    @Test("Among a thousand moving rows, p pauses the tasks that were selected when it was pressed, and no other")
    func selection() async throws {
        let log = try ScratchFolder()
        let options = ["--log", log.path(of: "log"), "--fps", "30"]
        let rows = try await MovingRows(count: 1_000, running: 60, options: options, rows: 36, columns: 120)
        let terminal = rows.terminal
        // By percentage, which changes the order all the time; the rows under way are at the end.
        var random = SystemRandomNumberGenerator()
        var wanted: [String] = []
        try await terminal.press("s" + "j" + "\r")
        for _ in 0..<40 {
            let moves = (0..<3).map { _ in "jkjjGgjn\u{4}\u{15}".randomElement(using: &random) ?? "j" }
            let name = try await rows.selectedName(after: String(moves))
            guard !wanted.contains(name) else { continue }
            wanted.append(name)
            // Rows go on moving between the look and the key.
            try await terminal.press("p")
        }
        let names = try await waitUntil("the pauses in the log") { () -> [String]? in
            let names = try Self.paused(log.path(of: "log"))
            return names.count >= wanted.count ? names : nil
        }
        #expect(names == wanted)
    }

    /// The names of the tasks that were paused, in that order.
    private static func paused(_ path: String) throws -> [String] {
        var names: [Substring: String] = [:]
        var paused: [String] = []
        for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n") {
            guard let number = line.firstMatch(of: #/ #(\d+) /#)?.1 else { continue }
            if let name = line.firstMatch(of: /added download GET \S+\/(moving-\d+\.bin)/)?.1 {
                names[number] = String(name)
            }
            if line.hasSuffix(" paused"), let name = names[number] { paused.append(name) }
        }
        return paused
    }
}
