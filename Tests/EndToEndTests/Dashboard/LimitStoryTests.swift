import LoopbackServer
import TerminalTestSupport
import Testing

/// Somebody looks at one file that comes from several places, and slows it down and lets it go by key.
@Suite("Map and limits in tmux", .serialized, .timeLimit(.minutes(1)), .enabled(if: TmuxSession.isAvailable))
struct LimitStoryTests {
    private static let count: Int64 = 4 << 20
    private static let good = Behaviour.file(seed: 5, count: count)

    @Test("B shows who brings the file and who was dropped; b holds it back, by a timetable too, and lets it go")
    func story() async throws {
        let folder = try ScratchFolder()
        // As fast as this machine is: only the limits hold the file back.
        let servers = try [Self.good, .file(seed: 6, count: Self.count), Self.good].map {
            try Served.start(["/f.iso": $0])
        }
        let urls = servers.map { $0.url("/f.iso") }.joined(separator: " --mirror ")
        let terminal = try TmuxSession(rows: 24, columns: 100)
        try await terminal.waitUntilScreen("a prompt") { $0.joined().contains { "#$".contains($0) } }
        try terminal.type(
            "PS1='ready> '; cd \(folder.path); clear; "
                + "\(Program.path()) --ephemeral -x 3 -k 64k --limit-rate 100k --limit-upload 200k \(urls)\n")
        try await terminal.waitUntilScreen("the row moves") { $0.joined().contains(/▸ ↓ f\.iso .*\d+%/) }
        try terminal.type("B")
        try await terminal.waitUntilScreen("two sources that bring something, one that is another file") {
            let text = $0.joined(separator: "\n")
            return text.contains("3 connections") && text.contains(/[█▒]+·+[█▒]+·/) && text.contains("3 mirrors")
                && text.contains(/\d connections? · .*\/s/) && text.contains("Different content")
        }
        try terminal.send("Escape")
        try await limit(
            to: "00:00,40k 12:00,40k", "Download limit 00:00,40k 12:00,40k; upload limit stays 200k", on: terminal)
        try await terminal.waitUntilScreen("the limit") { $0.first?.contains(/of 40\.0( KiB|K)\/s/) == true }
        try await limit(to: "off 1M", "Speed limits: down off; up 1M", on: terminal)
        try await terminal.waitUntilScreen("the end") { $0.joined().contains(/✓ ↓ f\.iso/) }
        let isRight = folder.bytes(of: "f.iso") == DeterministicContent(seed: 5, count: Self.count).bytes
        #expect(isRight)
        try terminal.send("q")
        try await terminal.waitUntilScreen("a prompt") { $0.last { !$0.isEmpty }?.hasPrefix("ready>") == true }
    }

    private func limit(to words: String, _ toast: String, on terminal: TmuxSession) async throws {
        try terminal.type("b")
        try terminal.send("C-u")
        try terminal.type(words)
        try terminal.send("Enter")
        try await terminal.waitForToast(toast)
    }
}
