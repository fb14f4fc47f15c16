import Testing

@testable import Dashboard
@testable import SessionCore
@testable import TransferService
@testable import TransferValues
@testable import netdash

/// What is sent when the configuration, a section, the command line and a list say something about the same.
@Suite("The place closer to the request counts")
struct CloserPlaceTests {
    static func invocation(_ text: String, _ arguments: [String]) throws -> Invocation {
        try CommandLine.parse(arguments) { () throws(UsageError) in
            try ConfigurationParser.configuration(in: Array(text.utf8), name: "config", home: "/h")
        }.get()
    }

    @Test("Keys in a URL are never sent in clear in place of a signature that the configuration asks for")
    func keysInURL() {
        for text in ["aws-sigv4 = aws:amz:r:s\nuser = a:b", "aws-sigv4 = aws:amz:r:s"] {
            #expect(throws: JobIdentity.Problem.self) { try Self.sent(text, ["http://KEY:SECRET@h/"]) }
        }
    }

    /// The job of a command line, or of the list that it names.
    static func job(_ text: String, _ arguments: [String], _ list: String) throws -> (Invocation, Job) {
        let invocation = try invocation(text, arguments)
        if let job = invocation.jobs.first { return (invocation, job) }
        let read = try InputList(Array(list.utf8), name: "l", defaults: invocation.jobDefaults)
        return (invocation, try #require(JobList([], [read], rules: invocation.hostRules).next(1).first))
    }

    /// The request of a job, with the options of its session.
    static func sent(
        _ text: String, _ arguments: [String], list: String = ""
    ) throws -> (headers: HeaderFields, options: RequestOptions) {
        let (invocation, job) = try job(text, arguments, list)
        let identity = JobIdentity(environment: ["HOME": "/h"])
        var request = TransferRequest(url: job.url)
        request.headers = job.headers
        try identity.complete(&request, of: job)
        let session = try identity.runOptions(invocation.settings.options)
        let own = request.options ?? RequestOptions()
        return (request.headers, session.map { own.completed(by: $0) } ?? own)
    }

    /// Who sends a request: its field, or the name of the credentials.
    static func sender(_ text: String, _ arguments: [String], list: String = "") throws -> String? {
        let sent = try sent(text, arguments, list: list)
        #expect(sent.headers.filter { $0.name == "Authorization" }.count < 2)
        let user = sent.options.credentials?.user
        return sent.headers["Authorization"] ?? (user?.isEmpty == false ? user : nil)
    }

    private static let ofCommandLines: [(String, [String], String?)] = [
        ("bearer = F", ["-u", "me:pw"], "me"), ("user = f:pw", ["--bearer", "C"], "Bearer C"),
        ("[host \"h\"]\nbearer = H", ["-u", "me:pw"], "me"),
        ("[host \"h\"]\nheader = Authorization: Basic H", ["--bearer", "C"], "Bearer C"),
        ("[host \"h\"]\nheader = Authorization: Basic H", ["-u", "me:pw"], "me"),
        ("[host \"h\"]\nuser = host:pw", ["-H", "Authorization: Basic C"], "Basic C"),
        ("header = Authorization: Basic F", ["-u", "me:pw"], "me"),
        ("header = Authorization: Basic F", ["-H", "authorization: Basic C"], "Basic C"),
        ("secret-header = Authorization: F", ["--bearer", "C"], "Bearer C"),
        ("bearer = F", ["--secret-header", "Authorization: C"], "C"),
        ("negotiate = yes", ["-u", "me:pw"], "me"),
        ("bearer = F\n[profile \"p\"]\nuser = prof:pw", ["--profile", "p"], "prof"),
        ("bearer = F\n[host \"h\"]\nuser = host:pw", [], "host"),
        ("[host \"h\"]\nuser = first:pw\n[host \"*\"]\nbearer = SECOND", [], "first"),
        ("aws-sigv4 = aws:amz\nuser = f:pw", ["--bearer", "C"], "Bearer C"),
        ("aws-sigv4 = aws:amz\nuser = f:pw", ["-u", "me:pw"], "me"),
        ("bearer = F", ["-H", "Authorization:"], nil), ("bearer = F", [], "Bearer F"),
    ]

    @Test(
        "Credentials of the configuration are not sent beside the command line's",
        arguments: ofCommandLines)
    func credentials(text: String, words: [String], sender: String?) throws {
        #expect(try Self.sender(text, words + ["http://h/f"]) == sender)
    }

    private static let ofLists: [(String, [String], String, String?)] = [
        ("", ["--bearer", "C"], "user=me:pw", "me"), ("", ["-u", "c:pw"], "bearer=L", "Bearer L"),
        ("[host \"h\"]\nbearer = H", [], "user=me:pw", "me"),
        ("", ["-u", "c:pw"], "header=Authorization: Basic L", "Basic L"),
        ("", ["-H", "Authorization: Basic C"], "user=me:pw", "me"),
        ("", ["-H", "Authorization: Basic C"], "header=Authorization: Basic L", "Basic L"),
        ("[host \"h\"]\nuser = host:pw", [], "header=Authorization: Basic L", "Basic L"),
        ("", ["--bearer", "C"], "priority=high", "Bearer C"),
        ("user = f:pw", [], "header=Authorization:", nil),
    ]

    @Test(
        "A list's own credentials replace the ones of every other place",
        arguments: ofLists)
    func lists(text: String, words: [String], line: String, sender: String?) throws {
        let list = "http://h/f\n  \(line)\n"
        #expect(try Self.sender(text, words + ["-i", "l"], list: list) == sender)
    }

    @Test("A URL with its own credentials gets none of the configuration, and none of the command line in a list")
    func ofURL() throws {
        let texts = ["bearer = F", "user = f:pw", "[host \"h\"]\nbearer = H", "header = Authorization: Basic F"]
        for text in texts {
            #expect(try Self.sender(text, ["http://c:d@h/f"]) == nil, "\(text)")
            #expect(try Self.sender(text, ["-i", "l"], list: "http://c:d@h/f\n") == nil, "\(text)")
        }
        #expect(try Self.sender("", ["--bearer", "C", "-i", "l"], list: "http://c:d@h/f\nhttp://h/g\n") == nil)
        #expect(try Self.sender("", ["--bearer", "C", "http://c:d@h/f"]) == "Bearer C")
    }

    private static let ofFields: [(String, [String], String, [String: String])] = [
        ("secret-header = X-Key: F", ["-H", "X-Key: C"], "", ["X-Key": "C"]),
        ("header = x-key: F", ["-H", "X-Key: C"], "", ["X-Key": "C"]),
        ("header = X-Key: F", ["--secret-header", "X-Key: C"], "", ["X-Key": "C"]),
        ("secret-header = X-Key: F", ["--secret-header", "X-Other: C"], "", ["X-Key": "F", "X-Other": "C"]),
        ("header = User-Agent: F", ["-A", "C"], "", ["User-Agent": "C"]),
        ("header = Referer: F", ["-e", "http://c/"], "", ["Referer": "http://c/"]),
        ("[host \"h\"]\nheader = User-Agent: H", ["-A", "C"], "", ["User-Agent": "C"]),
        ("[host \"h\"]\nsecret-header = X-Key: H", ["-H", "X-Key: C"], "", ["X-Key": "C"]),
        ("", ["-A", "C"], "header=User-Agent: L", ["User-Agent": "L"]),
        ("", ["--secret-header", "X-Key: C"], "header=X-Key: L", ["X-Key": "L"]),
        ("", ["-H", "X-Key: C", "-H", "X-B: C"], "header=X-Key: L", ["X-Key": "L", "X-B": "C"]),
        ("header = Cookie: a=F", ["--cookie", "a=C"], "", ["Cookie": "a=C"]),
    ]

    @Test(
        "Of a header field one place decides, whichever option names it",
        arguments: ofFields)
    func fields(text: String, words: [String], line: String, fields: [String: String]) throws {
        let last = line.isEmpty ? ["http://h/f"] : ["-i", "l"]
        let sent = try Self.sent(text, words + last, list: "http://h/f\n  \(line)\n").headers
        #expect(sent.count == fields.count, "\(sent)")
        for (name, value) in fields { #expect(sent.values(named: name) == [value]) }
    }

    private static let ofProxies: [(String, [String], String)] = [
        ("proxy = http://a:1\nproxy-user = pu:pp", ["--proxy", "http://b:2"], ""),
        ("[host \"h\"]\nproxy = http://a:1\nproxy-user = pu:pp", ["--proxy", "http://b:2"], ""),
        (
            "proxy = http://a:1\nproxy-user = pu:pp\n[profile \"p\"]\nproxy = http://b:2", ["--profile", "p"], ""
        ),
        ("http-proxy = http://a:1", ["--proxy", "http://b:2"], ""),
        ("[host \"h\"]\nhttp-proxy = http://a:1", ["--proxy", "http://b:2"], ""),
        ("proxy = http://a:1\nproxy-user = pu:pp\n[host \"h\"]\nproxy = http://b:2", [], ""),
        ("", ["--http-proxy", "http://a:1", "--proxy-user", "pu:pp"], "proxy=http://b:2"),
        ("[host \"h\"]\nhttp-proxy = http://a:1\nproxy-user = pu:pp", [], "proxy=http://b:2"),
    ]

    @Test(
        "A proxy of a closer place is used, and gets no password that was meant for another one",
        arguments: ofProxies)
    func proxies(text: String, words: [String], line: String) throws {
        let last = line.isEmpty ? ["http://h/f"] : ["-i", "l"]
        let proxies = try Self.sent(text, words + last, list: "http://h/f\n  \(line)\n").options.proxies
        #expect(proxies?.http?.endpoint == "http://b:2")
        #expect(proxies?.http?.user == nil && proxies?.http?.password == nil)
    }

    @Test("An empty proxy switches off the one of the configuration's scheme")
    func noProxy() throws {
        let options = try Self.sent("http-proxy = http://a:1", ["--proxy", "", "http://h/f"]).options
        #expect(options.proxies?.http == nil)
    }

    private static let ofVersions: [(String, [String], TLSVersion?, TLSVersion?)] = [
        ("tls-max = 1.2", ["--tlsv1.3"], TLSVersion.tls13, nil),
        ("tlsv1.3 = yes", ["--tls-max", "1.2"], nil, .tls12),
        ("tls-max = 1.2", ["--tlsv1.2"], .tls12, .tls12),
    ]

    @Test(
        "A TLS version of the configuration does not forbid the command line's",
        arguments: ofVersions)
    func versions(text: String, words: [String], least: TLSVersion?, most: TLSVersion?) throws {
        let transport = try Self.sent(text, words + ["https://h/f"]).options.transport
        #expect(transport.leastTLS == least && transport.mostTLS == most)
    }

    @Test("A TLS version of a list is not forbidden by the configuration's")
    func versionOfList() throws {
        let list = "https://h/f\n  tlsv1.3=yes\n"
        let transport = try Self.sent("tls-max = 1.2", ["-i", "l"], list: list).options.transport
        #expect(transport.leastTLS == .tls13 && transport.mostTLS == nil)
    }

    @Test("A change of a task replaces its credentials and its proxy")
    func changes() throws {
        var job = Job(kind: .download, url: "http://h/f", headers: ["X-Key": "old"])
        job.options = [
            JobOption.Value(.bearer, "T"), JobOption.Value(.proxy, "http://a:1"), JobOption.Value(.proxyUser, "pu:pp"),
        ]
        let line = "user=me:pw; proxy=http://b:2"
        let change = try JobAmendment(line, defaults: Job(kind: .download, url: ""))
        guard case .changed(let changed) = change.verdict(on: job) else {
            Issue.record("nothing changed")
            return
        }
        #expect(Set(changed.options.map(\.option.name)) == ["user", "proxy"] && changed.headers == job.headers)
    }
}
