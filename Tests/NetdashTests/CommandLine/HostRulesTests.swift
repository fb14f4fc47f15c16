import Testing

@testable import Dashboard
@testable import TransferService
@testable import TransferValues
@testable import netdash

/// Sections of the configuration: settings of some hosts, and profiles.
@Suite("Hosts and profiles in the configuration")
struct HostRulesTests {
    private static func configuration(_ text: String) throws(UsageError) -> Configuration {
        try ConfigurationParser.configuration(in: Array(text.utf8), name: "config", home: "/h")
    }

    private static func invocation(_ text: String, _ arguments: [String]) throws -> Invocation {
        try CommandLine.parse(arguments) { () throws(UsageError) in try configuration(text) }.get()
    }

    @Test(
        "A host is matched by globs, with or without its port, and not where it is excluded",
        arguments: [
            ("example.org", "https://example.org/f", true), ("example.org", "https://EXAMPLE.org:8443/", true),
            ("*.example.org", "https://a.b.example.org/", true), ("*.example.org", "https://example.org/", false),
            ("*", "http://h/", true), ("h:80", "http://h/", true), ("h:443", "http://h/", false),
            ("h:443", "https://h/", true), ("*.org !b.org", "http://a.org/", true),
            ("!b.org *.org", "http://b.org/", false),
            ("a b", "http://b/", true), ("[::1]", "http://[::1]/", true), ("[::1]:8080", "http://[::1]:8080/", true),
            ("h?", "http://h1/", true), ("h", "http://h.evil/", false), ("u", "http://u@h/", false),
        ])
    func patterns(patterns: String, url: String, isMatched: Bool) {
        let section = HostSection(patterns: patterns.split(separator: " ").map(String.init))
        #expect(section.matches(url) == isMatched)
    }

    private static let text = """
        header = X-A: all
        connections = 2
        [host "a.example.org"]
        user = me:pw
        dir = ~/a
        header = X-A: a
        limit-rate = 100k
        http2 = yes
        [host "*.example.org"]  # the others
        user = other:pw
        connections = 8
        cookie = b=2
        cookie = c=3
        cacert = /ca.pem
        header = X-B: org
        header = X-A: org
        [profile "night"]
        limit-rate = 5M
        connections = 16
        json = yes
        [host "*"]
        proxy = http://p:3128
        """

