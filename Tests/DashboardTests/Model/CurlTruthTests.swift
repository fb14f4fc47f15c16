import Testing
import TransferValues

@testable import Dashboard

/// Options of curl that were read in silence, and meant something else.
@Suite("Curl commands that are read as curl reads them, or refused", .timeLimit(.minutes(1)))
struct CurlTruthTests {
    private func reading(_ words: String) throws -> CurlCommandReader.Reading {
        try #require(CurlCommandReader.read("curl " + words))
    }

    @Test("What follows --next is another request, and is named", arguments: ["--next", "-:"])
    func next(option: String) throws {
        let reading = try reading("http://h/a \(option) -d x=1 http://h/b")
        #expect(reading.job.url == "http://h/a" && reading.job.body == .none && reading.others.isEmpty)
        #expect(reading.unknown == [FormHints.nextRequest])
        let list = try #require(CurlCommandReader.read(words: ["http://h/a", "http://h/b"], printed: true))
        #expect(list.others.map(\.url) == ["http://h/b"])
    }

    @Test(
        "The value of --form-string is literal",
        arguments: ["1", "@f", "<f", "x;y", "x;type=text/plain", "\"q\"", "a\\b\";filename=c", "", "x\ny"])
    func formString(value: String) throws {
        let reading = try #require(CurlCommandReader.read(words: ["--form-string", "a=" + value, "http://h"]))
        #expect(reading.unknown.isEmpty && reading.job.sentMethod == "POST")
        let field = try #require(reading.job.options.first { $0.option == .form }.flatMap { FormField($0.text) })
        #expect(field.name == "a" && field.value == value && field.path == nil)
        #expect(field.contentType == nil && field.fileName == nil)
    }

    @Test("Text behind the semicolon of a form field, which curl drops, is named")
    func formFields() throws {
        #expect(try reading("-F 'a=x;y' http://h").unknown == [FormHints.textBehindField])
        for field in ["a=x;type=text/plain", "a=\"x;y\"", "a=@f;filename=g", "a=x"] {
            #expect(try reading("-F '\(field)' http://h").unknown.isEmpty, "\(field)")
        }
    }

    @Test("A referer that changes with redirects is named where redirects are followed")
    func referers() throws {
        #expect(try reading("-e ';auto' -L http://h").unknown == [FormHints.automaticReferer])
        #expect(try reading("-e 'http://r/;auto' -L http://h").unknown == [FormHints.automaticReferer])
        #expect(try reading("-e ';auto' http://h").unknown.isEmpty)
    }

    @Test(
        "A field of -H counts more than an option, in any order",
        arguments: [
            ("-A x -H 'User-Agent: y'", ["User-Agent: y"]), ("-H 'user-agent: y' -A x", ["user-agent: y"]),
            ("-A x -H 'User-Agent:'", []), ("-H 'User-Agent;' -A x", ["User-Agent: "]),
            ("-A x -A y", ["User-Agent: y"]),
            ("-A '' -A x", ["User-Agent: x"]), ("-A x -A ''", []), ("-A '' -H 'User-Agent: y'", ["User-Agent: y"]),
            ("-e r -H 'Referer: q'", ["Referer: q"]), ("-H 'Referer: q' -e r", ["Referer: q"]),
            ("-e r -H 'Referer:'", []), ("-b a=b -H 'Cookie:'", []), ("-b a=b -H 'Cookie;'", ["Cookie: "]),
            ("-H 'Cookie: c=d' -b a=b", ["Cookie: c=d"]),
            ("--oauth2-bearer t -H 'authorization: x'", ["authorization: x"]),
            ("--oauth2-bearer t -H 'Authorization:'", []),
        ] as [(String, [String])])
    func fields(words: String, expected: [String]) throws {
        let reading = try reading("-L \(words) http://h")
        #expect(reading.job.headers.map { $0.name + ": " + $0.value } == expected && reading.unknown.isEmpty)
        #expect(reading.job.options.allSatisfy { $0.option == .withoutHeader })
    }

