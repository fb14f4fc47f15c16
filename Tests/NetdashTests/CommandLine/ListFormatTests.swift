import SessionSupport
import Testing

@testable import Dashboard
@testable import TransferService
@testable import TransferValues
@testable import netdash

/// Documents that become jobs: pages, HAR files, and commands and configurations of curl.
@Suite("Formats of lists")
struct ListFormatTests {
    private static func document(
        _ text: String, address: String? = nil, _ defaults: Job = Job(kind: .download, url: ""),
        choice: LinkChoice = LinkChoice()
    ) -> ListDocument {
        ListDocument(
            bytes: Array(text.utf8), name: "l", source: address.map { .server(url: $0) } ?? .user, address: address,
            defaults: defaults, choice: choice)
    }

    private static func jobs(_ document: ListDocument) throws(UsageError) -> [Job] {
        try (ListFormat.of(document) ?? .curlConfiguration).read(document).jobs
    }

    private static func problem(_ document: ListDocument) -> String? {
        do throws(UsageError) {
            _ = try jobs(document)
            return nil
        } catch {
            return error.message
        }
    }

    @Test(
        "A text of an object is taken as it is, with the blanks at its ends; around a list's key and value they mean nothing"
    )
    func blanks() throws {
        func job(_ list: String) throws -> Job {
            try #require(
                try InputListParser.jobs(in: Array(list.utf8), name: "l", defaults: Job(kind: .download, url: "")).get()
                    .first)
        }
        let object = try job(
            #"{"url": " http://h/a", "kind": "data", "body": "\t a = b \n", "tag": "x", "user": "me: hush "}"#)
        #expect(object.url == "http://h/a" && object.body == .text("\t a = b \n"))
        #expect(object.options.text(of: .user) == "me: hush ")
        let keys = try job(#"{"url": "http://h/a", "http-user": "me", "http-passwd": " hush ", "out": "a "}"#)
        #expect(keys.options.text(of: .user) == "me: hush " && keys.output == .name("a "))
        let row = try job("url, out ,user\nhttp://h/a , a b , \"me: hush \" \n")
        #expect(row.url == "http://h/a" && row.output == .name("a b") && row.options.text(of: .user) == "me: hush ")
        let lines = try job("http://h/a\n  kind = data \n  body =  a = b \t\n")
        #expect(lines.body == .text("a = b"))
    }

    @Test(
        "A format is known by its first lines, and a list of lines is none",
        arguments: [
            ("<!DOCTYPE html>\n<html>", ListUsage.page), ("\u{FEFF} <HTML><a href=x>", ListUsage.page),
            ("<?xml version='1.0'?><!DOCTYPE html PUBLIC ''>", ListUsage.page), ("<pre><a href=x>", ListUsage.page),
            ("<metalink xmlns='urn:x'>", ListUsage.metalink), ("<rss>", ListUsage.metalink),
            ("{\n \"log\": {\"version\": \"1.2\", \"creator\": {}", ListUsage.har),
            ("{\"url\": \"http://h/log\"}", nil),
            ("# mine\n\ncurl http://h/", ListUsage.commands), ("$ curl.exe http://h/", ListUsage.commands),
            ("curlew.example.org\n", nil), ("url = \"http://h/\"", ListUsage.configuration),
            ("--location\nurl=x", ListUsage.configuration), ("-o a.bin\n", ListUsage.configuration),
            ("user-agent: x\n", ListUsage.configuration), ("location\n", ListUsage.configuration),
            ("url,out\n", nil), ("http://h/a\n", nil), ("", nil), ("url http://h\n", nil), ("h:80/a", nil),
        ] as [(String, String?)])
    func formats(text: String, name: String?) {
        #expect(ListFormat.of(Self.document(text))?.name == name)
    }

    // MARK: - Pages

    private static let index = """
        <!DOCTYPE HTML><html><head><title>Index of /pub</title><style>a { href: "no.iso" }</style></head>
        <!-- <a href="hidden.iso">x</a> --><body><h1>Index</h1><pre>
        <a href="?C=N;O=D">Name</a> <a href="/">Parent Directory</a> <a href="../">..</a> <a href="sub/">sub/</a>
        <A HREF='a%20b.iso' class=x>a b</A> <a class="y" href=b.iso>b</a><a href="b.iso#part">again</a>
        <a href="c.txt?x=1&amp;y=&#50;">c</a> <a href="https://other.example/d.iso">d</a> <a href="ftp://h/e.iso">e</a>
        <a href="mailto:x@y">m</a> <a name="n">n</a> <a href=" /root.iso ">r</a> <area href='map.iso'>
        <script>document.write('<a href="script.iso">')</script><a href="javascript:x()">j</a>
        """

    @Test(
        "An index page has the files of its server, and patterns choose among its links",
        arguments: [
            ([], [], "a%20b.iso b.iso c.txt?x=1&y=2 /root.iso map.iso"),
            (["*.iso"], [], "a%20b.iso b.iso d /root.iso map.iso"),
            (["iso", "txt"], ["a*"], "b.iso c.txt?x=1&y=2 d /root.iso map.iso"), ([], ["*.iso"], "c.txt?x=1&y=2"),
            (["a b.iso"], [], "a%20b.iso"), (["*/pub/*.iso"], [], "a%20b.iso b.iso map.iso"), ([".[it]*"], ["c*"], nil),
        ] as [([String], [String], String?)])
    func page(accepted: [String], rejected: [String], names: String?) throws {
        let choice = LinkChoice(accepted: accepted, rejected: rejected)
        let page = Self.document(Self.index, address: "http://h/pub/index.html", choice: choice)
        guard let names else {
            return #expect(Self.problem(page)?.hasPrefix("l: \(PageUsage.noMatch(14))") == true)
        }
        let wanted = names.split(separator: " ").map {
            $0 == "d" ? "https://other.example/d.iso" : "http://h" + ($0.hasPrefix("/") ? "" : "/pub/") + $0
        }
        #expect(try Self.jobs(page).map(\.url) == wanted)
    }

    @Test("A page says what its links are relative to; a file without that has only complete ones")
    func bases() throws {
        let text = "<html><base href='/x/'><a href=f>"
        #expect(try Self.jobs(Self.document(text, address: "http://u:p@h/a/")).map(\.url) == ["http://u:p@h/x/f"])
        let complete = "<html><base href='http://h/x/'><a href=f><a href=g>"
        #expect(try Self.jobs(Self.document(complete)).map(\.url) == ["http://h/x/f", "http://h/x/g"])
        #expect(try Self.jobs(Self.document("<html><a href=f><a href=http://h/g>")).map(\.url) == ["http://h/g"])
        #expect(Self.problem(Self.document("<html><a href=f>")) == "l: " + PageUsage.noBase)
        #expect(Self.problem(Self.document("<html>", address: "http://h/")) == "l: " + PageUsage.noLink)
    }

    @Test("A page's links have no credentials on other servers, and broken tags end nowhere")
    func credentials() throws {
        var defaults = Job(kind: .download, url: "")
        defaults.headers = ["Authorization": "x", "Accept": "y"]
        let choice = LinkChoice(accepted: ["*"], rejected: [])
        let page = Self.document("<html><a href=f><a href=//g/f>", address: "http://h/", defaults, choice: choice)
        #expect(try Self.jobs(page).map { $0.headers.map(\.name) } == [["Authorization", "Accept"], ["Accept"]])
        for text in [
            "<html><a href=\"f", "<html><a href", "<html><", "<html><!-- ", "<html><script>", "<html><a =\"'<>",
        ] {
            _ = Self.problem(Self.document(text, address: "http://h/"))
        }
        #expect(PageLinks.unescaped("&amp;&#x41;&#66;&bogus;&;&#xD800;&") == "&AB&bogus;&;&#xD800;&")
    }

    // MARK: - HAR

    private static let har = """
        {"log": {"version": "1.2", "creator": {"name": "x"}, "entries": [
        {"request": {"method": "GET", "url": "https://h/a", "headers": [{"name": ":authority", "value": "h"},
        {"name": "Cookie", "value": "s=1"}, {"name": "Accept-Encoding", "value": "br"}, {"name": "X-A", "value": "1"}]},
        "response": {"status": 200}},
        {"request": {"method": "POST", "url": "https://h/login"}, "response": {"status": 200}},
        {"request": {"method": "GET", "url": "https://h/gone"}, "response": {"status": 404}},
        {"request": {"method": "GET", "url": "https://h/blocked"}, "response": {"status": 0}},
        {"request": {"method": "GET", "url": "data:text/plain,x"}}, {"request": {"method": "GET", "url": "https://h/a"}},
        {"request": {"method": "GET", "url": "https://h/b.js"}, "response": {"status": 304}}]}}
        """

    @Test("A HAR file's GET requests are downloads with the browser's fields, which a server's file cannot choose")
    func browserFile() throws {
        let file = Self.document(Self.har)
        let jobs = try Self.jobs(file)
        #expect(jobs.map(\.url) == ["https://h/a", "https://h/b.js"] && jobs.allSatisfy { $0.kind == .download })
        #expect(jobs[0].headers.map(\.name) == ["Cookie", "X-A"])
        let remark = try #require(PageUsage.leftOut("l", otherMethods: 1, unanswered: 2, otherSchemes: 1))
        #expect(try ListFormat.of(file)?.read(file).remarks == [remark])
        let server = Self.document(Self.har, address: "https://g/x.har")
        #expect(try Self.jobs(server).allSatisfy(\.headers.isEmpty))
        let choice = LinkChoice(accepted: ["*.js"], rejected: [])
        let chosen = Self.document(Self.har, choice: choice)
        #expect(try Self.jobs(chosen).map(\.url) == ["https://h/b.js"])
        let unchosen = try #require(PageUsage.leftOut("l", otherSchemes: 1, unchosen: 5))
        #expect(try ListFormat.of(chosen)?.read(chosen).remarks == [unchosen])
        #expect(Self.problem(Self.document("{\"log\": {\"creator\": 1}}")) == "l: " + PageUsage.notHAR)
        #expect(Self.problem(Self.document("{\"log\": {\"entries\": []}}")) == "l: " + PageUsage.noRequest)
    }

    // MARK: - curl

    @Test("Commands are read one after another, over several lines too, with the options of the run below theirs")
    func commands() throws {
        var defaults = Job(kind: .download, url: "")
        defaults.headers = ["X-A": "run", "X-B": "run"]
        defaults.ifExists = .skip
        let text = """
            # from a browser
            curl 'http://h/a' -H 'x-a: own' \\
              -o 'a b.bin' --compressed

            $ curl -O http://h/f[1-2] -o two.bin h/g --next -u me:pw http://h/c -d 'x=1
            y=2'
            curl -T up.bin http://h/in/
            """
        let jobs = try Self.jobs(Self.document(text, defaults))
        #expect(
            jobs.map(\.url) == [
                "http://h/a", "http://h/f1", "http://h/f2", "http://h/g", "http://h/c", "http://h/in/up.bin",
            ])
        #expect(jobs.map(\.kind) == [.download, .download, .download, .download, .data, .upload])
        #expect(jobs.map(\.output.name) == ["a b.bin", nil, nil, "two.bin", nil, nil])
        #expect(jobs[0].headers.map { $0.name + $0.value } == ["X-Brun", "x-aown"] && jobs[0].ifExists == .skip)
        #expect(jobs[4].body == .text("x=1\ny=2") && jobs[4].options.text(of: .user) == "me:pw")
        #expect(jobs[3].options == [.init(.keepsRedirects)] && jobs[5].body == .file(path: "up.bin"))
    }

