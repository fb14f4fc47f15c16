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
        #expect(refusal.contains("downloads"))
        #expect(refusal.contains("with \(command)"))
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
            #expect(message(["-o", "-"] + words + ["http://h/f"])?.contains("name a file instead of -") == true)
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

    @Test(
        "Every mistake is one sentence that names the argument and what would be right",
        arguments: [
            (["--torrent", "x", "u"], "--torrent: unknown option; netdash --help lists the options"),
            (["-Q", "4", "u"], "-Q: unknown option; netdash --help lists the options"),
            (["--drr", "x"], "--drr: unknown option; did you mean --dir?"),
            (
                ["--co", "x"],
                "--co: is ambiguous; write one of --continue, --cookie, --cookie-jar, --connect-to, --connections, --connect-timeout, --color"
            ),
            (["-j"], "-j: needs a value; write -j N"),
            (["-j", "0", "u"], "-j: \"0\" is not a whole number from 1 to 1000"),
            (["--fps=+4"], "--fps: \"+4\" is not a whole number from 1 to 30"),
            (["--plain=1"], "--plain: takes no value, but \"1\" was given"),
            (["--plain", "--json"], "--json: --plain and --json exclude each other; write one of them"),
            (["--if-exists", "maybe"], "--if-exists: \"maybe\" is not one of rename, skip, overwrite, refresh, fail"),
            (["-H", "nonsense"], "-H: the header has no colon; write 'Name: value'"),
            (["-H", "a b: c"], "-H: \"a b\" is not a header's name; write 'Name: value'"),
            (["--checksum", "md5=12", "u"], "--checksum: \"12\" is not a digest; md5 has 32 hexadecimal digits"),
            (["--connect-timeout", "nan"], "--connect-timeout: \"nan\" is not a number of seconds from 0.1 to 86400"),
            (["ftp://h/x"], "URL: the scheme \"ftp\" is not supported; use http or https"),
            (["http:///x"], "URL: \"http:///x\" names no host; write https://host/path"),
            (["http://h:99999/"], "URL: the port \"99999\" is not a number from 1 to 65535"),
            (
                ["http://u:half/other@h/"],
                "URL: the port is not a number from 1 to 65535; in a password write / as %2F, ? as %3F and # as %23"
            ),
            (["http://h/a b"], "URL: \"http://h/a b\" contains a space; write %20 for a space"),
            ([""], "URL: is empty; a URL such as https://host/file is needed"),
            (
                ["-o", "x", "http://h/a", "http://h/b"],
                "-o: names a single download; with several, use -d for a folder"
            ),
            (["-o", "x/", "http://h/a"], "-o: \"x/\" is a folder; a file's name is needed, and -d for the folder"),
            (
                ["request", "-o", "x", "http://h/[1-3]"],
                "-o: names one file, and the pattern makes 3 requests; write -o -"
            ),
            (
                ["request", "-b", "@-", "http://h/{a,b}"],
                "-b: standard input is one body, and the pattern makes 2 requests; write @FILE"
            ),
            (
                ["POST", "--poll", "2s", "-b", "@-", "http://h/"],
                "-b: standard input is read once, and this request is sent again; write @FILE"
            ),
            (
                ["GET", "--paginate", "-o", "x", "http://h/"],
                "-o: names one response; pages go to standard output, which >FILE redirects"
            ),
            (["upload", "f"], "upload: needs a file and a URL; write netdash upload FILE... URL"),
            (["request"], "request: needs a URL; write netdash request [METHOD] URL [ITEM...]"),
            (
                ["request", "B@D", "http://h/"],
                "METHOD: \"B@D\" is not a method; write a word such as GET, POST or PUT"
            ),
            (
                ["-b", "x", "http://h/"],
                "-b: belongs to request and upload; a download sends no body, and a cookie is --cookie"
            ),
            (
                ["physician", "http://h/"],
                "physician: is not a command; the commands are download, upload, request, parts, doctor, demo, completions, help. A host is written http://physician/"
            ),
            (["help", "uplod"], "help: nothing has \"uplod\" in its name or help; did you mean upload?"),
            (
                ["help", "zeppelin"],
                "help: nothing has \"zeppelin\" in its name or help; the commands are download, upload, request, parts, doctor, demo, completions, help"
            ),
            (["help", "upload", "demo"], "help: explains one word at a time; write netdash help upload"),
            (["completions"], "completions: needs one shell; write netdash completions bash|zsh|fish"),
            (["completions", "tcsh"], "completions: \"tcsh\" is not one of bash, zsh, fish"),
            (
                ["completions", "-j", "2", "zsh"],
                "-j: has no effect on completions; netdash help completions lists its options"
            ),
            (["demo", "-o", "x"], "-o: has no effect on demo; netdash help demo lists its options"),
            (
                ["--json", "request", "-o", "-", "u.example"],
                "-o: standard output carries --json; name a file instead of -"
            ),
        ])
    func mistakes(arguments: [String], expected: String) {
        #expect(message(arguments) == expected)
    }

    @Test("A mistyped command is not taken for a host")
    func mistypedCommand() throws {
        let text = try #require(message(["requst", "http://h/"]))
        #expect(text.hasPrefix("requst: is not a command; did you mean request?"))
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