    @Test("Of each key the first section that matches counts, and the rest of the file below them")
    func firstMatch() throws {
        let urls = ["http://a.example.org/f", "http://b.example.org/f", "http://h/f"]
        let jobs = try Self.invocation(Self.text, urls).jobs
        #expect(jobs.map { $0.options.text(of: .user) } == ["me:pw", "other:pw", nil])
        #expect(jobs.map { $0.options.text(of: .connections) } == ["8", "8", "2"])
        #expect(
            jobs.map { $0.options.filter { $0.option == .cookie }.map(\.text) } == [
                ["b=2", "c=3"], ["b=2", "c=3"], [],
            ])
        #expect(jobs.map { $0.options.text(of: .proxy) } == Array(repeating: "http://p:3128", count: 3))
        #expect(jobs.map(\.directory) == ["/h/a", nil, nil] && jobs.map(\.usesHTTP2) == [true, false, false])
        #expect(
            jobs.map { $0.headers["X-A"] } == ["a", "org", "all"]
                && jobs.map { $0.headers["X-B"] } == ["org", "org", nil])
        #expect(jobs[0].rates == TaskRates(download: 102_400) && jobs[1].rates == nil)
        let rules = try Self.invocation(Self.text, urls).hostRules
        #expect(jobs.map(rules.applied) == jobs)
    }

    @Test("The command line and a list's own lines win over the sections")
    func closer() throws {
        let words = ["-u", "cli:pw", "-x", "3", "-d", "here", "-H", "X-A: cli", "http://a.example.org/f"]
        let job = try Self.invocation(Self.text, words).jobs[0]
        #expect(job.options.text(of: .user) == "cli:pw" && job.options.text(of: .connections) == "3")
        #expect(job.directory == nil && job.headers.filter { $0.name == "X-A" }.map(\.value).contains("cli"))
        let invocation = try Self.invocation(Self.text, ["-i", "list"])
        let list = "http://a.example.org/f\n user=own:pw\n limit-rate=7k\nhttp://a.example.org/g\n"
        let read = try InputList(Array(list.utf8), name: "l", defaults: invocation.jobDefaults)
        let jobs = JobList([], [read], rules: invocation.hostRules).next(9)
        #expect(jobs.map { $0.options.text(of: .user) } == ["own:pw", "me:pw"])
        #expect(jobs.map(\.rates) == [TaskRates(download: 7_168), TaskRates(download: 102_400)])
        var arriving = ArrivingList(defaults: invocation.jobDefaults, rules: invocation.hostRules)
        guard case .job(let arrived)? = (arriving.add(Array(list.utf8)) + arriving.add([])).last else {
            Issue.record("no job")
            return
        }
        #expect(arrived.options.text(of: .user) == "me:pw")
    }

    @Test("An upload has no options of downloads, and a request has its host's too")
    func kinds() throws {
        let upload = try Self.invocation(Self.text, ["upload", "-b", "x", "http://a.example.org/f"]).jobs[0]
        #expect(!upload.options.contains(.connections) && upload.directory == nil)
        #expect(upload.options.text(of: .user) == "me:pw")
        let request = try Self.invocation(Self.text, ["request", "http://a.example.org/f"]).jobs[0]
        #expect(request.options.text(of: .user) == "me:pw" && request.headers["X-A"] == "a")
    }

    @Test("A profile is taken by name, over the rest of the file and below the command line")
    func profiles() throws {
        let usual = try Self.invocation(Self.text, ["http://h/f"])
        #expect(usual.output == .automatic && usual.jobs[0].options.text(of: .connections) == "2")
        let night = try Self.invocation(Self.text, ["--profile", "night", "http://h/f"])
        #expect(night.output == .json && night.jobs[0].options.text(of: .connections) == "16")
        #expect(night.settings.rates.download == (try RateSchedule("5M")) && night.jobs[0].headers["X-A"] == "all")
        let given = try Self.invocation(Self.text, ["--profile=night", "-x", "4", "http://h/f"])
        #expect(given.jobs[0].options.text(of: .connections) == "4")
        let serve = try Self.invocation(Self.text, ["serve", "--profile", "night"])
        #expect(serve.settings.serviceArguments == ["--profile=night"])
    }

    private static func problem(_ text: String, _ arguments: [String] = ["http://h/f"]) -> String? {
        do {
            _ = try invocation(text, arguments)
            return nil
        } catch {
            return (error as? UsageError)?.message
        }
    }

    @Test(
        "What is wrong in a section is told with its line",
        arguments: [
            ("[host]", "config:1: \(ConfigurationUsage.section("[host]"))"),
            ("[server \"x\"]", "config:1: \(ConfigurationUsage.section("[server \"x\"]"))"),
            ("[host \"x\"", "config:1: \(ConfigurationUsage.section("[host \"x\""))"),
            ("[host \" \"]", "config:1: \(ConfigurationUsage.noHost)"),
            ("[host \"!x\"]", "config:1: \(ConfigurationUsage.noHost)"),
            ("[profile \"\"]", "config:1: \(ConfigurationUsage.noProfileName)"),
            ("[profile \"a\"]\n[profile \"a\"]", "config:2: \(ConfigurationUsage.profileTwice("a"))"),
            ("[host \"h\"]\nfps = 3", "config:2: \(ConfigurationUsage.notOfHost("fps"))"),
            ("[host \"h\"]\nout = x", "config:2: \(ConfigurationUsage.notOfHost("out"))"),
            ("[host \"h\"]\nlimit-rate = x", "config:2: limit-rate: \(OptionUsage.rate("x", problem: Self.rate))"),
            ("[host \"h\"]\nuser = a:1\nuser = b:2", "config:3: \(ConfigurationUsage.twice("user", line: 2))"),
            ("[host \"h\"]\nheader = x", "config:2: header: \(ValueUsage.headerWithoutColon)"),
            ("[profile \"a\"]\nunits = decimal", "config:2: \(ConfigurationUsage.notOfProfile("units"))"),
            ("[profile \"a\"]\nfps = 99", "config:2: fps: \(ValueUsage.notNumber("99", from: 1, to: 30))"),
        ])
    func wrong(text: String, message: String) {
        #expect(Self.problem(text) == message)
    }

    private static var rate: String {
        do throws(RateSchedule.Problem) {
            _ = try RateSchedule.rate("x")
            return ""
        } catch {
            return error.sentence
        }
    }

    @Test("A profile that is not there is told with the ones that are")
    func missing() {
        let words = ["--profile", "day", "http://h/f"]
        #expect(Self.problem(Self.text, words) == "--profile: " + ConfigurationUsage.noProfile("day", known: "night"))
        #expect(Self.problem("", words) == "--profile: " + ConfigurationUsage.noProfile("day", known: ""))
    }

    @Test("Settings that are saved stay above the sections")
    func saving() {
        let lines = [SettingLine(name: "fps", value: "9"), SettingLine(name: "units", value: "decimal")]
        let text = "fps = 3\n[host \"h\"]\nunits = x\n"
        #expect(
            ConfigurationEditor.text(text, setting: lines)
                == "fps = 9\nunits = decimal\n[host \"h\"]\nunits = x\n")
        #expect(ConfigurationEditor.text("[profile \"a\"]\n", setting: [lines[0]]) == "fps = 9\n\n[profile \"a\"]\n")
    }

    @Test("Commands of a file that others can write are dropped from the sections too")
    func commands() throws {
        var found = try Self.configuration("[host \"h\"]\nuser = me:@cmd:pass\n[profile \"p\"]\non-error = rm\n")
        found.dropCommands(of: "config", because: "writable")
        #expect(found.hosts[0].settings.isEmpty && found.profiles[0].settings.isEmpty && found.warning != nil)
    }
}
