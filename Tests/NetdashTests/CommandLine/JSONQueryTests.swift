import SessionSupport
import Testing

@testable import TransferValues

/// Programs in the language of jq: what is one, what is compared, and what is shown of them.
@Suite("Paths and programs of jq", .timeLimit(.minutes(1)))
struct JSONQueryTests {
    @Test(
        "A text that a path can be is a path",
        arguments: [
            ".a.b", "a", ".", "/a b/c", #"."a b""#, #".["x|y"]"#, ".a[0]", ".a[-1]", ".items[].id", ".items[*]",
            ".a-b", ".@id", "$.a", "keys",
        ])
    func paths(text: String) throws {
        guard case .path = try JSONQuery(text) else {
            Issue.record("\(text) is a program")
            return
        }
    }

    @Test(
        "A pipe, a call, a comma, a blank, a question mark, two dots and a computed bracket make a program",
        arguments: [
            ".a|length", ".a, .b", "[.a]|first", "select(.a)", ".a?", "{a}", "..", ".a[1:]", ".a[.b]", ".a + .b",
            "if .a then .b else .c end", ".a\n| .b", "def f: .a; f", "[.a]",
        ])
    func programs(text: String) throws {
        #expect(try JSONQuery(text) == .program(JSONProgram(text)))
    }

