import SessionSupport
import Testing

@testable import Dashboard
@testable import TransferService
@testable import netdash

/// The requests of `.http` files, as editors write them.
@Suite("Files of requests", .timeLimit(.minutes(1)))
struct HTTPFileTests {
    private func read(_ text: String) throws -> [HTTPFile.Request] {
        try HTTPFile(text, name: "f.http", folder: "dir", environment: ["TOKEN": "hush", "A": "b"]).requests
    }

    @Test(
        "A name and a password of Basic may be written plainly, as in editors",
        arguments: [
            ("Basic me pw", "Basic bWU6cHc="), ("basic me {{$env TOKEN}}", "Basic bWU6aHVzaA=="),
            ("Basic me:p w", "Basic bWU6cCB3"), ("Basic me:pw", "Basic bWU6cHc="), ("Basic me p w", "Basic bWU6cCB3"),
            ("Basic bWU6cHc=", "Basic bWU6cHc="), ("Bearer a b", "Bearer a b"), ("Digest a:b", "Digest a:b"),
        ])
    func basic(written: String, sent: String) throws {
        let request = try #require(try read("GET http://h/\nAuthorization: \(written)").first)
        #expect(request.headers.map(\.value) == [sent])
    }

    @Test("Requests have names, variables, header fields, queries and bodies")
    func requests() throws {
        let requests = try read(
            """
            @host = http://h:1
            @api={{host}}/v1
            // a comment

            ### login
            POST {{api}}/login HTTP/1.1
            Content-Type: application/json
            # a comment between fields
            Authorization: Bearer {{$env TOKEN}}

            {
              "user": "{{ $processEnv A }}"
            }

            ###
            # @name items
            GET {{host}}/items
                ?page=1
                &q={{$env.A}}
            Accept: */*
            ###
            {{host}}/plain
            ### upload
            PUT http://h/x

            < ./order.json
            ### xml
            POST http://h/x

            <a>
            """)
        #expect(requests.map(\.name) == ["login", "items", nil, "upload", "xml"])
        #expect(requests.map(\.method) == ["POST", "GET", nil, "PUT", "POST"])
        #expect(
            requests.map(\.url) == [
                "http://h:1/v1/login", "http://h:1/items?page=1&q=b", "http://h:1/plain", "http://h/x", "http://h/x",
            ])
        #expect(requests[0].headers.map(\.value) == ["application/json", "Bearer hush"])
        #expect(requests[0].body == .text("{\n  \"user\": \"b\"\n}") && requests[0].line == 6)
        #expect(requests[1].body == .none && requests[1].headers.map(\.name) == ["Accept"])
        #expect(requests[3].body == .file(path: "dir/./order.json") && requests[4].body == .text("<a>"))
    }

    @Test("Lines of earlier responses are left out, the lines of a form are joined, and Host completes a path")
    func editors() throws {
        let requests = try read(
            """
            POST http://h/x
            Content-Type: application/x-www-form-urlencoded

            a = 1 &
            b=two words &c=
              &d=e=f

            <> ./2026-11-27.200.json
            ###
            GET /path?q=1
            Host: h:8443
            ### three
            PUT /x
            Host: h
            X: {{$env TOKEN}}

            text

            <> a.200.json
            """)
        #expect(requests.map(\.url) == ["http://h/x", "https://h:8443/path?q=1", "http://h/x"])
        #expect(requests[0].body == .text("a=1&b=two words&c=&d=e=f") && requests[2].body == .text("text"))
        #expect(requests[1].headers.isEmpty && requests[2].headers.map(\.name) == ["X"])
    }

    @Test(
        "The lines of a body in parts end as their servers read them, whatever the file has", arguments: ["\n", "\r\n"])
    func parts(lineEnd: String) throws {
        let lines = [
            "POST http://h/x", "Content-Type: Multipart/form-data; boundary=b", "", "--b",
            "Content-Disposition: form-data; name=\"a\"", "", "{{user}}", "", "--b--", "", "###",
        ]
        let text = (["@user = me"] + lines).joined(separator: lineEnd)
        let body = "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nme\r\n\r\n--b--\r\n"
        #expect(try read(text).first?.body == .text(body))
    }

    @Test("The values of the environment are secrets, wherever they are used")
    func secrets() throws {
        let file = try HTTPFile(
            "@a = {{$env A}}\nGET http://h/{{$env TOKEN}}", name: "f.http", folder: "",
            environment: ["TOKEN": "hush", "A": "b", "C": "unused"])
        #expect(file.secrets == ["hush", "b"])
    }

    @Test("Lines end as on Windows too, and a byte order mark is none of the text")
    func lineEnds() throws {
        #expect(
            try read("\u{FEFF}@a = 1\r\nGET http://h/{{a}}\r\nX: y\r\n\r\nbody\r\n\r\n").first?.body == .text("body"))
    }

    @Test(
        "What is unknown is refused with its line",
        arguments: [
            ("", "f.http: \(HTTPFileUsage.empty)"), ("@a b\nGET http://h/", "f.http:1: \(HTTPFileUsage.variable)"),
            ("GET http://h/{{a}}", "f.http:1: {{a}} is not defined above"),
            ("\nGET http://h/{{$uuid}}", "f.http:2: {{$uuid}} is unknown"),
            ("GET http://h/{{$env NONE}}", "f.http:1: \(HTTPFileUsage.unset("NONE"))"),
            ("# @no-redirect\nGET http://h/", "f.http:1: @no-redirect is unknown"),
            ("GET", "f.http:1: \(HTTPFileUsage.requestLine)"),
            ("get http://h/", "f.http:1: \(HTTPFileUsage.requestLine)"),
            ("curl http://h/", "f.http:1: \(HTTPFileUsage.requestLine)"),
            ("GET http://h/ and more", "f.http:1: \(HTTPFileUsage.requestLine)"),
            ("GET http://h/\nno header", "f.http:2: \(ValueUsage.headerWithoutColon)"),
            ("< {% x %}\nGET http://h/", "f.http:1: \(HTTPFileUsage.foreign("< {%"))"),
            ("GET http://h/\n\n{}\n> {% x %}", "f.http:4: \(HTTPFileUsage.foreign("> {%"))"),
            ("GET http://h/\n\n<@ ./a", "f.http:3: \(HTTPFileUsage.foreign("<@"))"),
            ("POST http://h/\n\na\n< ./b", "f.http:4: \(HTTPFileUsage.partlyFile)"),
            ("GRAPHQL http://h/", "f.http:1: \(HTTPFileUsage.protocolOf("GRAPHQL"))"),
            ("GET ftp://h/", "f.http:1: \(URLUsage.unsupportedScheme("ftp"))"),
            ("### a\nGET http://h/\n\n{{b}}", "f.http:4: {{b}} is not defined above"),
        ])
    func refused(text: String, message: String) {
        let error = #expect(throws: UsageError.self) { try read(text) }
        #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "")")
    }

    @Test("A variable without a value refuses the requests that use it alone, also by another variable")
    func missingVariables() throws {
        let file = try HTTPFile(
            """
            @key = {{$env NONE}}
            ### whole
            GET http://h/1
            ### header
            GET http://h/2
            X-Key: {{key}}
            ### url
            GET {{$env HOST}}
            ### body
            POST http://h/4

            {{unknown}}
            """, name: "f.http", folder: "", environment: [:])
        #expect(try file.request(named: "whole", label: "f.http").url == "http://h/1")
        for (name, message) in [
            ("header", "f.http:1: " + HTTPFileUsage.unset("NONE")), ("url", "f.http:8: " + HTTPFileUsage.unset("HOST")),
            ("body", "f.http:12: " + HTTPFileUsage.undefined("unknown")),
        ] {
            let error = #expect(throws: UsageError.self) { try file.request(named: name, label: "f.http") }
            #expect(error?.message == message)
        }
        let all = #expect(throws: UsageError.self) { try file.requests }
        #expect(all?.message == "f.http:1: " + HTTPFileUsage.unset("NONE"))
    }

    @Test("A request is found by its name or number, and an unknown one is told the names")
    func names() throws {
        let file = try HTTPFile(
            "### a\nGET http://h/1\n###\nGET http://h/2", name: "f.http", folder: "", environment: [:])
        #expect(try file.request(named: "a", label: "f.http").url == "http://h/1")
        #expect(try file.request(named: "2", label: "f.http").url == "http://h/2")
        let twice = try HTTPFile(
            "### a b\nGET http://h/1\n###\nGET http://h/2\n### a b\nGET http://h/3", name: "f.http", folder: "",
            environment: [:])
        let ambiguous = #expect(throws: UsageError.self) { try twice.request(named: "a b", label: "f.http") }
        #expect(ambiguous?.message == "f.http: \(HTTPFileUsage.ambiguous("a b", "1, 3"))")
        let error = #expect(throws: UsageError.self) { try file.request(named: "b", label: "f.http") }
        #expect(error?.message == "f.http: \(HTTPFileUsage.unknownName("b", "a", 1))")
    }

    @Test("A file is an operand of request, with the options of the command line, and takes no method and body")
    func operands() throws {
        let invocation = try CommandLine.parse(["request", "--assert", "status=200", "-H", "A: b", "x/f.http#login"])
            .get()
        let file = try #require(invocation.requestFile)
        #expect(file.path == "x/f.http" && file.name == "login" && invocation.jobs.isEmpty)
        #expect(file.terms.options.count == 1 && file.terms.headers.map(\.name) == ["A"])
        for words in [["POST", "f.http"], ["-b", "x", "f.http"], ["f.http", "a=b"], ["-X", "PUT", "f.rest"]] {
            #expect(throws: UsageError.self) { try CommandLine.parse(["request"] + words).get() }
        }
        #expect(try CommandLine.parse(["request", "http://h/f.http"]).get().requestFile == nil)
    }
}
