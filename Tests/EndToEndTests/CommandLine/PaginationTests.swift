import Foundation
import LoopbackServer
import Testing

/// Requests whose responses come in pages.
@Suite("Pages of responses", .timeLimit(.minutes(1)))
struct PaginationTests {
    private let server: LoopbackServer
    private let folder: ScratchFolder

    init() throws {
        server = try Served.start()
        folder = try ScratchFolder()
        for (page, link) in [
            ("1", "</p/2?x=a,b>; rel=\"prev next\", </p/9>; rel=last"), ("2", "<3>; rel=next"), ("3", ""),
        ] {
            server.setRoute("/p/" + page, Behaviour.respond(.text("page \(page)\n")).header("Link", link))
        }
        server.setRoute("/j", .respond(.json(#"{"next": "k?page=2"}"#)))
        server.setRoute("/k", .respond(.json(#"{"next": null}"#)))
        server.setRoute("/loop", .respond(.json(#"{"next": "/loop"}"#)))
    }

    private func run(_ words: String...) async throws -> ProgramRun.Result {
        try await ProgramRun.finished(["GET"] + words, in: folder)
    }

    @Test("Link fields are followed, relative ones too, and the bodies are printed in order")
    func links() async throws {
        let result = try await run("--paginate", "-H", "X-Api-Key: hush", server.url("/p/1"))
        #expect(result.status == 0, "\(result.messages)")
        #expect(result.text == "page 1\npage 2\npage 3\n")
        #expect(server.requests.map(\.target) == ["/p/1", "/p/2?x=a,b", "/p/3"])
        #expect(server.requests.allSatisfy { $0.header("X-Api-Key") == "hush" })
    }

    @Test("A path of the body is followed until it names nothing")
    func path() async throws {
        let result = try await run("--paginate-json", ".next", server.url("/j"))
        #expect(result.status == 0 && result.text == #"{"next": "k?page=2"}{"next": null}"#, "\(result.messages)")
    }

    @Test("Pages end at the limit with a line, and a loop is an error")
    func bounds() async throws {
        let few = try await run("--paginate", "--max-pages", "2", server.url("/p/1"))
        #expect(few.status == 0 && few.text == "page 1\npage 2\n" && few.messages.contains("stopped after 2 pages"))
        let quiet = try await run("--quiet", "--paginate", "--max-pages", "2", server.url("/p/1"))
        #expect(quiet.status == 0 && quiet.messages.contains("stopped after 2 pages"), "\(quiet.messages)")
        let loop = try await run("--paginate-json", ".next", server.url("/loop"))
        TroubleTests.expectFailed(loop, saying: "Page loop", status: 1)
        #expect(server.requests(for: "/loop").count == 1)
    }

    @Test("Credentials stay with their server")
    func credentials() async throws {
        let other = try Served.start(["/x": .respond(.text("there\n"))])
        server.setRoute("/away", Behaviour.respond(.text("here\n")).header("Link", "<\(other.url("/x"))>; rel=next"))
        let result = try await run("--paginate", "--bearer", "hush", "-H", "X-Api-Key: hush", server.url("/away"))
        #expect(result.text == "here\nthere\n", "\(result.messages)")
        #expect(server.requests.first?.header("Authorization") == "Bearer hush")
        let foreign = try #require(other.requests.first)
        #expect(foreign.header("Authorization") == nil && foreign.header("X-Api-Key") == nil)
    }

    @Test("A next page on another server is a GET without the body and its type")
    func foreignPage() async throws {
        let other = try Served.start(["/x": .respond(.text("there\n"))])
        server.setRoute("/away", Behaviour.respond(.text("here\n")).header("Link", "<\(other.url("/x"))>; rel=next"))
        for words in [["-b", "secret"], ["--json-body", "{\"a\": 1}"], ["--form", "a=secret"]] {
            let result = try await ProgramRun.finished(
                ["POST", "--paginate"] + words + [server.url("/away")], in: folder)
            #expect(result.text == "here\nthere\n", "\(result.messages)")
            #expect(server.requests.last?.method == "POST")
            let foreign = try #require(other.requests.last)
            #expect(foreign.method == "GET" && foreign.bodyPrefix.isEmpty && foreign.header("Content-Type") == nil)
        }
    }
}
