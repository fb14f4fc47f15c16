import Foundation
import FoundationNetworking
import Glibc
import LoopbackServer
import SessionSupport
import Testing

@testable import SessionCore

/// Bodies that are looked at while they arrive.
@Suite("Chunks of a body", .serialized, .timeLimit(.minutes(1)))
struct ManagerChunkTests {
    private let server = LoopbackServer()
    private let manager = SessionManager()
    private let count: Int64 = 6_000_000

    init() throws {
        try server.start()
        server.setRoute("/file", .file(seed: 21, count: count))
        manager.postsNotifications = false
        manager.completionQueue = DispatchQueue(label: "ManagerChunkTests")
        manager.responseSerializer = DataResponseSerializer()
    }

    private var request: TransferRequest { TransferRequest(url: server.url("/file")) }
    private var allBytes: [UInt8] { DeterministicContent(seed: 21, count: count).bytes(in: 0..<count) }

    /// Adds up what a closure was given, and notes where the progress had less.
    private final class Follower: TaskHandler {
        private let state = Locked((seen: Int64(0), behind: 0))
        private let total: Int64
        let progress = EventLog<Progress>()
        init(_ total: Int64) { self.total = total }
        var seen: Int64 { state.withLock { $0.seen } }
        var behind: Int { state.withLock { $0.behind } }
        func take(_ bytes: [UInt8]) {
            // The last unit is counted when the task has ended well.
            let counted = progress.entries.first?.completedUnitCount ?? 0
            state.withLock { state in
                state.seen += Int64(bytes.count)
                if counted < min(state.seen, total - 1) { state.behind += 1 }
            }
        }
        func task(_ task: SessionTask, didReceive event: SessionTaskEvent) {
            if case .data(let bytes) = event { take(bytes) }
        }
    }

    @Test("B20 C16 E10: the progress has a chunk's bytes before any closure has the chunk", arguments: [true, false])
    func theProgressIsFirst(isStreamed: Bool) async throws {
        let followers = (1...3).map { _ in Follower(count) }
        let blocks = Locked(0)
        manager.onData = { _, data in followers[0].take([UInt8](data)) }
        let delivery: BodyDelivery = isStreamed ? .stream { bytes in followers[1].take(bytes) } : .memory
        let task = try manager.dataTask(
            with: request, downloadProgress: { _ in blocks.withLock { $0 += 1 } },
            options: TaskOptions(delivery: delivery), completionHandler: nil)
        task.handler = followers[2]
        let progress = try #require(manager.downloadProgress(for: task))
        for follower in followers { follower.progress.add(progress) }
        task.resume()
        #expect(await task.completion().error == nil)
        for follower in followers where isStreamed || follower !== followers[1] {
            #expect(follower.seen == count && follower.behind == 0)
        }
        #expect(blocks.withLock { $0 } > 1)
    }

    @Test("D9: several chunks in one drain are one call of the progress block")
    func oneCallForADrain() async throws {
        let fixture = ManagerFixture()
        let log = EventLog<String>()
        fixture.manager.onData = { _, data in log.add("\([UInt8](data))") }
        let task = try fixture.manager.dataTask(
            with: fixture.request, downloadProgress: { log.add("progress \($0.completedUnitCount)") },
            completionHandler: nil)
        task.resume()
        // What the resumption put on the queue may run already, and would take the first chunks along.
        await fixture.settle()
        fixture.manager.operationQueue.isSuspended = true
        for number in 1...3 {
            var status = TaskStatus()
            status.received = Int64(number)
            fixture.engine.publish(.data(task.id, [UInt8(number)]), .status(task.id, status))
        }
        fixture.manager.operationQueue.isSuspended = false
        await fixture.settle()
        #expect(log.entries == ["progress 3", "[1]", "[2]", "[3]"])
    }

    @Test("E10: chunks of a collected body reach the closure, and the body is whole")
    func chunksAreCollectedAllTheSame() async throws {
        let seen = Locked([UInt8]())
        manager.onData = { _, bytes in seen.withLock { $0 += bytes } }
        let task = try manager.dataTask(with: request, completionHandler: nil)
        task.resume()
        let completion = await task.completion()
        #expect(completion.error == nil && completion.body == allBytes && seen.withLock { $0 } == allBytes)
    }

    @Test("A collected body beyond the limit fails, also while somebody looks at its chunks")
    func theLimitHolds() async throws {
        var configuration = SessionConfiguration()
        configuration.dataLimit = 100_000
        let manager = SessionManager(configuration: configuration)
        manager.postsNotifications = false
        manager.onData = { _, _ in }
        let task = try manager.dataTask(with: request, completionHandler: nil)
        task.resume()
        #expect((await task.completion().error as? SessionError)?.code == .bodyTooLarge)
    }

