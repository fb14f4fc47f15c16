import Foundation
import Glibc
import LoopbackServer
import TerminalTestSupport
import Testing

/// Leaving netdash and coming back: what was under way is there again and goes on.
@Suite("Saved sessions", .serialized, .timeLimit(.minutes(1)))
struct SavedSessionTests {
    /// What all runs of a test share.
    private let user: UserFolder
    private let download: GatedDownload

    init() throws {
        user = try UserFolder()
        download = try GatedDownload()
    }

    private func dashboard(_ words: [String] = []) throws -> PseudoTerminal {
        try PseudoTerminal(
            [Program.path(), "-d", download.folder.path] + words, environment: user.environment, columns: 120)
    }

    /// Leaves by the question's `s`.
    private func save(_ terminal: PseudoTerminal) async throws {
        try terminal.type("q")
        try await terminal.waitForScreen("the question") { $0.text.contains("unfinished task") }
        try terminal.type("s")
        #expect(try await terminal.waitForEnd() == 0)
        TerminalLifeTests.expectRestored(terminal)
    }

    @Test("A download that was saved is there again, goes on with a range, and has the right bytes")
    func goesOn() async throws {
        let first = try dashboard([download.url])
        try await first.waitForScreen("the download in the middle") { $0.text.contains(/25(\.0)?%/) }
        try await save(first)
        #expect(download.file == nil)
        #expect(try user.saved.contains("default.sqlite"))
        let second = try dashboard()
        try await second.waitForScreen("the finished download") {
            $0.text.contains("file.bin") && $0.text.contains("done")
        }
        #expect(download.file == GatedDownload.content.bytes)
        #expect(download.server.requests.last?.header("Range") == GatedDownload.restRange)
        try second.type("q")
        #expect(try await second.waitForEnd() == 0)
        // Until it is cleared it stays in the list.
        let third = try dashboard()
        try await third.waitForScreen("the finished download") { $0.text.contains("done") }
        try third.type("c")
        try await third.waitForScreen("an empty list") { !$0.text.contains("done") }
        try third.type("q")
        #expect(try await third.waitForEnd() == 0)
        let fourth = try dashboard()
        try await fourth.waitForScreen("an empty list") { $0.text.contains("netdash") }
        try await fourth.waitForQuiet()
        #expect(!fourth.screen.text.contains("file.bin"))
    }

    @Test("What was paused is paused again, and r lets it go on")
    func staysPaused() async throws {
        let first = try dashboard([download.url])
        try await first.waitForScreen("the download in the middle") { $0.text.contains(/25(\.0)?%/) }
        try first.type("p")
        try await first.waitForScreen("the pause") { $0.text.contains("paused") }
        // Nothing runs, so nothing is asked.
        try first.type("q")
        #expect(try await first.waitForEnd() == 0)
        let second = try dashboard()
        try await second.waitForScreen("the paused download") {
            $0.text.contains("file.bin") && $0.text.contains("paused")
        }
        let count = download.server.requests.count
        try second.type("r")
        try await second.waitForScreen("the finished download") { $0.text.contains("done") }
        #expect(download.server.requests.count == count + 1)
        #expect(download.file == GatedDownload.content.bytes)
    }

    @Test("A named session that is open already ends the second run with 6 and one sentence")
    func namedInUse() async throws {
        let first = try dashboard(["--session", "x", download.url])
        try await first.waitForScreen("the download in the middle") { $0.text.contains(/25(\.0)?%/) }
        let second = try dashboard(["--session", "x"])
        #expect(try await second.waitForEnd() == 6)
        TerminalLifeTests.expectRestored(second)
        #expect(second.screen.text.contains("session \"x\" is open in another netdash"))
        for style in ["--plain", "--json"] {
            let third = try await ProgramRun.finished(
                [style, "--session", "x", download.url], in: download.folder, environment: user.environment)
            #expect(third.status == 6)
            #expect(third.lines.count == 1, "\(third.messages)")
            let named = third.messages.firstMatch(of: /open in another netdash \(process (\d+)\); quit it/)
            #expect(named.flatMap { pid_t($0.1) } == first.process, "\(third.messages)")
            #expect(third.output.isEmpty)
        }
        try await save(first)
    }

    @Test("While the saved session is open elsewhere, a dashboard saves nothing and says so")
    func defaultInUse() async throws {
        let first = try dashboard([download.url])
        try await first.waitForScreen("the download in the middle") { $0.text.contains(/25(\.0)?%/) }
        download.server.setRoute("/small", .file(seed: 1, count: 10))
        let second = try dashboard([download.server.url("/small")])
        try await second.waitForScreen("the notice and the download") {
            $0.text.contains("open in another netdash") && $0.text.contains("small")
        }
        try await second.waitForScreen("the download done") { $0.text.contains("done") }
        try second.type("q")
        #expect(try await second.waitForEnd() == 0)
        try await save(first)
    }

