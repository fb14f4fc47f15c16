import LoopbackServer
import Testing

/// Commands of curl in a list, which do what curl does.
@Suite("Commands of curl, by the program", .timeLimit(.minutes(1)))
struct CurlCommandProgramTests {
    private static func server() throws -> LoopbackServer {
        try Served.start([
            "/old": .respond(
                ScriptedResponse(302, headers: ["Location": "/new"], body: .bytes(Array("moved".utf8)))),
            "/twice": .respond(ScriptedResponse(302, headers: ["Location": "/old"])),
            "/new": .file(seed: 1, count: 10),
        ])
    }

    private static func run(_ commands: String, _ server: LoopbackServer, _ folder: ScratchFolder) async throws
        -> ProgramRun.Result
    {
        try folder.write(commands.replacing("%", with: String(server.url("/").dropLast())).utf8, to: "list")
        return try await ProgramRun.finished(["--plain", "-i", "list"], in: folder)
    }

    @Test("A redirect is the response without -L, and fails a download; with -L it is followed so often")
    func redirects() async throws {
        let (folder, server) = (try ScratchFolder(), try Self.server())
        let printed = try await Self.run("curl -i %/old\n", server, folder)
        let text = String(decoding: printed.output, as: UTF8.self)
        #expect(printed.status == 0 && text.contains("HTTP/1.1 302") && text.hasSuffix("moved"), "\(text)")
        #expect(server.requests.map(\.path) == ["/old"])
        let file = try await Self.run("curl -o file %/old\n", server, folder)
        #expect(file.status == 1 && folder.bytes(of: "file") == nil)
        #expect(file.messages.contains("302 Found: redirects are not followed, this one to /new"), "\(file.messages)")
        let followed = try await Self.run("curl -L -o file %/old\n", server, folder)
        #expect(followed.status == 0 && folder.bytes(of: "file")?.count == 10, "\(followed.messages)")
        let limited = try await Self.run("curl -L --max-redirs 1 -o other %/twice\n", server, folder)
        #expect(limited.status == 1 && limited.messages.contains("More than 1 redirect:"), "\(limited.messages)")
        #expect(try folder.names == ["file", "list"])
    }

    @Test("A field without a value is left out or sent empty, as its mark says")
    func fields() async throws {
        let (folder, server) = (try ScratchFolder(), try Self.server())
        let commands = """
            curl -H 'User-Agent:' -H 'Accept:' -H 'X-Empty;' %/new
            curl -A '' -d x=1 -H 'Content-Type:' -H 'X-Mine:' %/new
            """
        let run = try await Self.run(commands, server, folder)
        let requests = server.requests.sorted { $0.method < $1.method }
        #expect(run.status == 0 && requests.count == 2, "\(run.messages)")
        let first = try #require(requests.first?.headers)
        #expect(first["User-Agent"] == nil && first["Accept"] == nil && first["X-Empty"] == "")
        let second = try #require(requests.last?.headers)
        #expect(second["User-Agent"] == nil && second["Accept"] == "*/*" && second["Content-Type"] == nil)
        #expect(second["X-Mine"] == nil)
        let refused = try await Self.run("curl -H 'Host:' %/new\n", server, folder)
        #expect(refused.status == 2 && refused.messages.contains("curl's -H 'Host:' is not supported"))
    }

    @Test("Fields of the command line are left out and sent empty in the same manner")
    func commandLine() async throws {
        let (folder, server) = (try ScratchFolder(), try Self.server())
        let words = ["request", "--plain", "-H", "User-Agent:", "-H", "accept:", "-H", "X-Empty;", server.url("/new")]
        let run = try await ProgramRun.finished(words, in: folder)
        let fields = try #require(server.requests.first?.headers)
        #expect(run.status == 0, "\(run.messages)")
        #expect(fields["User-Agent"] == nil && fields["Accept"] == nil && fields["X-Empty"] == "")
        let refused = try await ProgramRun.finished(["-H", "Content-Length:", server.url("/new")], in: folder)
        #expect(refused.status == 2 && refused.messages.contains("Content-Length cannot be left out"))
    }

