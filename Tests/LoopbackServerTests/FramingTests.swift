import LoopbackServer
import Testing

@Suite("Framing of answers", .timeLimit(.minutes(1)))
struct FramingTests {
    private static let text = ScriptedResponse.text("hello, world")

    /// What the server sends for one request after the head, up to the end of the connection.
    private func wire(_ behaviour: Behaviour) throws -> (head: RawHead, body: String) {
        var result: (RawHead, String)?
        try withServer { server in
            server.setRoute("/x", behaviour)
            let client = try RawClient(server)
            try client.request("GET", "/x", "Connection: close")
            let head = try client.head()
            result = (head, String(decoding: try client.rest().bytes, as: UTF8.self))
        }
        return try #require(result)
    }

    @Test("Chunks have the ordered size and end with trailers")
    func chunks() throws {
        let answer = try wire(.respond(Self.text).framed(.chunked(5)).adjusting { $0.trailers = ["Checked": "yes"] })
        #expect(answer.head["Transfer-Encoding"] == "chunked")
        #expect(answer.head["Content-Length"] == nil)
        #expect(answer.body == "5\r\nhello\r\n5\r\n, wor\r\n2\r\nld\r\n0\r\nChecked: yes\r\n\r\n")
    }

    @Test("A cut inside a chunk leaves the chunk unfinished")
    func cutsChunk() throws {
        let answer = try wire(.respond(Self.text).framed(.chunked(5)).cutting(after: 7))
        #expect(answer.body == "5\r\nhello\r\n5\r\n, ")
    }

    @Test("A body without length ends with the connection, which says so")
    func untilClose() throws {
        let answer = try wire(.respond(Self.text).framed(.untilClose))
        #expect(answer.head["Content-Length"] == nil)
        #expect(answer.head["Connection"] == "close")
        #expect(answer.body == "hello, world")
    }

    @Test(
        "A length can be any text, once or more often",
        arguments: [["12", "99"], ["12", "12"], ["99"], ["5"], ["99999999999999999999"], ["-1"], []])
    func declares(lengths: [String]) throws {
        let answer = try wire(.respond(Self.text).framed(.declaredLength(lengths)))
        #expect(answer.head.values("Content-Length") == lengths)
        #expect(answer.head["Connection"] == "close")
        #expect(answer.body == "hello, world")
    }

    @Test("A wrong length ends the connection even when the client wants to keep it")
    func closesAfterLie() throws {
        try withServer { server in
            server.setRoute("/x", .respond(Self.text).framed(.declaredLength(["5"])))
            let client = try RawClient(server)
            try client.request("GET", "/x")
            _ = try client.head()
            let rest = try client.rest()
            #expect(rest.bytes == Array("hello, world".utf8))
            #expect(rest.end == .closed)
        }
    }

    @Test("Length and chunks together are sent together")
    func both() throws {
        let answer = try wire(.respond(Self.text).framed(.chunked(50)).header("Content-Length", "12"))
        #expect(answer.head["Content-Length"] == "12")
        #expect(answer.body == "c\r\nhello, world\r\n0\r\n\r\n")
    }

    @Test("Answers that have no body get neither body nor length", arguments: [204, 304])
    func bodiless(status: Int) throws {
        let answer = try wire(.respond(ScriptedResponse(status, body: .text("not this"), framing: .unframed)))
        #expect(answer.head.status == status)
        #expect(answer.head["Content-Length"] == nil)
        #expect(answer.body.isEmpty)
    }

    @Test("Reason, version, Date and raw lines are as ordered")
    func headParts() throws {
        let answer = try wire(
            .respond(Self.text).adjusting { response in
                response.version = "HTTP/1.0"
                response.reason = "Fine \u{1B}[31m"
                response.addsDate = false
                response.rawHeaderLines = [Array("no colon".utf8), Array(" folded".utf8)]
            })
        #expect(answer.head.statusLine == "HTTP/1.0 200 Fine \u{1B}[31m")
        #expect(answer.head["Date"] == nil)
        #expect(answer.head.lines.contains("no colon"))
        #expect(answer.head.lines.contains(" folded"))
    }
}
