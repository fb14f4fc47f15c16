import Testing

@testable import SessionCore

@Suite("Header lines read before")
struct HeaderLineCacheTests {
    private let cache = HeaderLineCache()

    private func parse(_ lines: [String]) -> ResponseHead? {
        var parser = HeaderParser(url: "http://a/", cache: cache)
        for line in lines + [""] {
            let event = Array((line + "\r\n").utf8).withUnsafeBytes { parser.read($0) }
            if case .final(let head) = event { return head }
        }
        return nil
    }

    @Test("A head reads the same when its lines were seen before")
    func repeated() throws {
        let lines = ["HTTP/1.1 200 OK", "Server: x", "Content-Type: text/plain", "Content-Length: 12", "ETag: \"a\""]
        let first = try #require(parse(lines))
        #expect(parse(lines) == first)
        #expect(first.headers["content-length"] == "12")
    }

    @Test(
        "A line that shares its place with another one is read for itself",
        arguments: [
            ("Content-Length: 12", "Content-Length: 13"), ("Content-Length: 12", "Content-Length: 1"),
            ("ETag: \"a\"", "ETag: \"b\""), ("Content-Length: 1", "content-length: 1"), ("Date: a", "Date: b"),
            ("Content-Length: 1", "Content-Length : 1"), ("A: b", "B: c"),
        ])
    func collisions(first: String, second: String) {
        let fields = parse(["HTTP/1.1 200 OK", first])?.headers.map { $0.name + ":" + $0.value }
        #expect(fields?.count == 1)
        var parser = HeaderParser(url: "http://a/", cache: HeaderLineCache())
        var expected: ResponseHead?
        for line in ["HTTP/1.1 404 Not Found\r\n", second + "\r\n", "\r\n"] {
            if case .final(let head) = Array(line.utf8).withUnsafeBytes({ parser.read($0) }) { expected = head }
        }
        #expect(expected?.statusCode == 404)
        #expect(parse(["HTTP/1.1 404 Not Found", second]) == expected)
    }

    @Test("Every line of a head is known afterwards, on every day: names that share a place keep their lines")
    func keptTogether() throws {
        for day in 1...31 {
            let cache = HeaderLineCache()
            let lines = [
                "Server: nginx/1.22.1", "Date: Mon, \(day < 10 ? "0" : "")\(day) Nov 2026 10:00:00 GMT",
                "Content-Type: application/octet-stream", "Content-Length: 10240",
                "Last-Modified: Mon, 30 Nov 2026 09:00:00 GMT", "Connection: keep-alive", "ETag: \"6\(day)\"",
                "Accept-Ranges: bytes",
            ]
            var readings = 0
            for _ in 0..<2 {
                for line in lines {
                    _ = Array(line.utf8).withUnsafeBytes { bytes in
                        cache.field(bytes) { _ in
                            readings += 1
                            return HeaderLineCache.Line(field: .init(name: line, value: ""))
                        }
                    }
                }
            }
            #expect(readings == lines.count, "day \(day)")
        }
    }

    @Test("A line that cannot be read stays unread, and a long one is read without being kept")
    func odd() throws {
        let long = "X-Long: " + String(repeating: "x", count: 1_000)
        for _ in 0..<2 {
            let head = try #require(parse(["HTTP/1.1 200 OK", "no colon here at all", ": no name", long]))
            #expect(head.headers.map(\.name) == ["X-Long"])
            #expect(head.headers["x-long"]?.utf8.count == 1_000)
        }
    }

    @Test("An address and its port are one text, however often they are asked for and whoever shares the place")
    func endpoints() {
        let cache = EndpointCache()
        for _ in 0..<2 {
            #expect(cache.text("127.0.0.1", port: 80) == "127.0.0.1:80")
            #expect(cache.text("::1", port: 80) == "[::1]:80")
            #expect(cache.text("127.0.0.1", port: 208) == "127.0.0.1:208")
        }
    }
}
