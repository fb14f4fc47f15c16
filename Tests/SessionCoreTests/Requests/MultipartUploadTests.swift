import Foundation
import LoopbackServer
import Testing

@testable import SessionCore
@testable import SessionHTTP

/// Forms on the wire.
@Suite("Multipart uploads", .timeLimit(.minutes(1)))
struct MultipartUploadTests {
    private let server = LoopbackServer()
    private let folder: TemporaryFolder
    private let manager = SessionManager()

    init() throws {
        try server.start()
        folder = try TemporaryFolder()
        manager.completionQueue = DispatchQueue(label: "MultipartUploadTests")
        manager.notificationQueue = manager.completionQueue
        manager.responseSerializer = HTTPResponseSerializer()
        server.setRoute("/form", .echo)
    }

    private func multipart(_ build: (inout MultipartForm) throws -> Void) throws -> MultipartRequest {
        try HTTPRequestSerializer().multipartRequest("POST", server.url("/form")) { form in
            form.boundary = "line"
            try build(&form)
        }
    }

    /// The body that the server got last.
    private var received: Data { Data(server.requests(for: "/form").last?.bodyPrefix ?? []) }

    /// The form as a file has it.
    private func expected(_ multipart: MultipartRequest) async throws -> Data {
        let file = folder.file("expected")
        _ = try await multipart.write(to: file)
        return try Data(contentsOf: file)
    }

    @Test("L19 L21: a form is streamed with its exact length, and its files as they are")
    func form() async throws {
        let file = try folder.write("content\r\n--", to: "part")
        let multipart = try multipart { form in
            form.append("1", name: "a")
            try form.append(file: file, name: "f")
        }
        let completion = try await manager.upload(multipart)
        let body = try await expected(multipart)
        #expect(received == body)
        let sent = try #require(server.requests(for: "/form").last)
        #expect(sent.headers["Content-Length"] == "\(body.count)")
        #expect(sent.headers["Content-Type"] == "multipart/form-data; boundary=line")
        #expect(completion.status.sent == body.count)
        // A form alone gives its type to a request that has none.
        var request = TransferRequest(url: server.url("/form"), method: "POST")
        _ = try await manager.upload(for: request, from: multipart.form)
        #expect(server.requests(for: "/form").last?.headers["Content-Type"] == multipart.form.contentType)
        request.headers["Content-Type"] = "own/type"
        _ = try await manager.upload(for: request, from: multipart.form)
        #expect(server.requests(for: "/form").last?.headers["Content-Type"] == "own/type")
    }

    @Test("L19: a form without parts is sent as an empty body")
    func emptyForm() async throws {
        let completion = try await manager.upload(multipart { _ in })
        #expect(received.isEmpty && completion.head?.statusCode == 200)
        let sent = try #require(server.requests(for: "/form").last)
        #expect(sent.headers["Content-Type"] == "application/x-www-form-urlencoded")
    }