    @Test("With --anyauth credentials are sent once the server asks, by the scheme it asks for")
    func anyScheme() async throws {
        let (folder, server) = (try ScratchFolder(), try Self.server())
        for (path, challenge) in [
            ("/digest", #"Digest realm="r", nonce="n", qop="auth""#), ("/basic", #"Basic realm="r""#),
        ] {
            var refusal = ScriptedResponse.text("no", status: 401)
            refusal.headers["WWW-Authenticate"] = challenge
            let refused = Behaviour.respond(refusal)
            let file = Behaviour.file(seed: 1, count: 10)
            server.setRoute(path, .choosing { $0.header("Authorization") == nil ? refused : file })
        }
        for path in ["/digest", "/basic"] {
            let run = try await Self.run("curl --anyauth -u me:pw -o \(path.dropFirst()) %\(path)\n", server, folder)
            #expect(run.status == 0 && folder.bytes(of: String(path.dropFirst()))?.count == 10, "\(run.messages)")
            let sent = server.requests.filter { $0.path == path }.map { $0.headers["Authorization"]?.prefix(6) }
            #expect(
                sent.count == 2 && sent.first == .some(nil) && sent.last == (path == "/basic" ? "Basic " : "Digest"))
        }
    }

    @Test("Data and files of data are joined to one body")
    func joinedData() async throws {
        let (folder, server) = (try ScratchFolder(), try Self.server())
        server.setRoute("/in", .respond(.text("ok")))
        try folder.write("b=2\r\n&c=3\n".utf8, to: "form")
        try folder.write("x y".utf8, to: "value")
        let run = try await Self.run("curl -d a=1 -d @form --data-urlencode d@value %/in\n", server, folder)
        let request = try #require(server.requests.last)
        #expect(run.status == 0 && request.method == "POST", "\(run.messages)")
        #expect(String(decoding: request.bodyPrefix, as: UTF8.self) == "a=1&b=2&c=3&d=x%20y")
        #expect(request.headers["Content-Type"] == "application/x-www-form-urlencoded")
        let words = ["request", "--plain", "--data-part", "@form", "--data-part", "e=5", server.url("/in")]
        let typed = try await ProgramRun.finished(words, in: folder)
        let body = (server.requests.last?.bodyPrefix).map { String(decoding: $0, as: UTF8.self) }
        #expect(typed.status == 0 && body == "b=2&c=3&e=5", "\(typed.messages)")
        let refused = try await Self.run("curl --data-binary @form -d a=1 %/in\n", server, folder)
        #expect(refused.status == 2 && refused.messages.contains("a file beside other data"), "\(refused.messages)")
    }

    @Test("Empty values are curl's: cookies of responses, no user agent, no referer, and redirects without a limit")
    func emptyValues() async throws {
        let (folder, server) = (try ScratchFolder(), try Self.server())
        let setting = ScriptedResponse(302, headers: ["Location": "/new", "Set-Cookie": "a=1"])
        server.setRoute("/set", .respond(setting))
        for number in 1...60 {
            server.setRoute("/\(number)", .respond(ScriptedResponse(302, headers: ["Location": "/\(number + 1)"])))
        }
        server.setRoute("/61", .file(seed: 1, count: 10))
        let cookies = try await Self.run("curl -L -b '' %/set\n", server, folder)
        #expect(cookies.status == 0, "\(cookies.messages)")
        #expect(server.requests.map { $0.headers["Cookie"] } == [nil, "a=1"])
        let long = try await Self.run("curl -L --max-redirs -1 -o long %/1\n", server, folder)
        #expect(long.status == 0 && folder.bytes(of: "long")?.count == 10, "\(long.messages)")
        let words = [
            "--plain", "-A", "", "-e", "", "--cookie", "", "--max-redirs", "-1", "-o", "own", server.url("/set"),
        ]
        let own = try await ProgramRun.finished(words, in: folder)
        #expect(own.status == 0 && server.requests.last?.headers["Cookie"] == "a=1", "\(own.messages)")
        #expect(server.requests.last?.headers["User-Agent"] == nil)
        #expect(server.requests.last?.headers["Referer"] == nil)
    }
}
