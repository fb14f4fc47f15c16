import Foundation
import LoopbackServer
import Testing

/// `netdash doctor URL`: whether downloads resume, over how many connections, and who has to be told a password.
@Suite("The doctor's trials of a server", .timeLimit(.minutes(1)))
struct DoctorTrialTests {
    /// The findings of the program by their topic, each with its verdict, and with its advice on a second line.
    private static func findings(_ url: String, _ options: [String] = []) async throws -> (
        text: String, lines: [String: String], status: Int
    ) {
        let result = try await ProgramRun.finished(["doctor"] + options + [url], in: ScratchFolder())
        var lines: [String: String] = [:]
        var topic = ""
        for line in result.text.split(separator: "\n") {
            if line.hasPrefix("       ") {
                lines[topic, default: ""] += "\n" + line
            } else {
                topic = line.split(separator: " ").dropFirst().first.map(String.init) ?? ""
                lines[topic] = String(line)
            }
        }
        return (result.text, lines, result.status)
    }

    @Test("A server with ranges and If-Range is measured over one connection and several, each below its bound")
    func complete() async throws {
        // A sample that brings too little in its seconds is the last one: on a slow machine not each trial has all.
        for attempt in 1...4 {
            let server = try Served.start(["/large": Behaviour.file(count: 12 << 20)])
            let found = try await Self.findings(server.url("/large"))
            let parts = server.requests.compactMap { $0.header("Range") }.filter { !$0.hasPrefix("bytes=0-0") }.count
            guard parts == 14 || attempt == 4 else { continue }
            Self.expectComplete(found, from: server)
            #expect(parts == 14, "two, four and eight connections")
            return
        }
    }

    private static func expectComplete(
        _ found: (text: String, lines: [String: String], status: Int), from server: LoopbackServer
    ) {
        #expect(found.lines["ranges"] == "ok     ranges        supported, with If-Range (ETag)", "\(found.text)")
        #expect(found.lines["speed"]?.contains("/s over one connection (") == true, "\(found.text)")
        #expect(found.lines["connections"]?.contains("enough (1: ") == true, "\(found.text)")
        let requests = server.requests
        #expect(requests.filter { $0.header("Range") == "bytes=0-0" }.count == 3)
        #expect(requests.filter { $0.method == "GET" && $0.header("Range") == nil }.count == 1)
    }

    @Test("A server that ignores ranges, or If-Range, is told with what that means")
    func lacking() async throws {
        var without = ServedResource(seed: 1, count: 100_000)
        (without.honoursRange, without.acceptRanges) = (false, nil)
        var careless = ServedResource(seed: 1, count: 100_000)
        careless.honoursIfRange = false
        let server = try Served.start(["/without": .resource(without), "/careless": .resource(careless)])
        let first = try await Self.findings(server.url("/without"))
        #expect(first.lines["ranges"]?.hasPrefix("warn   ranges        not supported") == true, "\(first.text)")
        #expect(first.lines["connections"] == nil)
        let second = try await Self.findings(server.url("/careless"))
        #expect(second.lines["ranges"]?.contains("If-Range ignored") == true, "\(second.text)")
        #expect(first.status == 0 && second.status == 0)
    }

    @Test(
        "A 401 or a 407 is wrong and names the option for credentials; no further request follows",
        arguments: [(401, "--user"), (407, "--proxy-user")])
    func credentials(status: Int, option: String) async throws {
        let server = try Served.start(["/": .refusing(ScriptedResponse(status))])
        let found = try await Self.findings(server.url("/"))
        #expect(found.status == 1)
        #expect(found.lines["server"]?.hasPrefix("ERROR") == true, "\(found.text)")
        #expect(found.lines["server"]?.contains(option) == true)
        #expect(server.requests.allSatisfy { $0.method == "HEAD" })
    }

    @Test("A redirect is told with its target, and a loop of redirects is wrong")
    func redirects() async throws {
        let server = try Served.start([
            "/a": .redirect(to: "/b"), "/b": .file(count: 1_000), "/loop": .redirect(to: "/loop"),
        ])
        let found = try await Self.findings(server.url("/a"))
        #expect(found.lines["server"]?.contains("redirects to \(server.url("/b"))") == true, "\(found.text)")
        let loop = try await Self.findings(server.url("/loop"))
        #expect(loop.lines["server"]?.hasPrefix("ERROR") == true && loop.status == 1, "\(loop.text)")
        #expect(loop.lines["server"]?.contains("final URL") == true, "\(loop.text)")
    }

    @Test("Credentials of the command line are sent with each trial")
    func identified() async throws {
        let server = try Served.start([
            "/": .choosing { request in
                request.header("Authorization") == nil
                    ? .refusing(ScriptedResponse(401)) : .file(count: 1_000)
            }
        ])
        let found = try await Self.findings(server.url("/"), ["--user", "me:hidden"])
        #expect(found.lines["server"]?.hasPrefix("ok") == true, "\(found.text)")
        #expect(found.lines["ranges"]?.hasPrefix("ok") == true, "\(found.text)")
        #expect(!found.text.contains("hidden"))
    }
}
