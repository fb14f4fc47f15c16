import SessionSupport
import Testing

@Suite("Text in bytes")
struct TextTests {
    @Test("Numbers are digits alone and must fit")
    func decimals() {
        #expect(ByteText.decimal("9223372036854775807") == .max)
        #expect(ByteText.decimal("007") == 7)
        for text in ["", "-1", "+1", " 1", "1 ", "9223372036854775808", "1e3", "٣"] {
            #expect(ByteText.decimal(text) == nil, "\(text)")
        }
    }

    @Test("Percent signs are decoded once")
    func percent() {
        #expect(ByteText.percentDecoded("%252e%2E%zz%4") == Array("%2e.%zz%4".utf8))
        let text = "a b%\n\u{1F600}\u{7F}~"
        #expect(ByteText.percentDecoded(ByteText.percentEncoded(text)) == Array(text.utf8))
        #expect(ByteText.percentEncoded("a b") == "a%20b")
    }

    @Test("Names compare without regard to case in ASCII, and in nothing else")
    func sameness() {
        for (left, right, isSame) in [
            ("Content-Length", "content-length", true), ("", "", true), ("a", "ab", false), ("[", "{", false),
            ("@", "`", false), ("ä", "Ä", false), ("ä", "ä", true), ("K", "\u{212A}", false),
        ] { #expect(ByteText.isSame(left, right) == isSame, "\(left) \(right)") }
        #expect(ByteText.lowercased("ÄBC-z") == "Äbc-z")
    }

    @Test("Only blanks and tabs are trimmed")
    func trimming() {
        for (text, trimmed) in [
            (" \ta b\t ", "a b"), ("", ""), (" \t", ""), ("\na\r", "\na\r"), ("\u{A0}a", "\u{A0}a"),
        ] {
            #expect(ByteText.trimmed(text) == trimmed)
        }
    }

    @Test("The bytes of a token are those of RFC 9110, 5.6.2")
    func tokens() {
        let tokens = Set("!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
        for byte in UInt8.min...UInt8.max { #expect(ByteText.isToken(byte) == tokens.contains(byte), "\(byte)") }
    }

    @Test("A port is a number from 1 to 65535 in digits")
    func ports() {
        #expect(["1", "080", "65535"].map { ByteText.port($0) } == [1, 80, 65_535])
        #expect(["", "0", "65536", "+1", "8x", "-1", "99999999999999999999"].allSatisfy { ByteText.port($0) == nil })
    }

    @Test("Hexadecimal digits are lower-case, and both cases are read")
    func hexadecimal() {
        #expect(ByteText.hexadecimal([0, 0x1F, 0xAB, 0xFF]) == "001fabff")
        for (index, digit) in "0123456789abcdef".utf8.enumerated() {
            #expect(ByteText.hexadecimalValue(digit) == UInt8(index))
        }
        #expect(ByteText.hexadecimalValue(UInt8(ascii: "F")) == 15)
        for byte in "gG/:@`".utf8 { #expect(ByteText.hexadecimalValue(byte) == nil) }
    }

    @Test(
        "Base64 is that of RFC 4648, 10",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ])
    func base64(text: String, expected: String) {
        #expect(Base64.encode(Array(text.utf8)) == expected)
    }

    @Test("A number is hashed as its eight bytes, the lowest first", arguments: [0, 1, -1, 0x0102_0304_0506_0708])
    func hash(number: Int64) {
        let bytes = withUnsafeBytes(of: number.littleEndian) { Array($0) }
        #expect(StableHash.value(number, after: 7) == StableHash.value(bytes, after: 7))
    }

    @Test(
        "A byte is found wherever it stands, and in no text without it",
        arguments: ["", "?", "ab?", "?ab", "abcdefghijklmnop?", "é?", "aé"])
    func search(text: String) {
        #expect(ByteText.contains(UInt8(ascii: "?"), in: text) == text.contains("?"))
        #expect(ByteText.isASCII(text) == text.unicodeScalars.allSatisfy(\.isASCII))
    }

    @Test(
        "The hash is FNV-1a of 64 bits, the same in every run",
        arguments: [("", "cbf29ce484222325"), ("a", "af63dc4c8601ec8c"), ("foobar", "85944171f73967e8")])
    func hash(text: String, expected: String) {
        #expect(StableHash.hexadecimal(text.utf8) == expected)
        #expect(StableHash.hexadecimal(text) == expected)
        // In two steps it is the same.
        let cut = text.utf8.count / 2
        let first = StableHash.value(text.utf8.prefix(cut))
        #expect(StableHash.value(text.utf8.dropFirst(cut), after: first) == StableHash.value(text.utf8))
    }

    @Test(
        "A path is decoded where that can be read, and stays as it is where it could mislead",
        arguments: [
            ("/a%20b", "/a b"), ("/%C3%A4", "/ä"), ("/%2F", "/%2F"), ("/%0A", "/%0A"), ("/%FF", "/%FF"),
            ("/%E2%80%AE", "/%E2%80%AE"), ("/100%", "/100%"), ("/%zz", "/%zz"), ("plain", "plain"),
        ])
    func readablePaths(path: String, expected: String) {
        #expect(ReadablePath.text(path) == expected)
    }

    @Test("A count takes the noun that fits", arguments: [(0, "0 files"), (1, "1 file"), (2, "2 files")])
    func countedNouns(count: Int, expected: String) {
        #expect("\(count, "file", "files")" == expected)
    }
}
