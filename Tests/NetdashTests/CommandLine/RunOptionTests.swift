import Testing

@testable import Dashboard
@testable import TransferService
@testable import TransferValues
@testable import netdash

/// The command line's options for all requests, which each of its tasks has for itself.
@Suite("Options of a run in its tasks")
struct RunOptionTests {
    private static func invocation(_ arguments: [String], configuration: String = "") throws -> Invocation {
        try CommandLine.parse(arguments) { () throws(UsageError) in
            try ConfigurationParser.configuration(in: Array(configuration.utf8), name: "config", home: "/h")
        }.get()
    }

    private static func options(
        _ arguments: [String], configuration: String = "", sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> [String] {
        let invocation = try invocation(arguments, configuration: configuration)
        let job = try #require(invocation.jobs.first, sourceLocation: sourceLocation)
        #expect(invocation.hostRules.applied(to: job) == job, sourceLocation: sourceLocation)
        return job.options.map { $0.option.isSwitch ? $0.option.name : $0.option.name + "=" + $0.text }
    }

    @Test(
        "Every option for all requests is in each task, also in one that is added to a service",
        arguments: JobOption.table.filter { $0.reach == .run }, [[], ["add"], ["request"], ["upload", "-b", "x"]])
    func everywhere(option: JobOption, command: [String]) throws {
        let text = JobOptionTests.example(of: option)
        let word = option.isSwitch ? "--\(option.name)" : "--\(option.name)=\(text)"
        let invocation = try Self.invocation(command + [word, "http://h/f"])
        #expect(invocation.jobs.map(\.options) == [[JobOption.Value(option, text)]])
        #expect(invocation.settings.options == [JobOption.Value(option, text)])
        #expect(invocation.settings.runOptions.values == [JobOption.Value(option, text)])
    }

    @Test(
        "The configuration's stay in the configuration, where they are not needed beside the command line's",
        arguments: [
            (["http://h/"], []), (["-A", "x", "http://h/"], ["user-agent=x"]),
            (["--proxy", "http://q:1", "http://h/"], ["noproxy=a.b", "proxy=http://q:1"]),
            (["--proxy-user", "me:pw", "http://h/"], ["proxy=http://p:3128", "noproxy=a.b", "proxy-user=me:pw"]),
            (["--key", "/k", "http://h/"], ["cert=/c", "key=/k"]),
            (["--connect-to", "a:1:b:2", "http://h/"], ["resolve=h:1:10.0.0.1", "connect-to=a:1:b:2"]),
            (["-4", "http://h/"], ["ipv4"]),
            (["--profile", "p", "http://h/"], ["user-agent=profile"]),
        ])
    func configuration(arguments: [String], options: [String]) throws {
        let text = """
            proxy = http://p:3128
            noproxy = a.b
            cert = /c
            resolve = h:1:10.0.0.1
            ipv6 = yes
            user-agent = usual
            [profile "p"]
            user-agent = profile
            """
        #expect(try Self.options(arguments, configuration: text) == options)
    }

    @Test("A list's own lines, a host's section and a header field win over the command line")
    func closer() throws {
        let text = """
            http://h/1
              proxy=http://own:1
            http://h/2
              header=User-Agent: field
            http://h/3
            """
        let words = ["--proxy", "http://q:1", "--proxy-user", "me:pw", "--noproxy", "n", "-A", "x", "-i", "l"]
        let rules = try Self.invocation(words).hostRules
        let list = InputListParser.jobs(in: Array(text.utf8), name: "l", defaults: Job(kind: .download, url: ""))
        let jobs = try rules.applied(to: list.get())
        let whole = ["proxy=http://q:1", "proxy-user=me:***", "noproxy=n"]
        #expect(jobs[0].options.map(\.line) == ["noproxy=n", "user-agent=x", "proxy=http://own:1"])
        #expect(jobs[1].options.map(\.line) == whole && jobs[1].headers["User-Agent"] == "field")
        #expect(jobs[2].options.map(\.line) == whole + ["user-agent=x"])
    }

    @Test("Tasks of a list that share their terms still share them")
    func shared() throws {
        let rules = try Self.invocation(["-A", "x", "-i", "l"]).hostRules
        let jobs = rules.applied(to: (0..<3).map { Job(kind: .download, url: "http://h/\($0)") })
        #expect(jobs.map(\.url) == ["http://h/0", "http://h/1", "http://h/2"])
        #expect(jobs.allSatisfy { $0.options.map(\.line) == ["user-agent=x"] })
    }

    @Test("A new command line wins over an earlier one, and does not send a password to another proxy")
    func later() {
        let earlier = [
            JobOption.Value(.proxy, "http://a:1"), JobOption.Value(.proxyUser, "me:pw"),
            JobOption.Value(.maximumTime, "9"),
        ]
        let proxy = RunOptions(of: [JobOption.Value(.proxy, "http://b:1")])
        #expect(proxy.replacing(earlier).map(\.line) == ["proxy=http://b:1", "max-time=9"])
        let agent = RunOptions(of: [JobOption.Value(.userAgent, "x")])
        #expect(agent.replacing(earlier) == earlier)
        #expect(RunOptions().replacing(earlier) == earlier && RunOptions().completing(earlier) == earlier)
    }

    @Test("A proxy's password alone is for the proxy that the environment names")
    func environment() throws {
        let identity = JobIdentity(environment: ["http_proxy": "http://p:3128"])
        var job = Job(kind: .download, url: "http://h/f")
        job.options = [JobOption.Value(.proxyUser, "me:pw")]
        var request = TransferRequest(url: job.url)
        try identity.complete(&request, of: job)
        #expect(request.options?.proxies?.http?.user == "me")
        #expect(throws: JobIdentity.Problem.self) {
            try JobIdentity(environment: [:]).complete(&request, of: job)
        }
    }

