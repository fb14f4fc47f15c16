import AriaRPC
import Testing

@testable import Dashboard
@testable import netdash

/// The options of aria2's interface, and the command lines of aria2c.
@Suite("Command lines of aria2's interface", .timeLimit(.minutes(1)))
struct RPCOptionTests {
    private static func parse(_ arguments: String...) throws -> Invocation { try CommandLine.parse(arguments).get() }

    @Test(
        "--rpc stands alone, with an address behind it, or with one attached",
        arguments: [
            (["--rpc"], "127.0.0.1:6800"), (["--rpc", "7000"], "127.0.0.1:7000"),
            (["--rpc=unix:/run/x"], "unix:/run/x"),
            (["--rpc", "--quiet"], "127.0.0.1:6800"), (["--rpc", "[::1]:9"], "[::1]:9"),
        ])
    func addresses(arguments: [String], address: String) throws {
        let invocation = try CommandLine.parse(["serve"] + arguments).get()
        #expect(invocation.action == .serve)
        #expect(invocation.settings.rpc.address?.text == address)
    }

    @Test("Without --rpc there is no interface, and its other options are refused")
    func off() throws {
        #expect(try Self.parse("serve").settings.rpc == RPCSettings())
        for option in ["--rpc-secret=x", "--rpc-allow-origin=*", "--rpc-cert=x"] {
            #expect(throws: UsageError.self) { try Self.parse("serve", option) }
        }
    }

    @Test(
        "A wrong value is refused",
        arguments: [
            "--rpc=host:1", "--rpc-secret=", "--rpc-secret=@cmd:x", "--rpc-allow-origin=host",
            "--rpc-allow-origin=http://a/b",
        ])
    func wrongValues(argument: String) {
        #expect(throws: UsageError.self) { try Self.parse("serve", "--rpc", argument) }
    }

    @Test("The origin of a page is a value, also behind its option")
    func origins() throws {
        let invocation = try Self.parse(
            "serve", "--rpc", "--rpc-allow-origin", "http://localhost:8000", "--rpc-allow-origin=https://page.example")
        #expect(invocation.settings.rpc.origins == ["http://localhost:8000", "https://page.example"])
    }