    @Test("L23: a stream in a form goes out with the length that was announced")
    func stream() async throws {
        let bytes = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0) })
        let multipart = try multipart { form in
            form.append(InputStream(data: bytes), length: Int64(bytes.count), name: "s", fileName: "s.bin")
        }
        let length = try multipart.form.contentLength()
        _ = try await manager.upload(multipart)
        let sent = try #require(server.requests(for: "/form").last)
        #expect(sent.bodyByteCount == length && sent.headers["Content-Length"] == "\(length)")
        #expect(received.range(of: bytes.prefix(1_000)) != nil)
        // It is spent: the same form cannot be sent again.
        let error = await #expect(throws: SessionError.self) { try await manager.upload(multipart) }
        #expect(error?.code == .bodyUnreadable)
    }

    private struct Broken: Error {}

    @Test(
        "A stream that fails half-way, ends early or goes on is one error, and no whole request", arguments: [0, 1, 2])
    func badStream(_ kind: Int) async throws {
        let calls = EventLog<Int>()
        let stream = BodyStream(length: 100_000) { buffer in
            calls.add(1)
            guard calls.entries.count > 1 else { return min(buffer.count, 50_000) }
            switch kind {
            case 0: throw Broken()
            case 1: return 0
            default: return buffer.count
            }
        }
        let multipart = try multipart { form in form.parts.append(.init(name: "s", content: .stream(stream))) }
        let error = await #expect(throws: SessionError.self) { try await manager.upload(multipart) }
        #expect(error?.code == .bodyUnreadable, "\(String(describing: error))")
        if kind == 0 { #expect(error?.underlying?.error is Broken) }
        #expect(server.requests(for: "/form").allSatisfy { !$0.bodyIsComplete })
    }

    @Test("L24: a throttled form goes out in packets, whole and with its length")
    func throttle() async throws {
        let multipart = try multipart { form in
            form.append(String(repeating: "x", count: 4_000), name: "a")
            form.throttle = .init(packetSize: 1_000, delay: 0.01)
        }
        let clock = ContinuousClock()
        let start = clock.now
        _ = try await manager.upload(multipart)
        // Four waits at least: a lower bound, which a busy machine cannot break.
        #expect(clock.now - start >= .milliseconds(40))
        #expect(try await received == expected(multipart))
        #expect(MultipartForm.Throttle() == MultipartForm.Throttle(packetSize: 16_384, delay: 0.2))
        #expect(MultipartForm.Throttle(packetSize: 0, delay: -1) == MultipartForm.Throttle(packetSize: 1, delay: 0))
    }

    @Test(
        "L25 KB40: a form is made again for a redirect that keeps the body, throttled or not", arguments: [false, true])
    func replay(isThrottled: Bool) async throws {
        server.setRoute("/moved", .redirect(to: "/form", status: 307))
        let file = try folder.write("content", to: "part")
        var multipart = try multipart { form in try form.append(file: file, name: "f") }
        if isThrottled { multipart.form.throttle = .init(packetSize: 50, delay: 0.001) }
        multipart.request.url = server.url("/moved")
        _ = try await manager.upload(multipart)
        #expect(try await received == expected(multipart))
    }

    @Test("L25: a stream cannot be sent again, and says so")
    func spentStream() async throws {
        server.setRoute("/moved", .redirect(to: "/form", status: 307))
        var multipart = try multipart { form in form.append(InputStream(data: Data([1])), length: 1, name: "s") }
        multipart.request.url = server.url("/moved")
        let error = await #expect(throws: SessionError.self) { try await manager.upload(multipart) }
        #expect(error?.code == .notReplayable)
    }

    @Test("L26 KB38: sending needs no main queue and no completion queue")
    func nothingHopsToMain() async throws {
        let queue = try #require(manager.completionQueue)
        queue.suspend()
        defer { queue.resume() }
        let multipart = try multipart { form in
            form.append(InputStream(data: Data("s".utf8)), length: 1, name: "s")
        }
        #expect(try await manager.upload(multipart).head?.statusCode == 200)
    }

    @Test("KB39: a file of a form that grows after it was opened is an error")
    func growingFile() throws {
        let file = try folder.write("content", to: "part")
        let source = try PiecesBodySource([.file(path: file.path), .bytes([1])], wake: {})
        try Data("content and more".utf8).write(to: file)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64, alignment: 1)
        defer { buffer.deallocate() }
        guard case .failed(let error) = source.read(into: buffer) else {
            Issue.record("It was read")
            return
        }
        #expect(error.code == .bodyUnreadable)
    }

    @Test("A stream among the pieces of a data task's body is refused when the task is created")
    func streamOfADataTask() {
        let request = TransferRequest(
            url: server.url("/form"), method: "POST",
            body: .pieces([.stream(BodyStream(length: 1) { _ in 0 })]))
        let error = #expect(throws: SessionError.self) { try manager.dataTask(with: request, completionHandler: nil) }
        #expect(error?.code == .invalidRequest)
    }
}
