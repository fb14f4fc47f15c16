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
        let download = try HeldDownload()
        download.release()
        let terminal = try PseudoTerminal(
            [Program.path(), "-d", download.folder.path, download.url], environment: ["TERM": type], columns: 200)
        #expect(try await terminal.waitForEnd() == 0)
        #expect(!terminal.bytes.contains(0x1B))
        #expect(terminal.screen.text.contains("1 completed"), "\(terminal.screen.text)")
        #expect(terminal.modes == terminal.modesBefore)
        #expect(download.file == HeldDownload.content.bytes)
    }

    @Test("--plain on a good terminal is the same lines")
    func plain() async throws {
        let download = try HeldDownload()
        download.release()
        let terminal = try PseudoTerminal([Program.path(), "--plain", "-d", download.folder.path, download.url])
        #expect(try await terminal.waitForEnd() == 0)
        #expect(!terminal.bytes.contains(0x1B))
        #expect(terminal.screen.text.contains("1 completed"))
        #expect(download.file == HeldDownload.content.bytes)
    }

    @Test("Standard output that is a pipe gets nothing of a download, and the terminal lines without an escape")
    func pipedOutput() async throws {
        let download = try HeldDownload()
        download.release()
        let pipe = try Pipeline()
        let terminal = try PseudoTerminal(
            [Program.path(), "-d", download.folder.path, download.url], streams: .init(output: pipe.writeEnd))
        pipe.closeWriteEnd()
        #expect(try await terminal.waitForEnd() == 0)
        #expect(!terminal.bytes.contains(0x1B))
        #expect(terminal.screen.text.contains("1 completed"))
        #expect(download.file == HeldDownload.content.bytes)
    }

    @Test("NO_COLOR takes the colours of a dashboard at work away, and --color always brings them back")
    func noColor() async throws {
        let colours = /\u{1B}\[[0-9;]*\b(?:3[0-7]|4[0-7]|9[0-7]|38|48)[;m]/
        let download = try HeldDownload()
        let plain = try await download.dashboard(environment: ["NO_COLOR": "1"])
        #expect(String(decoding: plain.bytes, as: UTF8.self).firstMatch(of: colours) == nil)
        let other = try HeldDownload()
        let coloured = try await other.dashboard(options: ["--color", "always"], environment: ["NO_COLOR": "1"])
        #expect(String(decoding: coloured.bytes, as: UTF8.self).firstMatch(of: colours) != nil)
    }

    @Test("Without UTF-8 every cell of a dashboard at work is ASCII", arguments: ["C", "POSIX"])
    func asciiLocale(locale: String) async throws {
        let download = try HeldDownload()
        let terminal = try await download.dashboard(environment: ["LANG": "", "LC_ALL": locale])
        #expect(terminal.bytes.allSatisfy { $0 < 0x80 })
        #expect(terminal.screen.text.contains("["), "\(terminal.screen.text)")
        try terminal.type("x")
        try await terminal.waitForScreen("the question") { $0.text.contains("Cancel 1 task?") }
        #expect(terminal.bytes.allSatisfy { $0 < 0x80 })
    }

    @Test("A locale for dates that the system lacks, as ssh may bring one, takes no characters away")
    func foreignDates() async throws {
        let download = try HeldDownload()
        let terminal = try await download.dashboard(environment: ["LANG": "C.UTF-8", "LC_TIME": "xx_XX.UTF-8"])
        #expect(terminal.screen.text.contains("█"), "\(terminal.screen.text)")
    }

    @Test(
        "Screens of every size show the download's row", arguments: [(24, 80), (10, 40), (5, 20), (3, 20), (36, 120)])
    func sizes(rows: Int, columns: Int) async throws {
        let download = try HeldDownload()
        let terminal = try await download.dashboard(rows: rows, columns: columns)
        #expect(terminal.screen.errors.isEmpty, "\(terminal.screen.errors)")
        #expect(terminal.screen.text.contains("file"), "\(terminal.screen.text)")
    }

    @Test("A terminal that takes nothing does not hold transfers up")
    func blockedReader() async throws {
        let download = try HeldDownload()
        let terminal = try await download.dashboard(rows: 100, columns: 300)
        try await terminal.fill()
        download.release()
        _ = try await waitUntil("the file") { download.file == HeldDownload.content.bytes ? true : nil }
        try await terminal.waitForScreen("the end of the download") { $0.text.contains("done") }
        try terminal.type("q")
        #expect(try await terminal.waitForEnd() == 0)
    }
}
