import SessionSupport
import Testing
import TransferValues

@testable import AriaRPC

/// What methods do with tasks, beyond the recorded answers.
@Suite("Methods of aria2's interface", .timeLimit(.minutes(1)))
struct MethodTests {
    private let program = FakeProgram()

    private func object(_ members: [String: JSONValue]) -> JSONValue {
        .object(members.map { JSONValue.Member($0.key, $0.value) })
    }

    private func gid(_ id: UInt64) -> JSONValue { .string(program.server.gid(of: id)) }

    private var commands: [TransferCommand] { program.tasks.state.withLock { $0.commands } }

    // MARK: - Options

    @Test("Options that mean something here become those of the task")
    func actingOptions() throws {
        let id = try program.add(
            "http://host/file",
            [
                "dir": "/d", "out": "name", "split": "4", "max-connection-per-server": "16", "max-download-limit": "1K",
                "header": .array(["X-One: 1"]), "checksum": .string("md5=" + String(repeating: "0", count: 32)),
                "all-proxy": "http://proxy:1", "http-user": "me", "http-passwd": "secret", "referer": "*",
                "allow-overwrite": "true", "check-certificate": "false", "remote-time": "true", "pause": "true",
                "user-agent": "agent", "lowest-speed-limit": "2K", "min-split-size": "2M",
            ])
        let job = try #require(program.tasks.jobs(of: [id]).first)
        #expect(job.directory == "/d" && job.output == .name("name") && job.startsPaused)
        #expect(job.headers["X-One"] == "1" && job.checksum?.algorithm == .md5)
        #expect(job.ifExists == .overwrite)
        #expect(job.rates?.download == 1_024)
        let options = Dictionary(job.options.map { ($0.option.name, $0.text) }) { first, _ in first }
        #expect(options["connections"] == "4")
        #expect(options["proxy"] == "http://proxy:1" && options["user"] == "me:secret")
        #expect(options["referer"] == "http://host/file" && options["user-agent"] == "agent")
        #expect(options["insecure"] == "" && options["remote-time"] == "")
        #expect(options["speed-limit"] == "2048" && options["min-split"] == "2097152")
        #expect(job.aria == nil)
    }

    @Test("Options without an effect stay with the task, and the log names each once")
    func keptOptions() throws {
        for number in 1...2 {
            try program.add("http://host/\(number)", ["uri-selector": "inorder", "retry-wait": .integer(3), "x": "y"])
        }
        let job = try #require(program.tasks.jobs(of: [1]).first)
        #expect(job.aria?.options == ["uri-selector": "inorder", "retry-wait": "3"])
        let told = try program.result("aria2.getOption", gid(1))
        #expect(told["uri-selector"] == "inorder" && told["retry-wait"] == "3" && told["timeout"] == "60")
        let lines = program.logged.withLock { $0.map(\.string) }
        #expect(lines.count == 3 && Set(lines).count == 3)
    }

    @Test("Numbers and words of JSON are values too")
    func types() throws {
        let id = try program.add("http://host/1", ["split": .integer(3), "pause": .bool(true)])
        let job = try #require(program.tasks.jobs(of: [id]).first)
        #expect(job.options.text(of: .connections) == "3" && job.startsPaused)
    }

    @Test("A limit changes at once, and no task is restarted for it or for an option without an effect")
    func changedLimit() throws {
        let id = try program.add()
        program.tasks.with(id) { $0.figures.state = .running }
        _ = try program.result(
            "aria2.changeOption", gid(id), object(["max-download-limit": "5K", "uri-selector": "inorder"]))
        #expect(commands.dropFirst() == [.limitTasks([id], TaskRates(download: 5_120))])
        let told = try program.result("aria2.getOption", gid(id))
        #expect(told["uri-selector"] == "inorder" && told["max-download-limit"] == "5120")
    }

