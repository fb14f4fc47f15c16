import DashboardTestSupport
import SessionSupport
import Testing
import TransferValues

@testable import Dashboard

/// Commands as users copy them: from browsers, manuals and chats.
@Suite("Pasted commands", .timeLimit(.minutes(1)))
struct PastedCommandTests {
    /// What a command of curl becomes.
    struct Expected: Sendable {
        var kind = Job.Kind.data
        var method = "GET"
        var url: String
        var headers: [String] = []
        var body = Job.Body.none
        var options: [String] = []
        var output: String?
    }

    private static let form = "Content-Type: application/x-www-form-urlencoded"

    private static let commands: [(String, Expected)] = [
        ("curl https://h/f", Expected(url: "https://h/f")),
        ("$ curl -sS h:8080/f", Expected(url: "http://h:8080/f")),
        ("curl -fsSLO https://h/f.iso", Expected(kind: .download, url: "https://h/f.iso")),
        (
            "curl -L -o out.bin 'https://h/f?x=1&y=2'",
            Expected(kind: .download, url: "https://h/f?x=1&y=2", output: "out.bin")
        ),
        (
            """
            curl 'https://h/v1?q=1' \\
              -H 'accept: application/json' \\
              -H 'content-type: application/json' \\
              -b 'sid=1; a=2' \\
              --data-raw '{"a":1}' \\
              --compressed
            """,
            Expected(
                method: "POST", url: "https://h/v1?q=1",
                headers: ["accept: application/json", "content-type: application/json", "Cookie: sid=1; a=2"],
                body: .text(#"{"a":1}"#))
        ),
        (
            "curl 'https://h/' --compressed -H 'User-Agent: Mozilla/5.0' -H 'Accept-Encoding: gzip, deflate, br'",
            Expected(url: "https://h/", headers: ["User-Agent: Mozilla/5.0"])
        ),
        (
            #"curl 'https://h/' -X 'PATCH' -H 'Content-Type: text/plain' --data-raw $'it\u0027s\nso'"#,
            Expected(
                method: "PATCH", url: "https://h/", headers: ["Content-Type: text/plain"], body: .text("it's\nso"))
        ),
        (
            "curl ^\"https://h/?a=1^&b=2^\" ^\r\n  -H ^\"accept: */*^\" ^\r\n  --data-raw ^\"^{^\\^\"a^\\^\":1^}^\"",
            Expected(
                method: "POST", url: "https://h/?a=1&b=2", headers: ["accept: */*", form], body: .text(#"{"a":1}"#))
        ),
        (
            "curl \"https://h/\" ^\n -H \"a: b\" ^\n -H \"Cookie: c=d\"",
            Expected(url: "https://h/", headers: ["a: b", "Cookie: c=d"])
        ),
        (
            "curl.exe -k https://h/", Expected(url: "https://h/", options: ["insecure"])
        ),
        ("curl -X DELETE https://h/1", Expected(method: "DELETE", url: "https://h/1")),
        ("curl -I https://h/", Expected(method: "HEAD", url: "https://h/")),
        (
            "curl -T file https://h/up",
            Expected(kind: .upload, method: "PUT", url: "https://h/up", body: .file(path: "file"))
        ),
        ("curl -u me:pw https://h/", Expected(url: "https://h/", options: ["user=me:pw"])),
        (
            #"curl --json '{"a":1}' https://h/"#,
            Expected(
                method: "POST", url: "https://h/",
                headers: ["Content-Type: application/json", "Accept: application/json"], body: .text(#"{"a":1}"#))
        ),
        ("curl -G -d q=a -d r=b https://h/s", Expected(url: "https://h/s?q=a&r=b")),
        (
            "curl --data-urlencode 'q=a&b' https://h/",
            Expected(method: "POST", url: "https://h/", headers: [form], body: .text("q=a%26b"))
        ),
        (
            "curl -d @body.json -H 'Content-Type: application/json' https://h/",
            Expected(
                method: "POST", url: "https://h/", headers: ["Content-Type: application/json"],
                body: .formFile(path: "body.json"))
        ),
        (
            "curl -F 'f=@a.png' https://h/", Expected(method: "POST", url: "https://h/", options: ["form=f=@a.png"])
        ),
        ("curl -x http://p:3128 https://h/", Expected(url: "https://h/", options: ["proxy=http://p:3128"])),
        (
            "curl -A agent -e https://r/ https://h/",
            Expected(url: "https://h/", headers: ["User-Agent: agent", "Referer: https://r/"])
        ),
    ]

    @Test("A command of curl becomes a job with everything that it sends", arguments: commands.indices)
    func curl(index: Int) throws {
        let (text, expected) = Self.commands[index]
        let reading = try #require(CurlCommandReader.read(text), "\(text)")
        let job = reading.job
        #expect(job.kind == expected.kind && job.sentMethod == expected.method && job.url == expected.url, "\(text)")
        #expect(job.headers.map { "\($0.name): \($0.value)" } == expected.headers, "\(text)")
        #expect(job.body == expected.body, "\(text)")
        let options = job.options.map { $0.text.isEmpty ? $0.option.name : "\($0.option.name)=\($0.text)" }
        // Only these two follow redirects.
        let kept = ["curl -fsSLO", "curl -L "].contains { text.hasPrefix($0) } ? [] : ["no-location"]
        #expect(options == expected.options + kept && job.output.name == expected.output, "\(text)")
        #expect(reading.unknown.isEmpty && CurlCommandReader.otherProgram(text) == nil, "\(text)")
    }

    @Test(
        "A command of another program is named, and nothing is taken of it",
        arguments: [
            ("wget -c https://h/f", "wget"), ("$ wget2 https://h/f", "wget2"), ("aria2c -x4 https://h/f", "aria2c"),
            ("http POST https://h/ a=b", "http"), ("https h/ a=b", "https"), ("xh get https://h/", "xh"),
            ("Invoke-WebRequest -Uri \"https://h/\" -Method POST", "Invoke-WebRequest"), ("iwr https://h/", "iwr"),
            ("irm https://h/", "irm"),
            (
                "$session = New-Object Microsoft.PowerShell.Commands.WebRequestSession\n"
                    + "$session.Cookies.Add((New-Object System.Net.Cookie(\"a\", \"b\", \"/\", \"h\")))\n"
                    + "Invoke-WebRequest -UseBasicParsing -Uri \"https://h/\" -WebSession $session",
                "Invoke-WebRequest"
            ),
            ("fetch(\"https://h/\", {\n  \"method\": \"GET\"\n});", "fetch"), ("fetch(\"https://h/\")", "fetch"),
            ("await fetch(\"https://h/\", {\n  \"method\": \"POST\"\n});", "fetch"),
        ])
    func others(text: String, program: String) {
        #expect(CurlCommandReader.otherProgram(text) == program)
        var form = AddForm()
        #expect(form.paste(text) == FormHints.otherProgram(SafeText(untrusted: program)))
        #expect(form[.url].text.isEmpty)
    }

    @Test("There are as many as were counted, and a URL alone is none")
    func counts() {
        #expect(Self.commands.count + 13 >= 30)
        for text in ["https://h/f", "http://h/wget", "http", "wget.example.org/f"] {
            #expect(CurlCommandReader.otherProgram(text) == nil)
        }
    }
}
