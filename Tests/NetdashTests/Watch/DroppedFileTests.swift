import Dashboard
import SessionSupport
import Testing
import TransferService
import TransferValues

@testable import netdash

/// Files of a watched folder as jobs, or refused with a sentence.
@Suite("Dropped files")
struct DroppedFileTests {
    private static func jobs(_ name: String, _ text: String, defaults: Job? = nil) throws -> [Job] {
        let kind = try #require(DroppedFile.kind(of: name))
        var terms = DroppedFile.Terms(folder: "/downloads", environment: ["TOKEN": "t"])
        if let defaults { terms.defaults = defaults }
        return try DroppedFile(name: name, kind: kind, bytes: Array(text.utf8)).jobs(terms: terms)
    }

    private static func refusal(_ name: String, _ text: String) -> String? {
        do {
            _ = try jobs(name, text)
            return nil
        } catch {
            return (error as? UsageError)?.message
        }
    }

    @Test(
        "The extension decides; hidden files and others are left alone",
        arguments: [
            ("a.url", .shortcut), ("A B.URL", .shortcut), ("a.metalink", .metalink),
            ("a.iso.meta4", .metalinkOfVersion4), ("a.TXT", .list), ("a.curl", .commands), ("a.http", .requests),
            (".a.txt", nil), ("a.txt.part", nil),
            ("a.txt~", nil), ("txt", nil), ("a.rest", nil), ("a.", nil), ("done", nil), ("a.txt.reason", nil),
        ] as [(String, DroppedFile.Kind?)])
    func kinds(name: String, kind: DroppedFile.Kind?) {
        #expect(DroppedFile.kind(of: name) == kind)
    }

    @Test(
        "The URL of a shortcut is in its section, whatever stands around it",
        arguments: [
            "[InternetShortcut]\r\nURL=https://h/a?b=c\r\n", "\u{FEFF}[internetshortcut]\nurl = https://h/a?b=c",
            "[DEFAULT]\nURL=https://h/other\n\n[InternetShortcut]\nIconIndex=0\nURL=https://h/a?b=c\nURL=https://h/x\n",
        ])
    func shortcuts(text: String) throws {
        let jobs = try Self.jobs("a.url", text)
        #expect(jobs.map(\.url) == ["https://h/a?b=c"] && jobs[0].kind == .download)
        #expect(jobs[0].directory == "/downloads")
    }

    @Test("Lists keep their options, and relative paths start at the download folder")
    func lists() throws {
        var defaults = Job(kind: .download, url: "")
        defaults.ifExists = .skip
        let text = "https://h/a\n  out=x.bin\n  dir=sub\nh/b\nhttps://h/up\n  kind=upload\n  body-file=f.txt\n"
        let jobs = try Self.jobs("a.txt", text, defaults: defaults)
        #expect(jobs.map(\.url) == ["https://h/a", "https://h/b", "https://h/up"])
        #expect(jobs[0].directory == "/downloads/sub" && jobs[1].directory == "/downloads" && jobs[1].guessesScheme)
        #expect(jobs[0].ifExists == .skip && jobs[2].body == .file(path: "/downloads/f.txt"))
    }

    @Test("Tasks have the settings of their hosts, and a URL with its own credentials has none of the configuration")
    func hosts() throws {
        let text = "bearer = F\n[host \"h\"]\nuser = host:pw\ndir = of-host\nproxy = http://p:1\n"
        let words = ["serve", "--session", "s", "--watch", "w", "-4"]
        let watch = try #require(try CloserPlaceTests.invocation(text, words).settings.watch)
        let terms = DroppedFile.Terms(defaults: watch.defaults, rules: watch.rules, folder: "/downloads")
        let files = [
            ("a.url", "[InternetShortcut]\nURL=http://%/f\n"), ("a.txt", "http://%/f\n"), ("a.curl", "curl http://%/f"),
            ("a.http", "GET http://%/f\n"),
        ]
        func job(_ name: String, _ text: String, at host: String) throws -> Job {
            let kind = try #require(DroppedFile.kind(of: name))
            let bytes = Array(text.replacing("%", with: host).utf8)
            return try #require(try DroppedFile(name: name, kind: kind, bytes: bytes).jobs(terms: terms).first)
        }
        for (name, text) in files {
            // A command of curl that follows no redirects says so.
            func names(_ job: Job) -> Set<String> {
                Set(job.options.map(\.option.name)).subtracting(["no-location"])
            }
            let ofHost = try job(name, text, at: "h")
            #expect(names(ofHost) == ["user", "proxy", "ipv4"], "\(name): \(ofHost.options)")
            #expect(ofHost.kind != .download || ofHost.directory == "/downloads/of-host", "\(name)")
            #expect(try names(job(name, text, at: "other")) == ["bearer", "ipv4"], "\(name)")
            #expect(try names(job(name, text, at: "me:pw@other")) == ["ipv4"], "\(name)")
        }
    }

    @Test("A Metalink names its files, under both extensions")
    func metalinks() throws {
        let text = """
            <metalink xmlns="urn:ietf:params:xml:ns:metalink"><file name="a.iso"><url>http://m/a.iso</url></file></metalink>
            """
        for name in ["a.metalink", "a.meta4"] {
            let jobs = try Self.jobs(name, text)
            #expect(jobs.map(\.url) == ["http://m/a.iso"] && jobs[0].output == .name("a.iso"))
        }
    }

