import Foundation
import LoopbackServer
import Testing

/// Requests whose responses have to meet conditions.
@Suite("Conditions about responses in a run", .timeLimit(.minutes(1)))
struct AssertionTests {
    private let server: LoopbackServer
    private let folder: ScratchFolder

    init() throws {
        server = try Served.start([
            "/job": .respond(.json(#"{"state": "pending", "token": "hush"}"#)),
            "/missing": .respond(.text("gone\n", status: 404)),
        ])
        folder = try ScratchFolder()
    }

    private func run(_ words: [String], _ path: String = "/job") async throws -> ProgramRun.Result {
        try await ProgramRun.finished(["GET"] + words + [server.url(path)], in: folder)
    }

    @Test("A response that meets all of them is printed as without them")
    func met() async throws {
        let result = try await run([
            "--assert", "status=200", "--assert", "header:Content-Type~json", "--assert", "json:.state==pending",
            "--assert", "time<30s", "--assert", "body~pending",
        ])
        #expect(result.status == 0, "\(result.messages)")
        #expect(result.text == #"{"state": "pending", "token": "hush"}"#)
    }

    @Test("One that does not ends with 7, a sentence without secrets, and its body")
    func unmet() async throws {
        let result = try await run(["--assert", #"json:.state=="done""#, "--assert", "json:.token==x"])
        TroubleTests.expectFailed(result, saying: #"Expected json:.state=="done", found "pending""#, status: 7)
        #expect(result.text.hasPrefix("{"))
        let secret = try await run(["--assert", "json:.token==hush2"])
        #expect(secret.status == 7 && !secret.messages.contains("hush"), "\(secret.messages)")
    }

    @Test("A condition about the status decides whether an error status is one")
    func status() async throws {
        #expect(try await run(["--assert", "status=404"], "/missing").status == 0)
        #expect(try await run(["--assert", "body~gone"], "/missing").status == 1)
        let json = try await run(["--json", "--assert", "status=2xx"], "/missing")
        #expect(json.status == 7 && json.text.contains(#""kind":"condition""#), "\(json.text)")
    }

    @Test("The body of a file is judged too, and a list has conditions of its own")
    func places() async throws {
        let file = try await run(["-o", "body", "--assert", "body~absent"])
        #expect(file.status == 7 && folder.bytes(of: "body") != nil, "\(file.messages)")
        try folder.write("\(server.url("/job"))\n kind=data\n assert=json:.state~done\n", to: "list")
        #expect(try await ProgramRun.finished(["-i", "list"], in: folder).status == 7)
        try folder.write("\(server.url("/job"))\n assert=status=200\n", to: "list")
        let wrong = try await ProgramRun.finished(["-i", "list"], in: folder)
        #expect(wrong.status == 2 && wrong.messages.contains("kind=data"))
    }

    @Test("An expected error status is no reason for retries, and another one is")
    func expectedStatus() async throws {
        server.setRoute("/down", .respond(.text("down", status: 500)))
        #expect(try await run(["--assert", "status=500"], "/down").status == 0)
        #expect(server.requests(for: "/down").count == 1)
        #expect(try await run(["--retries", "1", "--assert", "status=200"], "/down").status == 7)
        #expect(server.requests(for: "/down").count == 3)
    }
}
