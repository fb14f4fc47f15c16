import Foundation
import Testing

@testable import SessionCore
@testable import SessionHTTP

@Suite("Parameters", .timeLimit(.minutes(1)))
struct ParameterValueTests {
    private struct Search: Encodable {
        struct Range: Encodable {
            var from: Int
            var to: UInt64?
        }
        enum Order: String, Encodable { case newest }

        var words: [String]
        var range: Range
        var order = Order.newest
        var limit: Float = 0.1
        var when: Date?
        var site: URL?
        var raw: Data?
    }

    /// Leads back to itself.
    private final class Node: Encodable {
        var name = "x"
        var next: Node?
    }

    private class Base: Encodable {
        var base = 1
    }

    private final class Derived: Base {
        override func encode(to encoder: any Encoder) throws {
            var values = encoder.container(keyedBy: Key.self)
            try values.encode(2, forKey: .derived)
            try super.encode(to: values.superEncoder())
            var list = values.nestedUnkeyedContainer(forKey: .list)
            try list.encode(true)
            try list.encodeNil()
            var inner = list.nestedContainer(keyedBy: Key.self)
            try inner.encode("x", forKey: .derived)
            var innermost = list.nestedUnkeyedContainer()
            try innermost.encode(UInt8(7))
        }
        enum Key: String, CodingKey { case derived, list }
    }

    @Test(
        "Whole numbers have no fraction, however large they are",
        arguments: [
            (1e15, "1000000000000000"), (-1e15, "-1000000000000000"), (9_007_199_254_740_992, "9007199254740992"),
            (1e20, "100000000000000000000"), (1e21, "1e+21"), (0.1, "0.1"), (2.0, "2"), (1e-7, "1e-07"),
        ] as [(Double, String)])
    func numbers(value: Double, text: String) { #expect(ParameterValue.number(value).text == text) }

    @Test("Values of Encodable types become parameters of the same meaning")
    func encodable() throws {
        let search = Search(
            words: ["a", "b"], range: .init(from: -1, to: .max), when: Date(timeIntervalSince1970: 0),
            site: URL(string: "https://example.org/x"), raw: Data([1]))
        #expect(
            try ParameterValue(encoding: search) == [
                "words": ["a", "b"], "range": ["from": -1, "to": .unsigned(.max)], "order": "newest", "limit": 0.1,
                "when": .date(Date(timeIntervalSince1970: 0)), "site": "https://example.org/x", "raw": .data(Data([1])),
            ])
        #expect(try ParameterValue(encoding: ["a": 1]) == ["a": 1])
        #expect(try ParameterValue(encoding: [Int]()) == [])
        #expect(try ParameterValue(encoding: [String: Int]()) == [:])
    }

    @Test("Nested containers and super encoders keep their places")
    func containers() throws {
        #expect(
            try ParameterValue(encoding: Derived()) == [
                "derived": 2, "super": ["base": 1], "list": [true, nil, ["derived": "x"], [7]],
            ])
    }

    @Test("References that lead back to themselves are an error, whichever serializer is asked")
    func cycles() throws {
        let node = Node()
        node.next = node
        defer { node.next = nil }
        let request = TransferRequest(url: "https://example.org/", method: "POST")
        let serializers: [any RequestSerializer] = [
            HTTPRequestSerializer(), JSONRequestSerializer(), PropertyListRequestSerializer(),
        ]
        for serializer in serializers {
            let error = #expect(throws: RequestSerializationError.self) {
                try serializer.serialize(request, encoding: node)
            }
            #expect(error?.reason == .tooDeep)
        }
    }

    @Test("Untyped values keep what they are: a number stays a number and a truth value one")
    func untyped() throws {
        let values: [String: Any] = [
            "int": 1, "one": NSNumber(value: 1), "bool": true, "truth": NSNumber(value: false), "double": 1.5,
            "float": Float(0.1), "text": "x", "url": NSURL(string: "https://example.org/") as Any, "none": NSNull(),
            "list": [1, "a"] as [Any], "set": Set([1]), "maybe": Optional<Int>.none as Any, "bytes": Data([1]),
            "nested": ["a": ["b": 2]], "objects": NSArray(array: ["a"]), "big": UInt64.max,
        ]
        #expect(
            try ParameterValue(untyped: values) == [
                "int": 1, "one": 1, "bool": true, "truth": false, "double": 1.5, "float": 0.1, "text": "x",
                "url": "https://example.org/", "none": nil, "list": [1, "a"], "set": .set([1]), "maybe": nil,
                "bytes": .data(Data([1])), "nested": ["a": ["b": 2]], "objects": ["a"], "big": .unsigned(.max),
            ])
    }

    @Test("Decimals and parts of texts are numbers and texts too")
    func furtherUntyped() throws {
        let values: [String: Any] = [
            "decimal": Decimal(string: "1.25") as Any, "object": NSDecimalNumber(string: "2.5"),
            "part": "a b".prefix(1), "small": Int8(-1), "large": 1e15,
        ]
        let parameters = try ParameterValue(untyped: values)
        #expect(parameters == ["decimal": 1.25, "object": 2.5, "part": "a", "small": -1, "large": .number(1e15)])
        #expect(
            try QueryEncoding().query(of: parameters)
                == "decimal=1.25&large=1000000000000000&object=2.5&part=a&small=-1")
    }

    @Test(
        "A decimal is sent with the digits that it has",
        arguments: [
            "19.99", "0.1", "1.1", "4.35", "-2.675", "100.07", "1234567.89", "12345678901234567", "-9007199254740993",
            "18446744073709551615", "20", "0", "0.000001",
        ])
    func decimals(_ text: String) throws {
        let decimal = try #require(Decimal(string: text))
        let number = NSDecimalNumber(decimal: decimal)
        for value in [decimal, number, NSDecimalNumber(string: text)] as [Any] {
            let parameter = try ParameterValue(untyped: ["price": value])
            let request = try JSONRequestSerializer().serialize(
                TransferRequest(url: "http://example.org/", method: "POST"), parameters: parameter)
            guard case .bytes(let bytes) = request.body else {
                Issue.record("no body")
                return
            }
            let body = String(decoding: bytes, as: UTF8.self)
            #expect(Decimal(string: String(body.dropFirst(9).dropLast())) == decimal, "\(body)")
            guard abs(decimal) > 1e-5 else { continue }
            #expect(try QueryEncoding().query(of: parameter) == "price=\(text)")
        }
    }

    @Test("Untyped values that nobody can send are refused")
    func refused() {
        struct Own {}
        for value in [Own(), [1: 2], ["a": Own()], NSDictionary(dictionary: [1: 2])] as [Any] {
            let error = #expect(throws: RequestSerializationError.self) { try ParameterValue(untyped: value) }
            guard case .notEncodable? = error?.reason else {
                Issue.record("\(value): \(String(describing: error))")
                continue
            }
        }
    }
}
