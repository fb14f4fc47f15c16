import SessionSupport
import Testing
import TransferValues

@testable import AriaRPC

/// Requests that a client should not send, and answers that say so.
@Suite("Requests that are wrong or too much", .timeLimit(.minutes(1)))
struct TroubleTests {
    private let program = FakeProgram()

    private func answer(_ text: String) -> String {
        String(decoding: program.server.answer(Array(text.utf8)).body, as: UTF8.self)
    }

    private func error(_ method: String, _ parameters: JSONValue...) -> String? {
        if case .failure(let error) = program.server.run(method, parameters, isTrusted: true).result {
            error.message
        } else {
            nil
        }
    }

    // MARK: - Amounts

    @Test("JSON that is 100,000 deep is no JSON")
    func depth() {
        #expect(answer(String(repeating: "[", count: 100_000)).contains(AriaErrors.parse))
    }

    @Test("A batch of 10,000 is refused as a whole")
    func longBatch() throws {
        let call = #"{"id":1,"method":"aria2.addUri","params":[["http://host/x"]]}"#
        let text = "[" + repeatElement(call, count: 10_000).joined(separator: ",") + "]"
        #expect(answer(text).contains(AriaErrors.tooManyCalls(AriaServer.mostCalls)))
        #expect(program.tasks.ids().isEmpty)
        let calls = JSONValue.array(Array(repeating: .object([]), count: 10_000))
        #expect(error("system.multicall", calls) == AriaErrors.tooManyCalls(AriaServer.mostCalls))
    }

    @Test("A batch of 2,000, as aria2tui sends it, is answered")
    func usualBatch() throws {
        let call = #"{"id":1,"method":"aria2.tellActive","params":[]}"#
        let value = try JSONReader.read(
            Array(answer("[" + repeatElement(call, count: 2_000).joined(separator: ",") + "]").utf8))
        #expect(value.list?.count == 2_000)
    }

    @Test("The calls of a batch and of a multicall that would make the answer too large fail, and the others do not")
    func largeAnswers() throws {
        let id = try program.add("http://host/" + String(repeating: "x", count: 30_000))
        let gid = program.server.gid(of: id)
        let name = #""aria2.tellStatus","params":["\#(gid)"]"#
        let call = #"{"id":1,"methodName":\#(name),"method":\#(name)}"#
        let calls = "[" + repeatElement(call, count: 4_000).joined(separator: ",") + "]"
        for text in [calls, #"{"id":1,"method":"system.multicall","params":["# + calls + "]}"] {
            let answer = program.server.answer(Array(text.utf8)).body
            #expect(answer.count > AriaServer.answerLimit && answer.count < AriaServer.answerLimit + (1 << 20))
            #expect(String(decoding: answer.prefix(2_000), as: UTF8.self).contains("http://host/xxx"))
            #expect(String(decoding: answer.suffix(100), as: UTF8.self).contains(AriaErrors.answerTooLarge))
        }
    }

    @Test("addUri with 10,000 mirrors keeps as many as a download uses, and says so once")
    func manyMirrors() throws {
        let urls = (0..<10_000).map { JSONValue.string("http://host/\($0)") }
        _ = try program.result("aria2.addUri", .array(urls))
        let job = try #require(program.tasks.jobs(of: [1]).first)
        #expect(job.url == "http://host/0" && job.mirrors.count == Mirrors.limit)
        #expect(program.logged.withLock { $0 } == [AriaLines.mirrors(Mirrors.limit, of: 9_999)])
    }

    @Test("Numbers as floats count up to the largest integer")
    func floats() throws {
        try program.add()
        #expect(try program.result("aria2.tellWaiting", .decimal("0.0"), .decimal("10.0")).list?.count == 1)
        #expect(error("aria2.tellWaiting", .decimal("1e30"), .integer(1)) == AriaErrors.wrongType(0))
    }

