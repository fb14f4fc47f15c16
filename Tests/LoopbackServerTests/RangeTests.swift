import LoopbackServer
import Testing

@Suite("Ranges", .timeLimit(.minutes(1)))
struct RangeTests {
    private static let content = DeterministicContent(seed: 7, count: 1_000)
    private static let resource = ServedResource(body: .content(content), entityTag: "\"a\"", lastModified: 784_111_777)

    struct Case: Sendable, CustomTestStringConvertible {
        let fields: [String]
        let status: Int
        var range: Range<Int64>?
        var testDescription: String { fields.joined(separator: " | ") }
    }

    static let cases = [
        Case(fields: [], status: 200),
        Case(fields: ["Range: bytes=0-"], status: 206, range: 0..<1_000),
        Case(fields: ["Range: bytes=400-"], status: 206, range: 400..<1_000),
        Case(fields: ["Range: BYTES=400-499"], status: 206, range: 400..<500),
        Case(fields: ["Range: bytes=990-5000"], status: 206, range: 990..<1_000),
        Case(fields: ["Range: bytes=-10"], status: 206, range: 990..<1_000),
        Case(fields: ["Range: bytes=-5000"], status: 206, range: 0..<1_000),
        Case(fields: ["Range: bytes=1000-"], status: 416),
        Case(fields: ["Range: bytes=-0"], status: 416),
        Case(fields: ["Range: bytes=5-4"], status: 200),
        Case(fields: ["Range: bytes=x-"], status: 200),
        Case(fields: ["Range: lines=1-2"], status: 200),
        Case(fields: ["Range: bytes=99999999999999999999-"], status: 200),
        Case(fields: ["Range: bytes=400-", "If-Range: \"a\""], status: 206, range: 400..<1_000),
        Case(fields: ["Range: bytes=400-", "If-Range: \"b\""], status: 200),
        Case(fields: ["Range: bytes=400-", "If-Range: W/\"a\""], status: 200),
        Case(
            fields: ["Range: bytes=400-", "If-Range: Sun, 06 Nov 1994 08:49:37 GMT"], status: 206, range: 400..<1_000),
        Case(fields: ["Range: bytes=400-", "If-Range: Sun, 06 Nov 1994 08:49:38 GMT"], status: 200),
        Case(fields: ["Range: bytes=400-", "If-Range: nonsense"], status: 200),
        Case(fields: ["Range: bytes=1000-", "If-Range: \"b\""], status: 200),
        Case(fields: ["If-None-Match: W/\"a\""], status: 304),
        Case(fields: ["If-None-Match: \"b\", *"], status: 200),
        Case(fields: ["If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT"], status: 304),
        Case(fields: ["If-Modified-Since: Sun, 06 Nov 1994 08:49:36 GMT"], status: 200),
        Case(fields: ["If-Modified-Since: soon"], status: 200),
        Case(fields: ["If-Modified-Since: Mon, 07 Nov 1994 08:49:37 GMT", "If-None-Match: \"b\""], status: 200),
        Case(fields: ["If-Unmodified-Since: Sun, 06 Nov 1994 08:49:36 GMT"], status: 412),
        Case(fields: ["If-Unmodified-Since: Sun, 06 Nov 1994 08:49:37 GMT"], status: 200),
        Case(fields: ["If-Match: \"a\""], status: 200),
        Case(fields: ["If-Match: \"b\"", "Range: bytes=400-"], status: 412),
    ]

    @Test("A range request gets what RFC 9110 says", arguments: cases)
    func answers(_ wanted: Case) throws {
        try withServer { server in
            server.setRoute("/file", .resource(Self.resource))
            let answer = try RawClient(server).exchange("GET", "/file", wanted.fields)
            #expect(answer.head.status == wanted.status)
            switch wanted.status {
            case 200:
                #expect(answer.body == Self.content.bytes)
                #expect(answer.head["Content-Range"] == nil)
            case 206:
                let range = try #require(wanted.range)
                #expect(answer.body == Self.content.bytes(in: range))
                #expect(
                    answer.head["Content-Range"] == "bytes \(range.lowerBound)-\(range.upperBound - 1)/1000")
                #expect(answer.head["ETag"] == "\"a\"")
            case 416:
                #expect(answer.head["Content-Range"] == "bytes */1000")
            case 304:
                #expect(answer.head["ETag"] == "\"a\"")
                #expect(answer.body.isEmpty)
            case 412:
                #expect(answer.head["Content-Range"] == nil)
            default:
                Issue.record("an unexpected case")
            }
        }
    }

    @Test("Several ranges come as multipart/byteranges")
    func multipart() throws {
        try withServer { server in
            server.setRoute("/file", .resource(Self.resource))
            let answer = try RawClient(server).exchange("GET", "/file", ["Range: bytes=0-9,990-"])
            #expect(answer.head.status == 206)
            #expect(answer.head["Content-Type"]?.hasPrefix("multipart/byteranges; boundary=") == true)
            let text = String(decoding: answer.body, as: Unicode.ASCII.self)
            #expect(text.contains("Content-Range: bytes 0-9/1000"))
            #expect(text.contains("Content-Range: bytes 990-999/1000"))
        }
    }

    @Test("A range of HEAD is passed over and no body follows")
    func headRequest() throws {
        try withServer { server in
            server.setRoute("/file", .resource(Self.resource))
            let client = try RawClient(server)
            let first = try client.exchange("HEAD", "/file", ["Range: bytes=400-"])
            #expect(first.head.status == 200)
            #expect(first.head["Content-Length"] == "1000")
            let second = try client.exchange("GET", "/file")
            #expect(second.body == Self.content.bytes)
        }
    }

    @Test("A resource that passes Range or If-Range over does so")
    func dishonest() throws {
        try withServer { server in
            var deaf = Self.resource
            deaf.honoursRange = false
            var careless = Self.resource
            careless.honoursIfRange = false
            server.setRoute("/deaf", .resource(deaf))
            server.setRoute("/careless", .resource(careless))
            let client = try RawClient(server)
            #expect(try client.exchange("GET", "/deaf", ["Range: bytes=400-"]).head.status == 200)
            let answer = try client.exchange("GET", "/careless", ["Range: bytes=400-", "If-Range: \"old\""])
            #expect(answer.head.status == 206)
        }
    }
}
