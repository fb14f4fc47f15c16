import Testing

@testable import Dashboard
@testable import TransferService
@testable import netdash

@Suite("The command line")
struct CommandLineTests {
    private func parsed(_ arguments: String...) throws -> Invocation {
        try CommandLine.parse(arguments).get()
    }

    private func message(_ arguments: [String]) -> String? {
        guard case .failure(let error) = CommandLine.parse(arguments) else { return nil }
        return error.message
    }

    @Test("Bare URLs are downloads, in their order")
    func urls() throws {
        let invocation = try parsed("https://a.example/x", "http://b.example/y")
        #expect(invocation.jobs.map(\.url) == ["https://a.example/x", "http://b.example/y"])
        #expect(invocation.jobs.allSatisfy { $0.kind == .download })
        #expect(invocation.action == .run)
    }

    @Test(
        "A URL without a scheme gets https",
        arguments: [
            ("example.com/a", "https://example.com/a"), ("localhost:8080/x", "https://localhost:8080/x"),
            ("HTTP://h/", "HTTP://h/"), ("[::1]:80/a", "https://[::1]:80/a"), ("u:p@h/a", "https://u:p@h/a"),
        ])
    func scheme(given: String, expected: String) throws {
        #expect(try parsed(given).jobs.first?.url == expected)
    }

    @Test(
        "Options are read as getopt_long reads them",
        arguments: [
            ["-d", "dir", "-j3", "u.example"], ["-ddir", "-j", "3", "u.example"],
            ["u.example", "--dir=dir", "--max-concurrent=3"], ["--dir", "dir", "--max-c", "3", "u.example"],
            ["-cj3", "-ddir", "--", "u.example"], ["download", "-d", "dir", "-j3", "u.example"],
        ])
    func spellings(arguments: [String]) throws {
        let invocation = try CommandLine.parse(arguments).get()
        #expect(invocation.settings.directory == "dir")
        #expect(invocation.settings.maximumConcurrent == 3)
        #expect(invocation.jobs.map(\.url) == ["https://u.example"])
    }

    @Test(
        "What belongs to downloads is refused with request and upload, under the name it was given",
        arguments: ["request", "upload"],
        [
            ["-d", "folder"], ["--dir=folder"], ["--if-exists", "skip"], ["-c"], ["--no-continue"],
            ["--checksum", "md5=" + String(repeating: "0", count: 32)],
        ])
    func downloadOptions(command: String, option: [String]) throws {
        let refusal = try #require(message([command] + option + ["-b", "text", "http://h/"]))
        #expect(refusal.hasPrefix(String(option[0].prefix { $0 != "=" }) + ": "), "\(refusal)")
        #expect(refusal.contains(JobUsage.onlyForDownloads))
    }

    @Test("What the configuration says about downloads does not stand in the way of a request")
    func downloadSettings() throws {
        let configuration = try ConfigurationParser.configuration(
            in: Array("dir = /tmp\nif-exists = skip\n".utf8), name: "config", home: nil)
        let result = CommandLine.parse(["request", "http://h/"]) { () throws(UsageError) in configuration }
        #expect(try result.get().jobs.first?.kind == .data)
    }

    @Test("Everything after -- is an operand, even when it looks like an option")
    func endOfOptions() throws {
        let invocation = try parsed("upload", "--", "-j", "http://h/")
        #expect(invocation.jobs.first?.body == .file(path: "-j"))
        #expect(invocation.jobs.first?.url == "http://h/-j")
    }

    @Test("An upload to a folder gets the file's name, encoded")
    func uploadName() throws {
        let job = try #require(try parsed("upload", "dir/ä b?.bin", "http://h/in/?x=1").jobs.first)
        #expect(job.url == "http://h/in/%C3%A4%20b%3F.bin?x=1")
        #expect(job.kind == .upload)
        #expect(try parsed("upload", "-", "http://h/in/").jobs.first?.body == .standardInput)
        #expect(try parsed("upload", "f", "http://h/in").jobs.first?.url == "http://h/in")
    }

