import Testing

@testable import Dashboard
@testable import SessionCore
@testable import TransferService
@testable import TransferValues
@testable import netdash

/// What is sent when two places say the same, or a URL says what the configuration says.
@Suite("The same setting in two places, and credentials of URLs", .timeLimit(.minutes(1)))
struct RepeatedPlaceTests {
    private static let ofLists: [([String], String, Set<String>)] = [
        (["--digest", "-u", "me:pw"], "digest=yes", ["digest", "user"]),
        (["-u", "me:pw", "--digest"], "digest=yes", ["digest", "user"]),
        (["-u", "me:pw", "-x", "4"], "user=me:pw", ["connections", "user"]),
        (["-x", "8", "-u", "me:pw"], "connections=8", ["connections", "user"]),
        (["--bearer", "T", "-u", "me:pw"], "user=me:pw", ["user"]),
        (["-u", "me:pw", "--bearer", "T"], "user=me:pw", ["user"]),
        (["--secret-header", "X: T", "-4"], "secret-header=X: T", ["ipv4", "secret-header"]),
        (["-4", "--secret-header", "X: T"], "secret-header=X: T", ["ipv4", "secret-header"]),
        (["-H", "User-Agent:", "-4"], "header=User-Agent:", ["ipv4", "without-header"]),
        (["--resolve", "h:80:127.0.0.1"], "resolve=h:80:127.0.0.1", ["resolve"]),
    ]

    @Test("A list's line that repeats a farther place's setting keeps it, once", arguments: ofLists)
    func lists(words: [String], line: String, names: Set<String>) throws {
        let (_, job) = try CloserPlaceTests.job("", words + ["-i", "l"], "http://h/f\n  \(line)\n")
        let found =
            job.options.map(\.option.name).filter { $0 != "resolve" } + (names.contains("resolve") ? ["resolve"] : [])
        #expect(Set(found) == names && found.count == names.count, "\(job.options)")
    }

    @Test("A header field that two places say alike is sent once", arguments: ["header=X-A: 1", "header=x-a: 1"])
    func fields(line: String) throws {
        let list = "http://h/f\n  \(line)\n"
        let sent = try CloserPlaceTests.sent("", ["-H", "X-A: 1", "-H", "X-B: 2", "-i", "l"], list: list)
        #expect(sent.headers.values(named: "X-A") == ["1"] && sent.headers.values(named: "X-B") == ["2"])
        let secret = "http://h/f\n  secret-header=X-A: 1\n"
        #expect(
            try CloserPlaceTests.sent("", ["--secret-header", "X-A: 1", "-i", "l"], list: secret).headers
                .values(named: "X-A") == ["1"])
    }

    @Test(
        "A field among a request's items is closer than the configuration's",
        arguments: ["header = X-A: 2", "header = x-a: 1", "secret-header = X-A: 2", "[host \"h\"]\nheader = X-A: 2"])
    func items(text: String) throws {
        let sent = try CloserPlaceTests.sent(text, ["GET", "-H", "X-B: 3", "http://h/f", "X-A:1"]).headers
        #expect(sent.values(named: "X-A") == ["1"] && sent.values(named: "X-B") == ["3"])
    }

    private static let configurations = [
        "bearer = F", "user = f:pw", "header = Authorization: Basic F", "[host \"h\"]\nbearer = H",
        "bearer = F\n[host \"*.else\"]\nuser = e:pw",
    ]

    /// Whether a job says who asks, beside its URL.
    private static func identifies(_ job: Job) -> Bool { job.settings.contains(where: \.identifies) }

    private static func applied(_ rules: HostRules, _ jobs: [Job]) -> [[Job]] {
        [rules.isEmpty ? jobs : rules.applied(to: jobs), jobs.map(rules.applied)]
    }

    @Test(
        "Whatever names a URL with its own credentials, none of the configuration go there", arguments: configurations)
    func ofURL(text: String) throws {
        let invocation = try CloserPlaceTests.invocation(text, ["-i", "l"])
        let (rules, defaults) = (invocation.hostRules, invocation.jobDefaults)
        var plain = defaults
        plain.url = "http://me:pw@h/f"
        var other = defaults
        other.url = "http://h/f"
        for jobs in Self.applied(rules, [other, plain, other]) {
            #expect(jobs.map(Self.identifies) == [true, false, true])
        }
        let file = "<file name='f'><url>http://me:pw@h/f</url></file>"
        let metalink = "<metalink xmlns='urn:ietf:params:xml:ns:metalink'>\(file)</metalink>"
        for text in ["curl http://me:pw@h/f", "url = http://me:pw@h/f", metalink] {
            var precedence = PrecedenceCheck()
            let document = ListDocument(bytes: Array(text.utf8), name: "l", address: "http://h/", defaults: defaults)
            let jobs = try ListFile(document, precedence: &precedence).jobs
            #expect(jobs.map(\.url) == ["http://me:pw@h/f"], "\(text)")
            #expect(!Self.applied(rules, jobs).joined().contains(where: Self.identifies), "\(text)")
        }
        let requests = try RequestFile.file(in: "GET http://me:pw@h/f".utf8, name: "f", folder: "", environment: [:])
        let request = try #require(try requests.requests.first)
        #expect(
            !Self.applied(rules, [request.job(defaults, beside: rules.base)]).joined().contains(where: Self.identifies))
    }

    private static let ofFiles: [(String, [String], String, String?)] = [
        ("header = X-Team: blue", [], "X-Team: red", "red"),
        ("[host \"h\"]\nheader = X-Team: blue", [], "X-Team: red", "red"),
        ("secret-header = X-Team: blue", [], "X-Team: red", "red"), ("header = X-Team: blue", [], "X-Other: 1", "blue"),
        ("header = X-Team: blue", ["-H", "X-Team: green"], "X-Team: red", "green"),
        ("", ["-H", "X-Team: green"], "X-Team: red", "green"), ("", ["-H", "X-Team:"], "X-Team: red", nil),
        ("", ["--secret-header", "X-Team: green"], "X-Team: red", "green"),
    ]

    @Test(
        "A .http file's field is closer than the configuration's, and farther than the command line's",
        arguments: ofFiles)
    func requestFiles(text: String, words: [String], field: String, value: String?) throws {
        let job = try Self.job(text, words, "GET http://h/f\n\(field)\n")
        var request = TransferRequest(url: job.url)
        request.headers = job.headers
        try JobIdentity(environment: ["HOME": "/h"]).complete(&request, of: job)
        #expect(request.headers.values(named: "X-Team") == [value].compactMap(\.self))
    }

    @Test("A .http file's credentials replace the configuration's")
    func credentialsOfFiles() throws {
        let text = "GET http://h/f\nAuthorization: Basic bTpw\n"
        #expect(try Self.job("bearer = F", [], text).options.isEmpty)
        #expect(try Self.job("", ["--bearer", "C"], text).headers.isEmpty)
    }

    /// The request of a `.http` file.
    private static func job(_ text: String, _ words: [String], _ file: String) throws -> Job {
        let invocation = try CloserPlaceTests.invocation(text, ["request"] + words + ["f.http"])
        let terms = try #require(invocation.requestFile).terms
        let request = try RequestFile.file(in: file.utf8, name: "f", folder: "", environment: [:]).requests.first
        let rules = invocation.hostRules
        return rules.applied(to: try #require(request).job(terms, beside: rules.base))
    }
}

