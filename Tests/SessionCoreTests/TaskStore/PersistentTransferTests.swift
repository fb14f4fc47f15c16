import Foundation
import LoopbackServer
import Testing

@testable import SessionCore

/// Runs of one session after another against a real server.
@Suite("Persistent session on the wire", .timeLimit(.minutes(1)))
struct PersistentTransferTests {
    let server: LoopbackServer
    let fixture: PersistentFixture
    let content = DeterministicContent(seed: 5, count: 4_000_000)

    init() throws {
        server = LoopbackServer()
        try server.start()
        fixture = try PersistentFixture()
    }

    @Test("A11 E12 KB04: unfinished tasks are there when the initializer returns, and a download goes on from its part")
    func tasksAreThereAgain() async throws {
        let gate = try server.gate(named: "half")
        let complete = Behaviour.file(seed: 5, count: content.count)
        server.setRoute("/file", .sequence([complete.stalling(after: 2_000_000, until: gate), complete]))
        server.setRoute("/upload", .uploadSink())
        try fixture.folder.write([1, 2, 3], to: "body")

        let first = fixture.manager()
        let download = try first.downloadTask(
            with: TransferRequest(url: server.url("/file")), options: TaskOptions(target: fixture.target()),
            completionHandler: nil)
        let upload = try first.uploadTask(
            with: TransferRequest(
                url: server.url("/upload"), method: "PUT"),
            from: BodySpecification.file(path: fixture.folder.path + "/body"), completionHandler: nil)
        upload.taskDescription = "my upload"
        let data = try first.dataTask(with: TransferRequest(url: server.url("/data")), completionHandler: nil)
        download.resume()
        await PersistentFixture.waitForReceived(2_000_000, download)
        await first.close()
        #expect(first.tasks.isEmpty)
        #expect(fixture.bytes(of: "file") == nil)

        let delivered = EventLog<TransferID>()
        let finished = EventLog<Bool>()
        var handlers = SessionHandlers()
        handlers.onComplete = { task, error in if error == nil { delivered.add(task.id) } }
        handlers.onDidFinishEvents = { session in finished.add(OperationQueue.current === session.delegateQueue) }
        let second = fixture.manager(handlers)
        #expect(second.store.error == nil)
        #expect(second.tasks.map(\.id) == [data.id, upload.id, download.id])
        #expect(second.uploadTasks.first?.taskDescription == "my upload")
        #expect(second.dataTasks.first?.state == .suspended && second.uploadTasks.first?.state == .suspended)
        let resumed = try #require(second.task(for: download.id))
        #expect(resumed.state == .running)
        let completion = await resumed.completion()
        #expect(completion.error == nil)
        #expect(fixture.bytes(of: "file") == content.bytes)
        #expect(server.requests(for: "/file").last?.header("Range") == "bytes=1999744-")
        _ = await finished.wait(count: 1)
        #expect(delivered.entries == [download.id])

        second.task(for: upload.id)?.resume()
        _ = await delivered.wait(count: 2)
        #expect(server.requests(for: "/upload").first?.bodyByteCount == 3)
        let stored = try second.store.transfers
        #expect(stored.map(\.standing) == [.completed, .completed, .unfinished])
        #expect(stored.first?.filePath == fixture.downloads + "/file")
        #expect(stored.first?.counts.received == content.count)
        #expect(finished.entries == [true])
        await second.close()
    }

    @Test("The first transfers are told before the manager is there, those that go first at the front")
    func firstTransfersAreTold() async throws {
        let first = fixture.manager(ScriptedEngine())
        let tasks = try (0..<130).map { number in
            try first.dataTask(with: TransferRequest(url: "http://h/\(number)"), completionHandler: nil)
        }
        first.store.setPosition(-1, of: tasks[120].id)
        tasks[125].resume()
        try await first.store.flush()
        await first.close()

        let found = EventLog<[TransferID]>()
        var handlers = SessionHandlers()
        handlers.onStoredTransfersFound = { found.add($0.map(\.id)) }
        let second = fixture.manager(ScriptedEngine(), handlers)
        let ids = try #require(found.entries.first)
        #expect(found.entries.count == 1 && ids.count == 100)
        #expect(ids.first == tasks[120].id && ids.contains(tasks[125].id) && !ids.contains(tasks[110].id))
        #expect(second.tasks.count == 130)
        await second.close()
    }

