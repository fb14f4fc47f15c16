import Foundation
import LoopbackServer
import Testing

/// Files of requests in a run.
@Suite("Files of requests in a run", .timeLimit(.minutes(1)))
struct RequestFileTests {
    @Test("The requests of a file are sent one after another, and one of them by its name")
    func file() async throws {
        let server = try Served.start(["/*": .handler { .text("\($0.method) \($0.path)\n") }])
        let folder = try ScratchFolder()
        try folder.write("the order", to: "order")
        let text = """
            @host = \(server.url("/").dropLast())
            ### first
            POST {{host}}/first
            X-Token: {{$env TOKEN}}

            < ./order
            ### second
            {{host}}/second
            ###
            GET {{host}}/third
            """
        try folder.write(text, to: "calls.http")
        let result = try await ProgramRun.finished(
            ["request", "-H", "X-All: 1", "calls.http"], in: folder, environment: ["TOKEN": "hush"])
        #expect(result.status == 0, "\(result.messages)")
        #expect(server.requests.map(\.target) == ["/first", "/second", "/third"])
        #expect(server.requests.allSatisfy { $0.header("X-All") == "1" })
        #expect(server.requests[0].header("X-Token") == "hush")
        #expect(server.requests[0].bodyPrefix == Array("the order".utf8))
        let bodies = result.text.split(separator: "\n").filter { !$0.hasPrefix("==> ") }
        #expect(bodies == ["POST /first", "GET /second", "GET /third"] && !result.messages.contains("hush"))
        let one = try await ProgramRun.finished(
            ["request", "calls.http#second"], in: folder, environment: ["TOKEN": "hush"])
        #expect(one.status == 0 && one.text == "GET /second\n", "\(one.messages)")
        let unset = try await ProgramRun.finished(["request", "calls.http"], in: folder)
        #expect(unset.status == 2, "\(unset.messages)")
        #expect(unset.messages.contains("calls.http:4: environment variable TOKEN"), "\(unset.messages)")
    }

    @Test("A condition of the command line holds for each request, and the first failure decides")
    func condition() async throws {
        let server = try Served.start(["/good": .respond(.text("a")), "/bad": .respond(.text("b", status: 404))])
        let folder = try ScratchFolder()
        try folder.write("GET \(server.url("/bad"))\n###\nGET \(server.url("/good"))\n", to: "calls.rest")
        let result = try await ProgramRun.finished(["request", "--assert", "status=200", "calls.rest"], in: folder)
        #expect(result.status == 7 && server.requests.count == 2, "\(result.messages)")
    }
}
