import FuzzTestSupport
import SessionSupport
import Testing

@testable import SessionCore

@Suite("Parsers of header values")
struct PolicyParserTests {
    // MARK: - Body length

    private func length(
        _ status: Int, _ fields: HeaderFields, version: HTTPVersion = .http1_1, method: String = "GET"
    ) throws -> BodyLength {
        try BodyLength(ResponseHead(statusCode: status, version: version, headers: fields), method: method)
    }

    @Test("The framing decides how the end of a body is known")
    func framing() throws {
        #expect(try length(200, ["Content-Length": "12"]) == .exactly(12))
        #expect(try length(200, ["Content-Length": "12", "Transfer-Encoding": "chunked"]) == .chunked)
        #expect(try length(200, ["Transfer-Encoding": "gzip, Chunked"]) == .chunked)
        #expect(try length(200, ["Transfer-Encoding": "gzip"]) == .untilClose)
        #expect(try length(200, ["Content-Length": "12", "Content-Encoding": "gzip"]) == .chunked)
        #expect(try length(200, ["Content-Length": "12", "Content-Encoding": "Identity"]) == .exactly(12))
        #expect(try length(200, [:]) == .untilClose)
        #expect(try length(200, [:], version: .http2) == .chunked)
        #expect(try length(204, ["Content-Length": "12"]) == .none)
        #expect(try length(200, ["Content-Length": "12"], method: "HEAD") == .none)
        #expect(!BodyLength.untilClose.isVerifiable)
    }

    @Test("The bytes on the wire are known where no chunks mark the end, whatever they are decoded to")
    func countOnWire() {
        func count(_ fields: HeaderFields, version: HTTPVersion = .http1_1) -> Int64? {
            BodyLength.countOnWire(ResponseHead(statusCode: 200, version: version, headers: fields))
        }
        #expect(count(["Content-Length": "12"]) == 12 && count([:]) == nil)
        #expect(count(["Content-Length": "12", "Content-Encoding": "gzip"]) == 12)
        #expect(count(["Content-Length": "12", "Transfer-Encoding": "chunked"]) == nil)
        #expect(count(["Content-Length": "12", "Transfer-Encoding": "chunked"], version: .http2) == 12)
        #expect(count(["Content-Length": "x"]) == nil)
    }

    @Test(
        "A word that no coding has as its name changes nothing of a body",
        arguments: [
            ("UTF-8", [], ["UTF-8"]), ("none", [], ["none"]), ("binary, gzip", ["gzip"], ["binary"]),
            ("x-gzip", ["gzip"], []), ("identity", [], []), ("", [], []), ("GZIP , br", ["gzip", "br"], []),
            ("compress", ["compress"], []), ("iso-8859-1", [], ["iso-8859-1"]), ("aws-chunked", [], ["aws-chunked"]),
        ] as [(String, [String], [String])])
    func codings(field: String, codings: [String], others: [String]) {
        let names = CodingNames(field)
        #expect(names.codings == codings && names.otherWords == others)
        let head = ResponseHead(statusCode: 200, headers: ["Content-Encoding": field])
        #expect(BodyLength.isEncoded(head) == !codings.isEmpty && head.unknownCodings == others)
    }

    // MARK: - URLs

    @Test(
        "A URL is requested with capital escapes for what is beyond ASCII, and without its name and password",
        arguments: [
            ("http://h/caf\u{E9}?\u{E4}=1", "/caf%C3%A9?%C3%A4=1"), ("http://h/caf%c3%a9", "/caf%c3%a9"),
            ("http://h\u{E9}.example/a", "/a"), ("http://h?\u{E4}", "/?%C3%A4"), ("http://me:p@h/a@b", "/a@b"),
            ("http://me@h\u{E9}.example/\u{E9}#\u{E9}", "/%C3%A9"),
        ])
    func escapes(url: String, target: String) throws {
        #expect(try ParsedURL(url).target == target)
        let sent = URLParser.withoutUserInfo(URLParser.escaped(url))
        #expect(try ParsedURL(sent).target == target && !(try ParsedURL(sent)).hasUserinfo)
        #expect(try ParsedURL(sent).origin == ParsedURL(url).origin)
    }

