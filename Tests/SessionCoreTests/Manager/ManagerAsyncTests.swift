import Foundation
import FoundationNetworking
import Testing

@testable import SessionCore

@Suite(.timeLimit(.minutes(1))) struct ManagerAsyncTests {
    @Test("B02: the async form of a data task returns how it ended, the body and the response with it")
    func dataReturnsTheCompletion() async throws {
        let fixture = ManagerFixture { _ in .ok(#"{"a":1}"#, type: "application/json") }
        let completion = try await fixture.manager.response(for: fixture.request, as: .json).completion
        #expect((completion.object as? [String: any Sendable])?.count == 1)
        let url = try #require(URL(string: fixture.request.url))
        let ofFoundation = try await fixture.manager.data(for: URLRequest(url: url))
        #expect(ofFoundation.data == Data(#"{"a":1}"#.utf8))
        #expect(ofFoundation.head?.statusCode == 200)
    }

    @Test("B03 B06: the async forms of an upload send a file or data, and return the response's body")
    func uploadsReturnTheBody() async throws {
        let sent = EventLog<BodySpecification>()
        let fixture = ManagerFixture { description in
            sent.add(description.request.body)
            return .ok(#"{"a":1}"#, type: "application/json")
        }
        let folder = try TemporaryFolder()
        let file = try folder.write("bytes", to: "body")
        let url = URLRequest(url: try #require(URL(string: fixture.request.url)))
        let ofFile = try await fixture.manager.upload(for: url, fromFile: file)
        let ofData = try await fixture.manager.upload(for: url, from: Data([1, 2]))
        for completion in [ofFile, ofData] {
            #expect(completion.data == Data(#"{"a":1}"#.utf8) && completion.head?.statusCode == 200)
        }
        #expect(sent.entries == [.file(path: file.path), .bytes([1, 2])])
    }

    @Test func anErrorIsThrown() async throws {
        let fixture = ManagerFixture { _ in .failed(.unknownHost) }
        let error = await #expect(throws: SessionError.self) { try await fixture.manager.data(for: fixture.request) }
        #expect(error?.code == .unknownHost)
    }

    @Test func cancellingTheSwiftTaskCancelsTheTransfer() async throws {
        let fixture = ManagerFixture()
        let started = EventLog<Int>()
        fixture.manager.onTaskEvent = { _, event in
            if case .resumed = event { started.add(1) }
        }
        let task = Task { try await fixture.manager.upload(for: fixture.request, from: nil) }
        _ = await started.wait(count: 1)
        task.cancel()
        let error = await #expect(throws: SessionError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        #expect(fixture.manager.tasks.isEmpty)
    }

    @Test("KB41 A17: waiting for all spans the tasks that were resumed")
    func waitingForAllSpansTheTasks() async throws {
        let fixture = ManagerFixture()
        let never = try fixture.manager.dataTask(with: fixture.request, completionHandler: nil)
        let task = try fixture.manager.dataTask(with: fixture.request, completionHandler: nil)
        task.resume()
        let done = EventLog<String>()
        let waiting = Task {
            await fixture.manager.waitForAll()
            done.add("waited \(task.state.rawValue)")
        }
        fixture.engine.complete(task)
        await waiting.value
        #expect(done.entries == ["waited completed"])
        #expect(fixture.manager.tasks == [never])
    }

    @Test("LT7: nothing async needs the main queue or a completion queue")
    func nothingAsyncNeedsTheCompletionQueue() async throws {
        let fixture = ManagerFixture { _ in .ok() }
        fixture.queue.suspend()
        #expect(fixture.manager.completionQueue === fixture.queue)
        let completion = try await fixture.manager.data(for: fixture.request)
        fixture.queue.resume()
        #expect(completion.error == nil)
    }

    @Test("B07: a body stream is read while it is sent")
    func aBodyStreamIsReadWhileItIsSent() async throws {
        let fixture = ManagerFixture()
        let bytes = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0) })
        var request = URLRequest(url: try #require(URL(string: fixture.request.url)))
        request.httpMethod = "PUT"
        request.httpBodyStream = InputStream(data: bytes)
        let task = try fixture.manager.uploadTask(withStreamedRequest: request, completionHandler: nil)
        guard case .descriptor(let descriptor) = task.request.body else {
            Issue.record("The body is not a descriptor")
            return
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
        #expect(try handle.readToEnd() == bytes)
        task.cancel()
        _ = await task.completion()
    }

    @Test func aStreamedRequestWithoutAStreamIsRefused() throws {
        let fixture = ManagerFixture()
        let request = URLRequest(url: try #require(URL(string: fixture.request.url)))
        let error = #expect(throws: SessionError.self) {
            try fixture.manager.uploadTask(withStreamedRequest: request, completionHandler: nil)
        }
        #expect(error?.code == .invalidRequest)
    }
}