    @Test("A limit goes back to what the task began with")
    func limitAsBefore() throws {
        let id = try program.add("http://host/1", ["max-download-limit": "10000"])
        for limit in ["20000", "10000"] {
            _ = try program.result("aria2.changeOption", gid(id), object(["max-download-limit": .string(limit)]))
            #expect(try program.result("aria2.getOption", gid(id))["max-download-limit"] == .string(limit))
        }
    }

    @Test("Any other option gives the task another job, and a paused one stays paused")
    func changedJob() throws {
        let id = try program.add("http://host/1", ["pause": "true"])
        _ = try program.result("aria2.changeOption", gid(id), object(["dir": "/other", "retry-wait": "9"]))
        let job = try #require(program.tasks.jobs(of: [id]).first)
        #expect(job.directory == "/other" && job.startsPaused)
        #expect(job.aria?.options["retry-wait"] == "9")
        #expect(program.tasks.figures(of: [id]).first?.state == .paused)
    }

    @Test("Options for all tasks count for those that are added afterwards")
    func globalOptions() throws {
        _ = try program.result(
            "aria2.changeGlobalOption",
            object(["dir": "/all", "split": "2", "max-concurrent-downloads": "7", "max-overall-upload-limit": "3K"]))
        let id = try program.add()
        let job = try #require(program.tasks.jobs(of: [id]).first)
        #expect(job.directory == "/all" && job.options.text(of: .connections) == "2")
        let told = try program.result("aria2.getGlobalOption")
        #expect(told["dir"] == "/all" && told["max-concurrent-downloads"] == "7")
        #expect(told["max-overall-upload-limit"] == "3072" && told["max-overall-download-limit"] == "0")
        #expect(program.tasks.limits.0 == TransferLimits(all: 7))
    }

    @Test("Every option has a name of its own, and its usual value is a right one")
    func table() {
        #expect(Set(AriaOption.all.map(\.name)).count == AriaOption.all.count)
        for option in AriaOption.all {
            guard let initial = option.initial else { continue }
            #expect(option.kind.normalised(.string(initial)) == initial, "\(option.name)")
        }
        for option in AriaOption.all {
            guard case .same = option.effect else { continue }
            let names = JobKey.allCases.flatMap(\.ariaNames) + JobOption.table.flatMap(\.ariaNames)
            #expect(names.contains(option.name), "\(option.name) is in no table of netdash")
        }
    }

    // MARK: - Status

    @Test("The parts of a file are those of its segments")
    func segments() throws {
        let id = try program.add()
        program.tasks.with(id) { row in
            (row.figures.state, row.figures.received, row.figures.expected) = (.running, 3 << 20, 4 << 20)
            row.details.segments = [
                .init(start: 0, end: 2 << 20, received: 1 << 20),
                .init(start: 2 << 20, end: 4 << 20, received: 2 << 20),
            ]
        }
        let status = try program.result("aria2.tellStatus", gid(id))
        #expect(status["bitfield"] == "b0" && status["completedLength"] == "3145728" && status["connections"] == "1")
    }

    @Test("Servers are the sources with connections")
    func servers() throws {
        let id = try program.add()
        program.tasks.with(id) { row in
            row.figures.state = .running
            row.details.sources = [
                .init(url: "http://a/f", state: .proven, connections: 2, rate: 7),
                .init(url: "http://b/f", state: .dropped("no"), connections: 0),
            ]
        }
        let servers = try program.result("aria2.getServers", gid(id)).list?.first?["servers"]?.list
        #expect(servers?.count == 1 && servers?.first?["downloadSpeed"] == "7")
    }

    @Test("An upload shows its bytes as completed and as sent")
    func upload() throws {
        let task = object(["kind": "upload", "url": "http://host/in/", "bodyFile": "/tmp/a", "tag": "t"])
        _ = try program.result("netdash.addTask", task)
        let id = program.tasks.state.withLock(\.last)
        program.tasks.with(id) { row in
            (row.figures.state, row.figures.sent, row.figures.expected, row.figures.statusCode) = (.running, 5, 9, 100)
        }
        let status = try program.result("aria2.tellStatus", gid(id))
        #expect(status["completedLength"] == "5" && status["uploadLength"] == "5" && status["totalLength"] == "9")
        #expect(status["netdash.kind"] == nil)
        let own = try program.result("aria2.tellStatus", gid(id), .array(["netdash.kind", "netdash.http"]))
        #expect(own == object(["netdash.http": "100"]).adding("netdash.kind", "upload"))
    }