    @Test(
        "Each URL has the output of its number, and -O names the response of a request after its URL",
        arguments: [
            ("-X GET -o out http://h/f", Job.Kind.download, Job.Output.name("out"), nil),
            ("-X GET -O http://h/f", .download, .automatic, nil), ("-o a -o b http://h/f", .download, .name("a"), nil),
            ("-O -o b http://h/f", .download, .automatic, nil), ("-o - -O http://h/f", .data, .automatic, nil),
            ("-d q=1 -O http://h/f", .data, .name("{name}"), nil),
            ("--json {} -O http://h/f", .data, .name("{name}"), nil),
            ("-F a=b --remote-name-all http://h/f", .data, .name("{name}"), nil),
            ("-X POST -O http://h/f", .data, .name("{name}"), "POST"),
            ("-I -O http://h/f", .data, .name("{name}"), "HEAD"),
            ("-T f -O http://h/f", .upload, .name("{name}"), nil), ("-T f -o a http://h/f", .upload, .name("a"), nil),
            ("-X DELETE http://h/f", .data, .automatic, "DELETE"),
        ] as [(String, Job.Kind, Job.Output, String?)])
    func outputs(words: String, kind: Job.Kind, output: Job.Output, method: String?) throws {
        let reading = try reading(words)
        let job = reading.job
        #expect(job.kind == kind && job.output == output && job.method == method && reading.unknown.isEmpty)
    }

    @Test(
        "An option that would change what curl does is named",
        arguments: [
            ("-C 5 http://h", [FormHints.offset]), ("-C - -O http://h/f", []), ("-C 0 -O http://h/f", []),
            ("-C 3 -T f http://h/f", [FormHints.offset]), ("--trace-ascii t http://h", ["--trace-ascii"]),
            ("--trace t http://h", ["--trace"]), ("--stderr e http://h", ["--stderr"]),
            ("-f -d x -o out http://h", [FormHints.failWithFile]), ("-f -T f -O http://h/f", [FormHints.failWithFile]),
            ("-fo - -o out -d x http://h http://i", [FormHints.failWithFile, FormHints.secondURL]),
            ("-f -o out http://h", []), ("-fsS -d x http://h", []), ("--fail-with-body -d x -o out http://h", []),
            ("-d x -OJ http://h/f", [FormHints.nameOfServer]), ("-OJ http://h/f", []),
            ("-I -X GET http://h", [FormHints.headAlone]), ("-X GET -I http://h", [FormHints.headAlone]),
            ("-I -d x http://h", [FormHints.headAlone]), ("-I -T f http://h/f", [FormHints.headAlone]),
            ("-c - http://h", [FormHints.printedJar]), ("-c jar http://h", []), ("-I -X HEAD http://h", []),
            ("-I -G -d x http://h", []), ("http://h -o", [FormHints.missingValue(of: "-o")]),
            ("http://h --data", [FormHints.missingValue(of: "--data")]),
            ("http://h --retry", [FormHints.missingValue(of: "--retry")]),
            ("http://h -m", [FormHints.missingValue(of: "-m"), "-m"]),
            ("-F a=b -H 'Content-Type: application/x-foo' http://h", [FormHints.formType]),
            ("-F a=b -H 'Content-Type: multipart/mixed' http://h", []),
        ] as [(String, [String])])
    func named(words: String, unknown: [String]) throws {
        #expect(try reading(words).unknown == unknown)
    }

    @Test("A comment of the shell ends the command")
    func comments() throws {
        let commented = try reading("http://h/a#part # a comment 'with a quote")
        #expect(commented.job.url == "http://h/a#part" && commented.unknown.isEmpty)
    }

    @Test(
        "A second command of the shell, a pipe and a file are left to the shell",
        arguments: [
            "http://h/a; true x", "http://h/a ;true", "http://h/a && true", "http://h/a|jq .", "http://h/a > f",
            "http://h/a & true", "http://h/a >f", "http://h/a < f",
        ])
    func otherCommands(words: String) throws {
        #expect(CurlCommandReader.end(of: "curl " + words) != nil, "\(words)")
        let reading = try reading(words)
        #expect(reading.job.url == "http://h/a" && reading.others.isEmpty && reading.unknown.count == 1)
    }

    @Test(
        "A semicolon or an ampersand that ends a command ends nothing else",
        arguments: ["http://h/a;", "http://h/a ;", "http://h/a &", "'http://h/a;x&y|z>#'", "http://h/a\\;x\\&"])
    func ends(words: String) {
        #expect(CurlCommandReader.end(of: "curl " + words) == nil, "\(words)")
    }

    @Test("A method of -X stays after redirects where they are followed, as the body of -T does on 301 and 302")
    func keptMethods() throws {
        func names(_ words: String) throws -> [String] { try reading(words).job.options.map(\.line) }
        #expect(try names("-X POST -L http://h") == ["keep-method"])
        #expect(try names("-X POST http://h") == ["no-location"])
        #expect(try names("-d x -L http://h").isEmpty && names("-X GET -L http://h").isEmpty)
        #expect(try names("-X GET -d x -L http://h") == ["keep-method"])
        #expect(try names("-X POST -T f -L http://h/") == ["keep-method", "post301", "post302"])
        #expect(try names("-d x --post301 --post303 -L http://h") == ["post301", "post303"])
    }

