import LoopbackServer
import Testing

@Suite("Uploads", .timeLimit(.minutes(1)))
struct UploadTests {
    private static let content = DeterministicContent(seed: 11, count: 700_001)

    @Test("A body with a length arrives whole, and the connection stays")
    func length() throws {
        try withServer { server in
            server.setRoute("/sink", .uploadSink())
            let client = try RawClient(server)
            for method in ["PUT", "POST"] {
                let answer = try client.exchange(
                    method, "/sink", ["Content-Length: 700001"], body: Self.content.bytes)
                #expect(answer.head.status == 201)
                #expect(answer.body == Array("{\"received\":700001}".utf8))
            }
            #expect(server.waitForFinishedRequests(count: 2))
            for request in server.requests {
                #expect(request.bodyIsComplete)
                #expect(request.bodyByteCount == Self.content.count)
                #expect(request.bodyChecksum.value == BodyChecksum(of: Self.content).value)
                #expect(request.bodyPrefix == Self.content.bytes(in: 0..<65_536))
                #expect(request.connectionID == 0)
            }
        }
    }

    @Test("A chunked body arrives without its framing")
    func chunked() throws {
        try withServer { server in
            server.setRoute("/sink", .uploadSink())
            let client = try RawClient(server)
            let body = "5;note=1\r\nhello\r\nA\r\n, world!!!\r\n0\r\nTrailer: x\r\n\r\n"
            let answer = try client.exchange("POST", "/sink", ["Transfer-Encoding: chunked"], body: Array(body.utf8))
            #expect(answer.head.status == 201)
            #expect(try client.exchange("GET", "/none").head.status == 404)
            #expect(server.requests.first?.bodyPrefix == Array("hello, world!!!".utf8))
            #expect(server.requests.first?.bodyIsComplete == true)
        }
    }

    @Test("100 Continue comes before the body when it is asked for")
    func continues() throws {
        try withServer { server in
            server.setRoute("/sink", .uploadSink())
            let client = try RawClient(server)
            try client.request("PUT", "/sink", "Content-Length: 4", "Expect: 100-continue")
            #expect(try client.head().statusLine == "HTTP/1.1 100 Continue")
            try client.send("body")
            #expect(try client.head().status == 201)
        }
    }

    @Test("An interim answer can come before the body whatever was asked")
    func interim() throws {
        try withServer { server in
            var policy = UploadPolicy()
            policy.interim = [InterimResponse(status: 104, headers: ["Location": "/upload/1"])]
            server.setRoute("/sink", .uploadSink(policy))
            let client = try RawClient(server)
            try client.request("POST", "/sink", "Content-Length: 4")
            #expect(try client.head()["Location"] == "/upload/1")
            try client.send("body")
            #expect(try client.head().status == 201)
        }
    }

    @Test("An early refusal needs no body and ends the connection", arguments: [401, 413])
    func refuses(status: Int) throws {
        try withServer { server in
            server.setRoute("/sink", .refusing(ScriptedResponse(status)))
            let client = try RawClient(server)
            try client.request("PUT", "/sink", "Content-Length: 1000000000", "Expect: 100-continue")
            let head = try client.head()
            #expect(head.status == status)
            #expect(head["Connection"] == "close")
            #expect(try client.rest().bytes.isEmpty)
            #expect(server.requests.first?.bodyIsComplete == false)
        }
    }

    @Test("A body over the limit is answered with 413, with a length and with chunks")
    func limits() throws {
        var configuration = LoopbackServer.Configuration()
        configuration.bodyLimit = 10
        try withServer(configuration) { server in
            server.setRoute("/sink", .uploadSink())
            let first = try RawClient(server)
            #expect(try first.exchange("PUT", "/sink", ["Content-Length: 11"]).head.status == 413)
            let second = try RawClient(server)
            let body = Array("B\r\nhello world\r\n0\r\n\r\n".utf8)
            #expect(try second.exchange("PUT", "/sink", ["Transfer-Encoding: chunked"], body: body).head.status == 413)
            let third = try RawClient(server)
            #expect(try third.exchange("PUT", "/sink", ["Content-Length: 4"], body: [1, 2, 3, 4]).head.status == 201)
        }
    }

