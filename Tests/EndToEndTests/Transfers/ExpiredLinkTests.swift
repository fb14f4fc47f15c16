import LoopbackServer
import TerminalTestSupport
import Testing

/// Links that expire, and the command that replaces them.
@Suite("Expired links", .serialized, .timeLimit(.minutes(1)))
struct ExpiredLinkTests {
    private let folder: ScratchFolder
    private let server: LoopbackServer

    init() throws {
        folder = try ScratchFolder()
        server = try Served.start()
    }

    @Test(
        "A refused download goes on from the URL that the command prints, with its partial file",
        arguments: [401, 403, 410, 400])
    func continued(status: Int) async throws {
        let content = DeterministicContent(seed: 3, count: 300_000)
        var resource = ServedResource(seed: content.seed, count: content.count)
        resource.lastModified = 1_700_000_000
        let file = Behaviour.resource(resource)
        let refusal = Behaviour.respond(
            .text("<Error><Code>\(status == 400 ? "ExpiredToken" : "AccessDenied")</Code></Error>", status: status))
        server.setRoute("/old.bin", .sequence([file.cutting(after: 100_000), refusal]))
        server.setRoute("/new.bin", file)
        try folder.write("\(server.url("/old.bin"))?token=alt\n tag=one\n", to: "list")
        let run = try await ProgramRun.finished(
            ["--on-expired", "cat >> asked; echo \(server.url("/new.bin"))", "-i", "list"], in: folder)
        #expect(run.status == 0, "\(run.messages)")
        #expect(folder.bytes(of: "old.bin") == content.bytes)
        #expect(server.requests.last?.path == "/new.bin")
        // A link to another path proves its file by the last 64 KiB.
        let range = server.requests.last?.header("Range") ?? ""
        #expect(range.hasPrefix("bytes=") && range != "bytes=0-", "\(range) \(run.messages)")
        let asked = folder.bytes(of: "asked").map { String(decoding: $0, as: UTF8.self) } ?? ""
        #expect(asked.split(separator: "\n").count == 1)
        for word in ["\"tag\":\"one\"", "\"received\":100000", "old.bin?token=alt\"", "\"httpStatus\":\(status)"] {
            #expect(asked.contains(word), "\(asked)")
        }
    }

    @Test("A request is sent again with the header lines that the command prints, and shows one body")
    func request() async throws {
        server.setRoute(
            "/a", .handler { $0.headers["X-Token"] == "new" ? .text("in") : .text("refused", status: 401) })
        let run = try await ProgramRun.finished(
            ["request", "--on-expired", "echo X-Token: new", server.url("/a")], in: folder)
        #expect(run.status == 0 && run.text == "in", "\(run.messages)")
        #expect(server.requestCount == 2)
    }

    @Test(
        "A command that gives no link that works ends the task with one sentence, asked once",
        arguments: [
            ("echo run >> asked; exit 5", "no fresh link: exit status 5"),
            ("echo run >> asked; echo nonsense", "no fresh link: expected a URL or header lines"),
            ("echo run >> asked; true", "no fresh link: expected a URL or header lines"),
            ("echo run >> asked; echo X-Token: old", "403 Forbidden"),
        ])
    func failed(command: String, sentence: String) async throws {
        server.setRoute("/a", .respond(.text("refused", status: 403)))
        let run = try await ProgramRun.finished(
            ["request", "--on-expired", command.replacing("; true", with: "; echo :"), server.url("/a")], in: folder)
        #expect(run.status == 1 && run.messages.contains(sentence), "\(run.messages)")
        #expect(run.text == "refused")
        #expect(folder.bytes(of: "asked")?.count { $0 == 0x0A } == 1)
    }
}
