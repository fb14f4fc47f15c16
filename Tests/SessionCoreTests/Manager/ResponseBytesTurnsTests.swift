import Foundation
import Testing

@testable import SessionCore
@testable import SessionStubs

/// Bodies that several readers read one after another.
@Suite("Readers of a body take turns", .timeLimit(.minutes(1)))
struct ResponseBytesTurnsTests {
    private let text = "one\r\ntwo\nthree\nfour"

    /// A body that arrives in pieces of this many bytes.
    private func body(piecesOf count: Int) async throws -> ResponseBytes {
        let stubs = StubServer()
        var answer = StubAnswer()
        let bytes = Array(text.utf8)
        answer.steps = stride(from: 0, to: bytes.count, by: count).map { start in
            .bytes(Array(bytes[start..<min(start + count, bytes.count)]))
        }
        stubs.answer("/t", with: answer)
        return try await SessionManager(stubs: stubs).bytes(for: TransferRequest(url: "http://h/t")).bytes
    }

    private func bytes(_ count: Int, of body: ResponseBytes) async throws -> [UInt8] {
        var iterator = body.makeAsyncIterator()
        var bytes: [UInt8] = []
        while bytes.count < count, let byte = try await iterator.next() { bytes.append(byte) }
        return bytes
    }

    private func chunks(of body: ResponseBytes) async throws -> [UInt8] {
        try await body.chunks.reduce(into: []) { $0 += $1 }
    }

    @Test("What a reader of bytes has left comes to the next one, whatever it reads", arguments: [1, 3, 100])
    func afterBytes(piece: Int) async throws {
        var body = try await body(piecesOf: piece)
        let first = try await bytes(2, of: body)
        #expect(try await first + chunks(of: body) == Array(text.utf8))

        body = try await self.body(piecesOf: piece)
        let (one, two) = try await (bytes(2, of: body), bytes(4, of: body))
        #expect(try await one + two + bytes(.max, of: body) == Array(text.utf8))

        body = try await self.body(piecesOf: piece)
        _ = try await bytes(2, of: body)
        #expect(try await body.lines.reduce(into: []) { $0.append($1) } == ["e", "two", "three", "four"])
    }

    @Test("What a reader of lines has left comes to the next one, whatever it reads", arguments: [1, 3, 100])
    func afterLines(piece: Int) async throws {
        var body = try await body(piecesOf: piece)
        for try await line in body.lines {
            #expect(line == "one")
            break
        }
        #expect(try await body.lines.reduce(into: []) { $0.append($1) } == ["two", "three", "four"])

        body = try await self.body(piecesOf: piece)
        for try await _ in body.lines { break }
        #expect(try await bytes(4, of: body) == Array("two\n".utf8))
        #expect(try await chunks(of: body) == Array("three\nfour".utf8))
    }

    @Test("A line that breaks off in an error is left to a reader of bytes")
    func brokenLine() async throws {
        let stubs = StubServer()
        var answer = StubAnswer(headers: ["Content-Length": "10"], body: Array("a\nbc".utf8))
        answer.steps.append(.fail(SessionError(.connectionLost, "Cut")))
        stubs.answer("/cut", with: answer)
        let (body, _) = try await SessionManager(stubs: stubs).bytes(for: TransferRequest(url: "http://h/cut"))
        var lines: [String] = []
        await #expect(throws: SessionError.self) { for try await line in body.lines { lines.append(line) } }
        #expect(lines == ["a"])
        #expect(try await bytes(2, of: body) == Array("bc".utf8))
    }
}
