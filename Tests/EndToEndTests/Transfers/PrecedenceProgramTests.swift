import LoopbackServer
import Testing

/// Lists whose tasks wait for others.
@Suite("Tasks after others, by the program", .timeLimit(.minutes(1)))
struct PrecedenceProgramTests {
    @Test("A run keeps the order of a list, and what follows a failure fails with a sentence")
    func run() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start([
            "/a": .file(seed: 1, count: 10), "/b": .file(seed: 2, count: 10), "/bad": .respond(ScriptedResponse(404)),
        ])
        let list = """
            url,id,after
            \(server.url("/b")),b,a
            \(server.url("/a")),a,
            \(server.url("/bad")),bad,
            \(server.url("/never")),,"b,bad"

            """
        try folder.write(list.utf8, to: "list.csv")
        let run = try await ProgramRun.finished(["--plain", "-i", "list.csv"], in: folder)
        #expect(run.status == 1 && run.messages.contains("queued after a"), "\(run.messages)")
        #expect(run.messages.contains("Not started, because \"bad\" failed"), "\(run.messages)")
        #expect(folder.bytes(of: "a")?.count == 10 && folder.bytes(of: "b")?.count == 10)
        #expect(!server.requests.map { $0.path }.contains("/never"))
    }

    @Test(
        "Wrong names are refused with their line, and nothing starts",
        arguments: [
            ("a\n id=a\n%b\n id=a\n", "list:4: id=a is already at list:2"),
            ("a\n after=b\n", "list:2: after=b: no entry has id=b"),
            ("a\n id=a\n after=b\n%b\n id=b\n after=a\n", "list:3: waits for itself: a → b → a"),
            ("a\n id=a,b\n", "list:2: id: expected a name of 1 to 100 bytes without commas"),
        ])
    func refused(text: String, message: String) async throws {
        let folder = try ScratchFolder()
        let server = try Served.start(["/a": .file(seed: 1, count: 10), "/b": .file(seed: 2, count: 10)])
        let list = ("%" + text).replacing("%", with: server.url("/"))
        try folder.write(list.utf8, to: "list")
        for words in [["--plain", "-i", "list"], ["add", "-i", "list"], ["--dry-run", "-i", "list"]] {
            let run = try await ProgramRun.finished(words, in: folder)
            #expect(run.status == 2 && run.messages.contains(message), "\(run.messages)")
        }
        #expect(server.requests.allSatisfy { $0.method == "HEAD" } && folder.bytes(of: "a") == nil)
    }
}
