import Foundation
import LoopbackServer
import Testing

/// Options of requests as the program has them: from its line, its environment and its lists.
@Suite("Options of requests in a run", .timeLimit(.minutes(1)))
struct RequestOptionsTests {
    @Test("What is secret on the command line no longer stands in the system's list of processes")
    func listOfProcesses() async throws {
        let server = try Served.start()
        let gate = try server.gate(named: "answer")
        server.setRoute("/file", .file(count: 1).waiting(for: gate))
        let folder = try ScratchFolder()
        let run = try ProgramRun(
            [
                "request", "--json", "-ume:hush-1", "--cookie", "sid=hush-5", "-b", "password=hush-7", "--referer",
                "http://a/?token=hush-8", "-HX-Api-Key: hush-9",
                server.url("/file?sig=hush-10").replacing("http://", with: "http://me:hush-11@"),
            ], in: folder)
        _ = try await waitUntil("the request") { server.requestCount > 0 ? true : nil }
        let bytes = try Data(contentsOf: URL(fileURLWithPath: "/proc/\(run.process)/cmdline"))
        let words = bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
        #expect(!words.contains { $0.contains("hush") }, "\(words)")
        #expect(words.count == 12 && words[2] == "--json" && words.last?.hasPrefix("http://") == true, "\(words)")
        #expect(words.contains { $0.hasPrefix("-ume:***") })
        let request = try #require(server.requests.first)
        #expect(request.headers["Cookie"] == "sid=hush-5" && request.headers["X-Api-Key"] == "hush-9")
        gate.release()
        #expect(try await run.waitForEnd().status == 0)
    }

    @Test(
        "A file of passwords that others can read is named once, and used",
        arguments: [(0o644, 1), (0o640, 1), (0o600, 0)])
    func readableNetrc(mode: mode_t, count: Int) async throws {
        let server = try Served.start(["/a": .file(count: 1), "/b": .file(count: 1)])
        let folder = try ScratchFolder()
        try folder.write("machine 127.0.0.1 login me password hush\n", to: "passwords")
        try #require(chmod(folder.path(of: "passwords"), mode) == 0)
        let result = try await ProgramRun.finished(
            ["--netrc-file", "passwords", server.url("/a"), server.url("/b")], in: folder)
        #expect(result.status == 0)
        #expect(server.requests.allSatisfy { $0.headers["Authorization"] != nil })
        let warnings = result.lines.filter { $0.contains("passwords has passwords and is readable by others") }
        #expect(warnings.count == count && !result.messages.contains("hush"), "\(result.messages)")
    }

    @Test("The environment's proxy is used, --noproxy and --proxy win over it, and a list may have its own")
    func proxies() async throws {
        let folder = try ScratchFolder()
        let proxy = try Served.start(["/*": .respond(.text("proxy"))])
        let direct = try Served.start(["/*": .respond(.text("direct"))])
        let environment = ["http_proxy": "127.0.0.1:\(proxy.port)"]
        let list = "\(direct.url("/a"))\n noproxy=*\n\(direct.url("/b"))\n\(direct.url("/c"))\n proxy=\n"
        _ = try folder.write(list, to: "list")
        let result = try await ProgramRun.finished(["-i", "list"], in: folder, environment: environment)
        #expect(result.status == 0, "\(result.messages)")
        let texts = ["a", "b", "c"].map { folder.bytes(of: $0).map { String(decoding: $0, as: UTF8.self) } }
        #expect(texts == ["direct", "proxy", "direct"])
        for words in [["--noproxy", "127.0.0.1"], ["--proxy", ""]] {
            let run = try await ProgramRun.finished(
                ["request"] + words + [direct.url("/x")], in: folder, environment: environment)
            #expect(run.text == "direct", "\(run.messages)")
        }
        let wrong = try await ProgramRun.finished(
            [direct.url("/x")], in: folder, environment: ["http_proxy": "ftp://h"])
        #expect(wrong.status == 2 && wrong.messages.contains("http_proxy: "))
    }

    @Test("A password of the environment reaches its server alone, and no output, log or event")
    func secrets() async throws {
        let folder = try ScratchFolder()
        let other = try Served.start(["/x": .respond(.text("other"))])
        let server = try Served.start(["/x": .redirect(to: other.url("/x").replacing("127.0.0.1", with: "localhost"))])
        let result = try await ProgramRun.finished(
            [
                "request", "--json", "--user", "me:@env:SECRET", "--cookie", "sid=hushhush", "--log", "log",
                "--log-level", "debug",
                "-o", "body", server.url("/x"),
            ], in: folder, environment: ["SECRET": "hush"])
        #expect(result.status == 0, "\(result.messages)")
        #expect(server.requests.map { $0.headers["Authorization"] } == ["Basic bWU6aHVzaA=="])
        #expect(server.requests.map { $0.headers["Cookie"] } == ["sid=hushhush"])
        #expect(
            other.requests.map { $0.headers["Authorization"] } == [nil] && other.requests[0].headers["Cookie"] == nil)
        let log = folder.bytes(of: "log").map { String(decoding: $0, as: UTF8.self) } ?? ""
        #expect(!(result.text + result.messages + log).contains("hush"))
        let missing = try await ProgramRun.finished(["--bearer", "@env:NOTHING", server.url("/x")], in: folder)
        #expect(missing.status == 2 && missing.messages.contains("--bearer: variable NOTHING is not set"))
    }

    @Test("Cookies are kept in a file that only its user can read, and sent by the next run")
    func cookieJar() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start([
            "/login": Behaviour.respond(.text("in")).header("Set-Cookie", "sid=1; Path=/; Max-Age=900"),
            "/page": .handler { .text($0.headers["Cookie"] ?? "none") },
        ])
        let login = try await ProgramRun.finished(["request", "--cookie-jar", "jar", server.url("/login")], in: folder)
        #expect(login.status == 0 && login.text == "in", "\(login.messages)")
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path + "/jar")
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let page = try await ProgramRun.finished(["request", "--cookie", "jar", server.url("/page")], in: folder)
        #expect(page.text == "sid=1", "\(page.messages)")
    }

    @Test("A cookie file that is written at the end may be missing at first, on the command line and in a list")
    func missingJar() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start([
            "/login": Behaviour.respond(.text("in")).header("Set-Cookie", "sid=1; Path=/; Max-Age=900"),
            "/page": .handler { .text($0.headers["Cookie"] ?? "none") },
        ])
        let (login, page) = (server.url("/login"), server.url("/page"))
        let words = ["request", "--cookie", "jar", "--cookie-jar", "jar"]
        #expect(try await ProgramRun.finished(words + [login], in: folder).status == 0)
        #expect(try await ProgramRun.finished(words + [page], in: folder).text == "sid=1")
        try folder.write("curl -c new -o a \(login)\ncurl -b new -c new -o b \(page)\n", to: "list")
        let list = try await ProgramRun.finished(["-i", "list", "--max-concurrent", "1"], in: folder)
        #expect(list.status == 0 && folder.bytes(of: "b") == Array("sid=1".utf8), "\(list.text) \(list.messages)")
        let missing = try await ProgramRun.finished(
            ["request", "--cookie", "none", "--cookie-jar", "other", page], in: folder)
        #expect(missing.status == 2, "\(missing.messages)")
    }
}
