import LoopbackServer
import Testing

@Suite("What a server must survive", .timeLimit(.minutes(1)))
struct GarbageTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let request: String
        let status: Int
        var testDescription: String { request.debugDescription.prefix(60).description }
    }

    private static let host = "Host: a\r\n"

    static let cases = [
        Case(request: "GARBAGE\r\n\r\n", status: 400),
        Case(request: "GET /\r\n\r\n", status: 400),
        Case(request: String(repeating: "\r\n", count: 40_000), status: 400),
        Case(request: "\n\n", status: 400),
        Case(request: "GET / HTTP/1.1\n" + "Host: a\n\n", status: 400),
        Case(request: "GET  / HTTP/1.1\r\n" + host + "\r\n", status: 400),
        Case(request: "G@T / HTTP/1.1\r\n" + host + "\r\n", status: 400),
        Case(request: "GET / HTTP/1.1\r\n\r\n", status: 400),
        Case(request: "GET / HTTP/1.1\r\n" + host + host + "\r\n", status: 400),
        Case(request: "GET / HTTP/1.1\r\n" + host + "no colon\r\n\r\n", status: 400),
        Case(request: "GET / HTTP/1.1\r\n" + host + "X : a\r\n\r\n", status: 400),
        Case(request: "GET / HTTP/1.1\r\n" + host + " folded\r\n\r\n", status: 400),
        Case(request: "GET / HTTP/1.1\r\n" + host + ": a\r\n\r\n", status: 400),
        Case(request: "GET / HTTP/1.1\r\n" + host + "X: a\u{0}b\r\n\r\n", status: 400),
        Case(request: "GET / HTTP/1.1\r\n" + host + "X: a\rb\r\n\r\n", status: 400),
        Case(request: "PUT / HTTP/1.1\r\n" + host + "Content-Length: x\r\n\r\n", status: 400),
        Case(request: "PUT / HTTP/1.1\r\n" + host + "Content-Length: -1\r\n\r\n", status: 400),
        Case(request: "PUT / HTTP/1.1\r\n" + host + "Content-Length: 99999999999999999999\r\n\r\n", status: 400),
        Case(request: "PUT / HTTP/1.1\r\n" + host + "Content-Length: 1\r\nContent-Length: 2\r\n\r\n", status: 400),
        Case(
            request: "PUT / HTTP/1.1\r\n" + host + "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
            status: 400),
        Case(request: "PUT / HTTP/1.1\r\n" + host + "Transfer-Encoding: gzip\r\n\r\n", status: 501),
        Case(request: "PUT / HTTP/1.1\r\n" + host + "Transfer-Encoding: chunked\r\n\r\nzz\r\n", status: 400),
        Case(request: "PUT / HTTP/1.1\r\n" + host + "Transfer-Encoding: chunked\r\n\r\n-1\r\n", status: 400),
        Case(
            request: "PUT / HTTP/1.1\r\n" + host + "Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFF\r\n", status: 400
        ),
        Case(request: "PUT / HTTP/1.1\r\n" + host + "Transfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n", status: 400),
        Case(request: "GET / HTTP/2.0\r\n" + host + "\r\n", status: 505),
        Case(request: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", status: 505),
        Case(request: "GET /" + String(repeating: "a", count: 70_000) + " HTTP/1.1\r\n", status: 431),
        Case(request: "GET / HTTP/1.1\r\n" + host + "X: " + String(repeating: "a", count: 70_000), status: 431),
    ]

    @Test("A broken request is refused with the right status and the connection ends", arguments: cases)
    func refuses(_ wanted: Case) throws {
        try withServer { server in
            server.setRoute("/", .uploadSink())
            let client = try RawClient(server)
            try client.send(wanted.request)
            let head = try client.head()
            #expect(head.status == wanted.status)
            #expect(head["Connection"] == "close")
            let rest = try client.rest()
            #expect(rest.end == .closed)
            #expect(try RawClient(server).exchange("GET", "/").head.status == 201)
        }
    }

    @Test("Random bytes never bring it down")
    func survivesNoise() throws {
        try withServer { server in
            server.setRoute("/", .file(count: 100))
            let good = Array(
                "PUT /?a HTTP/1.1\r\nHost: a\r\nRange: bytes=1-2\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n".utf8)
            for seed in 0..<200 as Range<UInt64> {
                let noise = DeterministicContent(seed: seed, count: 64).bytes
                var bytes = good
                for index in stride(from: 0, to: 8, by: 2) {
                    bytes[Int(noise[index]) % good.count] = noise[index + 1]
                }
                let client = try RawClient(server)
                // The server may hang up before it has everything; only what it does next counts.
                try? client.send(seed.isMultiple(of: 2) ? bytes : noise)
            }
            #expect(try RawClient(server).exchange("GET", "/").head.status == 200)
        }
    }

    @Test("A head that comes byte by byte is read all the same")
    func readsSlowly() throws {
        try withServer { server in
            server.setRoute("/", .respond(.text("yes")))
            let client = try RawClient(server)
            for byte in Array("\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8) { try client.send([byte]) }
            #expect(try client.head().status == 200)
        }
    }

    @Test("Requests sent together are answered in order")
    func pipelines() throws {
        try withServer { server in
            server.setRoute("/sink", .uploadSink())
            let client = try RawClient(server)
            let one = "PUT /sink HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc"
            try client.send(one + one + "GET /none HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            for status in [201, 201, 404] {
                let head = try client.head()
                #expect(head.status == status)
                _ = try client.bytes(Int(head["Content-Length"] ?? "") ?? 0)
            }
            let rest = try client.rest()
            #expect(rest.bytes.isEmpty)
        }
    }

    @Test("An HTTP/1.0 client gets its answer and the end of the connection")
    func servesOldClients() throws {
        try withServer { server in
            server.setRoute("/a", .respond(.text("yes")))
            let client = try RawClient(server)
            try client.send("GET /a HTTP/1.0\r\n\r\n")
            #expect(try client.head()["Connection"] == "close")
            #expect(try client.rest().bytes == Array("yes".utf8))
        }
    }

    @Test("A target with scheme and host leads to its path, and a prefix route to everything below")
    func routes() throws {
        try withServer { server in
            server.setRoute("/a/*", .respond(.text("below")))
            server.setRoute("/a/b", .respond(.text("exact")))
            let client = try RawClient(server)
            #expect(try client.exchange("GET", "http://other/a/b?c").body == Array("exact".utf8))
            #expect(try client.exchange("GET", "/a/b/c").body == Array("below".utf8))
            #expect(try client.exchange("GET", "/a").head.status == 404)
            server.removeRoute("/a/b")
            #expect(try client.exchange("GET", "/a/b").body == Array("below".utf8))
            #expect(server.requests.map(\.path) == ["/a/b", "/a/b/c", "/a", "/a/b"])
            #expect(server.requests.first?.query == "c")
        }
    }

    @Test("A connection that sends nothing for too long is closed")
    func timesOut() throws {
        var configuration = LoopbackServer.Configuration()
        configuration.idleTimeoutMilliseconds = 20
        try withServer(configuration) { server in
            let rest = try RawClient(server).rest()
            #expect(rest.bytes.isEmpty)
            #expect(rest.end == .closed)
        }
    }
}
