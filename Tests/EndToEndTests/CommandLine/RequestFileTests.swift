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

    @Test("Values of the environment are masked in lines, JSON and logs, but not the server's name")
    func secretsInURL() async throws {
        let server = try Served.start(["/*": .respond(.text("a", status: 404))])
        let folder = try ScratchFolder()
        try folder.write("GET {{$env BASE}}/{{$env PART}}/x?zone={{$env ZONE}}\n", to: "calls.http")
        let environment = ["BASE": String(server.url("/").dropLast()), "PART": "hush-1", "ZONE": "hush-2"]
        for words in [[], ["--json"], ["--log", "log"]] {
            let result = try await ProgramRun.finished(
                ["request"] + words + ["calls.http"], in: folder, environment: environment)
            let text = result.messages + result.text
            #expect(!text.contains("hush") && text.contains("127.0.0.1"), "\(text)")
        }
        #expect(server.requests.map(\.target).allSatisfy { $0 == "/hush-1/x?zone=hush-2" })
        let log = folder.bytes(of: "log").map { String(decoding: $0, as: UTF8.self) }
        #expect(log?.contains("hush") == false, "\(log ?? "")")
    }

    @Test("A file that is not UTF-8 is refused, because its body would be another one")
    func notUTF8() async throws {
        let folder = try ScratchFolder()
        try folder.write(Array("POST http://h/\n\n".utf8) + [0xE9, 0x0A], to: "calls.http")
        let result = try await ProgramRun.finished(["request", "calls.http"], in: folder)
        #expect(result.status == 2 && result.messages.contains("not UTF-8"), "\(result.messages)")
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