    /// A condition, its subject, its sign and its value; nil for all three where the program decides.
    private static let conditions: [(String, (String, Condition.Sign, String)?)] = [
        ("json:.a==1", ("json:.a", .equal, "1")), ("json:.a.b >= 2", ("json:.a.b", .atLeast, "2")),
        ("json:.items|length == 2", ("json:.items|length", .equal, "2")),
        (
            "json:.items|map(select(.n==1))|length>0",
            ("json:.items|map(select(.n==1))|length", .more, "0")
        ),
        ("json:.a == 1 and .b == 2", nil), ("json:.a != null and (.b|length) > 0", nil),
        (#"json:.a|.b == "x == y""#, ("json:.a|.b", .equal, #""x == y""#)),
        ("json:[.a,.b]|any", nil), (#"json:.a|test("a=b")"#, nil), ("json:.a|not", nil), ("json:(.a", nil),
        (#"json:.a|"\(.x == 1)" == "true""#, (#"json:.a|"\(.x == 1)""#, .equal, #""true""#)),
        ("json:.a|.b |= 3", nil), (#"json:.a // "x" == "x""#, (#"json:.a // "x""#, .equal, #""x""#)),
        ("json:.x|length >= (.y|length)", nil), ("json:.x|length >= .y", nil), ("json:.a|.b==", nil),
        ("json:.a|.b ~ foo bar", ("json:.a|.b", .contains, "foo bar")),
        ("json:.a|.b <= -5", ("json:.a|.b", .atMost, "-5")),
        ("json:if .a == 1 then 2 else 3 end == 2", ("json:if .a == 1 then 2 else 3 end", .equal, "2")),
        ("json:(.a and .b)==true", ("json:(.a and .b)", .equal, "true")),
        ("json:.or|.and==1", ("json:.or|.and", .equal, "1")),
        ("json:.a[1:]|length==1", ("json:.a[1:]|length", .equal, "1")),
        ("json:.a=in progress and more", ("json:.a", .equal, "in progress and more")),
        ("json:.name=Salt and Pepper", ("json:.name", .equal, "Salt and Pepper")),
        (#"json:.["a=b"]==x"#, (#"json:.["a=b"]"#, .equal, "x")),
        ("json:/a~1b!=1", ("json:/a~1b", .unequal, "1")), ("json:/a=x and b=y", ("json:/a", .equal, "x and b=y")),
        ("body~a=b|c", ("body", .contains, "a=b|c")), ("status>=200", ("status", .atLeast, "200")),
        ("header:X~a and b", ("header:X", .contains, "a and b")),
    ]

    @Test("A comparison is outside of texts and brackets", arguments: conditions.indices)
    func splitting(index: Int) {
        let (text, expected) = Self.conditions[index]
        let parts = Condition.parts(of: text)
        #expect(
            parts?.subject == expected?.0 && parts?.sign == expected?.1 && parts?.value == expected?.2,
            "\(text): \(String(describing: parts))")
    }

    @Test(
        "A sentence of jq loses its places",
        arguments: [
            ("jq: error (at <stdin>:0): x", "x"), (#"jq: error (at <stdin>:0) (not a string): {"a":1}"#, #"{"a":1}"#),
            (
                "jq: error: syntax error, unexpected $end (Unix shell quoting issues?) at <top-level>, line 1:\n.a|\n",
                "syntax error, unexpected $end"
            ),
            (
                "jq: error: syntax error, unexpected end of file at <top-level>, line 1, column 5:\n    .|.a|",
                "syntax error, unexpected end of file"
            ),
            ("[\"DEBUG:\",1]\njq: error (at <stdin>:0): y", "y"), ("bye", "bye"), ("", ""),
        ])
    func reasons(errors: String, reason: String) {
        #expect(JSONProgram.reason(Array(errors.utf8)) == reason)
    }

    // MARK: - Judging

    private static let body = #"{"state": "done", "n": 3, "token": "hush-hush-1", "pin": 4711, "list": [{"ok": true}]}"#
    private static let program = JSONProgram(".list|first")

    private func answer(_ outcome: JSONProgram.Outcome?) -> Answer {
        Answer(
            status: 200, headers: HeaderFields(), body: Array(Self.body.utf8), seconds: 1, readsJSON: true,
            outcomes: outcome.map { [Self.program: $0] } ?? [:])
    }

    private func finding(_ printed: String, _ comparison: String) throws -> String? {
        let results = try #require(JSONProgram.results(Array(printed.utf8)))
        return try Condition("json:" + Self.program.text + comparison).finding(in: answer(.success(results)))
    }

    @Test("The results of a program are compared as the values of a path are")
    func results() throws {
        #expect(try finding("2\n", "==2") == nil && finding("1\n2\n", "<=2") == nil)
        #expect(try finding("1\n3\n", "<=2") == "3" && finding("", "==2") == ConditionErrors.noResult)
        #expect(try finding("true\n", "") == nil && finding("null\n", "") == "null")
        #expect(try finding("{\"a\":1}\n", "") == nil && finding("\"done\"\n", "~don") == nil)
    }

    @Test("A found text is shown if the body has it and it is no secret")
    func foundTexts() throws {
        #expect(try finding("\"done\"\n", "==1") == "\"done\"")
        #expect(try finding("\"hush-hush-1\"\n", "==1") == ConditionErrors.otherText(11))
        #expect(try finding("\"HUSH-HUSH-1\"\n", "==1") == ConditionErrors.otherText(11))
    }

    @Test(
        "jq's sentence is told without secrets of the body, also where it has shortened them",
        arguments: [
            (#"string ("hush-hush-1") cannot be parsed"#, #"string ("***") cannot be parsed"#),
            (#"string ("hush-h...) and number"#, #"string ("***) and number"#),
            ("number (4711) is odd", "number (***) is odd"), ("string (\"done\")", "string (\"done\")"),
        ])
    func masks(words: String, shown: String) throws {
        let finding = try Condition("json:.list|first==1").finding(in: answer(.failure(.error(words))))
        #expect(finding == "error from jq: " + shown)
    }

    @Test("Why a program has no result is one sentence")
    func failures() throws {
        for (failure, sentence) in [
            (JSONProgram.Failure.missing, PathErrors.programMissing), (.time(seconds: 10), PathErrors.programTime(10)),
            (.memory(megabytes: 512), PathErrors.programMemory(512)),
            (.output(megabytes: 1), PathErrors.programOutput(1)),
        ] {
            let finding = try Condition("json:.list|first==1").finding(in: answer(.failure(failure)))
            #expect(finding == sentence.string.asPhrase)
        }
        #expect(
            try Condition("json:.list|first==1").finding(in: answer(nil))?.contains(PathErrors.programNotRun) == true)
        #expect(!JSONProgram.Failure.error("a\u{1B}[31mb").sentence().string.contains("\u{1B}"))
    }

    @Test(
        "Neither a compared secret nor one in a program is shown",
        arguments: [
            (#"json:.token|ascii_upcase=="HUSH2""#, #"json:.token|ascii_upcase=="***""#),
            (
                #"json:.list|map(select(.token=="hush2"))|length==0"#,
                #"json:.list|map(select(.token=="***"))|length==***"#
            ),
            ("json:keys|length==2", "json:keys|length==2"),
            (#"json:.list|map(select(.ok=="yes"))|length==1"#, #"json:.list|map(select(.ok=="yes"))|length==1"#),
        ])
    func shownConditions(text: String, shown: String) throws {
        #expect(try Condition(text).shownText == shown)
        #expect(JobOption.Value(.assertion, text).shownText == shown)
    }

    @Test("Links and the next page may come of a program, and its programs are known before it is judged")
    func links() throws {
        let query = JSONQuery.program(Self.program)
        func answer(_ printed: String) throws -> Answer {
            self.answer(.success(try #require(JSONProgram.results(Array(printed.utf8)))))
        }
        #expect(try AnswerLinks.urls(at: query, in: answer("\"/a\"\n\"/b\"\n")) == ["/a", "/b"])
        #expect(try AnswerLinks.next(at: query, in: answer("\"/a\"\n")) == "/a")
        #expect(try AnswerLinks.next(at: query, in: answer("null\n")) == nil)
        #expect(try AnswerLinks.next(at: query, in: answer("")) == nil)
        for printed in ["3\n", "\"file:///etc/passwd\"\n", ""] {
            let wrong = try answer(printed)
            #expect(throws: AnswerLinks.Problem.self) { try AnswerLinks.urls(at: query, in: wrong) }
        }
        var terms = AnswerTerms()
        #expect(terms.programs.isEmpty)
        terms.assertions = [try Condition("json:.a|b==1"), try Condition("json:.a==1")]
        terms.until = [try Condition("json:.a|b==2")]
        (terms.downloads, terms.pages) = (query, .path(query))
        #expect(terms.programs == [JSONProgram(".a|b"), Self.program])
    }
}
