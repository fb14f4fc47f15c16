import SessionSupport
import Testing

@testable import TransferValues

/// Conditions about responses: what is understood, which responses meet them, and what is said of the others.
@Suite("Conditions about responses", .timeLimit(.minutes(1)))
struct ConditionTests {
    private static let body = """
        {"state": "pending", "count": 5, "token": "hush", "done": false, "list": [{"ok": true, "n": 1}, {"ok": null, "n": 2}],
         "a=b": "x", "a~b": [1]}
        """

    private static let answer = Answer(
        status: 404, headers: ["Content-Type": "text/html", "Set-Cookie": "sid=hush", "X-Empty": ""],
        body: Array(body.utf8), seconds: 2.345, readsJSON: true)

    @Test(
        "A response meets them",
        arguments: [
            "status=404", "status == 404", "status=4xx", "status!=200", "status!=2xx", "status<500", "status>=404",
            "status>3xx", "status<=4xx", "time<3s", "time<=2.345", "time>500ms", "time<1m", "body~pending",
            "body!~absent", "header:content-type~html", "header:X-Empty", "header:X-Empty=", "header:X-None!=a",
            "header:Set-Cookie~sid=", "header:Content-Type=\"text/html\"", #"json:.state=="pending""#,
            "json:.state=pending", "json:.state~pend", "json:.count>4", "json:.count<=5.0", "json:.count=5",
            "json:.count!=6",
            "json:.done=false", "json:.list[1].ok==null", "json:.list[].n>0", "json:.list[0].ok", "json:.list",
            #"json:.["a=b"]==x"#, "json:/a~1b!=1", "json:/state=pending", "json:/a~0b/0=1", "json:.list!=1",
        ])
    func met(text: String) throws {
        let condition = try Condition(text)
        guard text != "json:/a~1b!=1" else {
            return #expect(condition.finding(in: Self.answer)?.contains("a/b") == true)
        }
        #expect(condition.failure(in: Self.answer) == nil)
    }

