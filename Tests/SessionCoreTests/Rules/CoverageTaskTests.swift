import Foundation
import FoundationNetworking
import SessionSupport
import Testing

@testable import SessionCore

/// Rows of groups B and C that no other suite shows.
@Suite("Coverage: tasks", .timeLimit(.minutes(1)))
struct CoverageTaskTests {
    private let fixture = ManagerFixture()

    @Test("B01: the short forms need no progress and no completion handler")
    func theShortFormsNeedNothing() throws {
        let manager = fixture.manager
        let url = URLRequest(url: try #require(URL(string: fixture.request.url)))
        let tasks = [
            try manager.dataTask(with: fixture.request, completionHandler: nil),
            try manager.dataTask(with: url, completionHandler: nil),
            try manager.uploadTask(with: fixture.request, from: fixture.request.body, completionHandler: nil),
            try manager.uploadTask(with: url, from: nil, completionHandler: nil),
            try manager.downloadTask(
                with: fixture.request, options: TaskOptions(target: DownloadTarget(folder: "/nowhere")),
                completionHandler: nil),
        ]
        #expect(tasks.map(\.kind) == [.data, .data, .upload, .upload, .download])
        #expect(tasks.allSatisfy { $0.state == .suspended && $0.existingProgress == (nil, nil) })
    }

    @Test("B02 C04 C07: both directions have a progress and a block of their own")
    func bothDirectionsHaveProgress() async throws {
        let log = EventLog<String>()
        let task = try fixture.manager.dataTask(
            with: fixture.request,
            uploadProgress: { log.add("up \($0.completedUnitCount)/\($0.totalUnitCount)") },
            downloadProgress: { log.add("down \($0.completedUnitCount)/\($0.totalUnitCount)") },
            completionHandler: nil)
        let upload = try #require(fixture.manager.uploadProgress(for: task))
        let download = try #require(fixture.manager.downloadProgress(for: task))
        #expect(upload !== download)
        #expect([upload.totalUnitCount, download.totalUnitCount] == [-1, -1])
        task.resume()
        var status = TaskStatus()
        (status.sent, status.expectedToSend) = (3, 30)
        (status.received, status.expectedToReceive) = (4, 40)
        fixture.engine.publish(status, of: task)
        await fixture.settle()
        #expect(log.entries == ["up 3/30", "down 4/40"])
    }

    @Test("B11 B12 B13: a task that others find is complete: cancelled at once, it still ends exactly once")
    func aTaskThatOthersFindIsComplete() async throws {
        let manager = fixture.manager
        let request = fixture.request
        let ends = EventLog<TransferKind>()
        let count = 600
        let finder = Task {
            while ends.entries.count < count {
                for task in manager.tasks { task.cancel() }
                await Task.yield()
            }
        }
        for number in 0..<count {
            switch number % 3 {
            case 0: _ = try manager.dataTask(with: request) { _, _, _ in ends.add(.data) }
            case 1: _ = try manager.uploadTask(with: request, from: request.body) { _, _, _ in ends.add(.upload) }
            default:
                _ = try manager.downloadTask(with: request, destination: nil) { _, _, _ in ends.add(.download) }
            }
        }
        await finder.value
        await fixture.settle()
        for kind in TransferKind.allCases { #expect(ends.entries.count { $0 == kind } == count / 3) }
        // What is done to a record a moment later is hardly ever too late: nothing follows the registration.
        let code = try SourceTree.files(under: "Sources/SessionCore/Manager").flatMap(\.lines)
        let next = zip(code, code.dropFirst()).filter { $0.0.hasSuffix("register(task)") }.map(\.1)
        #expect(next.count == 2 && next.allSatisfy { $0.hasSuffix(" return task") })
    }

    @Test("C03 C21: the body is handed over as it came, and the record keeps nothing of it")
    func theBodyIsHandedOver() async throws {
        fixture.manager.responseSerializer = DataResponseSerializer()
        let bytes = (0..<1_000).map { UInt8(truncatingIfNeeded: $0) }
        let task = try fixture.manager.dataTask(with: fixture.request, completionHandler: nil)
        task.resume()
        fixture.engine.complete(task) { $0.body = bytes }
        let completion = await task.completion()
        #expect(completion.body == bytes)
        // One piece of memory for the body, the object made of it, and whoever asks.
        let object = try #require(completion.object as? Data)
        #expect(Self.address(of: object) == Self.address(of: completion.data))
    }

    private static func address(of data: Data) -> UnsafeRawPointer? { data.withUnsafeBytes { $0.baseAddress } }

    @Test("C08: the completion handler is called once and let go, with what it holds")
    func theHandlerIsLetGo() async throws {
        final class Captured: Sendable {}
        let calls = EventLog<Int>()
        weak var weakCaptured: Captured?
        let task: SessionTask
        do {
            let captured = Captured()
            weakCaptured = captured
            task = try fixture.manager.dataTask(with: fixture.request) { _, _, _ in
                calls.add(ObjectIdentifier(captured).hashValue)
            }
        }
        #expect(weakCaptured != nil)
        task.resume()
        fixture.engine.complete(task)
        fixture.engine.complete(task)
        _ = await calls.wait(count: 1)
        while weakCaptured != nil { await fixture.settle() }
        #expect(calls.entries.count == 1)
    }

    @Test("C09: cancelling either progress cancels the task and not the other progress; and never the reverse")
    func cancellingEitherProgressCancelsTheTask() async throws {
        let manager = fixture.manager
        for direction in [SessionTask.Direction.upload, .download] {
            let task = try manager.dataTask(with: fixture.request, completionHandler: nil)
            let upload = try #require(task.progress(.upload))
            let download = try #require(task.progress(.download))
            task.resume()
            (direction == .upload ? upload : download).cancel()
            #expect((await task.completion().error as? SessionError)?.code == .cancelled)
            #expect([upload.isCancelled, download.isCancelled] == [direction == .upload, direction == .download])
        }
        let task = try manager.dataTask(with: fixture.request, completionHandler: nil)
        let progress = try #require(manager.downloadProgress(for: task))
        task.cancel()
        _ = await task.completion()
        #expect(!progress.isCancelled)
    }
}
