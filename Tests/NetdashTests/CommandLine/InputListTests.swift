import DashboardTestSupport
import Testing

@testable import Dashboard
@testable import TransferService
@testable import netdash

@Suite("Input lists")
struct InputListTests {
    private let defaults = Job(kind: .download, url: "")

    private func read(_ text: String) -> Result<[Job], UsageError> {
        InputListParser.jobs(in: Array(text.utf8), name: "jobs.txt", defaults: defaults)
    }

    @Test("A list with a header has one job in each row, by the keys of its columns")
    func table() throws {
        let text = "# mine\nURL,out,priority,header\nhttp://h/a,\"x, \"\"y\"\"\",high,\n\nhttp://h/b,,,X-A: 1\n"
        let jobs = try read(text).get()
        #expect(jobs.map(\.url) == ["http://h/a", "http://h/b"])
        #expect(jobs[0].output == .name("x, \"y\"") && jobs[0].priority == .high && jobs[0].headers.isEmpty)
        #expect(jobs[1].output == .automatic && jobs[1].headers.map(\.name) == ["X-A"])
    }

    @Test("A list of objects has one job in each line, and a line that is none is refused")
    func objects() throws {
        let first =
            #"{"url": "http://h/a", "out": "x, y", "header": ["A: 1", "B: 2"], "pause": true, "tag": null, "priority": 1}"#
        let jobs = try read(first + "\n\n{\"url\": \"http://h/b\", \"connections\": 4}\n").get()
        #expect(jobs.map(\.url) == ["http://h/a", "http://h/b"])
        #expect(jobs[0].output == .name("x, y") && jobs[0].startsPaused && jobs[0].priority == .high)
        #expect(jobs[0].headers.map(\.name) == ["A", "B"] && jobs[1].options.text(of: .connections) == "4")
        for wrong in ["http://h/b", "{\"out\": \"x\"}", "{\"url\": "] {
            guard case .failure(let error) = read(first + "\n" + wrong) else {
                Issue.record("\(wrong) was read")
                continue
            }
            #expect(error.message == "jobs.txt:2: \(ListUsage.noObject)")
        }
    }