    @Test(
        "A response that does not is told with what was expected and found",
        arguments: [
            ("status=2xx", "Expected status=2xx, found 404"), ("time<2s", "Expected time<2s, found 2.345 s"),
            ("header:Content-Type~json", #"Expected header:Content-Type~json, found "text/html""#),
            ("header:X-None", "Expected header:X-None, found no such field"),
            (#"json:.state=="done""#, #"Expected json:.state=="done", found "pending""#),
            ("json:.count>5", "Expected json:.count>5, found 5"), ("json:.done", "Expected json:.done, found false"),
            ("json:.count==\"5\"", "Expected json:.count==\"5\", found 5"),
            ("json:.list[].ok==true", "Expected json:.list[].ok==true, found null"),
            ("json:.list==1", "Expected json:.list==1, found 2 elements"),
            ("json:.other", #"Expected json:.other, found no "other" in the body (7 members)"#),
            ("body~absent", "Expected body~absent, found 155 bytes without it"),
        ])
    func unmet(text: String, sentence: String) throws {
        let found = try Condition(text).failure(in: Self.answer)
        #expect(found == sentence.replacing("155", with: "\(Self.body.utf8.count)"))
    }

    @Test(
        "A secret is shown neither in the condition nor in what was found",
        arguments: [
            "json:.token==hush2", "header:Set-Cookie~hush2", "json:.token~hush2", "json:/token=hush2",
            "body~\"password\":\"hush2\"", "header:Authorization=hush2",
        ])
    func secrets(text: String) throws {
        let condition = try Condition(text)
        #expect(!condition.shownText.contains("hush") && condition.shownText.contains("***"))
        let sentence = try #require(condition.failure(in: Self.answer))
        #expect(!sentence.contains("hush"), "\(sentence)")
        #expect(JobOption.Value(.assertion, text).shownText == condition.shownText)
    }

    @Test("A body that is no JSON, or longer than what is kept, meets no condition about it")
    func strangeBodies() throws {
        func finding(_ text: String, _ body: [UInt8]?) throws -> String? {
            try Condition(text).finding(
                in: Answer(status: 200, headers: [:], body: body, seconds: 0, readsJSON: true))
        }
        #expect(try finding("json:.a", Array("<p>".utf8)) == "no JSON object or array")
        let deep = Array(repeating: UInt8(ascii: "["), count: 200) + Array(repeating: UInt8(ascii: "]"), count: 200)
        #expect(try finding("json:.a", deep) != "no JSON object or array")
        #expect(
            try finding("json:.a", Array(repeating: UInt8(ascii: "["), count: 251)) == "JSON with more than 250 levels")
        let many = JSONTree.Problem.tooManyValues(limit: Answer.valueLimit)
        #expect(many.sentence == "JSON of more than 4000000 values")
        #expect(try finding("json:.a", nil) == "a body longer than 16 MiB")
        #expect(try finding("body!~a", nil) == "a body longer than 16 MiB")
        #expect(try finding("body~", []) == nil)
    }

    @Test(
        "Durations are numbers with a unit, or seconds",
        arguments: [
            ("500ms", 0.5), ("2s", 2), ("1.5", 1.5), ("10m", 600), ("1h", 3600), ("2x", nil), ("", nil), ("-1s", nil),
        ]
            as [(String, Double?)])
    func durations(text: String, seconds: Double?) {
        #expect(DurationValue.seconds(text) == seconds)
    }

    @Test("The first unmet condition decides, and a condition about the status decides which status fails")
    func verdicts() throws {
        var terms = AnswerTerms()
        #expect(terms.verdict(on: Self.answer) == .done && !terms.judgesStatus && !terms.readsBody)
        terms.assertions = [try Condition("time<3s"), try Condition("json:.done"), try Condition("status=200")]
        #expect(terms.verdict(on: Self.answer) == .fails("Expected json:.done, found false"))
        #expect(terms.judgesStatus && terms.readsBody && terms.readsJSON)
    }

    @Test("A poll goes on until its conditions hold, and its last request is sent when its response is still in time")
    func polls() throws {
        var terms = AnswerTerms()
        terms.pollInterval = 2
        #expect(terms.isPoll && terms.judgesStatus)
        let quick = Answer(
            status: 404, headers: [:], body: Array(Self.body.utf8), seconds: 0.5, readsJSON: true)
        #expect(terms.verdict(on: quick) == .asksAgain("Expected status=2xx, found 404", pause: 2))
        terms.until = [try Condition("json:.state==done")]
        terms.pollLimit = 10
        let sentence = "Expected json:.state==done, found \"pending\""
        let end = "Expected json:.state==done within 10 s, found \"pending\""
        #expect(terms.verdict(on: quick, after: 6) == .asksAgain(sentence, pause: 2))
        #expect(terms.verdict(on: quick, after: 8) == .asksAgain(sentence, pause: 1))
        #expect(terms.verdict(on: quick, after: 9) == .fails(end))
        terms.pollInterval = 60
        #expect(terms.verdict(on: quick, after: 0.5) == .asksAgain(sentence, pause: 8.5))
        terms.until = [try Condition("status=404")]
        #expect(terms.verdict(on: quick, after: 100) == .done)
        terms.assertions = [try Condition("status=200")]
        #expect(terms.verdict(on: quick) == .fails("Expected status=200, found 404"))
    }

    @Test("A poll goes on after a request without a response, and its end names the reason")
    func unanswered() throws {
        var terms = AnswerTerms()
        terms.pollLimit = 10
        #expect(terms.verdict(withoutAnswer: "No route", after: 1, took: 0) == .asksAgain("No route", pause: 2))
        let end = "Expected status=2xx within 10 s: No route"
        #expect(terms.verdict(withoutAnswer: "No route", after: 9.9, took: 0) == .fails(end))
        #expect(terms.unanswered(nil) == "Expected status=2xx within 10 s, found no response")
    }

    @Test(
        "Statuses that all conditions about the status expect are expected ones",
        arguments: [
            (["status=500"], [500...500]), (["status=5xx", "status!=503"], [500...502, 504...599]), ([], []),
            (["time<1s"], []), (["status=200", "status=500"], []),
        ] as [([String], [ClosedRange<Int>])])
    func expectedStatuses(conditions: [String], expected: [ClosedRange<Int>]) throws {
        var terms = AnswerTerms()
        terms.assertions = try conditions.map { try Condition($0) }
        #expect(terms.expectedStatuses == expected)
    }

    @Test(
        "Numbers are compared with all of their digits",
        arguments: [
            ("9007199254740993", "!=9007199254740992", true), ("9007199254740993", "=9007199254740993", true),
            ("9007199254740993", ">9007199254740992", true), ("1.0", "=1", true), ("1e2", "=100", true),
            ("0.10", "=1E-1", true), ("-0", "=0", true), ("-2", "<-1.5", true), ("-10", "<=-9", true),
            ("0", ">-1", true), ("1e999", ">1e998", true), ("1e-999", "!=0", true), ("12", "<2", false),
            ("1e99999999999999999999999", ">5", true), ("0.1", "=0.10000000000000001", false),
        ])
    func numbers(value: String, test: String, isMet: Bool) throws {
        let answer = Answer(
            status: 200, headers: [:], body: Array("{\"n\": \(value)}".utf8), seconds: 0, readsJSON: true)
        #expect((try Condition("json:.n" + test).failure(in: answer) == nil) == isMet)
    }

    @Test("Pages end with the last one, at the limit, and where one comes again")
    func pages() {
        var trail = PageTrail(first: "http://h/1")
        #expect(trail.step(to: nil, limit: 3) == .last)
        #expect(trail.step(to: "http://h/2", limit: 3) == .next("http://h/2"))
        #expect(trail.step(to: "http://h/1", limit: 3) == .loop("http://h/1"))
        #expect(trail.step(to: "http://h/3", limit: 3) == .next("http://h/3"))
        #expect(trail.step(to: "http://h/4", limit: 3) == .limit)
    }

    private func urls(_ path: String, _ body: String) throws -> [String] {
        let answer = Answer(status: 200, headers: [:], body: Array(body.utf8), seconds: 0, readsJSON: true)
        return try AnswerLinks.urls(at: JSONQuery(path), in: answer)
    }

    @Test("The URLs of a response are texts with http, https or no scheme")
    func links() throws {
        #expect(try urls(".f[].u", #"{"f": [{"u": "http://h/a"}, {"u": "b?c=1"}]}"#) == ["http://h/a", "b?c=1"])
        for (body, words) in [
            (#"{"f": "file:///etc/passwd"}"#, "Not an http or https URL at .f"),
            (#"{"f": 1}"#, "Not an http or https URL at .f"),
            (#"{"f": "http://h/a b"}"#, "Not an http or https URL at .f"), ("{}", "No URL at .f: found no"),
            ("no", "No URL at .f: found no JSON"),
        ] {
            let problem = #expect(throws: AnswerLinks.Problem.self) { try urls(".f", body) }
            #expect(problem?.sentence.contains(words) == true, "\(problem?.sentence ?? "")")
        }
    }

    @Test(
        "A next page is a text; nothing, null, false and an empty text end the pages",
        arguments: [
            (#"{"next": "/2"}"#, "/2"), ("{}", nil), (#"{"next": null}"#, nil), (#"{"next": ""}"#, nil),
            (#"{"next": false}"#, nil),
        ] as [(String, String?)])
    func nextPage(body: String, url: String?) throws {
        let answer = Answer(status: 200, headers: [:], body: Array(body.utf8), seconds: 0, readsJSON: true)
        #expect(try AnswerLinks.next(at: JSONQuery(".next"), in: answer) == url)
    }
}