    @Test("A redirect's place is escaped the same way")
    func resolvedEscapes() throws {
        #expect(try URLParser.resolve("/caf\u{E9}", against: "http://h/x") == "http://h/caf%C3%A9")
        #expect(try URLParser.resolve("b", against: "http://h/\u{E9}/x") == "http://h/%C3%A9/b")
    }

    @Test("The zone of an address tells its machine from another's")
    func zones() throws {
        let url = try ParsedURL("http://[fe80::5%25eth0]:8080/a")
        #expect(url.host == "[fe80::5%25eth0]" && url.port == 8080)
        #expect(try url.origin != Origin("http://[fe80::5%25eth1]:8080/"))
        #expect(try ParsedURL("http://[fe80::5%eth0]/").host == "[fe80::5%25eth0]")
        #expect(try URLParser.resolve("/b", against: "http://[fe80::5%25eth0]/a") == "http://[fe80::5%25eth0]/b")
    }

    // MARK: - Content-Range

    @Test(
        "Content-Range in its two forms",
        arguments: [
            ("bytes 0-0/1", ContentRange.range(first: 0, last: 0, total: 1)),
            ("Bytes 5-9/*", .range(first: 5, last: 9, total: nil)),
            ("  bytes   5-9/10 ", .range(first: 5, last: 9, total: 10)),
            (
                "bytes 4831838208-6442450943/6442450944",
                .range(first: 4_831_838_208, last: 6_442_450_943, total: 6_442_450_944)
            ),
            ("bytes */0", .unsatisfied(total: 0)),
        ])
    func contentRange(text: String, expected: ContentRange) {
        #expect(ContentRange(text) == expected)
    }

    @Test(
        "Content-Range that contradicts itself",
        arguments: [
            "", "bytes", "bytes 1-2", "bytes 2-1/5", "bytes 0-5/5", "bytes 0-5/4", "bytes -1-5/9", "bytes 0--5/9",
            "bytes 0-9223372036854775807/*", "bytes 0-99999999999999999999/*", "bytes */*", "bytes 1-2/3/4",
            "bytes 1 - 2/3", "octets 1-2/3", "bytes ١-٢/٣", "bytes=1-2/3", "bytes 0-1/+5",
        ])
    func badContentRange(text: String) {
        #expect(ContentRange(text) == nil)
    }

    // MARK: - Dates and names

