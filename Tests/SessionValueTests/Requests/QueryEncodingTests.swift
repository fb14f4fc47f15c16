import Foundation
import Testing

@testable import SessionCore
@testable import SessionHTTP

/// The original's own cases of queries, byte for byte, and what this library adds to them.
@Suite("Query encoding", .timeLimit(.minutes(1)))
struct QueryEncodingTests {
    @Test("L02: everything that has a meaning in queries is escaped, and only that")
    func escaping() {
        // testThatAFPercentEscapedStringFromStringProducesValidUrlForLongString and its neighbours.
        let delimiters = ":#[]@!$&'()*+,;="
        #expect(
            QueryEncoding.escaped(delimiters) == "%3A%23%5B%5D%40%21%24%26%27%28%29%2A%2B%2C%3B%3D")
        let plain = "/?-._~abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
        #expect(QueryEncoding.escaped(plain) == plain)
        #expect(QueryEncoding.escaped("a b%20\"<>\\^`{|}") == "a%20b%2520%22%3C%3E%5C%5E%60%7B%7C%7D")
        #expect(
            QueryEncoding.escaped("français 中文 👴🏿👷🏻👮🏽")
                == "fran%C3%A7ais%20%E4%B8%AD%E6%96%87%20%F0%9F%91%B4%F0%9F%8F%BF%F0%9F%91%B7%F0%9F%8F%BB%F0%9F%91%AE%F0%9F%8F%BD"
        )
        #expect(QueryEncoding.escaped("\0\r\n\u{7F}") == "%00%0D%0A%7F")
        let long = String(repeating: "一二三四五六七八九十", count: 200)
        #expect(
            QueryEncoding.escaped(long)
                == long.addingPercentEncoding(
                    withAllowedCharacters: .alphanumerics.intersection(.init(charactersIn: "a"))))
    }

    @Test(
        "Whole numbers have no fraction, however large they are",
        arguments: [
            (1e15, "1000000000000000"), (-1e15, "-1000000000000000"), (1e16, "10000000000000000"),
            (9_007_199_254_740_992, "9007199254740992"), (1e18, "1000000000000000000"),
            (1e20, "100000000000000000000"), (-1.5e20, "-150000000000000000000"), (-3e17, "-300000000000000000"),
            (1e21, "1e+21"), (1.25e300, "1.25e+300"), (0.1, "0.1"), (1e-7, "1e-07"), (123456.789, "123456.789"),
            (-0.0, "0"), (0, "0"), (1234567890123456.5, "1234567890123456.5"), (999_999_999_999_999, "999999999999999"),
        ] as [(Double, String)])
    func numbers(_ number: Double, _ text: String) throws {
        let query = "n=" + QueryEncoding.escaped(text)
        #expect(try QueryEncoding().query(of: ["n": .number(number)]) == query)
        #expect(Double(text) == number)
        #expect(try ParameterValue(untyped: number).text == text)
        #expect(try ParameterValue(untyped: NSNumber(value: number)).text == text)
        #expect(try ParameterValue(encoding: [number]) == [.number(number)])
        let form = try HTTPRequestSerializer().request(
            "POST", "http://example.org/", parameters: ["n": .number(number)])
        #expect(form.body == .bytes(Array(query.utf8)))
    }

    /// A dictionary, and what becomes of it.
    struct Case: Sendable, CustomTestStringConvertible {
        let parameters: ParameterValue
        let query: String
        var testDescription: String { query }
    }

    static let cases = [
        Case(parameters: ["key": "value"], query: "key=value"),
        Case(parameters: ["b": 2, "B": 1, "a": 3], query: "B=1&a=3&b=2"),
        Case(parameters: ["key": ["a", "b"]], query: "key%5B%5D=a&key%5B%5D=b"),
        Case(parameters: ["a": ["c": 2, "b": 1]], query: "a%5Bb%5D=1&a%5Bc%5D=2"),
        Case(parameters: ["a": ["b": [["c": 1], ["d": 2]]]], query: "a%5Bb%5D%5B%5D%5Bc%5D=1&a%5Bb%5D%5B%5D%5Bd%5D=2"),
        Case(parameters: ["key": .set(["c", "a", "b"])], query: "key=a&key=b&key=c"),
        Case(parameters: ["key": nil], query: "key"),
        Case(parameters: ["a": [:], "b": [], "c": .set([])], query: ""),
        Case(parameters: [:], query: ""),
        Case(parameters: ["yes": true, "no": false], query: "no=0&yes=1"),
        Case(parameters: ["whole": 1.0, "part": 0.5, "small": -3], query: "part=0.5&small=-3&whole=1"),
        Case(
            parameters: ["max": .unsigned(.max), "min": .integer(.min)],
            query: "max=18446744073709551615&min=-9223372036854775808"),
        Case(parameters: ["data": .data(Data([1, 2, 255]))], query: "data=AQL/"),
        Case(parameters: ["a b": "c&d=e"], query: "a%20b=c%26d%3De"),
        Case(parameters: ["": ""], query: "="),
        Case(parameters: ["a": ["", nil]], query: "a%5B%5D=&a%5B%5D"),
    ]

    @Test("L03 KB28: keys are sorted, members and elements are named as the original names them", arguments: cases)
    func nesting(_ example: Case) throws {
        #expect(try QueryEncoding().query(of: example.parameters) == example.query)
    }

    @Test("KB28: lists can be named in three ways, truth values written in two")
    func options() throws {
        let parameters: ParameterValue = ["a": [1, ["x": true]]]
        #expect(try QueryEncoding(lists: .repeatedKey).query(of: parameters) == "a=1&a%5Bx%5D=1")
        #expect(
            try QueryEncoding(lists: .indices, booleans: .words).query(of: parameters)
                == "a%5B0%5D=1&a%5B1%5D%5Bx%5D=true")
    }

    @Test("L04 KB28: what has no name is refused", arguments: ["ABCD", [1, 2], nil, 5] as [ParameterValue])
    func nameless(_ parameters: ParameterValue) {
        let error = #expect(throws: RequestSerializationError.self) { try QueryEncoding().query(of: parameters) }
        #expect(error?.reason == .notAnObject)
    }

    @Test("A number that is none is refused, by its key", arguments: [Double.nan, .infinity, -.infinity])
    func notANumber(_ number: Double) {
        let parameters: ParameterValue = ["a": ["b": [.number(number)]]]
        let error = #expect(throws: RequestSerializationError.self) { try QueryEncoding().pairs(of: parameters) }
        #expect(error?.reason == .notANumber(key: "a[b][]"))
    }

    @Test("What lies too deep is refused")
    func tooDeep() {
        let deep = (0..<500).reduce(ParameterValue.null) { inner, _ in ["a": inner] }
        let error = #expect(throws: RequestSerializationError.self) { try QueryEncoding().query(of: deep) }
        #expect(error?.reason == .tooDeep)
    }
}