    @Test("The largest place in the queue is its end", arguments: [Int64.max, Int64.max - 1, Int64(Int32.max)])
    func largestPlace(place: Int64) throws {
        try program.add("http://host/first", ["pause": "true"])
        let paused = JSONValue.object([JSONValue.Member("pause", "true")])
        let list = JSONValue.string(Base64.encode(Array("<x/>".utf8)))
        #expect(error("aria2.addUri", .array(["http://host/second"]), paused, .integer(place)) == nil)
        #expect(error("aria2.addMetalink", list, paused, .integer(place)) == nil)
        let gid = JSONValue.string(program.server.gid(of: 1))
        let urls = JSONValue.array(["http://host/mirror"])
        #expect(error("aria2.changeUri", gid, .integer(1), .array([]), urls, .integer(place)) == nil)
        #expect(error("aria2.changePosition", gid, .integer(place), "POS_CUR") == nil)
        let waiting = try program.result("aria2.tellWaiting", .integer(0), .integer(place), .array(["gid"])).list
        #expect(waiting?.compactMap { $0["gid"]?.text } == [2, 3, 4, 1].map { program.server.gid(of: $0) })
    }

    // MARK: - Guesses

    @Test("Tokens beyond some wrong ones in a second are not compared, in one batch as in many connections")
    func guesses() throws {
        let program = FakeProgram(secret: "right")
        func version(_ token: String) -> String {
            #"{"id":1,"method":"aria2.getVersion","params":["token:\#(token)"]}"#
        }
        let calls = (1...1_000).map { version("guess\($0)") } + [version("right")]
        let batch = program.server.answer(Array(("[" + calls.joined(separator: ",") + "]").utf8))
        #expect(batch.isLate && !batch.wasAccepted)
        #expect(!String(decoding: batch.body, as: UTF8.self).contains("1.36.0"))
        #expect(!program.server.accepts(token: "right"))
        program.tasks.state.withLock { $0.clock += 1_000 }
        #expect(program.server.answer(Array(version("right").utf8)).wasAccepted)
        for number in 1..<AriaGuesses.limit { #expect(!program.server.accepts(token: "guess\(number)")) }
        #expect(program.server.accepts(token: "right"))
    }

    // MARK: - GIDs

    @Test("A beginning that fits two tasks is not unique, and one that fits one is it")
    func beginnings() throws {
        try program.add("http://host/1", ["gid": "aabbccddeeff0011"])
        try program.add("http://host/2", ["gid": "aabbccddeeff0022"])
        #expect(error("aria2.tellStatus", "aabb") == AriaErrors.notUnique("aabb"))
        #expect(try program.result("aria2.tellStatus", "aabbccddeeff002")["gid"] == "aabbccddeeff0022")
    }

    @Test("A chosen GID hides the task's own, and is free again when the task has gone")
    func chosen() throws {
        let id = try program.add("http://host/1", ["gid": "aabbccddeeff0011"])
        #expect(error("aria2.tellStatus", .string(program.seed.gid(of: id).description)) != nil)
        _ = try program.result("aria2.remove", "aabbccddeeff0011")
        let other = try program.add("http://host/2", ["gid": "aabbccddeeff0011"])
        #expect(program.server.gid(of: other) == "aabbccddeeff0011")
    }

    @Test("GIDs are those of the tasks of an earlier run")
    func restart() throws {
        let id = try program.add("http://host/1", ["gid": "aabbccddeeff0011"])
        let other = try program.add("http://host/2")
        let later = FakeProgram(seed: program.seed)
        later.tasks.state.withLock { $0 = program.tasks.state.withLock { $0 } }
        #expect(later.server.gid(of: id) == "aabbccddeeff0011")
        #expect(later.server.gid(of: other) == program.server.gid(of: other))
        #expect(try later.result("aria2.tellStatus", "aabbccddeeff0011")["gid"] == "aabbccddeeff0011")
    }

    // MARK: - Tasks

    @Test("The same download again is the task that is there")
    func repetition() throws {
        let first = try program.result("aria2.addUri", .array(["http://host/1"]))
        #expect(try program.result("aria2.addUri", .array(["http://host/1"])) == first)
        let options = JSONValue.object([JSONValue.Member("gid", "aabbccddeeff0011")])
        let gid = try #require(first.text)
        #expect(error("aria2.addUri", .array(["http://host/1"]), options) == AriaErrors.alreadyInList(gid))
    }

    @Test("A download that has stopped begins again as its task when a client adds it once more")
    func again() throws {
        let id = try program.add()
        let gid = program.server.gid(of: id)
        program.tasks.state.withLock { $0.knowsEnded = true }
        for state in [RowState.done, .failed, .cancelled] {
            program.tasks.with(id) { $0.figures.state = state }
            let url = try #require(program.tasks.jobs(of: [id]).first?.url)
            #expect(try program.result("aria2.addUri", .array([.string(url)])).text == gid, "\(state)")
            #expect(program.tasks.figures(of: [id]).first?.state == .queued)
        }
    }

    @Test("A removed task that ends later is gone at once, and leaves the list when it has ended")
    func removal() throws {
        let id = try program.add()
        program.tasks.state.withLock { $0.endsLater = true }
        let gid = program.server.gid(of: id)
        _ = try program.result("aria2.remove", .string(gid))
        #expect(error("aria2.tellStatus", .string(gid)) == AriaErrors.notFound(gid))
        #expect(try program.result("aria2.tellWaiting", .integer(0), .integer(9)).list == [])
        program.tasks.with(id) { $0.figures.state = .cancelled }
        #expect(try program.result("aria2.tellStopped", .integer(0), .integer(9)).list == [])
        #expect(program.tasks.ids().isEmpty)
    }

    @Test(
        "A URL that no download can have is refused",
        arguments: [
            "", "nothing", "ftp://host/x", "magnet:?xt=urn:btih:a", "http://", "http:///x", "http://host/\u{1}",
            "javascript:alert(1)", "file:///etc/passwd",
        ])
    func urls(url: String) {
        #expect(error("aria2.addUri", .array([.string(url)])) == AriaErrors.noDownload)
    }

    // MARK: - Options

    @Test(
        "A value may not name a command, a file or a variable to read", arguments: ["@cmd:id", "@file:/x", "@env:HOME"])
    func references(text: String) {
        for option in ["http-passwd", "http-user", "all-proxy-passwd"] {
            let options = JSONValue.object([JSONValue.Member(option, .string(text))])
            #expect(error("aria2.addUri", .array(["http://host/x"]), options) == AriaErrors.option(option))
        }
        #expect(program.tasks.ids().isEmpty)
    }

    @Test(
        "Two values that name something to read only together are refused",
        arguments: [
            ("@cmd", "id"), ("@file", "/etc/hostname"), ("@env", "HOME"), ("me:@cmd", "id"), ("me:@env", "HOME"),
            ("me: @file", "/etc/hostname"), ("me", " @env:HOME"),
        ])
    func splitReferences(name: String, password: String) throws {
        for (names, passwords) in [("http-user", "http-passwd"), ("all-proxy-user", "all-proxy-passwd")] {
            let options = JSONValue.object([
                JSONValue.Member("all-proxy", "http://proxy:1"), JSONValue.Member(names, .string(name)),
                JSONValue.Member(passwords, .string(password)),
            ])
            #expect(error("aria2.addUri", .array(["http://host/x"]), options) == AriaErrors.illegalArgument)
            #expect(error("aria2.changeGlobalOption", options) == AriaErrors.illegalArgument)
        }
        let task = JSONValue.object([JSONValue.Member("url", "http://host/x")])
        let options = JSONValue.object([
            JSONValue.Member("http-user", .string(name)), JSONValue.Member("http-passwd", .string(password)),
        ])
        #expect(error("netdash.addTask", task, options) == AriaErrors.illegalArgument)
        let id = try program.add("http://host/paused", ["pause": "true"])
        #expect(
            error("aria2.changeOption", .string(program.server.gid(of: id)), options) == AriaErrors.illegalArgument)
        #expect(program.tasks.jobs(of: program.tasks.ids()).allSatisfy { $0.options.isEmpty })
    }