    @Test("A request takes a method as a word or as -X, a body and headers")
    func request() throws {
        let job = try #require(try parsed("request", "delete", "-H", "X-A:  b ", "http://h/").jobs.first)
        #expect(job.method == "DELETE")
        #expect(job.headers == ["X-A": "b"])
        let post = try #require(try parsed("request", "-b", "@body.json", "-o", "-", "http://h/").jobs.first)
        #expect(post.sentMethod == "POST")
        #expect(post.body == .file(path: "body.json"))
        #expect(post.output == .standardOutput)
        #expect(try parsed("request", "-b", "text", "-X", "put", "http://h/").jobs.first?.method == "PUT")
    }

    @Test("A pattern in the URL of a request makes several requests, and --globoff one")
    func requestPattern() throws {
        let several = try parsed("POST", "http://h/{a,b}/[1-2]", "q==[x]", "n=1")
        let paths = ["a/1", "a/2", "b/1", "b/2"]
        #expect(several.jobs.map(\.url) == paths.map { "http://h/\($0)?q=%5Bx%5D" })
        #expect(several.jobs.allSatisfy { $0.kind == .data && $0.method == "POST" && $0.hasBody })
        #expect(several.sharesStandardOutput)
        let one = try parsed("request", "-g", "http://h/[1-2]")
        #expect(one.jobs.map(\.url) == ["http://h/[1-2]"] && !one.sharesStandardOutput)
        #expect(try !parsed("request", "-o", "-", "http://h/[1-2]").sharesStandardOutput)
    }

    @Test("The head of a response is printed for requests and uploads, and not for downloads")
    func include() throws {
        #expect(try parsed("request", "--include", "http://h/").settings.includesHead)
        #expect(try parsed("upload", "f", "http://h/", "--include").settings.includesHead)
        #expect(throws: UsageError.self) { try parsed("--include", "http://h/") }
    }