    @Test("A suspended download is there again suspended, and runs when it is resumed")
    func suspendedStaysSuspended() async throws {
        let gate = try server.gate(named: "half")
        let complete = Behaviour.file(seed: 5, count: content.count)
        server.setRoute("/file", .sequence([complete.stalling(after: 1_000_000, until: gate), complete]))
        let first = fixture.manager()
        let download = try first.downloadTask(
            with: TransferRequest(url: server.url("/file")), destination: nil, completionHandler: nil)
        download.resume()
        await PersistentFixture.waitForReceived(1_000_000, download)
        download.suspend()
        await first.close()

        let finished = EventLog<Bool>()
        var handlers = SessionHandlers()
        handlers.onDidFinishEvents = { _ in finished.add(true) }
        let second = fixture.manager(handlers)
        _ = await finished.wait(count: 1)
        let again = try #require(second.task(for: download.id))
        #expect(again.state == .suspended)
        #expect(again.status.phase == .paused)
        #expect(again.countOfBytesReceived >= 1_000_000)
        #expect(server.requests.count == 1)
        again.resume()
        let completion = await again.completion()
        let path = try #require(completion.fileURL?.path)
        #expect(fixture.folder.bytes(of: "staging/" + (path.split(separator: "/").last ?? "")) == content.bytes)
        #expect(server.requests.last?.header("Range") == "bytes=999744-")
        await second.close()
    }

    @Test("Finished transfers stay listed as they ended, until they are removed")
    func finishedOnesStayListed() async throws {
        server.setRoute("/ok", .respond(.json("{}")))
        server.setRoute("/no", .respond(.text("no", status: 404)))
        let first = fixture.manager()
        var ids: [TransferID] = []
        for path in ["/ok", "/no", "/ok"] {
            let task = try first.dataTask(with: TransferRequest(url: server.url(path)), completionHandler: nil)
            ids.append(task.id)
            if ids.count < 3 { task.resume() } else { task.cancel() }
            _ = await task.completion()
        }
        await first.close()

        let second = fixture.manager()
        #expect(second.tasks.isEmpty)
        let stored = try second.store.transfers
        #expect(stored.map(\.id) == ids)
        #expect(stored.first?.standing == .completed && stored.last?.standing == .cancelled)
        guard case .failed(.http, let message) = stored[1].standing else {
            Issue.record("\(stored[1].standing)")
            return
        }
        #expect(message.contains("404"))
        #expect(stored.allSatisfy { ($0.finishedAt ?? 0) >= $0.createdAt })
        second.store.remove(ids[0])
        #expect(try second.store.transfers.map(\.id) == [ids[1], ids[2]])

        server.setRoute("/no", .respond(.json("[1]")))
        let again = try second.store.restart(ids[1])
        #expect(again.id == ids[1])
        again.resume()
        #expect(await again.completion().error == nil)
        #expect(try second.store.transfers.map(\.standing) == [.completed, .cancelled])
        await second.close()
    }

    @Test("A request whose secrets were not stored waits for its user, who starts it again in full")
    func secretsAreNotStored() async throws {
        server.setRoute("/secret", .guarded(authorization: "Bearer sesame-42", .respond(.json("{}"))))
        let request = TransferRequest(
            url: server.url("/secret?token=sesame-43"), headers: ["Authorization": "Bearer sesame-42"])
        let first = fixture.manager()
        let task = try first.dataTask(with: request, completionHandler: nil)
        try await first.store.flush()
        #expect(!String(decoding: fixture.storedBytes(), as: UTF8.self).contains("sesame"))
        await first.close()

        let second = fixture.manager()
        #expect(second.tasks.isEmpty)
        #expect(try second.store.transfers.map(\.needsCredentials) == [true])
        let error = #expect(throws: SessionError.self) { try second.store.restart(task.id) }
        #expect(error?.code == .authenticationRequired)
        let again = try second.store.restart(task.id, with: request)
        again.resume()
        #expect(await again.completion().error == nil)
        #expect(throws: SessionError.self) { try second.store.restart(TransferID(rawValue: 1 << 60)) }
        await second.close()
        #expect(!String(decoding: fixture.storedBytes(), as: UTF8.self).contains("sesame"))
    }
}
