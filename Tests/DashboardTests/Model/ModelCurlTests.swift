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
            (#"$'a\n\u0041\'b'"#, ["a\nA'b"]), ("", []),
            (#"$'\xc3\xa4\u00e4\xe2\x82\xac'"#, ["ää€"]), (#"$'\101\1012\041\x{41}'"#, ["AA2!A"]),
            (#"$'\a\b\e\E\f\v\r\t\cA\c?'"#, ["\u{7}\u{8}\u{1B}\u{1B}\u{C}\u{B}\r\t\u{1}\u{7F}"]),
            (#"$'a\0b'c $'x\x00y' $'\400'"#, ["ac", "x", ""]), (#"$'\q\?\"\\\xzz\u'"#, [#"\q?"\\xzz\u"#]),
            ("x'y'\"z\"", ["xyz"]),
        ])
    func words(text: String, expected: [String]) {
        #expect(ShellWords.split(text) == expected)
    }

    @Test(
        "Bytes that are no UTF-8 are characters, as Firefox means them, and are noticed",
        arguments: [
            (#"curl -d $'\xe9t\xe9' http://h"#, "été", true), (#"curl -d $'\ud83d\ude00' http://h"#, "😀", true),
            (#"curl -d $'\xc3\xa9' http://h"#, "é", false), ("curl -d é http://h", "é", false),
        ])
    func bytes(command: String, body: String, isNoted: Bool) throws {
        #expect(try #require(CurlCommandReader.read(command)).job.body == .text(body))
        #expect(CurlCommandReader.hasOtherBytes(in: command) == isNoted)
    }

    @Test(
        "A command for the shell of Windows is split as that does it",
        arguments: [
            (
                "curl \"http://h/\" ^\n -H \"a: */*\" ^\n --data-raw \"^{^\\^\"a^\\^\":1^}\"",
                ["curl", "http://h/", "-H", "a: */*", "--data-raw", #"{"a":1}"#]
            ),
            (
                "curl ^\"http://h/?a=1^&b=2^\" ^\r\n  -H ^\"x: 100^%^25^\"",
                ["curl", "http://h/?a=1&b=2", "-H", "x: 100%25"]
            ),
            ("c ^\"{\"\"a\"\":\\\\\"\"}^\" \"\"", ["c", #"{"a":\"}"#, ""]), ("c ^\"a^\n\nb^\"", ["c", "a\nb"]),
            ("c ^\"C:\\dir\\f^\"", ["c", #"C:\dir\f"#]),
        ])
    func windowsWords(text: String, expected: [String]) {
        #expect(ShellWords.split(text) == expected)
    }

    @Test(
        "What only a shell could fill in is noticed, and nothing is filled in without it",
        arguments: [
            (#"curl -H "X: $KEY" http://h"#, "$KEY"), ("curl http://h/${A}b", "$A"), ("curl -d `date` http://h", "`…`"),
            ("curl -d $(date) http://h", "$(…)"), (#"curl -d 'a $B' -d "\$C" -d \$D -d 5$ -d $'x' http://h"#, nil),
        ] as [(String, String?)])
    func expansions(command: String, first: String?) {
        #expect(CurlCommandReader.expansions(in: command).first == first)
        var form = AddForm()
        let said = form.paste(command)
        #expect((said?.string.contains("variable") ?? false) == (first != nil))
        #expect(form[.url].text.isEmpty == (first != nil))
    }

    @Test(
        "An option that is not known keeps its own value, and not the URL",
        arguments: [
            ("--proto =https,http --tlsv1.2", []), ("--retry 3 --connect-timeout 5", []),
            ("-sSfL --max-redirs 3", []),
            ("--dns-servers 1.1.1.1 -P x", ["--dns-servers", "-P"]), ("--unknown", ["--unknown"]),
        ])
    func valuesOfUnknownOptions(words: String, unknown: [String]) throws {
        for command in ["curl \(words) http://h/x", "curl http://h/x \(words)"] {
            let reading = try #require(CurlCommandReader.read(command))
            #expect(reading.job.url == "http://h/x" && reading.unknown == unknown)
        }
    }

    @Test("What curl does with its data, its cookies and its URL is done")
    func fineprint() throws {
        func job(_ words: String) throws -> Job { try #require(CurlCommandReader.read("curl " + words)).job }
        #expect(try job("localhost:8080/x").url == "http://localhost:8080/x")
        #expect(try job("'h/f?from=http://other/'").url == "http://h/f?from=http://other/")
        let fields = try job("-H 'Accept:' -H 'X-A: 1' -H 'X-B;' -A '' http://h")
        #expect(fields.headers == ["X-A": "1", "X-B": ""])
        #expect(fields.options.filter { $0.option == .withoutHeader }.map(\.text) == ["Accept", "User-Agent"])
        #expect(try job("-L --no-location http://h").options == [.init(.keepsRedirects)])
        #expect(try job("--no-location --location http://h").options.isEmpty)
        #expect(try job("-L --anyauth -u me:pw http://h").options == [.init(.anyScheme), .init(.user, "me:pw")])
        #expect(CurlCommandReader.read("curl -H 'Host:' http://h")?.unknown == ["-H 'Host:'"])
        #expect(try job("-e 'http://r/;auto' http://h").headers == ["Referer": "http://r/"])
        #expect(try job("-e ';auto' http://h").headers.isEmpty)
        #expect(try job("-d @f http://h").body == .formFile(path: "f"))
        #expect(try job("--data-binary @f http://h").body == .file(path: "f"))
        let cookies = try job("-b 'a=1; b=2' -H 'Cookie: c=3' -b d=4 http://h")
        #expect(cookies.headers == ["Cookie": "c=3"])
        #expect(try job("-b 'a=1; b=2' -b d=4 http://h").headers == ["Cookie": "a=1; b=2; d=4"])
        let json = try job("--json '{' --json '}' -H 'Content-Type: application/x' http://h")
        #expect(json.headers.map(\.value) == ["application/x", "application/json"] && json.body == .text("{}"))
        let answer = try job("-X POST -d a=1 -o out.json http://h")
        #expect(answer.kind == .data && answer.output == .name("out.json") && answer.body == .text("a=1"))
        #expect(try job("-o - http://h").output == .automatic)
        #expect(try job("--limit-rate 100k http://h").rates == TaskRates(download: 102_400, upload: 102_400))
        #expect(try job("-g http://h/[1-2]").url == #"http://h/\[1-2\]"#)
        #expect(CurlCommandReader.isCommand("curl.exe http://h") && CurlCommandReader.isCommand("$ curl ^\nhttp://h"))
    }

    @Test("Another program's command is named, and not taken for a URL")
    func otherPrograms() {
        var form = AddForm()
        #expect(form.paste("wget -c http://h/x")?.string.contains("curl") == true)
        #expect(form[.url].text.isEmpty && form.paste("http://h/x") == nil)
    }

    @Test("A pattern in the form stands for several URLs, and an upload to a folder gets the file's name")
    func patterns() throws {
        var form = AddForm()
        form[.url] = TextField("http://h/[6-8]")
        form.furtherURLs = ["http://h/{a,b}"]
        #expect(try form.jobs().map(\.url) == ["http://h/6", "http://h/7", "http://h/8", "http://h/a", "http://h/b"])
        form.kind = .data
        #expect(throws: AddForm.Problem.self) { try form.jobs() }
        form.furtherURLs = []
        form[.url] = TextField("http://h/[9-1]")
        form.kind = .download
        #expect(throws: AddForm.Problem.self) { try form.jobs() }
        let kept = AddForm(editing: Job(kind: .download, url: "http://h/[6-8]"), of: 1)
        #expect(try kept.jobs().map(\.url) == ["http://h/[6-8]"])
        var upload = AddForm()
        upload.kind = .upload
        upload[.url] = TextField("http://h/in/?x=1")
        upload[.body] = TextField("dir/a-b")
        #expect(try upload.jobs().map(\.url) == ["http://h/in/a-b?x=1"])
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
        #expect(data.headers == ["Content-Type": "application/x-www-form-urlencoded"])
        let download = try #require(CurlCommandReader.read("curl -Lo out.iso http://h/p.iso")).job
        #expect(download.kind == .download)
        #expect(download.output == .name("out.iso"))
        let upload = try #require(CurlCommandReader.read("$ curl -T 'my file' --user me:pw --url=http://h/up")).job
        #expect(upload.kind == .upload)
        #expect(upload.body == .file(path: "my file"))
        #expect(upload.options == [.init(.user, "me:pw"), .init(.keepsRedirects)] && upload.headers.isEmpty)
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
        "Of two bodies, which curl itself refuses, the other one is named",
        arguments: [
            ("--data-binary @f -F a=b", ["the body of --form"]), ("-d x -F a=b", ["the body of --form"]),
            ("-F a=b --data-urlencode c@f", ["the body of --form"]),
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

    @Test("Of several pasted commands the first fills the form, and the others are counted")
    func severalCommands() {
        var form = AddForm()
        let said = form.paste(
            """
            curl -X PUT https://a.example/1 \\
              -H 'A: b' ;
            curl https://a.example/2

            curl https://a.example/3
            """)
        #expect(said == FormHints.ignoredCommands(2))
        #expect(form[.url].text == "https://a.example/1" && form[.headers].text == "A: b")
        #expect(form.paste("curl https://a.example/1 -d 'b\ncurl c'") == nil, "a quote joins the lines")
        let both = form.paste("curl -r 0-5 https://a.example/1\ncurl https://a.example/2")
        #expect(both?.string.hasPrefix(FormHints.ignoredCommands(1).string + " · ") == true)
    }

    @Test("Pasted lines that are no URLs are counted")
    func otherLines() {
        var form = AddForm()
        #expect(form.paste("http://a/x\n\n# comment\nhttp://b/y") == nil)
        #expect(form.paste("http://a/x\nftp://b/y\nhello\n") == FormHints.ignoredLines(2))
        #expect(form.paste("http://a/x\n  out=y\n\theader=X-A: b\n") == FormHints.ignoredOptionLines(2))
        let both = [FormHints.ignoredOptionLines(1), FormHints.ignoredLines(2)].joined(by: " · ")
        #expect(form.paste("http://a/x\n  out=y\nftp://b/y\nhello\n") == both)
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
        let reading = try #require(CurlCommandReader.read("curl -L \(words) http://h/"))
        #expect(reading.job.options == options.map { JobOption.Value($0.0, $0.1) } && reading.unknown.isEmpty)
        // What is copied as a command says the same.
        let copied = "curl -L " + CurlOptions.words(of: reading.job.options).joined(separator: " ") + " http://h/"
        #expect(CurlCommandReader.read(copied)?.job.options == reading.job.options)
    }

    @Test("Pasted text runs no command for a password")
    func commandsInCredentials() throws {
        let reading = try #require(CurlCommandReader.read("curl -L -u 'me:@cmd:touch x' http://h/"))
        #expect(reading.unknown == ["-u"] && reading.job.options.isEmpty)
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
        _ = update(&model, .paste("curl -L -r 0-5 -u me:pw -d x=1 https://a.example/v1"))
        #expect(model.screen == .addForm)
        #expect(model.toasts.current?.text == "Left out of the curl command: -r")
        let screen = GoldenFiles.text(of: view(model, size: model.size, capabilities: ViewCapabilities()))
        #expect(screen.contains("user=me:***") && !screen.contains("pw"))
        let effects = update(&model, .key(.enter))
        guard case .send(.add(let jobs)) = effects.first else { return #expect(Bool(false), "nothing was added") }
        #expect(jobs.first?.options == [.init(.user, "me:pw")])
        #expect(jobs.first?.body == .text("x=1"))
    }
}
