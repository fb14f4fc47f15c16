import SessionSupport
import Testing
@testable import TransferValues

@Suite("Paths and jq programs", .timeLimit(.minutes(1)))
struct JSONQueryTests {
    private static let body =
        #"{"state":"done","n":3,"files":[{"url":"/a","size":0},{"url":"/b","size":9}],"token":"s3"}"#

    private func answer(_ body: String = Self.body) -> Answer {
        Answer(status: 200, headers: HeaderFields(), body: Array(body.utf8), seconds: 1, readsJSON: true)
    }

    @Test("A text is a program only where it has what no path has outside of quotes")
    func kinds() throws {
        for text in [".a.b", "a", "", "/a b/c", ".\"a b\"", ".[\"x|y\"]", ".a[0]", ".items[].id", ".a-b"] {
            guard case .path = try JSONQuery(text) else {
                Issue.record("\(text) is a program")
                continue
            }
        }
        for text in [".a|length", ".a, .b", "[.a]|first", "select(.a)", ".a?", "{a}"] {
            guard case .program = try JSONQuery(text) else {
                Issue.record("\(text) is a path")
                continue
            }
        }
    }

    @Test(
        "Conditions take programs",
        arguments: [
            (#"json:.files|length==2"#, true), (#"json:.files|length>2"#, false),
            (#"json:[.files[].size]|add==9"#, true),
            (#"json:.files[]|select(.size>0).url=="/b""#, true), (#"json:(.n*2)==6"#, true),
            (#"json:.nothing|length"#, true),
            (#"json:empty|."#, false), (#"json:.n|.a"#, false), (#"json:.files|map(.size)"#, true),
        ])
    func conditions(text: String, holds: Bool) throws {
        let failure = try Condition(text).failure(in: answer())
        #expect((failure == nil) == holds, "\(failure ?? "")")
    }

    @Test("A program finds the downloads and the next page; none is no page, and an error is told")
    func links() throws {
        let answer = answer()
        #expect(try AnswerLinks.urls(at: JSONQuery(".files[]|select(.size>0).url"), in: answer) == ["/b"])
        #expect(try AnswerLinks.next(at: JSONQuery(".files|last|.url"), in: answer) == "/b")
        #expect(try AnswerLinks.next(at: JSONQuery(".nothing|."), in: answer) == nil)
        #expect(try AnswerLinks.next(at: JSONQuery("empty|."), in: answer) == nil)
        #expect(throws: AnswerLinks.Problem.self) { try AnswerLinks.next(at: JSONQuery(".n|.a"), in: answer) }
        #expect(throws: AnswerLinks.Problem.self) { try AnswerLinks.urls(at: JSONQuery(".n|."), in: answer) }
        #expect(throws: AnswerLinks.Problem.self) { try AnswerLinks.urls(at: JSONQuery("empty|."), in: answer) }
    }

    @Test("A program that cannot be compiled is refused with jq's reason in one line")
    func refused() {
        #expect(throws: JSONPath.Problem(sentence: PathErrors.program("syntax error, unexpected $end"))) {
            try JSONQuery(".a|")
        }
        #expect(throws: JSONPath.Problem.self) { try JSONQuery("nofunction(.)") }
        #expect(throws: JSONPath.Problem.self) { try JSONQuery(".a|\0") }
    }

    @Test("A text that a program made is not shown, because nothing says that it is no secret")
    func secrets() throws {
        let failure = try #require(try Condition(#"json:.token|ascii_upcase=="X""#).failure(in: answer()))
        #expect(!failure.contains("S3") && failure.contains(ConditionErrors.otherText(2)))
    }

    @Test("A program with endless results ends, and deep bodies are refused by one of both readers")
    func bounds() throws {
        #expect(try Condition("json:range(1e9)>=0").failure(in: answer()) == nil)
        let deep = String(repeating: "[", count: 5_000) + String(repeating: "]", count: 5_000)
        #expect(try Condition("json:.|length").failure(in: answer(deep)) != nil)
    }
}
