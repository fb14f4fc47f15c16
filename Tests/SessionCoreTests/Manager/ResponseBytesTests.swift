import Foundation
import LoopbackServer
import SessionSupport
import Testing

@testable import SessionCore
@testable import SessionStubs

/// Bodies that are read while they arrive.
@Suite("Bytes of a response", .timeLimit(.minutes(1)))
struct ResponseBytesTests {
    private let server = LoopbackServer()
    private let manager = SessionManager()

    init() throws {
        try server.start()
        manager.postsNotifications = false
    }

    private func request(_ path: String) -> TransferRequest { TransferRequest(url: server.url(path)) }

    @Test("The head comes first, then every byte in order, then the end")
    func bytes() async throws {
        let content = DeterministicContent(seed: 3, count: 300_000)
        server.setRoute("/f", .file(seed: 3, count: 300_000))
        let (bytes, head) = try await manager.bytes(for: request("/f"))
        #expect(head.statusCode == 200 && head.expectedContentLength == 300_000)
        var all: [UInt8] = []
        for try await byte in bytes { all.append(byte) }
        #expect(all == content.bytes)
        #expect(await bytes.task.completion().error == nil)
    }

    @Test("A slow reader stops the receiving: of 64 MiB no more than a little lies in memory until it reads on")
    func backPressure() async throws {
        let count: Int64 = 64 << 20
        server.setRoute("/big", .file(seed: 5, count: count))
        let (bytes, _) = try await manager.bytes(for: request("/big"))
        var iterator = bytes.chunks.makeAsyncIterator()
        var read = Int64(try #require(await iterator.next()).count)
        // Another request of the same manager comes and goes many times meanwhile: nothing else waits for the reader.
        server.setRoute("/small", .respond(.text("ok")))
        for _ in 0..<50 { #expect(try await manager.data(for: request("/small")).data.count == 2) }
        let received = bytes.task.countOfBytesReceived
        #expect(received < 8 << 20, "\(received) bytes were received for a reader of \(read)")
        while let chunk = try await iterator.next() { read += Int64(chunk.count) }
        #expect(read == count)
    }

    @Test("Whoever stops reading ends the task, and so does whoever is cancelled")
    func stopping() async throws {
        server.setRoute("/big", .file(seed: 5, count: 64 << 20))
        func first() async throws -> SessionTask {
            let (bytes, _) = try await manager.bytes(for: request("/big"))
            for try await _ in bytes { break }
            return bytes.task
        }
        let task = try await first()
        #expect((await task.completion().error as? SessionError)?.code == .cancelled)
        let begun = EventLog<SessionTask>()
        let reading = Task {
            let (bytes, _) = try await manager.bytes(for: request("/big"))
            begun.add(bytes.task)
            var iterator = bytes.chunks.makeAsyncIterator()
            while try await iterator.next() != nil { try await Task.sleep(for: .seconds(60)) }
        }
        let other = await begun.wait(count: 1)[0]
        reading.cancel()
        await #expect(throws: (any Error).self) { try await reading.value }
        #expect((await other.completion().error as? SessionError)?.code == .cancelled)
    }

    @Test("A body that breaks off throws behind what came, and a request that fails throws at once")
    func failures() async throws {
        let stubs = StubServer()
        let stubbed = SessionManager(stubs: stubs)
        var cut = StubAnswer(headers: ["Content-Length": "10"], body: [1, 2, 3])
        cut.steps.append(.fail(SessionError(.connectionLost, "Cut")))
        stubs.answer("/cut", with: cut)
        let (bytes, _) = try await stubbed.bytes(for: TransferRequest(url: "http://h/cut"))
        var all: [UInt8] = []
        let error = await #expect(throws: SessionError.self) { for try await byte in bytes { all.append(byte) } }
        #expect(all == [1, 2, 3] && error?.code == .connectionLost)
        await #expect(throws: SessionError.self) {
            _ = try await stubbed.bytes(for: TransferRequest(url: "http://h/none"))
        }
        stubs.answer("/missing", with: .text("page", status: 404))
        let (page, head) = try await stubbed.bytes(for: TransferRequest(url: "http://h/missing"))
        #expect(head.statusCode == 404)
        #expect(try await page.chunks.reduce(into: []) { $0 += $1 } == Array("page".utf8))
    }

    @Test("Lines end with LF or CR LF wherever the pieces end")
    func lines() async throws {
        let stubs = StubServer()
        var answer = StubAnswer()
        answer.steps = ["one\r", "\ntwo\n\nth", "ree", "\n", "last"].map { .bytes(Array($0.utf8)) }
        stubs.answer("/l", with: answer)
        let (bytes, _) = try await SessionManager(stubs: stubs).bytes(for: TransferRequest(url: "http://h/l"))
        var lines: [String] = []
        for try await line in bytes.lines { lines.append(line) }
        #expect(lines == ["one", "two", "", "three", "last"])
    }

    @Test("A call that waits hands its task over before it starts, and tells its progress")
    func handle() async throws {
        server.setRoute("/f", .file(seed: 3, count: 300_000))
        let (tasks, counts) = (EventLog<SessionTask>(), EventLog<Int64>())
        var options = TaskOptions()
        options.onTask = { tasks.add($0) }
        options.downloadProgress = { counts.add($0.completedUnitCount) }
        let completion = try await manager.data(for: request("/f"), options: options)
        #expect(completion.data.count == 300_000 && counts.entries.last == 300_000)
        #expect(tasks.entries.count == 1 && tasks.entries[0].state == .completed)
        options.onTask = { $0.cancel() }
        let error = await #expect(throws: SessionError.self) {
            try await manager.data(for: request("/f"), options: options)
        }
        #expect(error?.code == .cancelled)
        options = TaskOptions()
        let sent = EventLog<Int64>()
        options.uploadProgress = { sent.add($0.completedUnitCount) }
        server.setRoute("/up", .uploadSink())
        let upload = TransferRequest(url: server.url("/up"), method: "PUT")
        _ = try await manager.upload(for: upload, from: Data(count: 100_000), options: options)
        #expect(sent.entries.last == 100_000)
    }