    @Test(
        "A moment is written as HTTP writes it, and read again",
        arguments: [
            (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
            (951_782_399, "Mon, 28 Feb 2000 23:59:59 GMT"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
            (1_735_689_599, "Tue, 31 Dec 2024 23:59:59 GMT"), (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
        ] as [(Int64, String)])
    func dates(seconds: Int64, text: String) {
        #expect(HTTPDate.text(seconds) == text)
        #expect(HTTPDate.seconds(text) == seconds)
    }

    @Test(
        "A file's name among URLs is without what signs a link to it",
        arguments: [
            ("http://h/a", "http://h/a"), ("http://h/a?b=1&c", "http://h/a?b=1&c"),
            ("http://h/a?X-Amz-Date=1&v=2&x-amz-signature=3#f", "http://h/a?v=2"),
            ("http://h/a?Expires=1&Signature=2&Key-Pair-Id=3", "http://h/a"),
            ("http://h/a?se=1&sig=2&sp=r&st=3&id=4", "http://h/a?id=4"), ("http://h/a?st=3", "http://h/a?st=3"),
            ("http://h/a?%54oken=x&y=%20", "http://h/a?y=%20"), ("http://h/a?signed=x", "http://h/a?signed=x"),
        ])
    func resourceNames(url: String, name: String) {
        #expect(ResourceName.text(url) == name)
    }

    // MARK: - Entity tags

    @Test("Entity tags are quoted, and weak ones say so")
    func entityTags() {
        #expect(EntityTag("\"\"")?.isWeak == false)
        #expect(EntityTag("W/\"x\"")?.isWeak == true)
        for text in ["", "\"", "x", "w/\"x\"", "\"a\"b\"", "\"a b\"", "W/", "W/\"", "\"a\u{7F}\"", " \"a\""] {
            #expect(EntityTag(text) == nil, "\(text)")
        }
        // Composed and decomposed: equal for String, other octets for HTTP.
        #expect(EntityTag("\"\u{E9}\"") != EntityTag("\"e\u{301}\""))
    }

    // MARK: - Dates

    @Test(
        "All three forms of date",
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
            ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("Thu, 29 Feb 2024 23:59:60 GMT", 1_709_251_200), ("Tue, 19 Jan 2038 03:14:08 GMT", 2_147_483_648),
            ("Wed, 31 Dec 1969 23:59:59 GMT", -1), ("Monday, 01-Jan-69 00:00:00 GMT", 3_124_224_000),
        ] as [(String, Int64)])
    func dates(text: String, seconds: Int64) {
        #expect(HTTPDate.seconds(text) == seconds)
    }

    @Test(
        "Dates that are none",
        arguments: [
            "", "now", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 31 Feb 1994 08:49:37 GMT",
            "Thu, 29 Feb 2023 00:00:00 GMT", "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
            "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 06 Nov 19940 08:49:37 GMT",
            "Sun, 06 Nov 1994 08:49:37 GMT GMT", "Sun, 06-Nov-1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMTx",
            "Sun, 06 Nov 1994", "S n, 06 Nov 1994 08:49:37 GMT", "yesterday",
        ])
    func badDates(text: String) {
        #expect(HTTPDate.seconds(text) == nil)
    }

    // MARK: - Retry-After

    private func wait(_ fields: HeaderFields, now: Int64 = 784_111_777) -> Int64? {
        RetryAfter.milliseconds(ResponseHead(statusCode: 503, headers: fields), now: now)
    }

    @Test("Retry-After in seconds or as a date, never more than an hour")
    func retryAfter() {
        #expect(wait(["Retry-After": "0"]) == 0)
        #expect(wait(["Retry-After": " 7 "]) == 7_000)
        #expect(wait(["Retry-After": "3601"]) == 3_600_000)
        #expect(wait(["Retry-After": "99999999999999999999999"]) == 3_600_000)
        #expect(wait(["Retry-After": "Sun, 06 Nov 1994 08:49:47 GMT"]) == 10_000)
        #expect(wait(["Retry-After": "Sun, 06 Nov 1994 08:49:27 GMT"]) == 0)
        #expect(wait(["Retry-After": "Sun, 06 Nov 2094 08:49:27 GMT"]) == 3_600_000)
        let own: HeaderFields = [
            "Retry-After": "Sun, 06 Nov 1994 08:49:47 GMT", "Date": "Sun, 06 Nov 1994 08:49:42 GMT",
        ]
        #expect(wait(own, now: 0) == 5_000)
        for text in ["", "soon", "-1", "1.5"] { #expect(wait(["Retry-After": text]) == nil, "\(text)") }
        #expect(wait([:]) == nil)
    }

    @Test("No random text makes a parser trap")
    func fuzz() {
        var generator = SeededGenerator(seed: 0xC0FFEE)
        let alphabet = Array("bytes 0123456789-/*,:GMTSunNov\"W=;'%\u{E9}\\".unicodeScalars)
        for _ in 0..<20_000 {
            var text = ""
            for _ in 0..<generator.next(upperBound: UInt64(40)) {
                text.unicodeScalars.append(alphabet[Int(generator.next(upperBound: UInt64(alphabet.count)))])
            }
            if let range = ContentRange(text), case .range(let first, let last, let total) = range {
                #expect(first <= last && last < total ?? .max)
            }
            if let found = EntityTag(text) { #expect(found.text == text) }
            _ = HTTPDate.seconds(text)
            _ = wait(["Retry-After": text])
            if let name = ContentDisposition.fileName(text) { #expect(!name.isEmpty) }
        }
    }
}