    @Test("A command prints the head that curl prints, and discards the body that curl discards")
    func heads() throws {
        let text = "curl -I http://h/a\ncurl -si -o b http://h/b -d x\ncurl -o /dev/null http://h/c\ncurl http://h/d\n"
        let jobs = try Self.jobs(Self.document(text))
        #expect(jobs.map(\.printsHead) == [true, true, false, false])
        #expect(jobs.map(\.kind) == [.data, .data, .data, .data])
        #expect(jobs.map(\.output.name) == [nil, "b", "/dev/null", nil] && jobs[0].method == "HEAD")
        #expect(try Self.jobs(Self.document("curl --anyauth http://h/a\n")).count == 1)
        // A pasted command shows its response in the dashboard.
        let pasted = try #require(CurlCommandReader.read("curl -i -o /dev/null http://h/c"))
        #expect(!pasted.job.printsHead && pasted.job.output == .automatic && pasted.unknown.isEmpty)
    }

    @Test("A configuration has curl's quoting, several URLs with their outputs, and parts that next separates")
    func configuration() throws {
        let text = """
            # curl -K
            --location
            user-agent = "a \\"b\\"\\tc"   # mine
            url = "http://h/{a,b}"
            output: "#1.bin"
            url=http://h/c
            -o c.bin
            next
            header "X: 1"
            url = "http://h/d"
            """
        let jobs = try Self.jobs(Self.document(text))
        #expect(jobs.map(\.url) == ["http://h/a", "http://h/b", "http://h/c", "http://h/d"])
        #expect(jobs.map(\.output.name) == ["a.bin", "b.bin", "c.bin", nil])
        #expect(jobs[0].headers["User-Agent"] == "a \"b\"\tc" && jobs[3].headers.map(\.name) == ["X"])
        #expect(jobs.map(\.kind) == [.download, .download, .download, .data])
    }

