import Foundation
import LoopbackServer
import Testing

/// The responses of several requests of one run on standard output.
@Suite("Several responses on standard output", .timeLimit(.minutes(1)))
struct SeveralAnswersTests {
    private func server() throws -> LoopbackServer {
        try Served.start([
            "/a": .respond(.text("one\n")), "/b": .respond(.text("no line break")),
            "/c": .respond(.text("", status: 204)),
            "/d": .respond(.text("the reason\n", status: 422)),
        ])
    }

    /// The responses in the order of their titles; which comes first is the server's choice.
    private func parts(_ text: String) -> [String] {
        text.components(separatedBy: "==> ").dropFirst().map { "==> " + $0 }.sorted()
    }

    @Test("Each has a line with method, URL and status, also one without a body and one of an error")
    func titles() async throws {
        let (server, folder) = (try server(), try ScratchFolder())
        let url = server.url("/{a,b,c,d}?token=hushhush")
        let result = try await ProgramRun.finished(["GET", "--plain", url], in: folder)
        #expect(result.status == 1, "\(result.messages)")
        let wanted = [
            ("a", "200", "one\n"), ("b", "200", "no line break"), ("c", "204", ""), ("d", "422", "the reason\n"),
        ]
        .map { "==> GET \(server.url("/\($0)"))?token=***: \($1) <==\n\($2)" }
        func trimmed(_ text: String) -> String { text.trimmingCharacters(in: .newlines) }
        #expect(parts(result.text).map(trimmed) == wanted.map(trimmed), "\(result.text)")
        // An empty line lies between two responses, whatever the first one ends with.
        #expect(result.text.hasPrefix("==> ") && result.text.components(separatedBy: "\n\n==> ").count == 4)
    }

    @Test("One request, and requests that were sent to standard output by name, are their bodies alone")
    func bodiesAlone() async throws {
        let (server, folder) = (try server(), try ScratchFolder())
        let one = try await ProgramRun.finished(["GET", server.url("/b")], in: folder)
        #expect(one.text == "no line break")
        let named = try await ProgramRun.finished(["GET", "-o", "-", server.url("/{a,a}")], in: folder)
        #expect(named.text == "one\none\n", "\(named.messages)")
    }

    @Test("A list of requests has the lines too, and --json has none")
    func list() async throws {
        let (server, folder) = (try server(), try ScratchFolder())
        try folder.write("\(server.url("/a"))\n kind=data\n\(server.url("/b"))\n kind=data\n method=POST\n", to: "list")
        let result = try await ProgramRun.finished(["-i", "list"], in: folder)
        #expect(parts(result.text).map { $0.prefix(9) } == ["==> GET h", "==> POST "], "\(result.text)")
        let json = try await ProgramRun.finished(["--json", "GET", server.url("/{a,b}")], in: folder)
        #expect(json.status == 0 && !json.text.contains("==>"))
    }
}