    @Test("What needs a file is refused beside standard output, on the command line and in lists")
    func needsFile() throws {
        for words in [["--mirror", "http://m/f"], ["--find-checksum"], ["--verify-overlap"], ["--remote-time"]] {
            #expect(message(["-o", "-"] + words + ["http://h/f"]) == "\(words[0]): \(JobUsage.needsFile)")
        }
        #expect(throws: UsageError.self) {
            var list = try InputList(
                Array("http://h/f\thttp://m/f\n  out=-\n".utf8), name: "l", defaults: Job(kind: .download, url: ""))
            _ = list.next(9)
        }
    }

    @Test("A URL that is written twice stays there twice, so that the session can tell of the repetition")
    func repetitions() throws {
        #expect(
            try parsed("http://h/a", "http://h/b", "http://h/a").jobs.map(\.url)
                == ["a", "b", "a"].map { "http://h/\($0)" })
    }

    @Test(
        "Destinations are one when URL, folder and name are, however the folder is written",
        arguments: [
            ("a", "./a", true), ("a", "a/", true), ("/t//a/./b", "/t/a/b", true), (nil, "dir", true), (".", "./", true),
            ("a/../b", "b", false), ("/a", "a", false), ("a", "b", false), ("a", nil, false),
        ] as [(String?, String?, Bool)])
    func destinations(first: String?, second: String?, areOne: Bool) throws {
        let both = [first, second].map { folder in
            JobDestination(of: Job(kind: .download, url: "http://h/", directory: folder), defaultDirectory: "dir")
        }
        try #require(both[0] != nil && both[1] != nil)
        #expect((both[0] == both[1]) == areOne)
        var named = Job(kind: .download, url: "http://h/", directory: first)
        named.output = .name("n")
        #expect(JobDestination(of: named, defaultDirectory: "dir") != both[0])
    }

    @Test("Options of jobs reach every download")
    func jobOptions() throws {
        let digest = String(repeating: "0aF", count: 21) + "1"
        let job = try #require(
            try parsed(
                "--no-continue", "--if-exists", "skip", "--http2", "--checksum", "SHA256=\(digest)", "h.example/a"
            )
            .jobs.first)
        #expect(!job.continues)
        #expect(job.ifExists == .skip)
        #expect(job.usesHTTP2)
        #expect(job.checksum == Job.Checksum(algorithm: .sha256, hex: digest.lowercased()))
    }

    @Test("Settings reach the run")
    func settings() throws {
        let settings = try parsed(
            "--retries=0", "--max-per-host=2", "--connect-timeout", "1.5", "--stall-timeout", "2", "--fps", "10",
            "--color", "never", "--glyphs", "ascii", "--exit-when-done", "--log", "l", "--log-level", "debug",
            "h.example"
        ).settings
        #expect(settings.retries == 0)
        #expect(settings.maximumPerHost == 2)
        #expect(settings.connectTimeout == 1.5)
        #expect(settings.stallTimeout == 2)
        #expect(settings.framesPerSecond == 10)
        #expect(settings.color == .never)
        #expect(settings.glyphs == .ascii)
        #expect(settings.exitsWhenDone)
        #expect(settings.logPath == "l")
        #expect(settings.logLevel == .debug)
    }

    @Test("Help, version and keys win over everything else")
    func special() throws {
        #expect(try parsed("--help").action == .help(nil))
        #expect(try parsed("upload", "--help").action == .help(.upload))
        #expect(try parsed("help", "request").action == .help(.request))
        #expect(try parsed("--version", "--help").action == .version)
        #expect(try parsed("--help-keys").action == .helpKeys)
        #expect(try parsed("help").action == .help(nil))
        #expect(try parsed("completions", "zsh").action == .completions(.zsh))
        #expect(try parsed("completions", "--help").action == .help(.completions))
        #expect(try parsed("demo").action == .demo)
    }

    private static let commands = CommandLineUsage.commandsAre(
        "download, upload, request, serve, add, status, pause, resume, cancel, retry, limit, wait, stop, events, history, "
            + "aria2c, parts, doctor, demo, completions, help")

    @Test(
        "Every mistake is one sentence that names the argument and what would be right",
        arguments: [
            (["--torrent", "x", "u"], "--torrent: \(CommandLineUsage.unknownOption)"),
            (["-Q", "4", "u"], "-Q: \(CommandLineUsage.unknownOption)"),
            (["--drr", "x"], "--drr: \(CommandLineUsage.unknownOption(near: "dir"))"),
            (
                ["--co", "x"],
                "--co: "
                    + CommandLineUsage.ambiguous(
                        "--config, --continue, --cookie, --cookies-from, --cookie-jar, --connect-to, --connections, "
                            + "--connect-timeout, --color"
                    )
            ),
            (["-j"], "-j: \(CommandLineUsage.needsValue("-j", "N"))"),
            (["-j", "0", "u"], "-j: \(ValueUsage.notNumber("0", from: 1, to: 1000))"),
            (["--fps=+4"], "--fps: \(ValueUsage.notNumber("+4", from: 1, to: 30))"),
            (["--plain=1"], "--plain: \(OptionUsage.notYesOrNo("1"))"),
            (["--plain", "--json"], "--json: \(CommandLineUsage.excludes("--plain"))"),
            (
                ["request", "-o", "x", "http://h/[1-3]"],
                "-o: \(RequestUsage.oneFile(3))"
            ),
            (
                ["request", "-b", "@-", "http://h/{a,b}"],
                "-b: \(RequestUsage.oneInput(2))"
            ),
            (
                ["POST", "--poll", "2s", "-b", "@-", "http://h/"],
                "--poll: \(AnswerUsage.inputOnce)"
            ),
            (
                ["GET", "--paginate", "-o", "x", "http://h/"],
                "--paginate: \(AnswerUsage.pagesInFile)"
            ),
            (
                ["--if-exists", "maybe"],
                "--if-exists: \(OptionUsage.notOneOf("maybe", "rename, skip, same, same-or-fail, overwrite, refresh, fail, ask"))"
            ),
            (["-H", "nonsense"], "-H: \(ValueUsage.headerWithoutColon)"),
            (["-H", "a b: c"], "-H: \(ValueUsage.headerName("a b"))"),
            (["--checksum", "md5=12", "u"], "--checksum: \(ValueUsage.digest("12", "md5", digits: 32))"),
            (["--connect-timeout", "nan"], "--connect-timeout: \(ValueUsage.notSeconds("nan"))"),
            (["ftp://h/x"], "URL: \(URLUsage.unsupportedScheme("ftp"))"),
            (["http:///x"], "URL: \(URLUsage.noHost("http:///x"))"),
            (["http://h:99999/"], "URL: \(URLUsage.port("99999"))"),
            (["http://u:half/other@h/"], "URL: \(URLUsage.hiddenPort)"),
            (["http://h/a b"], "URL: \(URLUsage.space(in: "http://h/a b"))"),
            ([""], "URL: \(URLUsage.empty)"),
            (["-o", "x", "http://h/a", "http://h/b"], "-o: \(JobUsage.outOfSeveral)"),
            (["-o", "x/", "http://h/a"], "-o: \(FileNameUsage.folder("x/"))"),
            (["upload", "f"], "upload: \(JobUsage.uploadNeedsURL)"),
            (["request"], "request: \(JobUsage.requestNeedsURL)"),
            (["request", "B@D", "http://h/"], "METHOD: \(ValueUsage.method("B@D"))"),
            (["-b", "x", "http://h/"], "-b: \(JobUsage.bodyOfDownload)"),
            (
                ["physician", "http://h/"],
                "physician: " + CommandLineUsage.unknownCommand("physician", hint: Self.commands)
            ),
            (
                ["help", "uplod"],
                "help: \(CommandLineUsage.foundNowhere("uplod", hint: CommandLineUsage.didYouMean("upload")))"
            ),
            (["help", "zeppelin"], "help: \(CommandLineUsage.foundNowhere("zeppelin", hint: Self.commands))"),
            (["help", "upload", "demo"], "help: \(CommandLineUsage.helpTakesOneWord("upload"))"),
            (["completions"], "completions: \(CommandLineUsage.completionsNeedShell("bash|zsh|fish"))"),
            (["completions", "tcsh"], "completions: \(OptionUsage.notOneOf("tcsh", "bash, zsh, fish"))"),
            (["completions", "-j", "2", "zsh"], "-j: \(CommandLineUsage.noEffect(on: "completions"))"),
            (["demo", "-o", "x"], "-o: \(CommandLineUsage.noEffect(on: "demo"))"),
            (["--json", "request", "-o", "-", "u.example"], "-o: \(JobUsage.standardOutputIsJSON)"),
        ])
    func mistakes(arguments: [String], expected: String) {
        #expect(message(arguments) == expected)
    }

    @Test("A mistyped command is not taken for a host")
    func mistypedCommand() throws {
        let text = try #require(message(["requst", "http://h/"]))
        #expect(
            text == "requst: "
                + CommandLineUsage.unknownCommand("requst", hint: CommandLineUsage.didYouMean("request")))
        #expect(try parsed("localhost").jobs.first?.url == "https://localhost")
    }

    @Test("A message repeats neither passwords nor header values")
    func secrets() throws {
        let url = try #require(message(["http://me:hunter2@h/a b"]))
        #expect(!url.contains("hunter2"))
        let header = try #require(message(["-H", "Authorization: hunter2\nX: y", "h.example"]))
        #expect(!header.contains("hunter2"))
    }
}
