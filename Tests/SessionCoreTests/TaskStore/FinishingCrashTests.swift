import Foundation
import LoopbackServer
import Testing

@testable import SessionCore

/// A program that is killed between naming a file and writing down that it did.
@Suite("Crashes while a download is finished", .timeLimit(.minutes(1)))
struct FinishingCrashTests {
    private let server: LoopbackServer
    private let fixture: PersistentFixture

    init() throws {
        server = LoopbackServer()
        try server.start()
        fixture = try PersistentFixture()
        try FileManager.default.createDirectory(atPath: fixture.downloads, withIntermediateDirectories: true)
    }

    /// Below and above the limit under which a file is made in one piece, and one whose destination is asked for.
    @Test(
        "§3.3: a file that has its name is neither fetched again nor lost",
        arguments: [(1_000, "target"), (400_000, "target"), (400_000, "staged")] as [(Int64, String)])
    func killedAfterNaming(count: Int64, route: String) async throws {
        server.setRoute("/file", .file(seed: 9, count: count))
        let state = fixture.folder.path + "/state"
        let run = try CrashingProgram.run(["finish", state, server.url("/file"), fixture.downloads, route])
        #expect(run.wasKilled, "It ended with \(run.status)")
        let content = DeterministicContent(seed: 9, count: count).bytes
        #expect(fixture.bytes(of: "file") == content)

        let finished = EventLog<Bool>()
        var handlers = SessionHandlers()
        handlers.onDidFinishEvents = { _ in finished.add(true) }
        let manager = fixture.manager(handlers)
        #expect(manager.store.error == nil)
        #expect(manager.tasks.isEmpty)
        _ = await finished.wait(count: 1)
        let stored = try #require(try manager.store.transfers.first)
        #expect(stored.standing == .completed)
        #expect(stored.filePath == fixture.downloads + "/file")
        #expect(stored.counts.received == count)
        #expect(server.requests.count == 1)
        #expect(try fixture.downloadNames() == ["file"])
        #expect(fixture.bytes(of: "file") == content)
        await manager.close()
    }

    @Test("A file that did not get its name is fetched, and nothing takes another file for it")
    func killedBeforeNaming() async throws {
        server.setRoute("/file", .file(seed: 9, count: 1_000))
        try fixture.folder.write([1, 2, 3], to: "downloads/file")
        let first = fixture.manager()
        let task = try first.downloadTask(
            with: TransferRequest(url: server.url("/file")), options: TaskOptions(target: fixture.target()),
            completionHandler: nil)
        let file = StoredTransfer.FinishingFile(path: fixture.downloads + "/file", device: 1, inode: 1)
        first.session.store?.submit([.wanted(task.id, .running), .finishing(task.id, file)])
        await first.close()

        let second = fixture.manager()
        let again = try #require(second.task(for: task.id))
        #expect(await again.completion().fileURL?.lastPathComponent == "file (1)")
        #expect(fixture.bytes(of: "file") == [1, 2, 3])
        #expect(try second.store.transfers.map(\.standing) == [.completed])
        await second.close()
    }
}
