import Foundation
import LoopbackServer
import Testing

/// Conditions and links in the language of jq; skipped where it is not installed, except the refusal.
@Suite("Programs of jq in a run", .timeLimit(.minutes(1)))
struct ProgramConditionTests {
    static let isInstalled = ["/usr/bin/jq", "/usr/local/bin/jq", "/bin/jq"].contains {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    private let server: LoopbackServer
    private let folder: ScratchFolder

    init() throws {
        let job = #"{"state": "done", "token": "hush", "files": [{"url": "/a", "size": 0}, {"url": "/b", "size": 9}]}"#
        server = try Served.start([
            "/job": .respond(.json(job)), "/a": .respond(.text("first")), "/b": .respond(.text("second")),
            "/page": .respond(.json(#"{"links": [{"rel": "self", "u": "/page"}, {"rel": "next", "u": "/last"}]}"#)),
            "/last": .respond(.json(#"{"links": []}"#)),
        ])
        folder = try ScratchFolder()
    }

    private func run(_ words: [String], path: String = "/usr/local/bin:/usr/bin:/bin") async throws -> ProgramRun.Result
    {
        try await ProgramRun.finished(["GET"] + words, in: folder, environment: ["PATH": path])
    }

    @Test("They decide about a response, find its downloads and its next page", .enabled(if: isInstalled))
    func decides() async throws {
        let met = try await run([
            "--assert", "json:.files|length==2", "--assert", #"json:.state=="done" and (.files|length)>1"#,
            server.url("/job"),
        ])
        #expect(met.status == 0, "\(met.messages)")
        let unmet = try await run(["--assert", "json:.files|length>2", server.url("/job")])
        TroubleTests.expectFailed(unmet, saying: "Expected json:.files|length>2, found 2", status: 7)
        let links = try await run([
            "-d", "files", "--then-download", ".files[]|select(.size>0).url", server.url("/job"),
        ])
        #expect(links.status == 0 && folder.bytes(of: "files/b") == Array("second".utf8), "\(links.messages)")
        #expect(server.requests(for: "/a").isEmpty)
        let pages = try await run(["--paginate-json", #".links[]|select(.rel=="next").u"#, server.url("/page")])
        #expect(pages.status == 0 && pages.text.hasSuffix(#"{"links": []}"#), "\(pages.messages)")
    }

    @Test("A typing error is refused before a request is sent", .enabled(if: isInstalled))
    func refused() async throws {
        let result = try await run(["--assert", "json:.files|lenght==2", server.url("/job")])
        #expect(
            result.status == 2 && result.messages.contains("--assert: Error from jq: lenght/0"), "\(result.messages)")
        #expect(server.requests(for: "/job").isEmpty)
    }

    @Test("A program without an end fails its task in one sentence, and the others go on", .enabled(if: isInstalled))
    func endless() async throws {
        try folder.write(
            "\(server.url("/job"))\n kind=data\n assert=json:.|until(false; .)\n\(server.url("/a"))\n kind=data\n"
                + "\(server.url("/page"))\n kind=data\n assert=json:.links|length==2\n", to: "jobs")
        let result = try await ProgramRun.finished(
            ["--plain", "-i", "jobs"], in: folder, environment: ["PATH": "/usr/local/bin:/usr/bin:/bin"])
        TroubleTests.expectFailed(result, saying: "found no result from jq within 10 s", status: 7)
        #expect(server.requests(for: "/a").count == 1 && server.requests(for: "/page").count == 1)
    }

    @Test("A failing program's sentence has no secrets of the response", .enabled(if: isInstalled))
    func secrets() async throws {
        let result = try await run(["--assert", "json:.token|tonumber==1", server.url("/job")])
        #expect(result.status == 7 && result.messages.contains("error from jq"), "\(result.messages)")
        #expect(!result.messages.contains("hush"))
    }

    @Test("Without jq a program is refused with the package to install, and a path is taken")
    func missing() async throws {
        let refused = try await run(["--assert", "json:.files|length==2", server.url("/job")], path: "/nonexistent")
        #expect(refused.status == 2 && refused.messages.contains("install the package jq"), "\(refused.messages)")
        let path = try await run(["--assert", "json:.files[1].size==9", server.url("/job")], path: "/nonexistent")
        #expect(path.status == 0, "\(path.messages)")
    }
}
