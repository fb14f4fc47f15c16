import Foundation
import Glibc
import LoopbackServer
import TerminalTestSupport
import Testing

/// Rows of an earlier run that cannot go on by themselves: their link was not kept, or their server may have their body.
@Suite("Rows that come back and wait", .serialized, .timeLimit(.minutes(1)))
struct ReturningRowsTests {
    private let user: UserFolder
    private let download: GatedDownload

    init() throws {
        user = try UserFolder()
        download = try GatedDownload()
    }

    private var server: LoopbackServer { download.server }

    private func finished(_ words: [String]) async throws -> ProgramRun.Result {
        try await ProgramRun.finished(words, in: download.folder, environment: user.environment)
    }

    /// A run that ends in the middle of its download.
    private func interrupted(_ words: [String]) async throws {
        let run = try ProgramRun(words, in: download.folder, environment: user.environment)
        _ = try await waitUntil("the server's answer") {
            String(decoding: run.output, as: UTF8.self).contains("\"response\"") ? true : nil
        }
        try await download.waitUntilRead()
        try run.signal(SIGTERM)
        #expect(try await run.waitForEnd().status == 143)
    }

    // MARK: - Links

    @Test("A list with a fresh link of the same tag and file takes over the failed row and its bytes")
    func taggedFailure() async throws {
        var resource = ServedResource(seed: GatedDownload.content.seed, count: GatedDownload.content.count)
        resource.lastModified = 1_700_000_000
        let file = Behaviour.resource(resource)
        let refusal = Behaviour.respond(.text("no", status: 403))
        server.setRoute("/v1/f.bin", .sequence([file.cutting(after: 200_000), refusal]))
        server.setRoute("/v2/f.bin", file)
        let words = ["--session", "links", "--json", "-i"]
        try download.folder.write("\(server.url("/v1/f.bin"))\n tag=one\n", to: "first")
        try download.folder.write(
            "\(server.url("/v2/f.bin"))\n tag=one\n\(server.url("/v2/f.bin?2"))\n tag=two\n out=g.bin\n", to: "second")
        let first = try await finished(words + ["first"])
        let failed = try #require(try JSONLines(first.output).first("failed"), "\(first.text)")
        let second = try await finished(words + ["second"])
        #expect(second.status == 0, "\(second.text)")
        let ends = try JSONLines(second.output).events.filter { $0.name == "completed" }
        #expect(ends.count == 2 && ends.contains { $0.id == failed.id }, "\(second.text)")
        #expect(server.requests.contains { $0.path == "/v2/f.bin" && $0.header("Range") != nil })
        #expect(download.folder.bytes(of: "f.bin") == GatedDownload.content.bytes)
        #expect(download.folder.bytes(of: "g.bin") == GatedDownload.content.bytes)
    }

    @Test(
        "A list with the same tag brings the link again, and its row goes on with the bytes that it has",
        arguments: ["/file.bin?token=neu", "/file.bin?token=neu&expires=9", "/elsewhere/copy.bin?token=neu"])
    func taggedLink(path: String) async throws {
        let words = ["--session", "links", "--json", "-i"]
        try download.folder.write("\(download.url)?token=alt\n tag=one\n", to: "first")
        try await interrupted(words + ["first"])
        server.setRoute("/elsewhere/copy.bin", .resource(ServedResource(seed: 9, count: 400_000)))
        let waiting = try await finished(["--session", "links", "--json"])
        let missing = try #require(try JSONLines(waiting.output).first("failed"))
        #expect(waiting.text.contains("add it again in full, or another link with tag=one"), "\(waiting.text)")
        try download.folder.write("\(server.url(path))\n tag=one\n", to: "second")
        let count = server.requests.count
        let run = try await finished(words + ["second"])
        #expect(run.status == 0, "\(run.text)")
        let lines = try JSONLines(run.output)
        #expect(lines.events.filter { $0.name == "completed" }.map(\.id) == [missing.id])
        #expect(lines.first("summary")?.number("completed") == 1)
        #expect(server.requests[count...].first?.header("Range")?.hasPrefix("bytes=0-") == false)
        let names = try FileManager.default.contentsOfDirectory(atPath: download.folder.path)
        let files = names.filter { $0.contains(".bin") }
        #expect(files.count == 1 && download.folder.bytes(of: files[0]) == GatedDownload.content.bytes, "\(names)")
        let last = try await finished(["--session", "links", "--json"])
        #expect(last.status == 0, "\(last.text)")
    }