    @Test("A failed task tells its number and its reason")
    func failure() throws {
        let id = try program.add()
        program.tasks.with(id) {
            ($0.figures.state, $0.figures.cause, $0.error) = (.failed, .unknownHost, "no such host")
        }
        let status = try program.result("aria2.tellStatus", gid(id), .array(["errorCode", "errorMessage"]))
        #expect(status["errorCode"] == "19" && status["errorMessage"] == "no such host")
    }

    @Test("A file has no path before the server can name it, unless its client has named it")
    func paths() throws {
        let ids = [try program.add("http://host/1", ["pause": "true"]), try program.add("http://host/2", ["out": "n"])]
        for id in ids { program.tasks.with(id) { $0.path = "/downloads/guess" } }
        func path(_ id: UInt64) throws -> JSONValue? {
            try program.result("aria2.getFiles", gid(id)).list?.first?["path"]
        }
        #expect(try path(ids[0]) == "" && path(ids[1]) == "/downloads/guess")
        program.tasks.with(ids[0]) { ($0.figures.state, $0.figures.startedAt) = (.running, 1) }
        #expect(try path(ids[0]) == "/downloads/guess")
    }

    // MARK: - Other methods

    @Test("The result of a running task leaves the list when it ends after its removal, and no earlier call")
    func removedResult() throws {
        let id = try program.add()
        program.tasks.state.withLock { $0.endsLater = true }
        program.tasks.with(id) { $0.figures.state = .running }
        #expect(throws: AriaError.self) { try program.result("aria2.removeDownloadResult", gid(id)) }
        _ = try program.result("aria2.remove", gid(id))
        #expect(try program.result("aria2.removeDownloadResult", gid(id)) == "OK")
        #expect(try program.result("aria2.tellActive") == .array([]))
        program.tasks.with(id) { $0.figures.state = .cancelled }
        #expect(try program.result("aria2.tellStopped", .integer(0), .integer(9)) == .array([]))
        #expect(program.tasks.ids().isEmpty)
    }

    @Test("A running task counts as removed from its removal on, until it should have ended")
    func removedAtOnce() throws {
        let id = try program.add()
        program.tasks.state.withLock { $0.endsLater = true }
        program.tasks.with(id) { $0.figures.state = .running }
        _ = try program.result("aria2.remove", gid(id))
        let status = try program.result("aria2.tellStatus", gid(id), .array(["status", "errorCode"]))
        #expect(status["status"] == "removed" && status["errorCode"] == "31")
        #expect(try program.result("aria2.tellActive") == .array([]))
        #expect(try program.result("aria2.tellStopped", .integer(0), .integer(9)).list?.count == 1)
        #expect(try program.result("aria2.getGlobalStat")["numActive"] == "0")
        #expect(throws: AriaError.self) { try program.result("aria2.remove", gid(id)) }
        program.tasks.state.withLock { $0.clock += 10_000 }
        #expect(try program.result("aria2.tellActive").list?.count == 1)
    }

    @Test("A removed task that a client starts again runs")
    func removedAndRetried() throws {
        let id = try program.add()
        program.tasks.with(id) { $0.figures.state = .running }
        _ = try program.result("aria2.remove", gid(id))
        _ = try program.result("netdash.retry", gid(id))
        program.tasks.with(id) { $0.figures.state = .running }
        #expect(try program.result("aria2.tellActive").list?.count == 1)
    }