    @Test("Halves that are set in two calls are refused as one")
    func referencesOfTwoCalls() {
        func change(_ name: String, _ text: String) -> String? {
            error("aria2.changeGlobalOption", .object([JSONValue.Member(name, .string(text))]))
        }
        #expect(change("http-passwd", "id") == nil)
        #expect(change("http-user", "@cmd") == AriaErrors.illegalArgument)
        #expect(change("http-user", "me") == nil)
        let options = JSONValue.object([JSONValue.Member("http-user", "me:@cmd")])
        #expect(error("aria2.addUri", .array(["http://host/x"]), options) == AriaErrors.illegalArgument)
        #expect(program.tasks.ids().isEmpty)
    }

    @Test(
        "Files of the service's user are not for clients to name, and commands are none",
        arguments: [
            "load-cookies", "ca-certificate", "certificate", "private-key", "on-download-complete",
            "on-download-error", "on-download-start", "conf-path", "input-file", "netrc-path",
        ])
    func filesAndCommands(name: String) throws {
        let id = try program.add("http://host/x", [name: "/etc/hostname"])
        let job = try #require(program.tasks.jobs(of: [id]).first)
        #expect(job.options.isEmpty && job.aria == nil)
        _ = try program.result(
            "aria2.changeGlobalOption", .object([JSONValue.Member(name, "/etc/hostname")]))
        #expect(try program.result("aria2.getGlobalOption")[name] == nil)
    }