/// The same for tasks that are typed.
@Suite("Settings of typed commands", .timeLimit(.minutes(1)))
struct TypedPlaceTests {
    private let fixture: BridgeFixture

    init() throws { fixture = try BridgeFixture { $0.maximumConcurrent = 1 } }

    /// The jobs of typed lines.
    private func jobs(_ text: String, _ lines: [String]) throws -> [Job] {
        let invocation = try CloserPlaceTests.invocation(text, ["-i", "l"])
        var session = InteractiveSession(
            service: fixture.bridge, defaults: invocation.jobDefaults, rules: invocation.hostRules)
        for line in lines { #expect(session.answer(to: line).lines.filter { $0.string.contains("rror") } == []) }
        return fixture.bridge.jobs(of: [1])
    }

    private static let typed: [(String, String, [String])] = [
        ("bearer = F", "request http://127.0.0.1:1/ pause=yes user=me:pw", ["user=me:*****"]),
        ("bearer = F", "request http://me:pw@127.0.0.1:1/ pause=yes", []),
        ("bearer = F", "add http://127.0.0.1:1/", ["bearer=*****"]),
        (
            "user = me:pw\nconnections = 4", "request http://127.0.0.1:1/ pause=yes user=me:pw",
            ["connections=4", "user=me:*****"]
        ),
    ]

    @Test("Keys of a typed task are closer than the run's", arguments: typed)
    func added(text: String, line: String, options: [String]) throws {
        defer { fixture.end() }
        let job = try #require(try jobs(text, [line]).first)
        #expect(job.options.map(\.option.name) == options.map { String($0.prefix { $0 != "=" }) })
    }

    @Test("A typed field is sent in place of the run's, and a change in place of the task's")
    func fields() throws {
        defer { fixture.end() }
        let line = "request http://127.0.0.1:1/ pause=yes 'header=X-A: b' bearer=T connections=2"
        let first = try #require(try jobs("header = X-A: a\nheader = X-B: a", [line]).first)
        #expect(first.headers.values(named: "X-A") == ["b"] && first.headers.values(named: "X-B") == ["a"])
        let changed = try #require(try jobs("", ["edit 1 user=me:pw 'header=X-A: c'"]).first)
        #expect(changed.options.map(\.option.name) == ["connections", "user"])
        #expect(changed.headers.values(named: "X-A") == ["c"] && changed.headers.values(named: "X-B") == ["a"])
        let url = "http://me:pw@127.0.0.1:1/"
        let moved = try #require(try jobs("", ["edit 1 url=\(url) connections=3"]).first)
        #expect(moved.url == url && moved.options.map(\.option.name) == ["connections"])
        let both = try #require(try jobs("", ["edit 1 bearer=T", "edit 1 connections=4"]).first)
        #expect(both.url == url && Set(both.options.map(\.option.name)) == ["bearer", "connections"])
        let off = try #require(try jobs("", ["edit 1 'header=X-B:' user=me:pw"]).first)
        #expect(off.headers.values(named: "X-B") == [] && off.options.filter { $0.option == .user }.count == 1)
    }
}
