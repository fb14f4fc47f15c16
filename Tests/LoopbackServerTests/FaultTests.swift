import LoopbackServer
import Testing

@Suite("Faults in answers", .timeLimit(.minutes(1)))
struct FaultTests {
    private static let content = DeterministicContent(seed: 3, count: 300_000)
    private static let resource = ServedResource(body: .content(content), entityTag: "\"a\"")
    private static let file = Behaviour.resource(resource)

    @Test("A cut passes exactly its bytes and ends as ordered", arguments: [Cut.Manner.close, .reset])
    func cuts(manner: Cut.Manner) throws {
        try withServer { server in
            server.setRoute("/file", Self.file.cutting(after: 123_457, manner))
            let client = try RawClient(server)
            try client.request("GET", "/file")
            #expect(try client.head()["Content-Length"] == "300000")
            let rest = try client.rest()
            #expect(rest.bytes == Self.content.bytes(in: 0..<123_457))
            #expect(rest.end == (manner == .reset ? .reset : .closed))
            #expect(server.wait { $0.first?.outcome == .cut })
            #expect(server.requests.first?.responseBodyBytesSent == 123_457)
        }
    }

    @Test("A stall holds the rest back until its gate opens")
    func stalls() throws {
        try withServer { server in
            let gate = try Gate()
            server.setRoute("/file", Self.file.stalling(after: 100_000, until: gate))
            let client = try RawClient(server)
            try client.request("GET", "/file")
            _ = try client.head()
            #expect(try client.bytes(100_000) == Self.content.bytes(in: 0..<100_000))
            #expect(gate.waitForArrivals())
            #expect(server.requests.first?.outcome == .running)
            gate.release()
            #expect(try client.bytes(200_000) == Self.content.bytes(in: 100_000..<300_000))
            #expect(server.waitForFinishedRequests(count: 1))
        }
    }

    @Test("A gate before the head holds the whole answer back")
    func holdsHead() throws {
        try withServer { server in
            let gate = try server.gate(named: "head")
            server.setRoute("/file", Self.file.waiting(for: gate))
            let client = try RawClient(server)
            try client.request("GET", "/file")
            #expect(gate.waitForArrivals())
            #expect(server.requests.first?.status == nil)
            try server.gate(named: "head").release()
            #expect(try client.head().status == 200)
        }
    }

    @Test("A limited speed takes the time it must")
    func limits() throws {
        try withServer { server in
            server.setRoute("/file", .file(count: 40_000).limited(to: 200_000))
            let clock = ContinuousClock()
            let took = try clock.measure { _ = try RawClient(server).exchange("GET", "/file") }
            // The last twentieth of a second's worth need not be waited for.
            #expect(took >= .milliseconds(150))
        }
    }

    @Test("A path can serve few at once and refuse the others")
    func refusesTheOthers() throws {
        try withServer { server in
            let gate = try Gate()
            let stalled = Self.file.stalling(after: 0, until: gate)
            server.setRoute("/file", .atMost(2, stalled, else: .text("Later.", status: 429)))
            let served = try (0..<2).map { _ in
                let client = try RawClient(server)
                try client.request("GET", "/file")
                #expect(try client.head().status == 200)
                return client
            }
            #expect(try RawClient(server).exchange("GET", "/file").head.status == 429)
            gate.release()
            for client in served { #expect(try client.bytes(300_000) == Self.content.bytes) }
            #expect(server.waitForFinishedRequests(count: 3))
            #expect(try RawClient(server).exchange("GET", "/file").head.status == 200)
        }
    }

    @Test("A sequence answers each request of its path in turn, and its last step stays")
    func sequences() throws {
        try withServer { server in
            server.setRoute(
                "/file",
                .sequence([
                    .respond(.text("busy", status: 503)), .redirect(to: "/login"),
                    Self.file.adjusting { $0.headers.remove("ETag") },
                ]))
            let client = try RawClient(server)
            #expect(try client.exchange("GET", "/file").head.status == 503)
            #expect(try client.exchange("GET", "/other").head.status == 404)
            #expect(try client.exchange("GET", "/file").head["Location"] == "/login")
            for _ in 0..<2 {
                let answer = try client.exchange("GET", "/file")
                #expect(answer.head.status == 200)
                #expect(answer.head["ETag"] == nil)
            }
            #expect(Set(server.requests.map(\.connectionID)).count == 1)
        }
    }

    @Test("The answer to a range can lie in every field")
    func lies() throws {
        try withServer { server in
            let full = Self.resource.fullResponse
            server.setRoute("/no-content-range", Self.file.header("Content-Range", nil))
            server.setRoute("/other-total", Self.file.header("Content-Range", "bytes 5-9/77").header("ETag", "\"b\""))
            server.setRoute("/shorter", .handler { _ in Self.resource.part(5..<8) })
            server.setRoute("/longer", Self.file.adjusting { $0.body = .joined([$0.body, .text("extra")]) })
            server.setRoute("/multipart", .handler { _ in Self.resource.multipart([5..<10]) })
            server.setRoute("/from-zero", .respond(full).adjusting { $0.status = 206 })
            server.setRoute("/refused", .respond(Self.resource.unsatisfiable))
            let client = try RawClient(server)
            func ask(_ path: String) throws -> (head: RawHead, body: [UInt8]) {
                try client.exchange("GET", path, ["Range: bytes=5-9", "If-Range: \"a\""])
            }
            #expect(try ask("/no-content-range").head["Content-Range"] == nil)
            #expect(try ask("/other-total").head["Content-Range"] == "bytes 5-9/77")
            #expect(try ask("/shorter").body == Self.content.bytes(in: 5..<8))
            #expect(try ask("/longer").body == Self.content.bytes(in: 5..<10) + Array("extra".utf8))
            #expect(try ask("/multipart").head["Content-Type"]?.hasPrefix("multipart/byteranges") == true)
            #expect(try ask("/from-zero").body.count == 300_000)
            #expect(try ask("/refused").head["Content-Range"] == "bytes */300000")
        }
    }

    @Test("Interim answers come before the final one, as many as ordered")
    func interim() throws {
        try withServer { server in
            let hints = InterimResponse(status: 103, headers: ["Link": "</a>"], times: 5_000)
            server.setRoute("/file", Self.file.adjusting { $0.interim = [hints] })
            let client = try RawClient(server)
            try client.request("GET", "/file")
            let one = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
            #expect(try client.bytes(one.utf8.count * 5_000) == Array(String(repeating: one, count: 5_000).utf8))
            #expect(try client.head().status == 200)
        }
    }

    @Test("What is not HTTP is sent as it is, and then the connection ends")
    func raw() throws {
        try withServer { server in
            server.setRoute("/garbage", .raw("nonsense\u{0}\r\n"))
            server.setRoute(
                "/bomb", .respond(.raw(.joined([.text("HTTP/1.1 200 OK\r\n"), .repeated([0x41], times: 99_999)]))))
            server.setRoute("/silence", .silence(.reset))
            let garbage = try RawClient(server)
            try garbage.request("GET", "/garbage")
            #expect(try garbage.rest().bytes == Array("nonsense\u{0}\r\n".utf8))
            let bomb = try RawClient(server)
            try bomb.request("GET", "/bomb")
            #expect(try bomb.rest().bytes.count == 17 + 99_999)
            let silence = try RawClient(server)
            try silence.request("GET", "/silence")
            let rest = try silence.rest()
            #expect(rest.bytes.isEmpty)
            #expect(rest.end == .reset)
        }
    }
}