    private final class Listener: TaskHandler {
        let events = EventLog<String>()

        func task(_ task: SessionTask, didReceive event: SessionTaskEvent) {
            switch event {
            case .response: events.add("response")
            case .completed: events.add("completed")
            default: break
            }
        }
    }

    @Test("A handler that the caller gives the task hears of it too, and takes nothing from the reader")
    func ownHandler() async throws {
        server.setRoute("/f", .file(seed: 3, count: 300_000))
        let listener = Listener()
        var options = TaskOptions()
        options.onTask = { $0.handler = listener }
        let (bytes, head) = try await manager.bytes(for: request("/f"), options: options)
        #expect(head.statusCode == 200)
        #expect(try await bytes.chunks.reduce(into: 0) { $0 += $1.count } == 300_000)
        #expect(await listener.events.wait(count: 2) == ["response", "completed"])
    }

    @Test("A call for bytes ends when it is cancelled, whatever handler its task has")
    func cancelledWithOwnHandler() async throws {
        let (stubs, gate) = (StubServer(), StubGate())
        stubs.answer("/w", with: .text("late").waiting(for: gate))
        let stubbed = SessionManager(stubs: stubs)
        let listener = Listener()
        let call = Task {
            var options = TaskOptions()
            options.onTask = { $0.handler = listener }
            _ = try await stubbed.bytes(for: TransferRequest(url: "http://h/w"), options: options)
        }
        await gate.reached()
        call.cancel()
        let error = await #expect(throws: SessionError.self) { try await call.value }
        #expect(error?.code == .cancelled)
        #expect(await listener.events.wait(count: 1) == ["completed"])
    }
}