    @Test("A token is hidden from the list of processes, also behind an option without its value")
    func mask() {
        #expect(
            ArgumentMask.shown(["serve", "--rpc", "--rpc-secret", "abc", "--rpc-secret=@file:x"])
                == ["serve", "--rpc", "--rpc-secret", "***", "--rpc-secret=@file:x"])
        #expect(
            ArgumentMask.shown(["aria2c", "--http-user", "me", "--http-passwd", "-x", "--all-proxy-passwd=b", "-x4"])
                == ["aria2c", "--http-user", "me", "--http-passwd", "***", "--all-proxy-passwd=***", "-x4"])
        #expect(
            ArgumentMask.shown(["aria2c", "--http-pas", "a", "--all-proxy-passw=b"])
                == ["aria2c", "--http-pas", "***", "--all-proxy-passw=***"])
    }

    // MARK: - aria2c

    private static func words(_ arguments: String...) throws -> [String] {
        try AriaCommandLine.read(arguments).arguments.filter { $0 != "--answer-timeout=60" }
    }

    @Test("Arguments of aria2c are those of netdash")
    func translation() throws {
        let words = try Self.words("-x16", "-s", "4", "-j2", "-d", "/d", "--out=n", "-c", "http://h/a")
        #expect(
            Set(words)
                == [
                    "--max-concurrent=2", "--dir=/d", "--out=n", "--continue", "--if-exists=same", "--connections=4",
                    "http://h/a",
                ])
        #expect(words.last == "http://h/a")
        #expect(try Self.words("http://a/f", "http://b/f") == ["--mirror=http://b/f", "http://a/f"])
        #expect(try Self.words("-Z", "http://a/f", "http://b/f") == ["http://a/f", "http://b/f"])
        #expect(try Self.words("--http-user=me", "--http-passwd=x", "http://a/f") == ["--user=me:x", "http://a/f"])
        #expect(
            try Self.words("--check-certificate=false", "--header=X: 1") == [
                "--check-certificate=false", "--header=X: 1",
            ])
        #expect(try Self.words("-V", "--continue=false", "--", "http://a/-x") == ["http://a/-x"])
    }

    @Test("A server that never answers ends as one that sends no more, after aria2's usual time too")
    func timeout() throws {
        #expect(try AriaCommandLine.read(["http://h/a"]).arguments == ["--answer-timeout=60", "http://h/a"])
        #expect(
            try AriaCommandLine.read(["-t7", "http://h/a"]).arguments
                == ["--stall-timeout=7", "--answer-timeout=7", "http://h/a"])
        let invocation = try Self.parse("aria2c", "--timeout=7", "http://h/a")
        let job = try #require(invocation.jobs.first)
        #expect(job.options.text(of: try #require(JobOption.named("answer-timeout"))) == "7")
        #expect(try Self.parse("aria2c", "--enable-rpc").settings.rpc.options["timeout"] == "60")
    }

    @Test("A name is below the folder, with a slash in front too, and never leaves it")
    func names() throws {
        #expect(try Self.words("-d", "/d", "-o", "/abs/x") == ["--dir=/d", "--out=abs/x"])
        #expect(try Self.words("-o", "a/b..c") == ["--out=a/b..c"])
        #expect(try Self.words("--out=") == [])
        for name in ["../x", "a/../b", "..", "/"] {
            let error = #expect(throws: UsageError.self) { try Self.words("--out=" + name) }
            #expect(error?.message == "--out: " + CommandLineUsage.ariaOut)
        }
    }

    @Test("The flag of a letter has its value attached")
    func letters() throws {
        #expect(try Self.words("-c=true", "-qctrue") == ["--continue", "--quiet", "--continue", "--if-exists=same"])
        #expect(try Self.words("-c=false", "-cfalse", "-V=true", "-p") == [])
        #expect(throws: UsageError.self) { try Self.words("-c=maybe") }
    }

    @Test("Questions are answered, and a Metalink is a list")
    func questions() throws {
        #expect(try Self.parse("aria2c", "-h").action == .help(.aria2c))
        #expect(try Self.parse("aria2c", "--help=#all", "http://h/a").action == .help(.aria2c))
        #expect(try Self.parse("aria2c", "-v").action == .version)
        #expect(try Self.words("a.meta4", "http://h/a") == ["--input=a.meta4", "http://h/a"])
        #expect(try Self.words("--daemon=false", "--show-files=false") == [])
    }

    @Test("An address of --rpc that is none is named, wherever it stands")
    func wrongAddresses() throws {
        for arguments in [["--rpc", "99999"], ["--rpc=99999"]] {
            let error = #expect(throws: UsageError.self) { try CommandLine.parse(["serve"] + arguments).get() }
            #expect(error?.message == "--rpc: " + RPCUsage.address("99999"))
        }
        let empty = #expect(throws: UsageError.self) { try Self.parse("serve", "--rpc=") }
        #expect(empty?.message == "--rpc: " + CommandLineUsage.needsValueOrNone("--rpc", "[ADDRESS]"))
        #expect(try Self.parse("--rpc", "serve").settings.rpc.address == .usual)
        // The arguments of a service that is started again are read like those of a user.
        let arguments = try Self.parse("serve", "--rpc", "--quiet").settings.serviceArguments
        #expect(arguments == ["--rpc"])
    }

    @Test("An argument without a meaning is named once")
    func ignored() throws {
        let invocation = try Self.parse("aria2c", "--bt-tracker=x", "--bt-tracker=y", "--dscp=1", "http://h/a")
        #expect(invocation.remarks == [CommandLineLabels.ignored(["bt-tracker", "dscp"])])
        #expect(invocation.jobs.map(\.url) == ["http://h/a"])
    }

    @Test("aria2c with its interface serves no session, with the jobs of its command line")
    func interface() throws {
        let invocation = try Self.parse(
            "aria2c", "--dir=/d", "--file-allocation=none", "--quiet", "--enable-rpc=true", "--rpc-listen-port=7001",
            "--conf-path=", "--rpc-secret=abc", "http://h/a")
        #expect(invocation.action == .serve && invocation.settings.session == .ephemeral)
        #expect(invocation.settings.rpc.address == .tcp(host: "127.0.0.1", port: 7_001))
        #expect(invocation.settings.rpc.secret == .text("abc"))
        #expect(invocation.jobs.map(\.url) == ["http://h/a"] && invocation.remarks.isEmpty)
    }

    @Test("The file of --conf-path counts less than the command line, and --no-conf leaves it out")
    func configurationFile() throws {
        func command(_ arguments: String...) throws -> AriaCommand {
            try AriaCommandLine.read(arguments + ["--conf-path=/c"]) { (path) throws(UsageError) in
                #expect(path == "/c")
                return "# limits\n\nmax-download-limit=10K\r\n  split=4\ndir=/file\nenable-rpc\n"
                    + "header=A: 1\nheader=B: 2\n"
            }
        }
        let read = try command("--dir=/d", "--enable-rpc=true", "-s2")
        #expect(read.hasRPC && read.arguments.last == "--connections=2")
        #expect(read.arguments.filter { $0.hasPrefix("--dir") } == ["--dir=/file", "--dir=/d"])
        #expect(read.rpc.options["max-download-limit"] == "10240" && read.rpc.options["split"] == "2")
        #expect(read.rpc.options["header"] == "A: 1\nB: 2\n" && read.rpc.options["dir"] == nil)
        #expect(try !AriaCommandLine.read(["--no-conf", "--conf-path=/c"]) { _ in "enable-rpc" }.hasRPC)
    }

    @Test("A setting that aria2c does not know is left out and named, and one without a value takes no other line")
    func unknownSettings() throws {
        func command(_ text: String) throws -> AriaCommand {
            try AriaCommandLine.read(["--conf-path=/c", "http://h/a"]) { (_) throws(UsageError) in text }
        }
        let read = try command("nosuch=3\nsplit=3\nnosuch-flag\nenable-rpc\n")
        #expect(read.arguments.contains("--connections=3") && read.hasRPC && read.urls == ["http://h/a"])
        #expect(read.remarks == [AriaLines.unknownSetting("nosuch"), AriaLines.unknownSetting("nosuch-flag")])
        #expect(throws: UsageError.self) { try command("split\nmax-tries=3\n") }
        let last = try command("user-agent\n")
        #expect(last.urls == ["http://h/a"] && last.arguments.contains("--user-agent="))
    }

    @Test("Blanks around the equals sign of a setting count nothing, as in aria2c")
    func blanks() throws {
        let text = """
            split = 5
            \tdir= /d e\t
            rpc-secret =  x y
            all-proxy\t=\thttp://p:1
            header =  A: 1
            enable-rpc = true
              # a = b
            quiet =
            =5
            """
        let read = try AriaCommandLine.read(["--conf-path=/c", "http://h/a"]) { (_) throws(UsageError) in text }
        #expect(read.remarks.isEmpty && read.hasRPC && read.rpc.secret == .text("x y"))
        for argument in ["--connections=5", "--dir=/d e", "--all-proxy=http://p:1", "--header=A: 1"] {
            #expect(read.arguments.contains(argument), "\(argument)")
        }
    }

    @Test("The beginning of a name is one on the command line alone, and what may be a secret is not told")
    func namesInFile() throws {
        let text = "spl=7\nrpc-secret hidden\nall-proxy:http://user:hidden@h\n"
        let read = try AriaCommandLine.read(["--conf-path=/c", "http://h/a"]) { (_) throws(UsageError) in text }
        #expect(read.rpc.options["split"] == nil)
        #expect(read.remarks == ["spl", "rpc-secret", "all-proxy"].map { AriaLines.unknownSetting($0) })
    }

    @Test("A setting without a value takes no URL of the command line", arguments: AriaArgument.names.sorted())
    func lonelySetting(name: String) throws {
        let command = try? AriaCommandLine.read(["http://h/a", "--conf-path=/c"]) { (_) throws(UsageError) in name }
        #expect(command.map { $0.urls == ["http://h/a"] } ?? true)
    }

    @Test("Paused downloads are those of the command line and of clients")
    func paused() throws {
        let invocation = try Self.parse("aria2c", "--enable-rpc", "--pause=true", "-i", "list", "http://h/a")
        #expect(invocation.jobs.map(\.startsPaused) == [true] && invocation.jobDefaults.startsPaused)
        #expect(invocation.settings.rpc.options["pause"] == "true")
        #expect(try Self.parse("aria2c", "--pause=true", "http://h/a").jobs.map(\.startsPaused) == [false])
    }

    @Test(
        "A command of netdash is no URL, a typing error is told, and what would leave the interface open is refused",
        arguments: [
            (["stop"], CommandLineUsage.noAriaURL), (["-Z", "cancel", "all"], CommandLineUsage.noAriaURL),
            (["--", "status"], CommandLineUsage.noAriaURL),
            (["--chekcsum=md5=0", "http://h/a"], CommandLineUsage.unknownOption(near: "checksum")),
            (["--max-download-limt=1", "http://h/a"], CommandLineUsage.unknownOption(near: "max-download-limit")),
            (["-D"], CommandLineUsage.noAriaDaemon), (["-S"], CommandLineUsage.noAriaFiles),
            (["-T", "x"], CommandLineUsage.noTorrents), (["./a.torrent"], CommandLineUsage.noTorrents),
            (["magnet:?xt=urn:btih:0"], CommandLineUsage.noTorrents),
            (["--split=abc"], "--split: " + ValueUsage.notNumber("abc", from: 1, to: Int(Int32.max))),
            (["-x", "0"], "--max-connection-per-server: " + ValueUsage.notNumber("0", from: 1, to: 16)),
            (["-x17"], "--max-connection-per-server: " + ValueUsage.notNumber("17", from: 1, to: 16)),
            (["--bogus-option", "http://h/a"], CommandLineUsage.unknownOption),
            (["--bogus=3", "http://h/a"], CommandLineUsage.unknownOption),
            (["--file-allocation=x"], "expects one of none, prealloc, trunc, falloc, got \"x\""),
            (["--console-log-level=x"], "expects one of debug, info, notice, warn, error, got \"x\""),
            (["--stop=abc"], "expects a number from 0 to 2147483647, got \"abc\""),
            (["--timeout=9999"], "expects a number from 1 to 600, got \"9999\""),
            (["--piece-length=1"], "expects a number from 1048576 to 1073741824, got \"1\""),
            (["-M", "/nonexistent/m"], "--metalink-file: cannot read \"/nonexistent/m\": No such file or directory"),
            (["--rpc-secure=true"], CommandLineUsage.notSecure), (["--rpc-passwd=p"], CommandLineUsage.noNames),
        ])
    func refusals(arguments: [String], reason: String) {
        let error = #expect(throws: UsageError.self) { try AriaCommandLine.read(arguments) }
        #expect(error?.message.hasSuffix(reason) == true, "\(error?.message ?? "")")
    }

    @Test("What aria2c knows and netdash has no use for is said once, and refused for no likeness")
    func unknownOptions() throws {
        for name in ["seed-ratio", "ftp-proxy", "bt-max-peers", "rpc-secure=false", "dscp"] {
            _ = try AriaCommandLine.read(["--" + name + (name.contains("=") ? "" : "=1"), "http://h/a"])
        }
    }

    @Test("A beginning of one name alone is that name, and a missing file of cookies is told and left out")
    func beginnings() throws {
        #expect(try Self.words("--max-tri=1", "--fil=none") == ["--max-tries=1"])
        #expect(throws: UsageError.self) { try Self.words("--max=1") }
        let command = try AriaCommandLine.read(["--load-cookies=/nonexistent/c", "--netrc-path=/nonexistent/n"])
        #expect(command.words.isEmpty)
        #expect(
            command.remarks == [
                AriaLines.unreadable("--load-cookies", "/nonexistent/c"),
                AriaLines.unreadable("--netrc-path", "/nonexistent/n"),
            ])
        #expect(try Self.words("--load-cookies=/dev/null") == ["--load-cookies=/dev/null"])
    }

    @Test("What aria2c refuses is refused", arguments: ["-Y", "--dir", "--enable-rpc=x", "--rpc-listen-port=0"])
    func refused(argument: String) {
        #expect(throws: UsageError.self) { try Self.parse("aria2c", argument) }
    }

    @Test("A list of aria2 keeps the GIDs of its downloads")
    func listedGID() throws {
        let list = "http://h/a\n gid=aabbccddeeff0011\n"
        let jobs = try InputListParser.jobs(
            in: Array(list.utf8), name: "list", defaults: Job(kind: .download, url: "")
        ).get()
        #expect(jobs.first?.aria?.gid == "aabbccddeeff0011")
    }
}