    @Test("The server drops an upload after the bytes it was told", arguments: [Cut.Manner.close, .reset])
    func cuts(manner: Cut.Manner) throws {
        try withServer { server in
            let policy = UploadPolicy(delivery: Delivery(cut: Cut(after: 1_000, manner: manner)))
            server.setRoute("/sink", .sequence([.uploadSink(policy), .uploadSink()]))
            let client = try RawClient(server)
            try client.request("PUT", "/sink", "Content-Length: 2000")
            try client.send(Self.content.bytes(in: 0..<1_000))
            let rest = try client.rest()
            #expect(rest.bytes.isEmpty)
            #expect(rest.end == (manner == .reset ? .reset : .closed))
            #expect(server.wait { $0.first?.outcome == .cut })
            #expect(server.requests.first?.bodyByteCount == 1_000)
            let again = try RawClient(server).exchange("PUT", "/sink", ["Content-Length: 1"], body: [7])
            #expect(again.head.status == 201)
        }
    }

    @Test("The server stops reading at a byte until the gate opens")
    func stalls() throws {
        try withServer { server in
            let gate = try Gate()
            let policy = UploadPolicy(delivery: Delivery(stalls: [Stall(after: 1_000, gate: gate)]))
            server.setRoute("/sink", .uploadSink(policy))
            let client = try RawClient(server)
            try client.request("PUT", "/sink", "Content-Length: 2000")
            try client.send(Self.content.bytes(in: 0..<2_000))
            #expect(gate.waitForArrivals())
            #expect(server.requests.first?.bodyByteCount == 1_000)
            gate.release()
            #expect(try client.head().status == 201)
            #expect(server.waitForFinishedRequests(count: 1))
            #expect(
                server.requests.first?.bodyChecksum.value == BodyChecksum(of: Self.content.bytes(in: 0..<2_000)).value)
        }
    }

    @Test("An upload that stands still holds the client back too")
    func holdsClientBack() throws {
        try withServer { server in
            let gate = try Gate()
            // So late that a kernel left to itself would have made its buffer large.
            let policy = UploadPolicy(delivery: Delivery(stalls: [Stall(after: 16 << 20, gate: gate)]))
            server.setRoute("/sink", .uploadSink(policy))
            let client = try RawClient(server, sendBuffer: 65_536)
            try client.request("PUT", "/sink", "Content-Length: 67108864")
            #expect(client.fill(limit: 64 << 20, past: gate) < (16 << 20) + (512 << 10))
            #expect(gate.arrivals == 1)
        }
    }

    @Test("An answer can come in the middle of a body")
    func answersInTheMiddle() throws {
        try withServer { server in
            server.setRoute(
                "/sink", Behaviour.respond(.text("no", status: 409)).receiving(UploadPolicy(answersAfter: 500)))
            let client = try RawClient(server)
            try client.request("PUT", "/sink", "Content-Length: 2000")
            try client.send(Self.content.bytes(in: 0..<500))
            #expect(try client.head().status == 409)
            #expect(server.requests.first?.bodyByteCount == 500)
        }
    }

    @Test("Echo tells method, target, headers and body as JSON")
    func echoes() throws {
        try withServer { server in
            server.setRoute("/echo", .echo)
            let answer = try RawClient(server).exchange(
                "POST", "/echo?q=1", ["X-Quote: a\"b", "Content-Length: 2"], body: Array("hi".utf8))
            #expect(
                String(decoding: answer.body, as: UTF8.self)
                    == #"{"method":"POST","target":"/echo?q=1","path":"/echo","query":"q=1","headers":"#
                    + #"[["Host","localhost"],["X-Quote","a\"b"],["Content-Length","2"]],"bodyByteCount":2,"body":"hi"}"#
            )
        }
    }

    @Test("Credentials open a guarded path, and a method outside the table gets 405")
    func guards() throws {
        try withServer { server in
            server.setRoute("/secret", .guarded(authorization: "Bearer 1", .methods(["GET": .respond(.text("in"))])))
            let client = try RawClient(server)
            #expect(try client.exchange("GET", "/secret").head["WWW-Authenticate"] != nil)
            #expect(try client.exchange("GET", "/secret", ["Authorization: Bearer 1"]).head.status == 200)
            let refused = try client.exchange("DELETE", "/secret", ["Authorization: Bearer 1"])
            #expect(refused.head.status == 405)
            #expect(refused.head["Allow"] == "GET")
        }
    }
}