    @Test("Requests of a .http file have their variables, and files below the download folder")
    func requests() throws {
        let text = """
            ### one
            GET https://h/a
            Authorization: Bearer {{$env TOKEN}}

            ### two
            POST https://h/b

            < ./f.json
            """
        let jobs = try Self.jobs("a.http", text)
        #expect(jobs.map(\.kind) == [.data, .data] && jobs.map(\.method) == ["GET", "POST"])
        #expect(jobs[0].headers["Authorization"] == "Bearer t")
        guard case .file(let path) = jobs[1].body else {
            Issue.record("\(jobs[1].body)")
            return
        }
        #expect(path.hasPrefix("/downloads/") && path.hasSuffix("/f.json"))
    }

    @Test("Curl commands stand on one line or several, with comments between them, as browsers copy them too")
    func curlCommands() throws {
        let text = """
            # two files
            curl -O https://h/a

            $ curl 'https://h/b' \\
              -H 'Accept: x/y' \\
              -o b.bin ;
            curl https://h/c --data-raw $'a\\'\\nb' -H "X: a
            b" &
            curl -O 'https://h/[1-2]'
            """
        let jobs = try Self.jobs("a.curl", text.replacing("X: a\nb", with: "X: ab"))
        #expect(jobs.map(\.url) == ["https://h/a", "https://h/b", "https://h/c", "https://h/1", "https://h/2"])
        #expect(jobs.map(\.kind) == [.download, .download, .data, .download, .download])
        #expect(jobs[1].headers["Accept"] == "x/y" && jobs[1].output == .name("b.bin"))
        #expect(jobs[2].body == .text("a'\nb"))
        let lines = CurlCommandList(text).commands.map(\.line)
        #expect(lines == [2, 4, 7, 9])
    }

    @Test("Commands that were copied for cmd.exe are read")
    func windowsCommands() throws {
        let text = "curl ^\"https://h/a^\" ^\r\n  -H ^\"X: a^\\^\"b^\" ^\r\n  -O &\r\ncurl ^\"https://h/b^\" -O\r\n"
        let jobs = try Self.jobs("a.curl", text)
        #expect(jobs.map(\.url) == ["https://h/a", "https://h/b"])
        #expect(jobs[0].headers["X"] == "a\"b")
    }

    @Test(
        "One wrong line refuses the file, with its place and a sentence",
        arguments: [
            ("a.url", "[InternetShortcut]\nURL=ftp://h/a\n", "a.url:2: "),
            ("a.url", "URL=https://h/a\n", "a.url: " + WatchUsage.noShortcut),
            ("a.url", "[InternetShortcut]\nURL=javascript:alert(1)\n", "a.url:2: "),
            ("a.txt", "https://h/a\nhttps://h/b\n  nothing=1\n", "a.txt:3: "),
            ("a.txt", "# only this\n\n", "a.txt: " + WatchUsage.noTask),
            ("a.txt", "https://h/a\n  out=-\n", "a.txt: " + ServiceUsage.streams),
            ("a.txt", "https://h/a\n  user=@cmd:touch x\n", "a.txt: " + WatchUsage.runsCommand("user")),
            ("a.metalink", "https://h/a\n", "a.metalink: " + WatchUsage.notMetalink),
            ("a.metalink", "<html></html>", "a.metalink: "),
            ("a.http", "GET https://h/a\n\n###\nGET {{missing}}\n", "a.http:4: "),
            ("a.http", "\n", "a.http: " + HTTPFileUsage.empty),
            ("a.curl", "curl -O https://h/a\nwget https://h/b\n", "a.curl:2: " + WatchUsage.notCurl),
            ("a.curl", "curl -O https://h/a --no-such\n", "a.curl:1: " + WatchUsage.unknownOptions("--no-such")),
            ("a.curl", "curl -O https://h/a https://h/b\n", "a.curl:1: "),
            ("a.curl", "curl -O \"https://h/$NAME\"\n", "a.curl:1: " + WatchUsage.expansions("$NAME")),
            ("a.curl", "curl -O 'https://h/a\n", "a.curl:1: " + WatchUsage.incompleteCurl),
            ("a.curl", "curl -T - https://h/a\n", "a.curl: " + ServiceUsage.streams),
            ("a.curl", "curl 'https://h/[1-2]' -o x\n", "a.curl:1: " + WatchUsage.several(2)),
            ("a.curl", "\n# nothing\n", "a.curl: " + WatchUsage.noTask),
        ] as [(String, String, String)])
    func refusals(name: String, text: String, start: String) {
        let refusal = Self.refusal(name, text)
        #expect(refusal?.hasPrefix(start) == true, "\(refusal ?? "taken")")
    }

    @Test("Bytes that are no text are refused, not half of them read")
    func notText() {
        for (name, kind) in [("a.curl", DroppedFile.Kind.commands), ("a.http", .requests)] {
            let file = DroppedFile(name: name, kind: kind, bytes: Array("curl https://h/".utf8) + [0xFF, 0x0A])
            #expect(throws: UsageError.self) { try file.jobs(terms: DroppedFile.Terms(folder: "/d")) }
        }
    }
}
