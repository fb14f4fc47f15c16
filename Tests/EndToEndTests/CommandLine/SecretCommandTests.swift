import LoopbackServer
import TerminalTestSupport
import Testing

/// Secrets that commands print.
@Suite("Secrets of commands", .timeLimit(.minutes(1)))
struct SecretCommandTests {
    /// Prints one token at first and another one from then on, and counts its runs.
    private static let renewing = """
        echo run >> runs; if [ -e asked ]; then echo hush-two; else touch asked; echo hush-one; echo more; fi
        """

    private static func runs(in folder: ScratchFolder) -> Int {
        folder.bytes(of: "runs")?.count { $0 == 0x0A } ?? 0
    }

    /// A server that takes one token.
    private static func server(taking token: String) throws -> LoopbackServer {
        let page = Behaviour.handler { request in
            request.headers["Authorization"] == "Bearer " + token ? .text("in") : .text("refused", status: 401)
        }
        return try Served.start(["/a": page, "/b": page, "/c": page])
    }

    @Test("A refused token is replaced once by the one that its command prints then, and neither is shown")
    func renewed() async throws {
        let folder = try ScratchFolder()
        let server = try Self.server(taking: "hush-two")
        let run = try await ProgramRun.finished(
            ["request", "--bearer", "@cmd:" + Self.renewing, "--log", "log", "--log-level", "debug", server.url("/a")],
            in: folder)
        #expect(run.status == 0 && run.text == "in", "\(run.messages)")
        #expect(server.requests.map { $0.headers["Authorization"] } == ["Bearer hush-one", "Bearer hush-two"])
        #expect(run.messages.contains("asking its command again"))
        let log = folder.bytes(of: "log").map { String(decoding: $0, as: UTF8.self) } ?? ""
        #expect(!(run.messages + log).contains("hush-one") && !(run.messages + log).contains("hush-two\n"))
    }

    @Test("A token that stays refused ends the task with the refusal")
    func refusedAgain() async throws {
        let folder = try ScratchFolder()
        let server = try Self.server(taking: "another")
        let run = try await ProgramRun.finished(
            ["request", "--bearer", "@cmd:" + Self.renewing, server.url("/a")], in: folder)
        #expect(run.status == 1 && run.text == "refused", "\(run.status) \(run.messages)")
        #expect(server.requests.count == 2 && Self.runs(in: folder) == 2)
        let same = try await ProgramRun.finished(
            ["request", "--bearer", "@cmd:echo same", server.url("/a")], in: folder)
        #expect(same.text == "refused" && server.requests.count == 3, "\(same.messages)")
    }

    @Test("Several tasks share one run of a command")
    func shared() async throws {
        let folder = try ScratchFolder()
        let server = try Self.server(taking: "hush-two")
        let run = try await ProgramRun.finished(
            ["--bearer", "@cmd:" + Self.renewing] + ["/a", "/b", "/c"].map { server.url($0) }, in: folder)
        #expect(run.status == 0, "\(run.messages)")
        #expect(Self.runs(in: folder) == 2)
        #expect(folder.bytes(of: "c").map { String(decoding: $0, as: UTF8.self) } == "in")
    }

    @Test("A header field and a password come from commands too")
    func otherPlaces() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start(["/a": .respond(.text("in"))])
        let run = try await ProgramRun.finished(
            ["request", "--secret-header", "X-Token: @cmd:echo hush", "-u", "me:@cmd:echo pw", server.url("/a")],
            in: folder)
        #expect(run.status == 0, "\(run.messages)")
        #expect(server.requests.map { $0.headers["X-Token"] } == ["hush"])
        #expect(server.requests.map { $0.headers["Authorization"] } == ["Basic bWU6cHc="])
    }

    @Test(
        "A command that gives no secret is an error of usage with its cause",
        arguments: [
            ("echo no key >&2; exit 3", "--bearer: command failed: exit status 3: no key"),
            ("true", "--bearer: command failed: command printed nothing"), (" ", "--bearer: @cmd: needs a command"),
        ])
    func failed(command: String, sentence: String) async throws {
        let folder = try ScratchFolder()
        let server = try Self.server(taking: "x")
        let run = try await ProgramRun.finished(
            ["request", "--bearer", "@cmd:" + command, server.url("/a")], in: folder)
        #expect(run.status == 2 && run.messages.contains(sentence), "\(run.messages)")
        #expect(server.requests.isEmpty)
    }
}