    @Test("--ephemeral, lines and the demo save nothing", arguments: ["--ephemeral", "--plain", "demo"])
    func nothingSaved(word: String) async throws {
        download.release()
        switch word {
        case "--plain":
            let run = try await ProgramRun.finished(
                [word, download.url], in: download.folder, environment: user.environment)
            #expect(run.status == 0)
        case "demo":
            let terminal = try PseudoTerminal([Program.path(), "demo"], environment: user.environment, columns: 120)
            try await terminal.waitForScreen("the demo's rows") { $0.text.contains("done") }
            try terminal.type("Q")
            #expect(try await terminal.waitForEnd() == 0)
        default:
            let terminal = try dashboard([word, download.url])
            try await terminal.waitForScreen("the download") { $0.text.contains("done") }
            try terminal.type("Q")
            #expect(try await terminal.waitForEnd() == 0)
        }
        #expect(try user.saved.isEmpty)
    }

    @Test("A damaged session is set aside, said so, and the dashboard works")
    func damaged() async throws {
        let first = try dashboard([download.url])
        try await first.waitForScreen("the download in the middle") { $0.text.contains(/25(\.0)?%/) }
        try await save(first)
        let file = open(user.path(of: "default.sqlite"), O_WRONLY | O_TRUNC)
        try #require(file >= 0)
        let junk = [UInt8](repeating: 7, count: 5_000)
        #expect(write(file, junk, junk.count) == junk.count)
        close(file)
        let second = try dashboard()
        try await second.waitForScreen("the notice") { $0.text.contains("Session file corrupt") }
        download.server.setRoute("/small", .file(seed: 1, count: 10))
        try second.type("a")
        try second.type("\(download.server.url("/small"))\r")
        try await second.waitForScreen("a new download") { $0.text.contains("done") }
        try second.type("q")
        #expect(try await second.waitForEnd() == 0)
    }

    @Test("A session of lines goes on where a signal ended it, under the same number")
    func lines() async throws {
        let words = ["--json", "--session", "lines"]
        let first = try ProgramRun(
            words + [download.url], in: download.folder, environment: user.environment)
        _ = try await waitUntil("the server's answer") {
            String(decoding: first.output, as: UTF8.self).contains("\"response\"") ? true : nil
        }
        try await download.waitUntilRead()
        try first.signal(SIGTERM)
        let stopped = try await first.waitForEnd()
        #expect(stopped.status == 143)
        let again = try await ProgramRun.finished(words, in: download.folder, environment: user.environment)
        #expect(again.status == 0, "\(again.messages)")
        #expect(download.file == GatedDownload.content.bytes)
        let before = try JSONLines(stopped.output).events.first
        let after = try JSONLines(again.output).events
        #expect(after.first?.name == "added")
        #expect(after.first?.id == before?.id)
        #expect(after.contains { $0.name == "completed" })
    }