    @Test("A key that an object has twice counts as in a list: the last of single ones, all of repeatable ones")
    func repeatedKeys() throws {
        let line =
            #"{"url": "http://h/a", "out": "a,\"", "header": "A: 1", "out": "b", "url": "http://h/\u0062", "header": ["B: 2"]}"#
        let jobs = try read(line + "\n" + #"{"url": "http://h/c", "out": "x", "tag": "t", "out": null}"# + "\n").get()
        #expect(jobs.map(\.url) == ["http://h/b", "http://h/c"])
        #expect(jobs.map(\.output) == [.name("b"), .automatic])
        #expect(jobs[0].headers.map(\.name) == ["A", "B"])
        guard case .failure(let error) = read(#"{"url": "http://h/a", "out": {}, "out": "x"}"#) else {
            Issue.record("an object was read as a name")
            return
        }
        #expect(error.message.contains(ListUsage.objectValue(of: "out")))
    }

    @Test(
        "A value that a key of an object cannot have is told with the key, on the first line too",
        arguments: [
            (#"{"url": "http://h/b", "tag": "x", "out": {}}"#, ListUsage.objectValue(of: "out")),
            (#"{"url": "http://h/b", "header": ["A: 1", ["B: 2"], {}]}"#, ListUsage.objectValue(of: "header")),
            (#"{"url": ["http://h/b", "http://h/c"]}"#, ListUsage.objectURL), (#"{"url": {}}"#, ListUsage.objectURL),
            (#"{"url": "http://h/b", "connections": 1.5}"#, "connections: "),
            (#"{"url": "http://h/b", "limit-rate": "fast"}"#, "limit-rate: "),
        ])
    func values(line: String, sentence: String) {
        for (text, number) in [(line, 1), ("{\"url\": \"http://h/a\"}\n" + line, 2)] {
            guard case .failure(let error) = read(text) else {
                Issue.record("\(text) was read")
                continue
            }
            #expect(error.message.hasPrefix("jobs.txt:\(number): \(sentence)"), "\(error.message)")
        }
    }

    @Test(
        "What is wrong in a list with a header is told by its line, and another format as such",
        arguments: [
            ("url,out\nhttp://h/a,b\nhttp://h/b\n", "jobs.txt:3: the header has 2 columns, this row has not"),
            ("url,out\nhttp://h/a,\"b\n", "jobs.txt:2: the header has 2 columns, this row has not"),
            ("url,out\n,b\n", "jobs.txt:2: \(URLUsage.empty)"),
            ("name,size\n", "jobs.txt:1: unknown list format, which begins with \"name,size\""),
            ("{\"log\": 1}\n", "jobs.txt:1: unknown list format, which begins with \"{\"log\": 1}\""),
            ("curl http://h/a\n", "jobs.txt:1: \(ListUsage.needsFile(ListUsage.commands))"),
            ("url = \"x\"\n", "jobs.txt:1: \(ListUsage.needsFile(ListUsage.configuration))"),
            ("hello\n", "jobs.txt:1: unknown list format, which begins with \"hello\""),
            ("Dear reader,\n", "jobs.txt:1: unknown list format, which begins with \"Dear reader,\""),
            ("%PDF-1.7\n", "jobs.txt:1: unknown list format, which begins with \"%PDF-1.7\""),
            ("--- a.txt\n", "jobs.txt:1: unknown list format, which begins with \"--- a.txt\""),
            ("[section]\n", "jobs.txt:1: unknown list format, which begins with \"[section]\""),
            ("name: x\n", "jobs.txt:1: unknown list format, which begins with \"name: x\""),
            ("http://h/a\nhello\n", "jobs.txt:2: \(URLUsage.word("hello"))"),
            ("wget -O x http://h/a\n", "jobs.txt:1: \(ListUsage.otherProgram("wget"))"),
            ("http://h/a\nhello world\n", "jobs.txt:2: \(URLUsage.word("hello world"))"),
        ])
    func otherFormats(text: String, expected: String) {
        guard case .failure(let error) = read(text) else {
            Issue.record("it was read")
            return
        }
        #expect(error.message == expected)
    }

    @Test("A column without a meaning is refused, and URLs with commas and passwords are none")
    func columns() throws {
        guard case .failure(let error) = read("url,size\nhttp://h/a,1\n") else {
            Issue.record("it was read")
            return
        }
        #expect(error.message.hasPrefix("jobs.txt:1: unknown key \"size\""))
        let urls = ["http://h/a,b=c", "h.example/a,b", "me:a,b=c@h.example/f"]
        #expect(urls.allSatisfy { !ListTable.isForeign($0) })
        #expect(try read(urls.joined(separator: "\n")).get().count == 3)
    }

    @Test("Each URL begins a job, and the indented lines below it are its options")
    func paragraphs() throws {
        let jobs = try read(
            """
            # a comment
            http://h/a
              out=b.bin
            \tdir = files
              header=X-A: 1
              header=X-B: 2
              if-exists=skip
              # another comment
            example.com/c

            http://h/up
             kind=upload
             body-file=data.bin
             method=post
            http://h/api
             kind=data
             body=a=b
            """
        ).get()
        #expect(jobs.map(\.url) == ["http://h/a", "https://example.com/c", "http://h/up", "http://h/api"])
        #expect(jobs[0].output == .name("b.bin"))
        #expect(jobs[0].directory == "files")
        #expect(jobs[0].headers.map(\.name) == ["X-A", "X-B"])
        #expect(jobs[0].ifExists == .skip)
        #expect(jobs[1].output == .automatic)
        #expect(jobs[2].kind == .upload)
        #expect(jobs[2].body == .file(path: "data.bin"))
        #expect(jobs[2].method == "POST")
        #expect(jobs[3].body == .text("a=b"))
        #expect(jobs[3].sentMethod == "POST")
    }

    @Test("Line ends of other systems are understood, and an empty list is no mistake")
    func lineEnds() throws {
        #expect(try read("http://h/a\r\n out=x\r\nhttp://h/b").get().map(\.url) == ["http://h/a", "http://h/b"])
        #expect(try read("http://h/a\r\n out=x\r\n").get().first?.output == .name("x"))
        #expect(try read("\n# nothing\n\n").get().isEmpty)
    }

    @Test("The mark that some editors write in front of UTF-8 is none of the first line's")
    func byteOrderMark() throws {
        #expect(try read("\u{FEFF}http://h/a\nhttp://h/b\n").get().map(\.url) == ["http://h/a", "http://h/b"])
        #expect(try read("\u{FEFF}# a comment\nhttp://h/b\n").get().map(\.url) == ["http://h/b"])
        let text = "\u{FEFF}d41d8cd98f00b204e9800998ecf8427e  a\n"
        #expect(try ChecksumList(text, label: "l").checksum(of: Job(kind: .download, url: "http://h/a")) != .missing)
    }

    @Test(
        "A bad line names the file and the line",
        arguments: [
            ("http://h/a\n colour=4\n", "jobs.txt:2: \(ListUsage.unknownKey("colour", hint: ListUsage.seeKeys))"),
            (
                "http://h/a\n chekcsum=x\n",
                "jobs.txt:2: \(ListUsage.unknownKey("chekcsum", hint: CommandLineUsage.didYouMean("checksum")))"
            ),
            ("http://h/a\n\n out=x\n", "jobs.txt:3: \(ListUsage.indented("out=x"))"),
            ("http://h/a\n nonsense\n", "jobs.txt:2: \(ListUsage.notKey("nonsense"))"),
            ("ftp://h/a\n", "jobs.txt:1: \(URLUsage.unsupportedScheme("ftp"))"),
            ("http://h/a\n out=../..\n", "jobs.txt:2: out: \(FileNameUsage.folder("../.."))"),
            (
                "http://h/a\n kind=data\n paginate=yes\n out=x\n", "jobs.txt:1: \(AnswerUsage.pagesInFile)"
            ),
            ("http://h/a\n kind=data\n max-pages=2\n", "jobs.txt:1: \(AnswerUsage.needsPages)"),
            (
                "http://h/a\n kind=data\n paginate=yes\n paginate-json=.a\n",
                "jobs.txt:4: paginate-json: \(ListUsage.excludes("paginate"))"
            ),
            ("\nhttp://h/a\n kind=upload\n", "jobs.txt:2: \(ListUsage.uploadNeedsBody)"),
            ("http://h/a\n body=x\n", "jobs.txt:1: \(ListUsage.bodyOfDownload)"),
            (
                "http://h/a\n kind=data\n form=a=1\n data-urlencode=b=2\n",
                "jobs.txt:4: data-urlencode: \(ListUsage.excludes("form"))"
            ),
            (
                "http://h/a\n kind=data\n json-body={}\n form=a=1\n",
                "jobs.txt:4: form: \(ListUsage.excludes("json-body"))"
            ),
            (
                "http://h/a\n kind=data\n json-body={}\n json-body=[]\n",
                "jobs.txt:4: json-body: \(ListUsage.excludes("json-body"))"
            ),
            ("http://h/a\n kind=data\n body=x\n body-file=f\n", "jobs.txt:4: body-file: \(ListUsage.excludes("body"))"),
            (
                "http://h/a\n kind=data\n body-file=f\n form=a=1\n",
                "jobs.txt:4: form: \(ListUsage.excludes("body-file"))"
            ),
            ("http://h/a\n kind=data\n form=a=1\n body=x\n", "jobs.txt:4: body: \(ListUsage.excludes("form"))"),
            ("http://h/a\n kind=file\n", "jobs.txt:2: kind: \(OptionUsage.notOneOf("file", "data, upload, download"))"),
        ])
    func mistakes(text: String, expected: String) throws {
        let result = read(text)
        guard case .failure(let error) = result else {
            Issue.record("\(result) should be a failure")
            return
        }
        #expect(error.message.hasPrefix(expected), "\(error.message)")
    }

    @Test("What is not a download goes to the folder of the run too, and an upload to a folder gets the file's name")
    func foldersOfRequests() throws {
        let text = """
            http://h/j
             kind=data
             out=x.json
            http://h/k
             kind=data
             out=y
             dir=own
            http://h/in/
             kind=upload
             body-file=a/b c
            http://h/f
             out=z
            """
        let jobs = try InputListParser.jobs(in: Array(text.utf8), name: "l", defaults: defaults, directory: "there")
            .get()
        #expect(jobs.map(\.directory) == ["there", "own", nil, nil])
        #expect(jobs[2].url == "http://h/in/b%20c")
    }

    @Test(
        "A task of a list has limits of its own, in the words of aria2 too",
        arguments: [
            ("limit-rate=100k", TaskRates(download: 102_400)),
            ("max-download-limit=1M", TaskRates(download: OwnRate(1 << 20))),
            ("limit-upload=2k", TaskRates(upload: 2048)), ("max-upload-limit=0", TaskRates(upload: .off)),
            ("limit-rate=1k\n limit-upload=2k", TaskRates(download: 1024, upload: 2048)), ("limit-rate=fast", nil),
        ] as [(String, TaskRates?)])
    func limits(line: String, rates: TaskRates?) throws {
        let jobs = read("http://h/a\n \(line)\nhttp://h/b")
        guard let rates else {
            #expect(throws: UsageError.self) { try jobs.get() }
            return
        }
        #expect(try jobs.get().map(\.rates) == [rates, nil])
    }

    @Test(
        "A task of a list has a priority, as a word or as a number",
        arguments: [
            ("high", .high), ("HIGHEST", .highest), ("-2", .lowest), ("low", .low), ("0", .normal), ("+1", .high),
            ("3", nil), ("", nil), ("very high", nil),
        ] as [(String, TaskPriority?)])
    func priorities(text: String, priority: TaskPriority?) throws {
        let jobs = read("http://h/a\n priority=\(text)\nhttp://h/b")
        guard let priority else {
            #expect(throws: UsageError.self) { try jobs.get() }
            return
        }
        #expect(try jobs.get().map(\.priority) == [priority, .normal])
        let command = try CommandLine.parse(["--priority=\(text)", "http://h/a"]).get()
        #expect(command.jobs.map(\.priority) == [priority])
    }

    @Test("From a stream, a job is complete at the empty line or the next URL, and a bad one fails alone")
    func stream() {
        var parser = InputListParser(name: "stdin", defaults: defaults)
        let lines = ["http://h/a", " out=x", "ftp://h/b", "http://h/c", ""]
        let entries = lines.map { parser.consume(line: $0) }
        let last = parser.endJob()
        var first = Job(kind: .download, url: "http://h/a")
        first.output = .name("x")
        #expect(entries[0] == nil)
        #expect(entries[1] == nil)
        #expect(entries[2] == .job(first))
        guard case .failure(let url, let error) = entries[3] else {
            Issue.record("the second job should have failed")
            return
        }
        #expect(url == "ftp://h/b")
        #expect(error.message.hasPrefix("stdin:3: "))
        #expect(entries[4] == .job(Job(kind: .download, url: "http://h/c")))
        #expect(last == nil)
    }
}

@Suite("Input lists whose jobs are made a few at a time")
struct InputListPiecesTests {
    private static let lines = [
        "http://h/a", "https://host.example:8080/b/c.iso", "example.com/plain", "", "# comment", "  out=name.bin",
        "\theader=X-A: 1", " kind=data", " pause=true", "http://h/with space?", "http://h/crlf\r",
    ]

    /// What the parser makes of the lines one after the other: the jobs, or the first thing that is wrong.
    private func reference(_ text: String) -> Result<[Job], UsageError> {
        var parser = InputListParser(name: "list", defaults: Job(kind: .download, url: ""))
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        var entries = lines.map { parser.consume(line: String(decoding: $0, as: UTF8.self)) }
        entries.append(parser.endJob())
        var jobs: [Job] = []
        for entry in entries {
            switch entry {
            case .job(let job): jobs.append(job)
            case .failure(_, let error): return .failure(error)
            case nil: break
            }
        }
        return .success(jobs)
    }

    private func pieces(_ text: String, of length: Int) -> Result<[Job], UsageError> {
        do throws(UsageError) {
            var list = try InputList(Array(text.utf8), name: "list", defaults: Job(kind: .download, url: ""))
            var jobs: [Job] = []
            while case let piece = list.next(length), !piece.isEmpty { jobs += piece }
            return .success(jobs)
        } catch {
            return .failure(error)
        }
    }

    @Test("Whatever stands in a list, its pieces are what its lines say, and so is what is wrong in it")
    func piecesAreTheLines() {
        var random = GoldenRandom(seed: 5)
        var good = 0
        for _ in 0..<600 {
            let count = Int.random(in: 0...9, using: &random)
            // Most lists are in order, so that their jobs are compared too.
            let choices = Int.random(in: 0..<3, using: &random) == 0 ? Self.lines[...] : Self.lines[..<5]
            let lines = (0..<count).map { _ in choices.randomElement(using: &random) ?? "" }
            let text = lines.joined(separator: "\n") + (Bool.random(using: &random) ? "\n" : "")
            let expected = reference(text)
            if case .success = expected { good += 1 }
            for length in [1, 3, 100] { #expect(pieces(text, of: length) == expected, "\(lines)") }
        }
        #expect(good > 300)
    }

    @Test("A list of jobs hands them out in order, once")
    func jobListHandsOut() throws {
        let list = try InputList(
            Array("http://h/2\nhttp://h/3\n".utf8), name: "list", defaults: Job(kind: .data, url: ""))
        let jobs = JobList([Job(kind: .data, url: "http://h/1")], [list, list])
        #expect(jobs.next(2).map(\.url) == ["http://h/1", "http://h/2"])
        #expect(!jobs.isEmpty)
        #expect(jobs.next(.max).map(\.url) == ["http://h/3", "http://h/2", "http://h/3"])
        #expect(jobs.isEmpty && jobs.next(1).isEmpty)
    }

    @Test(
        "A list of a server says where files are and what they have to be, and nothing else",
        arguments: [
            ("out=a/b.iso", true), ("checksum=md5=\(String(repeating: "0", count: 32))", true),
            ("mirror=http://m/f", true), ("length=5", true), ("out=../f", false), ("out=/etc/f", false),
            ("out=.bashrc", false), ("out=a/.ssh/f", false), ("out=-", false), ("dir=/tmp", false),
            ("kind=upload", false), ("body-file=/etc/passwd", false), ("form=a=@/etc/passwd", false),
            ("bearer=@env:TOKEN", false), ("netrc-file=/root/.netrc", false), ("cookie-jar=/tmp/c", false),
            ("if-exists=overwrite", false), ("header=A: b", false), ("http-user=me", false),
            ("allow-overwrite=true", false), ("max-connection-per-server=4", false),
        ])
    func listsOfServers(line: String, isTaken: Bool) throws {
        let bytes = Array("http://h/f\n  \(line)\n".utf8)
        let defaults = Job(kind: .download, url: "")
        let list = try? InputList(
            bytes, name: "http://h/list", source: .server(url: "http://h/list"), defaults: defaults)
        #expect((list != nil) == isTaken)
    }

    @Test(
        "What says who asks goes to the server of a list, and to no other that the list names",
        arguments: [
            ("http://h/f", true), ("HTTP://H/f", true), ("http://h:81/f", false), ("https://h/f", false),
            ("http://other/f", false), ("http://h@other/f", false), ("http://other/http://h/", false),
        ])
    func identity(url: String, isGiven: Bool) throws {
        var defaults = Job(kind: .download, url: "")
        defaults.headers = ["X-Api-Key": "k", "Accept": "a/b"]
        let identity = ["user": "u:p", "bearer": "t", "cookie": "a=b", "referer": "http://h/", "negotiate": ""]
        for (name, text) in identity {
            defaults.options.append(JobOption.Value(try #require(JobOption.named(name)), text))
        }
        defaults.options.append(JobOption.Value(.maximumTime, "5"))
        var list = try InputList(
            Array("\(url)\n".utf8), name: "l", source: .server(url: "http://h/list"), defaults: defaults)
        let job = try #require(list.next(1).first)
        #expect(job.headers.map(\.name) == (isGiven ? ["X-Api-Key", "Accept"] : ["Accept"]))
        #expect(job.options == (isGiven ? defaults.options : [JobOption.Value(.maximumTime, "5")]))
        var own = try InputList(Array("\(url)\n".utf8), name: "l", defaults: defaults)
        #expect(own.next(1).first?.options == defaults.options, "the user's own list goes wherever it says")
    }
}
