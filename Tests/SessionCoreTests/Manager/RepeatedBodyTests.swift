import Foundation
import LoopbackServer
import SessionSupport
import Testing

@testable import SessionCore

/// What a call sends again when its interceptors ask for a repetition.
@Suite("Bodies of repeated calls", .timeLimit(.minutes(1)))
struct RepeatedBodyTests {
    private let server = LoopbackServer()
    private let manager = SessionManager()

    init() throws {
        try server.start()
        server.setRoute("/busy", .sequence([.respond(.text("busy", status: 503)), .uploadSink()]))
        server.setRoute("/guarded", .guarded(authorization: "Bearer new", .uploadSink()))
        manager.postsNotifications = false
    }

    private static let again = ClosureInterceptor(decide: { $0.attempt < 3 ? .retry() : .undecided })

    private var bodies: [String] { server.requests.map { String(decoding: $0.bodyPrefix, as: UTF8.self) } }

    /// The reading end of a pipe with a text in it.
    private static func descriptor(_ text: String) throws -> Int32 {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        let bytes = Array(text.utf8)
        try #require(write(ends[1], bytes, bytes.count) == bytes.count)
        close(ends[1])
        return ends[0]
    }

    private static func stream(_ text: String) -> BodyStream {
        let isRead = Locked(false)
        return BodyStream(length: Int64(text.utf8.count)) { buffer in
            isRead.withLock { isRead in
                guard !isRead else { return 0 }
                isRead = true
                buffer.copyBytes(from: text.utf8)
                return text.utf8.count
            }
        }
    }

    /// Makes a stream each time.
    private struct Report: BodyProvider {
        func makeBody() throws(SessionError) -> BodySpecification { .pieces([.stream(stream("report"))]) }
    }

    @Test(
        "A body that was read is not sent again empty: the call ends with its first failure", arguments: [true, false])
    func spent(isUpload: Bool) async throws {
        manager.interceptors = [Self.again]
        let descriptor = try Self.descriptor("only once")
        defer { close(descriptor) }
        let request = TransferRequest(url: server.url("/busy"), method: "POST", body: .descriptor(descriptor))
        let error = await #expect(throws: ResponseSerializationError.self) {
            if isUpload { return try await manager.upload(for: request, from: request.body) }
            return try await manager.data(for: request)
        }
        #expect(error?.reason == .unacceptableStatusCode(503) && bodies == ["only once"])
    }

    @Test("A stream beside a request that has a body of its own is not sent again either")
    func spentStream() async throws {
        manager.interceptors = [Self.again]
        let request = TransferRequest(url: server.url("/busy"), method: "POST", body: .bytes([1]))
        let form = MultipartForm([MultipartForm.Part(name: "a", content: .stream(Self.stream("only once")))])
        let error = await #expect(throws: ResponseSerializationError.self) {
            try await manager.upload(for: request, from: form)
        }
        #expect(error?.reason == .unacceptableStatusCode(503) && bodies.count == 1)
    }

    @Test("An interceptor that gives each attempt a new body may ask for a repetition")
    func given() async throws {
        let open = EventLog<Int32>()
        manager.interceptors = [
            ClosureInterceptor(adapt: { request, attempt in
                var request = request
                let descriptor = try Self.descriptor("body \(attempt)")
                open.add(descriptor)
                request.body = .descriptor(descriptor)
                return request
            }), Self.again,
        ]
        let request = TransferRequest(url: server.url("/busy"), method: "POST")
        #expect(try await manager.data(for: request).head?.statusCode == 201)
        #expect(bodies == ["body 1", "body 2"])
        for descriptor in open.entries { close(descriptor) }
    }

    @Test(
        "A body that can be made again is sent whole with the new token",
        arguments: ["throttled", "provider", "form", "bytes"])
    func madeAgain(kind: String) async throws {
        manager.interceptors = [TokenInterceptor(token: "old") { _ in "new" }]
        var form = MultipartForm()
        form.append("value", name: "a")
        if kind == "throttled" { form.throttle = MultipartForm.Throttle(packetSize: 64, delay: 0) }
        let body: any BodyProvider =
            switch kind {
            case "provider": Report()
            case "bytes": Data("bytes".utf8)
            default: form
            }
        let request = TransferRequest(url: server.url("/guarded"), method: "POST")
        #expect(try await manager.upload(for: request, from: body).head?.statusCode == 201)
        try #require(bodies.count == 2)
        #expect(bodies[0] == bodies[1] && !bodies[0].isEmpty && server.requests.allSatisfy { $0.bodyIsComplete })
    }
}
