import Foundation
import FoundationNetworking
import LoopbackServer
import Testing

@testable import SessionCore

/// Streams that cannot be read, or not to their end.
@Suite("Body streams that fail", .timeLimit(.minutes(1)))
struct BodyStreamTests {
    /// Gives some bytes and then an error.
    private final class Failing: InputStream {
        struct Cause: Error, Equatable {
            var text = "the tape is torn"
        }

        private var rest: Int
        private var failed = false

        init(after count: Int) {
            rest = count
            super.init(data: Data())
        }

        override func open() {}
        override func close() {}
        override var hasBytesAvailable: Bool { !failed }
        override var streamStatus: Stream.Status { failed ? .error : .open }
        override var streamError: (any Error)? { failed ? Cause() : nil }

        override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength: Int) -> Int {
            let count = min(rest, maxLength)
            guard count > 0 else {
                failed = true
                return -1
            }
            buffer.update(repeating: 7, count: count)
            rest -= count
            return count
        }
    }

    /// Never ends, and tells when it was closed.
    private final class Endless: InputStream {
        private let log: EventLog<String>

        init(_ log: EventLog<String>) {
            self.log = log
            super.init(data: Data())
        }

        override func open() {}
        override func close() { log.add("closed") }
        override var streamStatus: Stream.Status { .open }
        override var streamError: (any Error)? { nil }

        override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength: Int) -> Int {
            buffer.update(repeating: 7, count: maxLength)
            return maxLength
        }
    }

    /// Goes with the form that has it.
    private final class Token: Sendable {
        let log: EventLog<String>

        init(_ log: EventLog<String>) { self.log = log }

        deinit { log.add("closed") }
    }

    private let server = LoopbackServer()
    private let manager = SessionManager()

    init() throws {
        try server.start()
        server.setRoute("/put", .uploadSink())
        manager.postsNotifications = false
        manager.responseSerializer = DataResponseSerializer()
    }

    private func run(_ stream: InputStream?, length: Int? = nil) async throws -> SessionError? {
        var request = URLRequest(url: try #require(URL(string: server.url("/put"))))
        request.httpMethod = "PUT"
        request.httpBodyStream = stream
        if let length { request.setValue("\(length)", forHTTPHeaderField: "Content-Length") }
        let task = try manager.uploadTask(withStreamedRequest: request, completionHandler: nil)
        task.resume()
        return await task.completion().error as? SessionError
    }

    /// A descriptor that gives these bytes once.
    private func once(_ bytes: ArraySlice<UInt8>) throws -> OwnedDescriptor {
        let (reader, writer) = try BodyPipe.make()
        #expect(BodyPipe.write(bytes, to: writer))
        return reader
    }

    /// No server may take what it got for a whole request.
    private func expectNothingWhole() {
        #expect(server.requests(for: "/put").allSatisfy { !$0.bodyIsComplete && $0.outcome != .answered })
    }

    @Test("A stream of a file that is not there is no empty body")
    func missing() async throws {
        let error = try #require(try await run(InputStream(fileAtPath: "/nowhere/at/all")))
        #expect(error.code == .bodyUnreadable && error.errno == ENOENT && error.failingURL == server.url("/put"))
        #expect(error.underlying != nil)
        expectNothingWhole()
    }

    @Test("A stream of a folder is no empty body")
    func folder() async throws {
        #expect(try await run(InputStream(fileAtPath: "/"))?.code == .bodyUnreadable)
        expectNothingWhole()
    }

    @Test(
        "A stream that fails on the way fails the task with its own error, and the request is never whole",
        arguments: [0, 1, 100_000, 5_000_000], [false, true])
    func halfway(count: Int, hasLength: Bool) async throws {
        let error = try await run(Failing(after: count), length: hasLength ? count + 10 : nil)
        #expect(error?.code == .bodyUnreadable)
        #expect(error?.underlying?.error as? Failing.Cause == Failing.Cause())
        expectNothingWhole()
    }

    @Test("A stream that fails behind its announced length is not taken for whole")
    func behindTheLength() async throws {
        #expect(try await run(Failing(after: 100_000), length: 100_000)?.code == .bodyUnreadable)
        expectNothingWhole()
    }

    @Test("The reading thread of a body takes nothing from a file that has the number of the caller's descriptor now")
    func reusedNumber() async throws {
        let (reader, writer) = try BodyPipe.make()
        let other = try once(ArraySlice("other".utf8))
        let woken = EventLog<String>()
        let source = try DescriptorBodySource(descriptor: reader.descriptor) { woken.add("woken") }
        var buffer = [UInt8](repeating: 0, count: 8)
        #expect(buffer.withUnsafeMutableBytes { source.read(into: $0) } == .wait)
        #expect(dup2(other.descriptor, reader.descriptor) == reader.descriptor)
        #expect(BodyPipe.write(ArraySlice("mine".utf8), to: writer))
        #expect(await woken.wait(count: 1) == ["woken"])
        #expect(buffer.withUnsafeMutableBytes { source.read(into: $0) } == .bytes(4))
        #expect(String(decoding: buffer.prefix(4), as: UTF8.self) == "mine")
        #expect(recv(other.descriptor, &buffer, 8, Int32(MSG_DONTWAIT)) == 5)
    }

    @Test("An empty stream is an empty body")
    func empty() async throws {
        #expect(try await run(InputStream(data: Data())) == nil)
        #expect(server.requests(for: "/put").last?.bodyIsComplete == true)
    }

    private func task(of kind: String, _ log: EventLog<String>) throws -> SessionTask {
        var request = URLRequest(url: try #require(URL(string: server.url("/put"))))
        request.httpMethod = "PUT"
        guard kind == "form" else {
            request.httpBodyStream = Endless(log)
            return try manager.uploadTask(withStreamedRequest: request, completionHandler: nil)
        }
        let token = Token(log)
        var form = MultipartForm()
        let stream = BodyStream(length: 1 << 40) { buffer in withExtendedLifetime(token) { buffer.count } }
        form.parts.append(.init(name: "s", content: .stream(stream)))
        return try manager.uploadTask(with: request, from: form, completionHandler: nil)
    }

    @Test(
        "Whoever writes a body ends with its task, however much is left",
        arguments: ["stream", "form"], ["never resumed", "cancelled at once", "refused"])
    func ends(kind: String, end: String) async throws {
        server.setRoute("/put", end == "refused" ? .refusing(ScriptedResponse(403)) : .uploadSink())
        let log = EventLog<String>()
        let task = try task(of: kind, log)
        if end != "never resumed" { task.resume() }
        if end != "refused" { task.cancel() }
        _ = await task.completion()
        #expect(await log.wait(count: 1) == ["closed"])
    }

    @Test("Why a provider has no body for a repetition is what the task fails with")
    func provider() async throws {
        struct Provider: BodyProvider {
            let calls: EventLog<Int>
            let reader: OwnedDescriptor
            func makeBody() throws(SessionError) -> BodySpecification {
                calls.add(1)
                guard calls.entries.count == 1 else { throw SessionError(.notFound, "The file was taken away") }
                return .descriptor(reader.descriptor)
            }
        }
        server.setRoute("/old", .redirect(to: "/put", status: 307))
        let reader = try once([1, 2, 3])
        var request = URLRequest(url: try #require(URL(string: server.url("/old"))))
        request.httpMethod = "PUT"
        let task = try manager.uploadTask(
            with: request, from: Provider(calls: EventLog(), reader: reader), completionHandler: nil)
        task.resume()
        #expect((await task.completion().error as? SessionError)?.message == "The file was taken away")
    }
}