    @Test("A tag that several rows have means none of them")
    func sharedTag() async throws {
        let words = ["--session", "links", "--json", "-i"]
        server.setRoute("/small", .file(seed: 1, count: 10))
        server.setRoute("/new", .file(seed: 2, count: 20))
        try download.folder.write("\(server.url("/small"))\n tag=n\n", to: "small")
        #expect(try await finished(words + ["small"]).status == 0)
        try download.folder.write("\(download.url)?token=alt\n tag=n\n", to: "first")
        try await interrupted(words + ["first"])
        try download.folder.write("\(server.url("/new"))?token=neu\n tag=n\n", to: "second")
        let run = try await finished(words + ["second"])
        #expect(run.status == 1 && download.folder.bytes(of: "new")?.count == 20, "\(run.text)")
        #expect(try JSONLines(run.output).first("summary")?.number("failed") == 1)
    }

    // MARK: - Bodies

    /// A run that ends when its server has the body of an upload and has not answered.
    private func unanswered(_ further: [String]) async throws {
        try download.folder.write([UInt8](repeating: 5, count: 5_000), to: "a.bin")
        let gate = try server.gate(named: "thought")
        server.setRoute("/in", .sequence([Behaviour.uploadSink().waiting(for: gate), .uploadSink()]))
        let run = try ProgramRun(
            ["upload", "--session", "up", "--json"] + further + ["a.bin", server.url("/in")], in: download.folder,
            environment: user.environment)
        #expect(gate.waitForArrivals())
        // The 5,000 bytes that were sent and those that there are stand behind each other in a row of the store.
        let counts = Data([0x13, 0x88, 0x13, 0x88])
        _ = try await waitUntil("the counts in the session") {
            SessionLog(path: user.path(of: "up.sqlite-wal")).hasCommitted(counts) ? true : nil
        }
        try run.signal(SIGKILL)
        #expect(try await run.waitForEnd().status == 137)
        gate.release()
    }

    @Test("An upload that was taken whole and not answered waits for its user in the next run, and says why")
    func lines() async throws {
        try await unanswered([])
        let run = try await finished(["--session", "up", "--plain"])
        #expect(run.status == 1, "\(run.messages)")
        #expect(
            run.messages.contains("the server may have stored it; resume to send it again"),
            "\(run.messages)")
        #expect(server.requests(for: "/in").count == 1)
    }

    @Test("With --resend it is sent again in the next run")
    func resent() async throws {
        try await unanswered(["--resend"])
        let run = try await finished(["--session", "up", "--plain"])
        #expect(run.status == 0, "\(run.messages)")
        #expect(server.requests(for: "/in").count == 2)
    }

    @Test("The dashboard says what is not known, and r sends it again", arguments: [(80, 24), (120, 36)])
    func screen(columns: Int, rows: Int) async throws {
        try await unanswered([])
        let terminal = try PseudoTerminal(
            [Program.path(), "--session", "up"], environment: user.environment, rows: rows, columns: columns)
        try await terminal.waitForScreen("the reason") {
            $0.text.contains("may have stored") && $0.text.contains("r send again")
        }
        #expect(server.requests(for: "/in").count == 1)
        try terminal.type("r")
        try await terminal.waitForScreen("the end") { $0.text.contains("done") && !$0.text.contains("stored it") }
        #expect(server.requests(for: "/in").count == 2)
        try terminal.type("q")
        #expect(try await terminal.waitForEnd() == 0)
    }
}