    @Test("A19 E10: a closure that is set in the middle of a body gets the rest of it")
    func setInTheMiddle() async throws {
        let gate = try server.gate(named: "middle")
        server.setRoute("/file", .file(seed: 21, count: count).stalling(after: 2_000_000, until: gate))
        let task = try manager.dataTask(with: request, completionHandler: nil)
        let statuses = task.statuses
        task.resume()
        for await status in statuses where status.received >= 2_000_000 { break }
        let seen = Locked([UInt8]())
        let id = task.id
        manager.onData = { task, bytes in if task.id == id { seen.withLock { $0 += bytes } } }
        // The loop takes what it is told in order: when this has an answer, it knows of the closure.
        server.setRoute("/small", .respond(.text("ok")))
        _ = try await manager.data(for: TransferRequest(url: server.url("/small")))
        gate.release()
        let completion = await task.completion()
        #expect(completion.error == nil && completion.body == allBytes)
        let rest = seen.withLock { $0 }
        #expect(rest.count == 4_000_000 && rest.elementsEqual(allBytes.suffix(rest.count)))
    }

    @Test("A19 E03 E08 E10: closures that are set after a task was resumed are called for it")
    func setAfterResuming() async throws {
        server.setRoute("/from", .redirect(to: "/file"))
        let log = EventLog<String>()
        let task = try manager.dataTask(with: TransferRequest(url: server.url("/from")), completionHandler: nil)
        let manager = self.manager
        manager.operationQueue.isSuspended = true
        manager.onRedirect = nil
        task.resume()
        manager.onRedirect = { _, head, request in
            log.add("redirect \(head.statusCode)")
            manager.onResponse = { _, head in
                log.add("response \(head.statusCode)")
                manager.onData = { _, _ in log.add("data") }
                return .allow
            }
            return request
        }
        manager.operationQueue.isSuspended = false
        #expect(await task.completion().error == nil)
        #expect(Array(log.entries.prefix(3)) == ["redirect 302", "response 200", "data"])
    }

    @Test("C03 KB21: a large body is held once, as data that the handler, the object and the completion share")
    func aBodyIsHeldOnce() async throws {
        // Large beside what the process takes and gives back meanwhile for other reasons.
        let large: Int64 = 96 << 20
        server.setRoute("/large", .file(seed: 3, count: large))
        let before = Self.residentBytes()
        let task = try manager.dataTask(with: TransferRequest(url: server.url("/large")), completionHandler: nil)
        task.resume()
        let completion = await task.completion()
        let object = try #require(completion.object as? Data)
        #expect(Int64(object.count) == large)
        // What is left of the transfer itself goes with the drain that told of its end.
        await ManagerFixture.settle(manager)
        await ManagerFixture.settle(manager)
        // Twice would be twice; how much else is in use at this moment, such as the server's, is not the body's.
        #expect(Self.residentBytes() - before < large * 19 / 10)
        withExtendedLifetime((task, completion)) {}
    }

    @Test("C03: a request's body is held once, and Foundation's request has it all the same")
    func aRequestsBodyIsHeldOnce() throws {
        let size = 32 << 20
        let before = Self.residentBytes()
        var request = URLRequest(url: try #require(URL(string: server.url("/sink"))))
        request.httpMethod = "POST"
        request.httpBody = Data(repeating: 7, count: size)
        let task = try manager.dataTask(with: request, completionHandler: nil)
        request.httpBody = nil
        #expect(Self.residentBytes() - before < Int64(size) * 3 / 2)
        #expect(task.originalRequest?.httpBody?.count == size && task.originalRequest?.httpMethod == "POST")
    }

    /// What is in use: what the allocator has free but has not given back is nobody's.
    private static func residentBytes() -> Int64 {
        giveBack()
        let text = FileManager.default.contents(atPath: "/proc/self/statm").map { String(decoding: $0, as: UTF8.self) }
        return (text?.split(separator: " ").dropFirst().first).flatMap { Int64($0) }.map { $0 * 4096 } ?? 0
    }

    /// Has the allocator give back what is free, by a function that the Glibc module leaves out.
    private static func giveBack() {
        typealias Trim = @convention(c) (Int) -> Int32
        guard let symbol = dlsym(nil, "malloc_trim") else { return }
        _ = unsafeBitCast(symbol, to: Trim.self)(0)
    }
}
