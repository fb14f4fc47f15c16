import DashboardTestSupport
import Testing

@testable import Dashboard
@testable import DashboardView

@Suite("Pasted curl commands")
struct ModelCurlTests {
    @Test(
        "Words are split as a shell splits them",
        arguments: [
            ("a  'b c' d", ["a", "b c", "d"]), ("a\\ b \\\n c", ["a b", "c"]),
            (#""a \"b\" $c \d" ''"#, [#"a "b" $c \d"#, ""]),
            (#"$'a\n\u0041\'b'"#, ["a\nA'b"]), ("", []), ("x'y'\"z\"", ["xyz"]),
        ])
    func words(text: String, expected: [String]) {
        #expect(ShellWords.split(text) == expected)
    }

    @Test("A quote that is not closed is noticed", arguments: ["'a", "\"a", "$'a"])
    func openQuotes(text: String) {
        #expect(ShellWords.split(text) == nil)
    }

    @Test("A browser's command becomes a data request with everything it sends")
    func browser() throws {
        let command = """
            curl 'https://api.example.com/v2/orders?x=1' \\
              -X 'POST' -H 'Accept: application/json' \\
              -H 'content-type: application/json' -H 'accept-encoding: gzip, deflate, br' -b 'session=abc' \\
              --data-raw $'{"id":17,"name":"it\\'s"}' --compressed
            """
        let reading = try #require(CurlCommandReader.read(command))
        #expect(reading.job.kind == .data)
        #expect(reading.job.url == "https://api.example.com/v2/orders?x=1")
        #expect(reading.job.method == "POST")
        #expect(reading.job.headers.map(\.name) == ["Accept", "content-type", "Cookie"])
        #expect(reading.job.body == .text(#"{"id":17,"name":"it's"}"#))
        #expect(reading.unknown.isEmpty)
    }

    @Test("Data means POST of a form, -o a download, -T an upload, -u a name and a password")
    func kinds() throws {
        let data = try #require(CurlCommandReader.read("curl -sSL -d a=1 -d b=2 http://h/p")).job
        #expect(data.sentMethod == "POST")
        #expect(data.body == .text("a=1&b=2"))
        #expect(data.headers == [.init(name: "Content-Type", value: "application/x-www-form-urlencoded")])
        let download = try #require(CurlCommandReader.read("curl -Lo out.iso http://h/p.iso")).job
        #expect(download.kind == .download)
        #expect(download.output == .name("out.iso"))
        let upload = try #require(CurlCommandReader.read("$ curl -T 'my file' --user me:pw --url=http://h/up")).job
        #expect(upload.kind == .upload)
        #expect(upload.body == .file(path: "my file"))
        #expect(upload.options == [.init(.user, "me:pw")] && upload.headers.isEmpty)
        #expect(try #require(CurlCommandReader.read("curl -XDELETE http://h")).job.method == "DELETE")
    }

    @Test(
        "A job that names no method is sent with the usual one: a request with a body is a POST",
        arguments: [
            (.data, .none, nil, "GET"), (.data, .text("{}"), nil, "POST"), (.data, .file(path: "f"), nil, "POST"),
            (.data, .standardInput, nil, "POST"), (.data, .text(""), nil, "POST"), (.data, .text("x"), "PUT", "PUT"),
            (.data, .none, "POST", "POST"), (.upload, .file(path: "f"), nil, "PUT"), (.upload, .text("x"), nil, "PUT"),
            (.upload, .text("x"), "POST", "POST"), (.download, .none, nil, "GET"),
        ] as [(Job.Kind, Job.Body, String?, String)])
    func methods(kind: Job.Kind, body: Job.Body, method: String?, sent: String) {
        let job = Job(kind: kind, url: "http://h/", method: method, body: body)
        #expect(job.sentMethod == sent)
    }

    @Test("The form sends the usual method where none was typed")
    func formMethods() throws {
        var form = AddForm()
        form[.url] = TextField("http://a/x")
        form.kind = .data
        #expect(try form.jobs().first?.sentMethod == "GET")
        form[.body] = TextField("{}")
        #expect(try form.jobs().first?.sentMethod == "POST")
        form[.method] = TextField("patch")
        #expect(try form.jobs().first?.sentMethod == "PATCH")
    }

    @Test("Options that mean something else are named")
    func unknown() throws {
        let reading = try #require(CurlCommandReader.read("curl -r 0-5 -x ftp://h -w x http://h/ http://i/"))
        #expect(reading.unknown == ["-r", "-x", "-w", "a second URL"])
        #expect(reading.job.url == "http://h/")
    }

    @Test(
        "Of two bodies, which curl itself refuses, one is sent and the other one named",
        arguments: [
            ("--data-binary @f -F a=b", ["the body of --form"]), ("-d x -F a=b", ["the body of --form"]),
            ("-F a=b --data-urlencode c@f", ["the body of --data-urlencode"]), ("-d a=1 -d @f", ["a second body"]),
            ("-T f -d x", ["a second body"]),
        ])
    func twoBodies(words: String, unknown: [String]) throws {
        let reading = try #require(CurlCommandReader.read("curl \(words) http://h/"))
        #expect(reading.unknown == unknown)
        var form = AddForm()
        form[.url] = TextField("http://a/x")
        form.kind = .data
        form[.options] = TextField("form=a=1; json-body={}")
        #expect(throws: AddForm.Problem.self) { try form.jobs() }
    }

    @Test("Pasted lines that are no URLs are counted")
    func otherLines() {
        var form = AddForm()
        #expect(form.paste("http://a/x\n\n# comment\nhttp://b/y") == nil)
        #expect(form.paste("http://a/x\nftp://b/y\nhello\n")?.string == "2 lines were left out, being no URL")
    }

    @Test(
        "Options that netdash has under another name are read",
        arguments: [
            ("-k -m5", [(.insecure, ""), (.maximumTime, "5")]),
            ("-F a=b --form 'f=@x'", [(.form, "a=b"), (.form, "f=@x")]),
            ("-b jar.txt -c out.txt", [(.cookie, "jar.txt"), (.cookieJar, "out.txt")]),
            ("-4 -n", [(.ipv4, ""), (.netrc, "")]),
            ("-x http://p:1 -U a:b", [(.proxy, "http://p:1"), (.proxyUser, "a:b")]),
            ("--compressed --digest", [(.digest, "")]),
            ("--negotiate -u :", [(.negotiate, ""), (.user, ":")]),
            ("--socks5-hostname p:1", [(.proxy, "socks5h://p:1")]), ("--oauth2-bearer t", [(.bearer, "t")]),
        ] as [(String, [(JobOption, String)])])
    func known(words: String, options: [(JobOption, String)]) throws {
        let reading = try #require(CurlCommandReader.read("curl \(words) http://h/"))
        #expect(reading.job.options == options.map { JobOption.Value($0.0, $0.1) } && reading.unknown.isEmpty)
        // What is copied as a command says the same.
        let copied = "curl " + CurlOptions.words(of: reading.job.options).joined(separator: " ") + " http://h/"
        #expect(CurlCommandReader.read(copied)?.job.options == reading.job.options)
    }

    @Test("-G puts data into the URL, and --data-urlencode is written in percent signs")
    func query() throws {
        let job = try #require(CurlCommandReader.read("curl -G -d a=1 --data-urlencode 'b=x y&z' http://h/p")).job
        #expect(job.url == "http://h/p?a=1&b=x%20y%26z" && job.body == .none && job.sentMethod == "GET")
    }

    @Test(
        "What is no command is not read", arguments: ["curl", "curl -s", "wget http://h", "curly http://h", "curl 'x"])
    func noCommand(text: String) {
        #expect(CurlCommandReader.read(text) == nil)
    }

    @Test("A pasted command fills the form and says what was left out")
    func form() throws {
        var model = Model()
        _ = update(&model, .clock(1))
        _ = update(&model, .paste("curl -r 0-5 -u me:pw -d x=1 https://a.example/v1"))
        #expect(model.screen == .addForm)
        #expect(model.toasts.current?.text == "Left out of the curl command: -r")
        let screen = GoldenFiles.text(of: view(model, size: model.size, capabilities: ViewCapabilities()))
        #expect(screen.contains("user=me:***") && !screen.contains("pw"))
        let effects = update(&model, .key(.enter))
        guard case .add(let jobs) = effects.first else { return #expect(Bool(false), "nothing was added") }
        #expect(jobs.first?.options == [.init(.user, "me:pw")])
        #expect(jobs.first?.body == .text("x=1"))
    }
}
