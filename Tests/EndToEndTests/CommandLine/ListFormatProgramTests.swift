import LoopbackServer
import Testing

/// Lists of other programs.
@Suite("Formats of lists, by the program", .timeLimit(.minutes(1)))
struct ListFormatProgramTests {
    @Test("The links of an index page are fetched, also after a redirect to its folder")
    func page() async throws {
        let folder = try ScratchFolder()
        let page = "<html><a href=\"a.iso\">a</a><a href='b.txt'>b</a><a href='c.iso'>c</a><a href='../'>..</a>"
        let server = try Served.start([
            "/pub": .respond(ScriptedResponse(302, headers: ["Location": "/pub/"])),
            "/pub/": .respond(ScriptedResponse(headers: ["Content-Type": "text/html"], body: .bytes(Array(page.utf8)))),
            "/pub/a.iso": .file(seed: 1, count: 10), "/pub/b.txt": .file(seed: 2, count: 10),
            "/pub/c.iso": .file(seed: 3, count: 10),
        ])
        let words = ["--plain", "-i", server.url("/pub"), "--accept", "*.iso", "--reject", "c*"]
        let run = try await ProgramRun.finished(words, in: folder)
        #expect(run.status == 0, "\(run.messages)")
        #expect(try folder.names == ["a.iso"])
    }

    @Test("A configuration of curl and a list of its commands do what they say")
    func curl() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start(["/a": .file(seed: 1, count: 10), "/b": .file(seed: 2, count: 20)])
        try folder.write(
            "# mine\nurl = \"\(server.url("/a"))\"\noutput = \"x/one\"\nheader = \"X-A: 1\"\n".utf8, to: "rc")
        let first = try await ProgramRun.finished(["--plain", "-K", "rc"], in: folder)
        #expect(first.status == 0 && folder.bytes(of: "x/one")?.count == 10, "\(first.messages)")
        #expect(server.requests.first?.headers["X-A"] == "1")
        try folder.write("curl -o two '\(server.url("/b"))'\ncurl -O \(server.url("/a"))\n".utf8, to: "commands")
        let second = try await ProgramRun.finished(["--plain", "-i", "commands"], in: folder)
        #expect(second.status == 0, "\(second.messages)")
        #expect(folder.bytes(of: "two")?.count == 20 && folder.bytes(of: "a")?.count == 10)
        try folder.write("curl -i \(server.url("/a"))\ncurl -o /dev/null \(server.url("/b"))\n".utf8, to: "heads")
        let heads = try await ProgramRun.finished(["--plain", "-i", "heads"], in: folder)
        let text = String(decoding: heads.output, as: UTF8.self)
        #expect(heads.status == 0 && text.contains("HTTP/1.1 200") && !text.contains("/b"), "\(heads.messages)")
        let wrong = try await ProgramRun.finished(["--plain", "-K", "commands"], in: folder)
        #expect(wrong.status == 2, "\(wrong.messages)")
    }

    @Test(
        "A format that is not known is told as such with its first line, and no host is asked",
        arguments: [
            "hello\n", "Title of a text\n", "%PDF-1.7\n", "\u{7F}ELF\u{1}\n", "[x]\n", "a=b\n",
        ])
    func unknown(text: String) async throws {
        let folder = try ScratchFolder()
        try folder.write(text.utf8, to: "list")
        let run = try await ProgramRun.finished(["--plain", "-i", "list"], in: folder)
        #expect(
            run.status == 2 && run.messages.contains("list:1: unknown list format, which begins with"),
            "\(run.messages)")
        #expect(run.lines.count == 1, "\(run.messages)")
    }

    @Test("A list without a URL is done at once, from a file as from standard input")
    func empty() async throws {
        let folder = try ScratchFolder()
        try folder.write("# nothing today\n".utf8, to: "list")
        for (words, input) in [(["-i", "list"], nil), (["-i", "-"], "# nothing\n")] as [([String], String?)] {
            let run = try await ProgramRun.finished(["--plain"] + words, in: folder, input: input)
            #expect(run.status == 0 && run.lines.count == 1 && run.messages.contains("0 completed"), "\(run.messages)")
        }
    }

    @Test("A list of commands for another tool is told as such", arguments: ["wget", "aria2c", "http", "iwr"])
    func otherTools(name: String) async throws {
        let folder = try ScratchFolder()
        try folder.write("\(name) http://h/a\n", to: "list")
        let run = try await ProgramRun.finished(["--plain", "-i", "list"], in: folder)
        #expect(run.status == 2 && run.messages.contains("list:1: commands of \(name) are not read"), "\(run.messages)")
    }
}