    @Test("All data is joined by & in its order, files too")
    func joinedData() throws {
        func lines(_ words: String) throws -> [String] {
            let reading = try reading(words + " -L http://h")
            #expect(reading.unknown.isEmpty && reading.job.body == .none && reading.job.sentMethod == "POST")
            return reading.job.options.map(\.line)
        }
        #expect(try lines("-d a=1 -d @f -d b=2") == ["data-part=a=1", "data-part=@f", "data-part=b=2"])
        #expect(try lines("-d @f -d @g") == ["data-part=@f", "data-part=@g"])
        #expect(try lines("-d a=1 --data-urlencode n@f") == ["data-part=a=1", "data-urlencode=n@f"])
        #expect(
            try lines("--data-urlencode n@f --data-urlencode 'm=x y'") == ["data-urlencode=n@f", "data-part=m=x%20y"])
        #expect(try reading("-d @f http://h").job.body == .formFile(path: "f"))
    }

    @Test(
        "A body that cannot be sent as curl sends it is refused, and the form stays empty",
        arguments: [
            ("--data-binary @f -d b=2", FormHints.unjoinedFile), ("--json @f --json '{}'", FormHints.unjoinedFile),
            ("--data-raw @x -d @f", FormHints.unjoinedFile), ("-d @-", FormHints.inputData),
            ("-d a=1 -F b=2", "the body of --form"), ("-T f -d a=1", FormHints.secondBody),
            ("-G -d @f", FormHints.fileInQuery),
        ])
    func refusedBodies(words: String, gap: String) throws {
        let reading = try reading(words + " http://h")
        #expect(reading.bodyGaps == [gap] && reading.unknown == [gap])
        var form = AddForm()
        #expect(form.paste("curl \(words) http://h")?.string.contains(gap) == true)
        #expect(form[.url].text.isEmpty && form[.body].text.isEmpty)
    }

    @Test("Empty cookies, an empty user agent and a limit of -1 mean what they mean to curl")
    func emptyValues() throws {
        let reading = try reading("-b '' -A '' -L --max-redirs -1 http://h")
        #expect(reading.unknown.isEmpty && reading.job.headers.isEmpty)
        #expect(reading.job.options.map(\.line) == ["cookie=", "without-header=User-Agent", "max-redirs=-1"])
        let terms = reading.job.options.terms
        #expect(terms.cookies == [.responses] && terms.request.redirectLimit == .max)
    }

    @Test(
        "A protocol that the command forbids is named where it would be used",
        arguments: [
            ("--proto =https http://h", ["--proto"]), ("--proto =https https://h", []),
            ("--proto =https -L https://h", []), ("--proto -all,https h", ["--proto"]), ("--proto -ftp http://h", []),
            ("-L --proto-redir =https http://h", ["--proto-redir"]), ("--proto-redir =https http://h", []),
            ("-L --proto-redir =https https://h", []), ("-L --proto =http http://h", ["--proto"]),
        ])
    func protocols(words: String, unknown: [String]) throws {
        #expect(try reading(words).unknown == unknown)
    }

    @Test(
        "URLs, queries and bodies are made as curl makes them",
        arguments: [
            ("--proto-default https h/a", "https://h/a"), ("-G -d a=[1-3] http://h/a", "http://h/a?a=\\[1-3\\]"),
            ("-G -d q=tea 'http://h/a?z=1#f'", "http://h/a?z=1&q=tea#f"), ("-G -d q=1 'http://h/a?'", "http://h/a?q=1"),
            ("-T f http://h:80", "http://h:80/"), ("-T f h", "http://h/"), ("-T f http://h/a", "http://h/a"),
        ])
    func addresses(words: String, url: String) throws {
        #expect(try reading(words).job.url == url)
    }

    @Test("With -G the fields of --json stay")
    func queryOfJSON() throws {
        let job = try reading("-G --json '{\"a\":1}' http://h/a").job
        #expect(job.body == .none && job.headers.map(\.value) == ["application/json", "application/json"])
    }

    @Test("Data behind --json follows an ampersand, and --json behind data does not")
    func joinedJSON() throws {
        #expect(try reading("--json '{}' -d x=1 http://h").job.body == .text("{}&x=1"))
        #expect(try reading("-d x=1 --json '{}' http://h").job.body == .text("x=1{}"))
        #expect(try reading("--json '{}' --json '[]' http://h").job.body == .text("{}[]"))
    }
}
