import Foundation
import LoopbackServer
import Testing

/// What a request is after a redirect: its method, its body and its fields.
@Suite("Redirected requests, by the program", .timeLimit(.minutes(1)))
struct RedirectedRequestTests {
    private static func redirect(_ status: Int, to url: String) -> Behaviour {
        .respond(ScriptedResponse(status, headers: ["Location": url]))
    }

    private static func server() throws -> LoopbackServer {
        let server = try Served.start(["/end": .respond(.text("ok"))])
        for status in 301...303 { server.setRoute("/\(status)", redirect(status, to: "/end")) }
        return server
    }

    /// The last request of a run: its method, and whether it had a body.
    private static func last(_ server: LoopbackServer) -> String? {
        server.requests.last.map {
            $0.method + ($0.path == "/end" ? "" : " " + $0.path) + ($0.bodyByteCount == 0 ? "" : " body")
        }
    }

    @Test(
        "A method that curl is given stays after a redirect, and its body only where --post301 and its like say so",
        arguments: [
            ("-X POST", ["POST", "POST", "POST"]), ("-d x", ["GET", "GET", "GET"]),
            ("-X PUT -d x", ["PUT", "PUT", "PUT"]), ("-X DELETE", ["DELETE", "DELETE", "DELETE"]),
            ("-d x --post301 --post303", ["POST body", "GET", "POST body"]),
            ("-X POST -d x --post302", ["POST", "POST body", "POST"]),
            ("-X POST -T list", ["POST body", "POST body", "POST"]), ("-T list", ["PUT body", "PUT body", "GET"]),
            ("-I", ["HEAD", "HEAD", "HEAD"]),
        ])
    func methods(words: String, expected: [String]) async throws {
        let (folder, server) = (try ScratchFolder(), try Self.server())
        for (status, wanted) in zip(301...303, expected) {
            try folder.write("curl -L \(words) \(server.url("/\(status)"))\n".utf8, to: "list")
            let run = try await ProgramRun.finished(["--plain", "-i", "list"], in: folder)
            #expect(run.status == 0, "\(status): \(run.messages)")
            #expect(Self.last(server) == wanted, "\(status)")
        }
    }

    @Test("On the command line POST becomes GET, unless an option says otherwise")
    func commandLine() async throws {
        let (folder, server) = (try ScratchFolder(), try Self.server())
        for (options, wanted) in [
            ([], "GET"), (["-L"], "POST"), (["--keep-method"], "POST"), (["--post302"], "POST body"),
        ] {
            let words = ["request", "--plain", "-X", "POST", "-b", "x", server.url("/302")] + options
            let run = try await ProgramRun.finished(words, in: folder)
            #expect(run.status == 0 && Self.last(server) == wanted, "\(options) \(run.messages)")
        }
    }

    @Test("An empty -b, which curl takes for no cookie, is refused and says what to write")
    func emptyCookie() async throws {
        let (folder, server) = (try ScratchFolder(), try Self.server())
        let refused = try await ProgramRun.finished(["request", "-b", "", server.url("/end")], in: folder)
        #expect(refused.status == 2 && refused.messages.contains("--cookie ''"), "\(refused.messages)")
        let meant = try await ProgramRun.finished(["request", "--body", "", server.url("/end")], in: folder)
        #expect(meant.status == 0 && Self.last(server) == "POST", "\(meant.messages)")
    }

    @Test("Fields that another host does not get are named once, and their values never")
    func fields() async throws {
        let (folder, other) = (try ScratchFolder(), try Served.start(["/file": .file(seed: 1, count: 10)]))
        let server = try Served.start(["/far": Self.redirect(302, to: other.url("/hop"))])
        other.setRoute("/hop", Self.redirect(302, to: "/file"))
        server.setRoute("/near", Self.redirect(302, to: "/home"))
        server.setRoute("/home", .file(seed: 1, count: 10))
        let fields = ["-H", "X-Api-Key: hush", "-H", "Cookie: a=hush", "-H", "Accept: text/plain"]
        let run = try await ProgramRun.finished(["--plain", server.url("/far")] + fields, in: folder)
        let sentence = "Not sent to the other server http://127.0.0.1:\(other.port): X-Api-Key, Cookie"
        #expect(run.status == 0 && run.messages.components(separatedBy: sentence).count == 2, "\(run.messages)")
        #expect(!run.messages.contains("hush"))
        let near = try await ProgramRun.finished(["--plain", server.url("/near")] + fields, in: folder)
        #expect(near.status == 0 && !near.messages.contains("Not sent"), "\(near.messages)")
    }

    @Test("A password that no other server gets is named as its field, also behind a redirect there and back")
    func credentials() async throws {
        let (folder, other) = (try ScratchFolder(), try Served.start(["/file": .file(seed: 1, count: 10)]))
        let server = try Served.start(["/far": Self.redirect(302, to: other.url("/file"))])
        server.setRoute("/bounce", Self.redirect(302, to: other.url("/back")))
        other.setRoute("/back", Self.redirect(302, to: server.url("/home")))
        server.setRoute("/home", .file(seed: 1, count: 10))
        let far = try await ProgramRun.finished(["--plain", "-u", "me:hush", server.url("/far")], in: folder)
        let sentence = "Not sent to the other server http://127.0.0.1:\(other.port): Authorization"
        #expect(far.status == 0 && far.messages.contains(sentence), "\(far.messages)")
        for words in [["-u", "me:hush"], ["-H", "X-Api-Key: hush"]] {
            let back = try await ProgramRun.finished(["--plain", server.url("/bounce")] + words, in: folder)
            let name = words[0] == "-u" ? "Authorization" : "X-Api-Key"
            let sentence = "Not sent after a redirect to another server and back: \(name)"
            #expect(back.status == 0 && back.messages.contains(sentence), "\(back.messages)")
            #expect(!back.messages.contains("other server http") && !back.messages.contains("hush"))
        }
        #expect((server.requests + other.requests).filter { $0.headers["Authorization"] != nil }.count == 2)
    }

    @Test("They are named as well where the other host refuses the request")
    func refused() async throws {
        let (folder, other) = (try ScratchFolder(), try Served.start(["/file": .respond(.text("no", status: 403))]))
        let server = try Served.start(["/far": Self.redirect(302, to: other.url("/file"))])
        let run = try await ProgramRun.finished(
            ["--plain", "-H", "X-Api-Key: hush", server.url("/far")], in: folder)
        #expect(run.status == 1 && run.messages.contains(": X-Api-Key"), "\(run.messages)")
    }
}