    @Test(
        "Of a session in which nothing can be read the parts are found, and the run does not end well", arguments: 0..<3
    )
    func damagedLines(kind: Int) async throws {
        let words = ["--plain", "--session", "lines", "-d", download.folder.path]
        let first = try ProgramRun(words + [download.url], in: download.folder, environment: user.environment)
        _ = try await waitUntil("the server's answer") { first.messages.contains("response") ? true : nil }
        try await download.waitUntilRead()
        try first.signal(SIGTERM)
        #expect(try await first.waitForEnd().status == 143)
        let path = user.path(of: "lines.sqlite")
        switch kind {
        case 0:
            let file = open(path, O_WRONLY)
            try #require(file >= 0)
            let junk = (0..<9_000).map { UInt8(truncatingIfNeeded: $0 * 37 + 11) }
            #expect(write(file, junk, junk.count) == junk.count)
            close(file)
        case 1: #expect(truncate(path, 0) == 0)
        default: #expect(truncate(path, 100) == 0)
        }
        download.release()
        let second = try await ProgramRun.finished(words, in: download.folder, environment: user.environment)
        #expect(second.status == 1, "\(second.messages)")
        #expect(
            second.messages.contains("1 download restored from partial files in \(download.folder.path)"),
            "\(second.messages)")
        #expect(second.messages.contains("unfinished, paused: \(download.url)"), "\(second.messages)")
        let third = try await ProgramRun.finished(
            words + [download.url], in: download.folder, environment: user.environment)
        #expect(third.status == 0, "\(third.messages)")
        #expect(download.file == GatedDownload.content.bytes)
        #expect(download.server.requests.last?.header("Range") != nil)
    }

    @Test("A body with a password is in no file of the session, and the row says that it has to be given again")
    func secretBody() async throws {
        let gate = try download.server.gate(named: "upload")
        download.server.setRoute("/up", Behaviour.respond(.text("so long")).stalling(after: 0, until: gate))
        let words = ["--json", "--session", "up"]
        let url = download.server.url("/up")
        let first = try ProgramRun(
            ["upload"] + words + ["-b", "password=sesame", url], in: download.folder, environment: user.environment)
        _ = try await waitUntil("the upload") { download.server.requests.contains { $0.path == "/up" } ? true : nil }
        try first.signal(SIGTERM)
        #expect(try await first.waitForEnd().status == 143)
        for name in try user.saved {
            let bytes = FileManager.default.contents(atPath: user.path(of: name)) ?? Data()
            #expect(bytes.range(of: Data("sesame".utf8)) == nil, "\(name)")
        }
        gate.release()
        let second = try await ProgramRun.finished(words, in: download.folder, environment: user.environment)
        #expect(second.status == 1 && second.text.contains("Secrets are not saved (body)"), "\(second.text)")
    }

    @Test("What failed in an earlier run and was not tried again is told again and decides the status")
    func earlierFailure() async throws {
        let words = ["--session", "lines", "--retries", "0"]
        let folder = download.folder
        let url = download.server.url("/missing")
        let first = try await ProgramRun.finished(words + ["--json", url], in: folder, environment: user.environment)
        #expect(first.status == 1)
        let id = try JSONLines(first.output).first("failed")?.id
        let again = try await ProgramRun.finished(words + ["--json"], in: folder, environment: user.environment)
        #expect(again.status == 1)
        let lines = try JSONLines(again.output)
        #expect(lines.events.map(\.name) == ["added", "failed", "summary"])
        #expect(lines.events.prefix(2).map(\.id) == [id, id])
        #expect(lines.first("failed")?.text("url") == url)
        #expect(lines.first("summary")?.number("failed") == 1)
        let quiet = try await ProgramRun.finished(words + ["--quiet"], in: folder, environment: user.environment)
        #expect(quiet.status == 1)
        #expect(quiet.lines.count == 1 && quiet.messages.contains(" 404 "), "\(quiet.messages)")
        // Whoever names it once more has it tried once more.
        download.server.setRoute("/missing", .file(seed: 1, count: 10))
        let third = try await ProgramRun.finished(words + ["--json", url], in: folder, environment: user.environment)
        #expect(third.status == 0, "\(third.text)")
        #expect(try JSONLines(third.output).events.filter { $0.name == "completed" }.map(\.id) == [id])
        let last = try await ProgramRun.finished(words + ["--json"], in: folder, environment: user.environment)
        #expect(last.status == 0)
        #expect(try JSONLines(last.output).events.map(\.name) == ["summary"])
    }

    @Test("What cannot go on because its secret was not saved is a failure, until it is added again in full")
    func missingSecret() async throws {
        let words = ["--session", "lines", "--json"]
        let folder = download.folder
        let url = download.url + "?token=geheim"
        let first = try ProgramRun(words + [url], in: folder, environment: user.environment)
        _ = try await waitUntil("the server's answer") {
            String(decoding: first.output, as: UTF8.self).contains("\"response\"") ? true : nil
        }
        try await download.waitUntilRead()
        try first.signal(SIGTERM)
        #expect(try await first.waitForEnd().status == 143)
        let second = try await ProgramRun.finished(words, in: folder, environment: user.environment)
        #expect(second.status == 1, "\(second.text)")
        #expect(try JSONLines(second.output).events.map(\.name) == ["added", "failed", "summary"])
        download.release()
        let third = try await ProgramRun.finished(words + [url], in: folder, environment: user.environment)
        #expect(third.status == 0, "\(third.text)")
        #expect(download.file == GatedDownload.content.bytes)
        let last = try await ProgramRun.finished(words, in: folder, environment: user.environment)
        #expect(last.status == 0, "\(last.text)")
    }

    @Test("With --keep-secrets a link with a token goes on after a restart, and its file leaves with the task")
    func keptSecret() async throws {
        let words = ["--session", "lines", "--json"]
        let folder = download.folder
        let url = download.url + "?token=geheim"
        let first = try ProgramRun(
            words + ["--keep-secrets", "-H", "X-Key: sesam", url], in: folder, environment: user.environment)
        _ = try await waitUntil("the server's answer") {
            String(decoding: first.output, as: UTF8.self).contains("\"response\"") ? true : nil
        }
        try await download.waitUntilRead()
        try first.signal(SIGTERM)
        #expect(try await first.waitForEnd().status == 143)
        let attributes = try FileManager.default.attributesOfItem(atPath: user.path(of: "lines.secrets"))
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        for name in try user.saved where name != "lines.secrets" {
            let bytes = FileManager.default.contents(atPath: user.path(of: name)) ?? Data()
            #expect(bytes.range(of: Data("geheim".utf8)) == nil && bytes.range(of: Data("sesam".utf8)) == nil)
        }
        download.release()
        // The file counts without the option too, which only decides about new secrets.
        let second = try await ProgramRun.finished(words, in: folder, environment: user.environment)
        #expect(second.status == 0, "\(second.text)")
        #expect(!second.text.contains("geheim"))
        #expect(download.file == GatedDownload.content.bytes)
        let last = try #require(download.server.requests.last)
        #expect(last.target.contains("token=geheim") && last.headers["X-Key"] == "sesam")
        #expect(last.header("Range") == GatedDownload.restRange)
        let third = try await ProgramRun.finished(words, in: folder, environment: user.environment)
        #expect(third.status == 0, "\(third.text)")
        #expect(try !user.saved.contains("lines.secrets"))
    }

    @Test("A link with a token that failed is said not to be saved, and the old failure is not told as a new one")
    func failedLink() async throws {
        let words = ["--session", "link", "--plain", "--retries", "0"]
        let folder = download.folder
        let server = download.server
        server.setRoute("/cut", .sequence([.respond(.text("", status: 500)), .file(seed: 1, count: 10)]))
        let url = server.url("/cut") + "?X-Amz-Signature=aaaabbbbccccdddd"
        let first = try await ProgramRun.finished(words + [url], in: folder, environment: user.environment)
        #expect(first.status == 1 && first.messages.contains(" 500 "), "\(first.messages)")
        let count = server.requests.count
        for further in [["--retry-failed"], []] {
            let second = try await ProgramRun.finished(words + further, in: folder, environment: user.environment)
            #expect(second.status == 1 && second.messages.contains("Link has a secret"), "\(second.messages)")
            #expect(!second.messages.contains(" 500 ") && server.requests.count == count, "\(second.messages)")
        }
        let again = try await ProgramRun.finished(words + [url], in: folder, environment: user.environment)
        #expect(again.status == 0 && folder.bytes(of: "cut")?.count == 10, "\(again.messages)")
    }

    @Test("What has failed is tried again when somebody asks for that")
    func retryFailed() async throws {
        let words = ["--session", "again", "--json", "--retries", "0"]
        let folder = download.folder
        let url = download.server.url("/later")
        let first = try await ProgramRun.finished(words + [url], in: folder, environment: user.environment)
        #expect(first.status == 1, "\(first.text)")
        download.server.setRoute("/later", .file(seed: 1, count: 10))
        let second = try await ProgramRun.finished(words, in: folder, environment: user.environment)
        #expect(second.status == 1, "\(second.text)")
        let third = try await ProgramRun.finished(words + ["--retry-failed"], in: folder, environment: user.environment)
        #expect(third.status == 0, "\(third.text)")
        #expect(folder.bytes(of: "later")?.count == 10)
    }

    @Test("A paused transfer goes on when its URL is named once more, and is not passed over in silence otherwise")
    func earlierPause() async throws {
        let first = try dashboard(["--session", "x", download.url])
        try await first.waitForScreen("the download in the middle") { $0.text.contains(/25(\.0)?%/) }
        try first.type("p")
        try await first.waitForScreen("the pause") { $0.text.contains("paused") }
        try first.type("q")
        #expect(try await first.waitForEnd() == 0)
        let words = ["--json", "--session", "x", "-d", download.folder.path]
        let second = try await ProgramRun.finished(words, in: download.folder, environment: user.environment)
        #expect(second.status == 1)
        #expect(second.messages.contains("unfinished, paused: \(download.url)"))
        #expect(Set(try JSONLines(second.output).events.map(\.name)) == ["added", "paused", "summary"])
        #expect(try JSONLines(second.output).first("summary")?.number("paused") == 1)
        let third = try await ProgramRun.finished(
            words + [download.url], in: download.folder, environment: user.environment)
        #expect(third.status == 0, "\(third.text)")
        #expect(try JSONLines(third.output).events.contains { $0.name == "completed" })
        #expect(download.file == GatedDownload.content.bytes)
    }

    @Test(
        "A list whose transfers begin paused ends without a screen, and says what is not done",
        arguments: [true, false])
    func pausedList(isSaved: Bool) async throws {
        try download.folder.write("\(download.url)\n pause=true\n", to: "list")
        let words = isSaved ? ["--session", "lines"] : []
        let run = try await ProgramRun.finished(
            words + ["--quiet", "-i", "list"], in: download.folder, environment: user.environment)
        #expect(run.status == 1, "\(run.messages)")
        #expect(run.messages.contains("unfinished, paused: \(download.url)"))
    }
}