    @Test("The folder of a command replaces the run's, and is of files alone")
    func folders() throws {
        var defaults = Job(kind: .download, url: "")
        defaults.directory = "run"
        let text =
            "curl -O --output-dir a http://h/f -o - http://h/g\ncurl -d x -o n --output-dir b http://h/f\ncurl -O h/f\n"
        #expect(try Self.jobs(Self.document(text, defaults)).map(\.directory) == ["a", "run", "b", "run"])
        #expect(CurlCommandReader.read("curl -O --output-dir a http://h/f")?.unknown == ["--output-dir"])
    }

    @Test(
        "A setting without its value is left out and told, and takes no other setting for it",
        arguments: [
            ("user =", "--user"), ("output =", "--output"), ("request =", "--request"), ("data =", "--data"),
            ("proxy =", "--proxy"), ("user-agent", "--user-agent"), ("--referer", "--referer"), ("-b", "-b"),
            ("-sSo", "-sSo"), ("url =", "--url"), ("max-time:", "--max-time"),
        ])
    func emptySettings(line: String, option: String) throws {
        let document = Self.document("\(line)\nurl = http://h/a\nlocation\n")
        let contents = try ListFormat.curlConfiguration.read(document)
        var job = Job(kind: .data, url: "http://h/a")
        job.options = []
        #expect(contents.jobs == [job])
        #expect(contents.remarks == [CurlUsage.leftOut("l:1", SafeText(untrusted: option))])
        #expect(CurlUsage.leftOut("l:1", "--user").string == "l:1: left out --user, which has no value, as curl does")
    }