    @Test(
        "The proxy of a scheme counts before the one of all, in any order, and leaves the other scheme as it is",
        arguments: [
            (["http-proxy=http://a:1", "proxy=http://b:1"], [:], "a", "b"),
            (["proxy=http://b:1", "https-proxy=http://c:1"], [:], "b", "c"),
            (["http-proxy=http://a:1", "https-proxy=http://c:1"], [:], "a", "c"),
            (["http-proxy=http://a:1"], [:], "a", nil),
            (["http-proxy=http://a:1"], ["https_proxy": "http://e:1", "http_proxy": "http://f:1"], "a", "e"),
            (["proxy=http://b:1", "http-proxy="], [:], nil, "b"),
        ] as [([String], [String: String], String?, String?)])
    func schemes(lines: [String], environment: [String: String], http: String?, https: String?) throws {
        var job = Job(kind: .download, url: "http://h/f")
        for line in lines { try ListKey.apply(line, to: &job, label: "l") }
        var request = TransferRequest(url: job.url)
        try JobIdentity(environment: environment).complete(&request, of: job)
        #expect(request.options?.proxies?.http?.host == http && request.options?.proxies?.https?.host == https)
    }

    @Test("The list of failed tasks has them, without secrets")
    func failed() throws {
        let words = ["--proxy", "http://q:1", "--proxy-user", "me:sesame", "-A", "x", "-6", "http://h/f"]
        let list = FailedList.text(of: try Self.invocation(words).jobs)
        #expect(list.contains("  proxy=http://q:1\n  user-agent=x\n  ipv6=yes\n"))
        #expect(list.contains("proxy-user") && !list.contains("sesame"))
    }

    @Test("A service that a window starts has them, one that an addition starts does not, and a running one says so")
    func services() throws {
        let words = ["--proxy", "http://q:1", "-A", "x", "-4", "-j", "3", "--log", "l", "http://h/f"]
        let window = try Self.invocation(words).settings
        #expect(window.serviceArguments == ["--max-concurrent=3", "--log=l"])
        #expect(window.requestArguments == ["--proxy=http://q:1", "--user-agent=x", "--ipv4"])
        #expect(
            window.untaken == [
                ProgramErrors.serviceRuns("--log"),
                ProgramErrors.serviceTakesForWindow("--proxy, --user-agent, --ipv4"),
            ])
        #expect(try Self.invocation(["-H", "A: b", "-d", "/d", "--max-time", "9", "http://h/"]).settings.untaken == [])
        let service = try Self.invocation(["serve"] + window.serviceArguments + window.requestArguments)
        #expect(service.settings.options == window.options)
        let addition = try Self.invocation(["add", "-A", "x", "http://h/f"]).settings
        #expect(addition.serviceArguments == [])
    }
}
