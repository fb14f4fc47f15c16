import Testing

@testable import AriaRPC

/// Reading and writing the texts of requests, which anyone may have made.
@Suite("JSON of requests", .timeLimit(.minutes(1)))
struct JSONTests {
    private static func read(_ text: String) throws -> JSONValue { try JSONReader.read(Array(text.utf8)) }

    @Test(
        "A text is read and written as the same value",
        arguments: [
            "null", "true", "false", "0", "-1", "9223372036854775807", "1.5", "1e3", "\"\"", "[]", "{}",
            "[1,[2,{\"a\":null}]]",
            #"{"a":1,"b":"x\n\"\\ü"}"#,
        ])
    func roundTrip(text: String) throws {
        let value = try Self.read(text)
        #expect(String(decoding: JSONWriter.bytes(of: value), as: UTF8.self) == text)
    }

    @Test(
        "What is no JSON is refused",
        arguments: [
            "", " ", "[", "{", "[1,]", "{\"a\"}", "{\"a\":}", "{a:1}", "01", "1.", ".5", "-", "+1", "1e", "tru",
            "nulls", "\"",
            "\"\\x\"", "\"\\u12\"", "\"\u{1}\"", "[1] 2", "'a'", "NaN", "\u{FEFF}1",
        ])
    func refused(text: String) {
        #expect(throws: JSONReader.Fault.self) { try Self.read(text) }
    }

    @Test("Bytes that are no UTF-8 are refused")
    func notText() {
        #expect(throws: JSONReader.Fault.self) { try JSONReader.read([0x22, 0xFF, 0x22]) }
    }

    @Test(
        "Escapes become the characters that they stand for",
        arguments: [
            (#""\u0041\u00fc""#, "Aü"), (#""\ud83d\ude00""#, "\u{1F600}"), (#""\ud83d""#, "\u{FFFD}"),
            (#""\ud83dx""#, "\u{FFFD}x"), (#""\ude00""#, "\u{FFFD}"), (#""\/\b\f\n\r\t""#, "/\u{8}\u{c}\n\r\t"),
        ])
    func escapes(text: String, expected: String) throws {
        #expect(try Self.read(text).text == expected)
    }

    @Test("A text that is too deep is refused without its stack, and a deep one is read")
    func depth() throws {
        let deep = String(repeating: "[", count: 100_000)
        #expect(throws: JSONReader.Fault.self) { try Self.read(deep) }
        #expect(throws: JSONReader.Fault.self) {
            try Self.read(String(repeating: "[", count: 51) + String(repeating: "]", count: 51))
        }
        _ = try Self.read(String(repeating: "[", count: 50) + String(repeating: "]", count: 50))
    }

    @Test("More values than a request can mean are refused")
    func count() {
        let many = "[" + repeatElement("0", count: JSONReader.mostValues + 1).joined(separator: ",") + "]"
        #expect(throws: JSONReader.Fault.self) { try Self.read(many) }
    }

    @Test(
        "A number counts without its fraction however it is written",
        arguments: [
            ("1", 1), ("1.0", 1), ("1e2", 100), ("-3.0", -3), ("1.5", 1), ("-0.5", 0), ("1e30", nil),
        ] as [(String, Int64?)])
    func numbers(text: String, number: Int64?) throws {
        #expect(try Self.read(text).number == number)
    }

    @Test("The last one of members with the same name counts")
    func lastMember() throws {
        #expect(try Self.read(#"{"a":1,"a":2}"#)["a"] == .integer(2))
    }
}