    @Test("A value in quotes may be empty, and a letter has its value behind a blank or attached")
    func quotedSettings() throws {
        let text = "user-agent = \"\"\n-d=a\n-e http://r/\nlocation # always\nurl = http://h/a\n"
        let contents = try ListFormat.curlConfiguration.read(Self.document(text))
        #expect(contents.jobs.map(\.body) == [.text("=a")] && contents.remarks.isEmpty)
        #expect(contents.jobs[0].headers["Referer"] == "http://r/")
        #expect(contents.jobs[0].options.map(\.line) == ["without-header=User-Agent"])
    }

    @Test("The response of a request is named after each URL of a pattern, and one name in braces is a pattern")
    func names() throws {
        let text = "curl -d x -O http://h/[1-2].csv\ncurl -T up.bin -O http://h/a\ncurl -O http://h/{a}\n"
        let jobs = try Self.jobs(Self.document(text))
        #expect(jobs.map(\.url) == ["http://h/1.csv", "http://h/2.csv", "http://h/a", "http://h/a"])
        #expect(jobs.map(\.output.name) == ["1.csv", "2.csv", "a", nil])
        #expect(jobs.map(\.kind) == [.data, .data, .upload, .download])
    }

    @Test(
        "What is wrong is told with its line",
        arguments: [
            ("curl http://h/\nhttp://h/b\n", "l:2: " + CurlUsage.noCommand),
            ("curl -s\n", "l:1: " + CurlUsage.noURL), ("curl 'http://h/\n", "l:1: " + CurlUsage.openQuote),
            ("\ncurl http://$HOST/\n", "l:2: " + CurlUsage.expansion("$HOST")),
            ("curl -w x http://h/\n", "l:1: " + CurlUsage.unknown("-w")),
            ("curl -i -O http://h/f\n", "l:1: " + CurlUsage.unknown("--include")),
            ("curl -d $'\\xff' http://h/\n", "l:1: " + CurlUsage.otherBytes),
            ("curl http://h/ -o\n", "l:1: " + CurlUsage.unknown("-o without a value")),
            ("url = http://h/\nlocation = yes\n", "l:2: " + CurlUsage.takesNoValue("--location")),
            ("url = http://h/\n-L yes\n", "l:2: " + CurlUsage.takesNoValue("-L")),
            ("curl -H 'Host:' http://h/\n", "l:1: " + CurlUsage.unknown("-H 'Host:'")),
            ("url = \"http://h/\"\nwrite-out = \"x\"\n", "l:2: " + CurlUsage.unknown("--write-out")),
            ("url = \"http://h/\n", "l:1: " + CurlUsage.openQuote),
            ("url = http://h/ x\n", "l:1: " + CurlUsage.textBehindValue), ("location\n", "l:1: " + CurlUsage.noURL),
            ("url = x\n= y\n", "l:2: " + CurlUsage.noOption),
            ("url = \"ftp://h/\"\n", "l:1: " + URLUsage.unsupportedScheme("ftp")),
        ])
    func wrong(text: String, message: String) {
        #expect(Self.problem(Self.document(text)) == message)
        let server = Self.document(text, address: "http://h/list")
        #expect(Self.problem(server) == "l: " + CurlUsage.ofServer)
    }

    @Test("Options that choose among links need a list, and -K is a list of its own")
    func options() throws {
        let words = ["-K", "-", "-i", "x.html", "--accept", "*.iso, *.img", "--reject", "a*"]
        let invocation = try CommandLine.parse(words).get()
        #expect(invocation.inputLists == [ListOperand("/dev/stdin", isCurl: true), "x.html"])
        #expect(invocation.linkChoice == LinkChoice(accepted: ["*.iso", "*.img"], rejected: ["a*"]))
        for wrong in [["--accept", "*", "http://h/"], ["--reject", "a,,b", "-i", "x"], ["--config", ""]] {
            #expect(throws: UsageError.self) { try CommandLine.parse(wrong).get() }
        }
    }
}