    @Test("A file name or a folder that is none is refused", arguments: ["..", "a/..", "a/../b", "-", "a\u{7}b"])
    func paths(text: String) {
        let options = JSONValue.object([JSONValue.Member("out", .string(text))])
        #expect(error("aria2.addUri", .array(["http://host/x"]), options) == AriaErrors.option("out"))
    }

    @Test(
        "A file name is below the folder, as in aria2", arguments: [("/etc/x", "etc/x"), ("a/b", "a/b"), ("//x", "x")])
    func names(text: String, name: String) throws {
        let id = try program.add("http://host/x", ["out": .string(text), "dir": "/d"])
        let job = try #require(program.tasks.jobs(of: [id]).first)
        #expect(job.output == .name(name) && job.directory == "/d")
    }

    @Test("A chosen GID that is none, or that a task has, is named")
    func wrongGIDs() throws {
        try program.add("http://host/1", ["gid": "aabbccddeeff0011"])
        func add(_ gid: String) -> String? {
            error("aria2.addUri", .array(["http://host/2"]), .object([JSONValue.Member("gid", .string(gid))]))
        }
        #expect(add("xyz") == "Invalid GID xyz" && add("aabb") == "Invalid GID aabb")
        #expect(add("aabbccddeeff0011") == "GID aabbccddeeff0011 is not unique")
    }

    @Test("A header that would be two is refused", arguments: ["X", "X: a\r\nY: b", ": a", "X Y: a"])
    func headers(text: String) {
        let options = JSONValue.object([JSONValue.Member("header", .array([.string(text)]))])
        let isTwo = text.contains("\n")
        #expect(error("aria2.addUri", .array(["http://host/x"]), options) == AriaErrors.option("header") || isTwo)
        let values = program.tasks.jobs(of: program.tasks.ids()).flatMap { $0.headers.map(\.value) }
        #expect(!values.contains { $0.contains("\r") || $0.contains("\n") })
    }

