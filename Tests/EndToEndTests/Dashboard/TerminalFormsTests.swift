import CLinux
import Foundation
import Glibc
import LoopbackServer
import TerminalTestSupport
import Testing

/// What different terminals and surroundings make of the same transfer.
@Suite("Surroundings", .serialized, .timeLimit(.minutes(1)))
struct TerminalFormsTests {
    @Test(
        "A terminal that cannot show a dashboard gets lines without an escape, and the file",
        arguments: ["dumb", "", "no-such-type"])
    func unsuitableTypes(type: String) async throws {
        let download = try GatedDownload()
        download.release()
        let terminal = try PseudoTerminal(
            [Program.path(), "-d", download.folder.path, download.url], environment: ["TERM": type], columns: 200)
        #expect(try await terminal.waitForEnd() == 0)
        #expect(!terminal.bytes.contains(0x1B))
        #expect(terminal.screen.text.contains("1 completed"), "\(terminal.screen.text)")
        #expect(terminal.modes == terminal.modesBefore)
        #expect(download.file == GatedDownload.content.bytes)
    }

    @Test("--plain on a good terminal is the same lines")
    func plain() async throws {
        let download = try GatedDownload()
        download.release()
        let terminal = try PseudoTerminal([Program.path(), "--plain", "-d", download.folder.path, download.url])
        #expect(try await terminal.waitForEnd() == 0)
        #expect(!terminal.bytes.contains(0x1B))
        #expect(terminal.screen.text.contains("1 completed"))
        #expect(download.file == GatedDownload.content.bytes)
    }

    @Test("Standard output that is a pipe gets nothing of a download, and the terminal lines without an escape")
    func pipedOutput() async throws {
        let download = try GatedDownload()
        download.release()
        let pipe = try Pipeline()
        let terminal = try PseudoTerminal(
            [Program.path(), "-d", download.folder.path, download.url], streams: .init(output: pipe.writeEnd))
        pipe.closeWriteEnd()
        #expect(try await terminal.waitForEnd() == 0)
        #expect(!terminal.bytes.contains(0x1B))
        #expect(terminal.screen.text.contains("1 completed"))
        #expect(download.file == GatedDownload.content.bytes)
    }

    @Test("NO_COLOR takes the colours of a dashboard at work away, and --color always brings them back")
    func noColor() async throws {
        let colours = /\u{1B}\[[0-9;]*\b(?:3[0-7]|4[0-7]|9[0-7]|38|48)[;m]/
        let download = try GatedDownload()
        let plain = try await download.dashboard(environment: ["NO_COLOR": "1"])
        #expect(String(decoding: plain.bytes, as: UTF8.self).firstMatch(of: colours) == nil)
        let other = try GatedDownload()
        let coloured = try await other.dashboard(options: ["--color", "always"], environment: ["NO_COLOR": "1"])
        #expect(String(decoding: coloured.bytes, as: UTF8.self).firstMatch(of: colours) != nil)
    }

    @Test("Without UTF-8 every cell of a dashboard at work is ASCII", arguments: ["C", "POSIX"])
    func asciiLocale(locale: String) async throws {
        let download = try GatedDownload()
        let terminal = try await download.dashboard(environment: ["LANG": "", "LC_ALL": locale])
        #expect(terminal.bytes.allSatisfy { $0 < 0x80 })
        #expect(terminal.screen.text.contains("["), "\(terminal.screen.text)")
        try terminal.type("x")
        try await terminal.waitForScreen("the question") { $0.text.contains("Cancel 1 task?") }
        #expect(terminal.bytes.allSatisfy { $0 < 0x80 })
    }

    @Test("A locale for dates that the system lacks, as ssh may bring one, takes no characters away")
    func foreignDates() async throws {
        let download = try GatedDownload()
        let terminal = try await download.dashboard(environment: ["LANG": "C.UTF-8", "LC_TIME": "xx_XX.UTF-8"])
        #expect(terminal.screen.text.contains("█"), "\(terminal.screen.text)")
    }

    @Test(
        "Screens of every size show the download's row", arguments: [(24, 80), (10, 40), (5, 20), (3, 20), (36, 120)])
    func sizes(rows: Int, columns: Int) async throws {
        let download = try GatedDownload()
        let terminal = try await download.dashboard(rows: rows, columns: columns)
        #expect(terminal.screen.errors.isEmpty, "\(terminal.screen.errors)")
        #expect(terminal.screen.text.contains("file"), "\(terminal.screen.text)")
    }

    @Test("A terminal that takes nothing does not hold transfers up")
    func blockedReader() async throws {
        let download = try GatedDownload()
        let terminal = try await download.dashboard(rows: 100, columns: 300)
        try await terminal.fill()
        download.release()
        _ = try await waitUntil("the file") { download.file == GatedDownload.content.bytes ? true : nil }
        try await terminal.waitForScreen("the end of the download") { $0.text.contains("done") }
        try terminal.type("q")
        #expect(try await terminal.waitForEnd() == 0)
    }
}

/// Every key of a keyboard on the screens of the real program.
@Suite("Keys on a terminal", .serialized, .timeLimit(.minutes(1)))
struct KeysOnTerminalTests {
    /// What a key sends, but for those that leave: `q`, `Q`, F10, `^C`, `^Z`; and `v`, which hands the terminal over.
    static let keys: [String] =
        (0x20...0x7E).compactMap { Unicode.Scalar($0).map { String($0) } }.filter { !"qQv".contains($0) }
        + (1...26).compactMap { [3, 26].contains($0) ? nil : Unicode.Scalar($0).map { String($0) } }
        + ["\u{7F}", "é", "漢", "👍🏽"]
        + ["A", "B", "C", "D", "F", "H", "Z", "1~", "2~", "3~", "4~", "5~", "6~"].map { "\u{1B}[\($0)" }
        + [15, 17, 18, 19, 20, 23, 24].map { "\u{1B}[\($0)~" } + ["P", "Q", "R", "S"].map { "\u{1B}O\($0)" }

    @Test(
        "Every key can be pressed, and Esc leads back to a whole list",
        arguments: ["", "\r", "?", "x", "C", "a", "/", "s", "f", "o", "L"])
    func everyKey(opener: String) async throws {
        let download = try GatedDownload()
        let terminal = try await download.dashboard()
        for start in stride(from: 0, to: Self.keys.count, by: 10) {
            let keys = Self.keys[start..<min(start + 10, Self.keys.count)].filter { key in
                // The answers that end the only task: what follows would find none.
                opener != "x" || !"kd".contains(key)
            }
            // Escape closes what is open, takes messages away, and gives up filter and marks. The tab's key behind it
            // keeps the next key from looking like the rest of a sequence.
            let back = String(repeating: "\u{1B}", count: 5) + "1"
            try await terminal.press(keys.map { opener + $0 + back }.joined())
            #expect(terminal.screen.errors.isEmpty, "\(terminal.screen.errors) after one of \(keys)")
        }
        try await terminal.waitForScreen("the list") { $0.text.contains("file") && $0.text.contains("q Quit") }
        try terminal.type("Q")
        #expect(try await terminal.waitForEnd() == 0)
        TerminalLifeTests.expectRestored(terminal)
    }
}
