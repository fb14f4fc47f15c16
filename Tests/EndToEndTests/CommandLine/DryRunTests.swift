import Glibc
import LoopbackServer
import Testing

/// What `--dry-run` tells of a run, and what it leaves alone.
@Suite("A run that only tells what it would do", .timeLimit(.minutes(1)))
struct DryRunTests {
    @Test("Each download is told with its file, its size and what happens to an existing one; nothing is written")
    func downloads() async throws {
        let folder = try ScratchFolder()
        let named = Behaviour.file(seed: 2, count: 2_048)
            .header("Content-Disposition", "attachment; filename=\"named by server.bin\"")
        let server = try Served.start([
            "/a.bin": .file(seed: 1, count: 1_000), "/named": named, "/taken.bin": .file(seed: 3, count: 30),
            "/gone": .respond(ScriptedResponse(404)),
        ])
        try folder.write([1], to: "taken.bin")
        let list = "\(server.url("/taken.bin"))\n\(server.url("/gone"))\n\(server.url("/a.bin"))\n"
        try folder.write(Array(list.utf8), to: "list.txt")
        let before = try folder.names
        let result = try await ProgramRun.finished(
            ["--dry-run", "--archive", "none", "-i", "list.txt", server.url("/a.bin"), server.url("/named")],
            in: folder)
        #expect(result.status == 1, "\(result.messages)")
        let lines = result.text.split(separator: "\n")
        #expect(lines.count == 6, "\(result.text)")
        guard lines.count == 6 else { return }
        #expect(lines[0].hasPrefix("download: http://") && lines[0].hasSuffix("/a.bin, 0.9 KiB"), "\(lines[0])")
        #expect(lines[1].hasSuffix("/named by server.bin, 2.0 KiB"), "\(lines[1])")
        #expect(lines[2].hasPrefix("download under a new name") && lines[2].hasSuffix("taken (1).bin, 30 B"))
        #expect(lines[3].hasPrefix("fails: ") && lines[3].contains("404"), "\(lines[3])")
        #expect(lines[4].hasPrefix("skip, same download as an earlier line"), "\(lines[4])")
        #expect(lines[5].hasPrefix("3 to transfer, ") && lines[5].hasSuffix("1 skipped, 1 would fail"), "\(lines[5])")
        #expect(try folder.names == before)
        #expect(server.requests.allSatisfy { $0.method == "HEAD" || $0.target == "/gone" })
    }

    @Test("A list without a URL is no mistake here either, and no list is one")
    func nothing() async throws {
        let folder = try ScratchFolder()
        try folder.write([], to: "empty")
        let result = try await ProgramRun.finished(["--dry-run", "-i", "empty"], in: folder)
        #expect(result.status == 0 && result.text.hasPrefix("0 to transfer"), "\(result.text) \(result.messages)")
        #expect(try await ProgramRun.finished(["--dry-run"], in: folder).status == 2)
    }

    @Test("Where HEAD is refused one byte is fetched, and JSON has the same facts")
    func refusedHead() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start([
            "/x": .methods(["GET": .file(seed: 1, count: 5_000), "HEAD": .respond(ScriptedResponse(405))])
        ])
        let result = try await ProgramRun.finished(["--dry-run", "--json", "-o", "y", server.url("/x")], in: folder)
        #expect(result.status == 0, "\(result.messages)")
        let lines = result.text.split(separator: "\n")
        #expect(lines.count == 2, "\(result.text)")
        let first = String(lines.first ?? "")
        #expect(first.contains(#""action":"download""#) && first.contains(#""length":5000"#), "\(first)")
        #expect(first.contains(#"/y","#) && first.contains(#""status":206"#), "\(first)")
        #expect(server.requests.map(\.method) == ["HEAD", "GET"])
        #expect(try folder.names.isEmpty)
    }

    @Test("A partial file is told to resume, and each wrong line of a list by its number")
    func problems() async throws {
        let gated = try GatedDownload()
        let first = try ProgramRun(["--plain", gated.url], in: gated.folder)
        try await gated.waitUntilRead()
        try first.signal(SIGINT)
        _ = try await first.waitForEnd()
        let run = try await ProgramRun.finished(["--dry-run", gated.url], in: gated.folder)
        #expect(run.status == 0 && run.text.hasPrefix("resume at "), "\(run.text) \(run.messages)")

        let list = "\(gated.url)\n  out=x\n\(gated.url)\n  outt=y\nftp://h/a\n"
        let result = try await ProgramRun.finished(["--dry-run", "-i", "-"], in: gated.folder, input: list)
        #expect(result.status == 2, "\(result.messages)")
        #expect(result.lines.count == 2 && result.messages.contains("stdin:4: ") && result.messages.contains("stdin:5"))
        #expect(result.text.contains("1 to transfer"), "\(result.text)")
    }

    @Test("Jobs of one file that differ are told as the run makes them, and what waits, is paused or depends as such")
    func sameRule() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start([
            "/a": .file(seed: 1, count: 1_000), "/b": .file(seed: 2, count: 10),
            "/gone": .respond(ScriptedResponse(404)),
        ])
        let (a, b) = (server.url("/a"), server.url("/b"))
        let list = """
            \(a)
              out=x
            \(a)
              out=x
              header=A: b
            \(a)
              out=x
            \(b)
              pause=yes
              id=P
            \(b)
              out=c
              after=P
            \(b)
              out=d
              id=D
            \(b)
              out=e
              after=D
            \(server.url("/gone"))
              id=G
            \(b)
              out=f
              after=G

            """
        try folder.write(Array(list.utf8), to: "list")
        let preview = try await ProgramRun.finished(["--dry-run", "-i", "list"], in: folder)
        let lines = preview.text.split(separator: "\n").map { $0.replacing(server.url("/"), with: "/") }
        let starts = [
            "download: /a to", "download under a new name, the file exists: /a to", "skip, same download",
            "paused: /b", "paused after P: /b to", "download: /b to", "download after D: /b to", "fails: 404",
            "fails: Not started, because \"G\" failed: /b", "4 to transfer",
        ]
        #expect(lines.count == starts.count, "\(lines)")
        for (line, start) in zip(lines, starts) { #expect(line.hasPrefix(start), "\(line)") }
        #expect(lines.last?.hasSuffix("2 paused, 1 skipped, 2 would fail") == true, "\(lines)")
        #expect(lines[1].contains("/x (1)"), "\(lines)")

        let run = try await ProgramRun.finished(["--plain", "-i", "list"], in: folder)
        #expect(try folder.names.sorted() == ["d", "e", "list", "x", "x (1)"], "\(run.messages)")
    }

    @Test("An upload and a request are told without asking their server")
    func uploads() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start()
        try folder.write([1, 2, 3], to: "photo.jpg")
        let upload = try await ProgramRun.finished(
            ["upload", "--dry-run", "photo.jpg", server.url("/in/")], in: folder)
        #expect(upload.status == 0 && upload.text.hasPrefix("upload: http"), "\(upload.text) \(upload.messages)")
        #expect(upload.text.contains("/in/photo.jpg from photo.jpg, 3 B"), "\(upload.text)")
        let request = try await ProgramRun.finished(
            ["request", "--dry-run", "-b", "a=1", server.url("/x")], in: folder)
        #expect(request.text.hasPrefix("request POST: http"), "\(request.text) \(request.messages)")
        #expect(server.requests.isEmpty)
    }
}