    @Test("Secrets of headers are not told")
    func secretHeaders() throws {
        let id = try program.add("http://host/x", ["header": .array(["Cookie: a=b", "X-One: 1"])])
        let told = try program.result("aria2.getOption", .string(program.server.gid(of: id)))["header"]?.text
        #expect(told == "Cookie: ***\nX-One: 1\n")
    }

    @Test("Nothing of a wrong change is done")
    func wrongChange() throws {
        let options = JSONValue.object([
            JSONValue.Member("dir", "/other"), JSONValue.Member("max-concurrent-downloads", "x"),
        ])
        #expect(error("aria2.changeGlobalOption", options) == AriaErrors.option("max-concurrent-downloads"))
        #expect(try program.result("aria2.getGlobalOption")["dir"] == "/downloads")
    }

    // MARK: - Pages

    @Test("A page of a browser cannot call by a script's address")
    func scripts() {
        let http = AriaHTTP(program.server, OriginRule(isLocal: true))
        var request = RPCRequest(
            method: "GET", path: "/jsonrpc", query: ["method": "aria2.getVersion", "id": "1", "jsoncallback": "f"],
            fields: ["host": "localhost", "sec-fetch-site": "cross-site"])
        #expect(http.reply(to: request).status == 403)
        request.fields["sec-fetch-site"] = "none"
        #expect(http.reply(to: request).status == 200)
        request.query["jsoncallback"] = "alert(1);//"
        #expect(http.reply(to: request).status == 500)
    }

    @Test(
        "A request of a browser without an Origin counts only where it says that no other site's page sends it",
        arguments: [
            ("GET", "cross-site", nil, false), ("GET", "same-site", nil, false), ("GET", nil, "Mozilla/5.0", false),
            ("GET", "same-origin", "Mozilla/5.0", true), ("GET", nil, "curl/8.0", true), ("GET", nil, nil, true),
            ("POST", "cross-site", nil, false), ("POST", nil, "Mozilla/5.0", true), ("POST", "none", nil, true),
        ] as [(String, String?, String?, Bool)])
    func withoutOrigin(method: String, site: String?, agent: String?, isRight: Bool) {
        var request = RPCRequest(
            method: method, path: "/jsonrpc", query: ["method": "aria2.getVersion", "id": "1"],
            fields: ["host": "localhost"], body: Array(#"{"id":1,"method":"aria2.getVersion"}"#.utf8))
        request.fields["sec-fetch-site"] = site
        request.fields["user-agent"] = agent
        let rules = [OriginRule(isLocal: true), OriginRule(isLocal: true, allowed: ["*"])]
        let statuses = rules.map { AriaHTTP(program.server, $0).reply(to: request).status }
        #expect(statuses == [isRight ? 200 : 403, 200])
        // With a token it is the token that counts.
        let other = FakeProgram(secret: "secret")
        #expect(AriaHTTP(other.server, OriginRule(isLocal: true)).reply(to: request).status == 400)
    }

    @Test("A page that is allowed may read the answer, and may ask what it may send")
    func allowedPage() {
        let http = AriaHTTP(program.server, OriginRule(isLocal: true, allowed: ["https://page.example"]))
        let fields = [
            "host": "localhost", "origin": "https://page.example", "access-control-request-headers": "content-type",
        ]
        let reply = http.reply(to: RPCRequest(method: "OPTIONS", path: "/jsonrpc", fields: fields))
        let names = reply.fields.map(\.name)
        #expect(reply.status == 200)
        #expect(names.contains("Access-Control-Allow-Headers") && names.contains("Access-Control-Allow-Origin"))
    }

    @Test("A WebSocket of another version is told the right one")
    func oldWebSocket() {
        let http = AriaHTTP(program.server, OriginRule(isLocal: true))
        let fields = ["host": "localhost", "upgrade": "websocket", "sec-websocket-version": "8"]
        let reply = http.reply(to: RPCRequest(method: "GET", path: "/jsonrpc", fields: fields))
        #expect(reply.status == 426)
        #expect(reply.upgrade == nil)
    }
}