    @Test("A task that a list or a window adds has the GID that it names, whenever it comes")
    func laterGIDs() throws {
        #expect(try program.result("aria2.tellWaiting", .integer(0), .integer(9)) == .array([]))
        for gid in ["aabbccddeeff0011", "aabbccddeeff0022"] {
            var job = Job(kind: .download, url: "http://host/" + gid)
            job.aria = AriaTerms(gid: gid)
            _ = program.tasks.send(.add([job]))
            let status = try program.result("aria2.tellStatus", .string(gid), .array(["gid"]))
            #expect(status["gid"] == .string(gid))
        }
    }

    @Test("An API call is a task of its own kind, and a wrong one is none")
    func request() throws {
        let task = object([
            "kind": "data", "url": "http://host/api", "method": "post", "body": "{}", "headers": .array(["X: 1"]),
        ])
        _ = try program.result("netdash.addTask", task)
        let job = try #require(program.tasks.jobs(of: [1]).first)
        #expect(job.kind == .data && job.method == "POST" && job.body == .text("{}") && job.headers["X"] == "1")
        let longTag = String(repeating: "x", count: 1_001)
        for wrong in [
            ["kind": "x", "url": "http://h/"], ["url": "nothing"], ["kind": "upload", "url": "http://h/"],
            ["url": "http://h/", "tag": longTag],
        ] {
            #expect(throws: AriaError.self) {
                try program.result("netdash.addTask", object(wrong.mapValues { .string($0) }))
            }
        }
    }

    @Test("A task with a key that is none is refused by its name", arguments: ["header", "checksum"])
    func unknownKey(name: String) {
        let task = object(["url": "http://host/api", name: "x"])
        guard case .failure(let error) = program.call("netdash.addTask", task) else {
            Issue.record("\(name) is taken")
            return
        }
        let hint = name == "header" ? "did you mean headers?" : "keys: kind, url"
        #expect(error.message.hasPrefix("The task at 0 has an unknown key \(name); \(hint)"))
    }

    @Test("The timeout of aria2 is one for an answer too")
    func timeout() throws {
        let id = try program.add("http://host/x", ["timeout": "7"])
        let job = try #require(program.tasks.jobs(of: [id]).first)
        #expect(job.options.text(of: try #require(JobOption.named("answer-timeout"))) == "7")
        let gid = JSONValue.string(program.server.gid(of: id))
        #expect(try program.result("aria2.getOption", gid)["timeout"] == "7")
        #expect(program.logged.withLock { $0 }.isEmpty)
    }

    @Test("A Metalink becomes a task for each file, at the place that was asked for")
    func metalink() throws {
        try program.add("http://host/first", ["pause": "true"])
        let gids = try program.result(
            "aria2.addMetalink", .string(Base64.encode(Array("<x/>".utf8))), object(["pause": "true"]), .integer(0))
        #expect(gids.list?.count == 2)
        let waiting = try program.result("aria2.tellWaiting", .integer(0), .integer(9), .array(["gid"])).list
        #expect(waiting?.compactMap { $0["gid"] } == (gids.list ?? []) + [gid(1)])
    }

    @Test("The saved list has what is not done, without secrets")
    func savedSession() throws {
        _ = try program.result("aria2.changeGlobalOption", object(["save-session": "/list"]))
        try program.add(
            "http://host/1",
            ["gid": "aabbccddeeff0011", "pause": "true", "header": .array(["Cookie: a=b", "X: 1"]), "retry-wait": "3"])
        let done = try program.add("http://host/2")
        program.tasks.with(done) { $0.figures.state = .done }
        #expect(try program.result("aria2.saveSession") == "OK")
        let text = program.written.withLock { $0["/list"] }
        #expect(
            text == """
                http://host/1
                 gid=aabbccddeeff0011
                 pause=true
                 dir=/downloads
                 retry-wait=3
                 header=X: 1

                """)
        _ = try program.result("aria2.changeGlobalOption", object(["save-session": "/full/list"]))
        if case .failure(let error) = program.call("aria2.saveSession") {
            #expect(error.message == AriaErrors.notSaved("/full/list"))
        } else {
            Issue.record("a disk that refuses is no failure")
        }
    }

    @Test("The saved list and the answers have no names and passwords of addresses")
    func addresses() throws {
        _ = try program.result(
            "aria2.changeGlobalOption", object(["save-session": "/list", "http-proxy": "http://a:b@proxy:1"]))
        let id = try program.add(
            "http://me:secret@host/file?access_token=hidden",
            ["all-proxy": "http://c:d@proxy:2", "referer": "http://e:f@page/", "pause": "true"])
        let told = try program.result("aria2.getOption", gid(id))
        #expect(told["user-agent"] == "netdash/1.0")
        #expect(told["all-proxy"] == "http://***@proxy:2" && told["referer"] == "http://***@page/")
        #expect(try program.result("aria2.getGlobalOption")["http-proxy"] == "http://***@proxy:1")
        _ = try program.result("aria2.saveSession")
        let list = try #require(program.written.withLock { $0["/list"] })
        #expect(list.hasPrefix("http://host/file?access_token=***\n"))
        for secret in ["me:", "secret", "hidden", "c:d", "e:f"] { #expect(!list.contains(secret), "\(secret)") }
    }

    @Test("A page that sends back all options as it got them changes nothing")
    func unchangedOptions() throws {
        let id = try program.add(
            "http://host/file", ["header": .array(["Cookie: a=b", "X: 1"]), "all-proxy": "http://a:b@proxy:1"])
        program.tasks.with(id) { $0.figures.state = .running }
        let before = commands.count
        _ = try program.result("aria2.changeOption", gid(id), try program.result("aria2.getOption", gid(id)))
        _ = try program.result("aria2.changeGlobalOption", try program.result("aria2.getGlobalOption"))
        #expect(commands.count == before)
    }

    @Test("Empty values, as a page sends those that it shows as empty, set nothing")
    func emptyValues() throws {
        let id = try program.add("http://host/file", ["pause": "true"])
        let empty = [
            "all-proxy", "checksum", "header", "http-passwd", "http-user", "no-proxy", "out", "referer", "dir",
        ]
        _ = try program.result(
            "aria2.changeOption", gid(id), object(Dictionary(uniqueKeysWithValues: empty.map { ($0, "") })))
        let job = try #require(program.tasks.jobs(of: [id]).first)
        #expect(job.options.isEmpty && job.headers.isEmpty && job.checksum == nil)
        #expect(job.output == .automatic)
    }

    @Test("A masked secret that comes back stays what it was, and is nothing in a new task")
    func maskedValues() throws {
        let id = try program.add(
            "http://host/file", ["header": .array(["Cookie: a=b", "X: 1"]), "all-proxy": "http://a:b@proxy:1"])
        let changed = object(["header": .array(["Cookie: ***", "X: 2"]), "dir": "/other"])
        _ = try program.result("aria2.changeOption", gid(id), changed)
        let job = try #require(program.tasks.jobs(of: [id]).first)
        #expect(job.headers["Cookie"] == "a=b" && job.headers["X"] == "2")
        #expect(job.options.text(of: .proxy) == "http://a:b@proxy:1")
        let again = try program.add(
            "http://host/again", ["header": .array(["Cookie: ***", "X: 2"]), "all-proxy": "http://***@proxy:1"])
        let copy = try #require(program.tasks.jobs(of: [again]).first)
        #expect(copy.headers["Cookie"] == nil && copy.headers["X"] == "2")
        #expect(copy.options.text(of: .proxy) == "http://proxy:1")
    }

    @Test("A failed task is retried by netdash's own method")
    func retry() throws {
        let id = try program.add()
        program.tasks.with(id) { $0.figures.state = .failed }
        #expect(try program.result("netdash.retry", gid(id)) == gid(id))
        #expect(commands.last == .resume([id]))
        let tasks = try program.result("netdash.tellTasks", .integer(0), .integer(5)).list
        #expect(tasks?.first?["netdash.state"] == "queued")
    }
}

extension JSONValue {
    fileprivate func adding(_ name: String, _ value: JSONValue) -> JSONValue {
        guard case .object(let members) = self else { return self }
        return .object(members + [Member(name, value)])
    }
}
