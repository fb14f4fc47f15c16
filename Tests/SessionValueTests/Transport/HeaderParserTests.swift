import FuzzTestSupport
import Testing

@testable import SessionCore

@Suite("Header parser")
struct HeaderParserTests {
    private func feed(_ lines: [String]) -> [HeaderParser.Event] {
        var parser = HeaderParser(url: "http://a/", cache: HeaderLineCache())
        return lines.map { line in Array(line.utf8).withUnsafeBytes { parser.read($0) } }
    }

    private func final(_ lines: [String]) -> ResponseHead? {
        for event in feed(lines) { if case .final(let head) = event { return head } }
        return nil
    }

    @Test("hands out the final head with its fields in order")
    func finalHead() throws {
        let head = try #require(
            final(["HTTP/1.1 206 Partial Content\r\n", "ETag: \"x\"\r\n", "Content-Length:5\r\n", "\r\n"]))
        #expect(head.statusCode == 206)
        #expect(head.reasonPhrase == "Partial Content")
        #expect(head.headers.map(\.name) == ["ETag", "Content-Length"])
        #expect(head.headers["content-length"] == "5")
    }

    @Test("reads lines that come joined as it reads them one by one, to the trailer")
    func joinedLines() {
        let lines = [
            "HTTP/1.1 206 Partial Content\r\n", "ETag: \"x\"\r\n", " folded\r\n", "Content-Length:5\r\n", "\r\n",
        ]
        let expected = final(lines)
        #expect(expected != nil)
        for cut in 0..<lines.count {
            #expect(final([lines[..<cut].joined(), lines[cut...].joined()]) == expected, "\(cut)")
        }
        #expect(final([(lines + ["Digest: y\r\n"]).joined()]) == expected)
        guard case .refused? = feed([(lines.dropLast() + ["Transfer-Encoding: gzip\r\n", "\r\n"]).joined()]).first
        else {
            Issue.record("a coding that was not asked for is taken")
            return
        }
    }

    @Test("skips interim responses")
    func interim() throws {
        let head = try #require(
            final([
                "HTTP/1.1 100 Continue\r\n", "\r\n", "HTTP/1.1 103 Early Hints\r\n", "Link: x\r\n", "\r\n",
                "HTTP/2 200 \r\n", "\r\n",
            ]))
        #expect(head.statusCode == 200)
        #expect(head.version == .http2)
        #expect(head.headers.isEmpty)
    }

    @Test("keeps the first interim heads with their fields, and only counts the rest")
    func interimHeads() {
        var parser = HeaderParser(url: "http://a/", cache: HeaderLineCache())
        var lines = ["HTTP/1.1 100 Continue\r\n", "\r\n", "HTTP/1.1 103 Early Hints\r\n", "Link: x\r\n", "\r\n"]
        lines += Array(repeating: ["HTTP/1.1 102 Processing\r\n", "\r\n"], count: 20).flatMap { $0 }
        for line in lines { #expect(Array(line.utf8).withUnsafeBytes { parser.read($0) } == .none) }
        #expect(parser.interimHeads.map(\.statusCode) == [100, 103] + Array(repeating: 102, count: 8))
        #expect(parser.interimHeads[1].headers["Link"] == "x")
    }

    @Test(
        "reads the bytes of a file's name in the charset that the answer declares, wherever it does",
        arguments: [
            ("Shift_JIS", [0x93, 0xFA, 0x95, 0x5C], "\u{65E5}\u{8868}"), ("windows-1251", [0xE9], "\u{439}"),
            ("windows-1258", [0x74, 0xE0, 0x69], "t\u{E0}i"),
            ("gbk", [0xCE, 0xC4], "\u{6587}"), ("windows-1251", Array("\u{E9}".utf8), "\u{E9}"),
            ("utf-8", [0xE9], "\u{E9}"), ("unheard-of", [0xE9], "\u{E9}"), (nil, [0xE9], "\u{E9}"),
        ] as [(String?, [UInt8], String)], [true, false])
    func rawName(_ story: (charset: String?, bytes: [UInt8], name: String), isTypeFirst: Bool) {
        let type = story.charset.map { Array("Content-Type: text/plain; charset=\($0)\r\n".utf8) } ?? []
        let name = Array("Content-Disposition: attachment; filename=\"".utf8) + story.bytes + Array("\"\r\n".utf8)
        var parser = HeaderParser(url: "http://a/", cache: HeaderLineCache())
        var found: String?
        let fields = (isTypeFirst ? [type, name] : [name, type]).filter { !$0.isEmpty }
        for line in [Array("HTTP/1.1 200 OK\r\n".utf8)] + fields + [Array("\r\n".utf8)] {
            if case .final(let head) = line.withUnsafeBytes({ parser.read($0) }) {
                found = head.headers["Content-Disposition"]
            }
        }
        #expect(found == "attachment; filename=\"\(story.name)\"")
    }

    @Test("ignores trailers")
    func trailers() {
        let events = feed(["HTTP/1.1 200 OK\r\n", "\r\n", "X-Trailer: 1\r\n", "\r\n"])
        #expect(events[2] == .none && events[3] == .none)
    }

    @Test(
        "refuses trailers beyond a number and beyond a size",
        arguments: [(100, 20, false), (102, 20, true), (9, 8_000, true)])
    func trailerFloods(count: Int, length: Int, isRefused: Bool) {
        let lines = Array(repeating: "X: " + String(repeating: "x", count: length) + "\r\n", count: count)
        let events = feed(["HTTP/1.1 200 OK\r\n", "\r\n"] + lines + ["\r\n"])
        let wasRefused = events.contains { if case .refused = $0 { true } else { false } }
        #expect(wasRefused == isRefused)
    }

    @Test("refuses floods", arguments: [0, 1, 2])
    func floods(_ kind: Int) {
        var lines = ["HTTP/1.1 200 OK\r\n"]
        switch kind {
        case 0: lines = Array(repeating: ["HTTP/1.1 103 E\r\n", "\r\n"], count: 101).flatMap { $0 }
        case 1: lines += (0...1_000).map { "X-\($0): 1\r\n" }
        default: lines += (0...4).map { "X-\($0): " + String(repeating: "a", count: 70_000) + "\r\n" }
        }
        let isRefused = feed(lines).contains { if case .refused = $0 { true } else { false } }
        #expect(isRefused)
    }

    @Test(
        "refuses a status line it cannot read", arguments: ["HTTP/1.1 abc\r\n", "HTTP/1.1\r\n", "HTTP/1.1 99999 X\r\n"])
    func badStatus(_ line: String) {
        let isRefused = feed([line]).contains { if case .refused = $0 { true } else { false } }
        #expect(isRefused)
    }

    @Test("survives lines that are no fields")
    func oddLines() throws {
        let head = try #require(
            final(["HTTP/1.1 200 OK\r\n", "no colon\r\n", ": no name\r\n", " folded\r\n", "A: \t b \t\r\n", "\r\n"]))
        #expect(head.headers.count == 1)
        #expect(head.headers["A"] == "b")
    }

    @Test("joins folded lines with the value before them")
    func folded() throws {
        let head = try #require(
            final(["HTTP/1.1 200 OK\r\n", "A: b\r\n", " \tc \r\n", "\td\r\n", "B:\r\n", " e\r\n", "\r\n"]))
        #expect(head.headers["A"] == "b c d")
        #expect(head.headers["B"] == "e")
    }

    @Test(
        "refuses a folded field that says where the body ends or what it is part of",
        arguments: ["Content-Length: 10", "content-length:", "Transfer-Encoding: chunked", "Content-Range: bytes 0-9/"])
    func foldedFraming(line: String) {
        var parser = HeaderParser(url: "", cache: HeaderLineCache())
        func read(_ text: String) -> HeaderParser.Event { Array(text.utf8).withUnsafeBytes { parser.read($0) } }
        #expect(read("HTTP/1.1 200 OK\r\n") == .none)
        #expect(read(line + "\r\n") == .none)
        guard case .refused(let sentence) = read(" 48576\r\n") else {
            Issue.record("the folded line was taken")
            return
        }
        #expect(sentence == ResponseErrors.foldedField(String(line.prefix { $0 != ":" })))
    }

    @Test(
        "refuses transfer codings that were not asked for, and takes chunks",
        arguments: [
            ("chunked", nil), ("Chunked , identity,", nil), ("gzip, chunked", "gzip"), ("chunked, GZIP", "gzip"),
            ("deflate", "deflate"), ("chunked;x=1", "chunked;x=1"), ("x-gzip", "x-gzip"),
        ] as [(String, String?)])
    func transferCodings(value: String, coding: String?) {
        let events = feed(["HTTP/1.1 200 OK\r\n", "transfer-Encoding: \(value)\r\n"])
        let sentence = coding.map(ResponseErrors.unaskedCoding)
        #expect(events.last == sentence.map { .refused($0) } ?? HeaderParser.Event.none)
    }

    @Test("reads a value that is not UTF-8 as ISO-8859-1, and keeps the bytes of a place")
    func otherCharset() {
        var parser = HeaderParser(url: "", cache: HeaderLineCache())
        for line: [UInt8] in [
            Array("HTTP/1.1 302 Found\r\n".utf8), Array("X-Name: ".utf8) + [0xE4, 0x80] + Array("a\r\n".utf8),
            Array("Location: /caf".utf8) + [0xE9] + Array("\r\n".utf8), Array("X-Utf: \u{E4}\r\n".utf8),
            Array("Connection:\r\n".utf8), Array(" close\r\n".utf8),
        ] {
            #expect(line.withUnsafeBytes { parser.read($0) } == .none)
        }
        guard case .final(let head) = Array("\r\n".utf8).withUnsafeBytes({ parser.read($0) }) else {
            Issue.record("the head did not end")
            return
        }
        #expect(head.headers["X-Name"] == "\u{E4}\u{80}a" && head.headers["X-Utf"] == "\u{E4}")
        #expect(head.headers["Location"] == "/caf%E9" && head.headers["Connection"] == "close")
    }

    @Test("never traps on random bytes", arguments: 0..<50)
    func random(_ seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        var parser = HeaderParser(url: "", cache: HeaderLineCache())
        for _ in 0..<200 {
            let count = Int.random(in: 0..<40, using: &generator)
            let bytes = (0..<count).map { _ in
                [10, 13, 32, 58, 72, 84, 80, 47, 49, 255].randomElement(using: &generator) ?? 0
            }
            let event = bytes.map { UInt8($0) }.withUnsafeBytes { parser.read($0) }
            if case .final(let head) = event { #expect(head.statusCode >= 100) }
        }
    }
}
