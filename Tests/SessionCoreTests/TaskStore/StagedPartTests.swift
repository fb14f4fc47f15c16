import Foundation
import LoopbackServer
import Testing

@testable import SessionCore

/// Parts of downloads whose destination is asked for at the end, in programs that are killed.
@Suite("Staged parts of a persistent session", .timeLimit(.minutes(1)))
struct StagedPartTests {
    private let server: LoopbackServer
    private let fixture: PersistentFixture
    private let content = DeterministicContent(seed: 5, count: 4_000_000)

    init() throws {
        server = LoopbackServer()
        try server.start()
        fixture = try PersistentFixture()
        try FileManager.default.createDirectory(atPath: fixture.downloads, withIntermediateDirectories: true)
    }

    /// A program that is killed at two megabytes of four; what it does when it is there.
    private func runKilled(_ manner: String) throws {
        let complete = Behaviour.file(seed: 5, count: content.count)
        let gate = try server.gate(named: "half")
        server.setRoute("/file", .sequence([complete.stalling(after: 2_000_000, until: gate), complete]))
        let state = fixture.folder.path + "/state"
        let run = try CrashingProgram.run(["stage", state, server.url("/file"), manner])
        #expect(run.wasKilled, "It ended with \(run.status)")
    }

    @Test("go on after a kill, while the download ran or was paused", arguments: ["running", "paused"])
    func killed(_ manner: String) async throws {
        try runKilled(manner)
        var configuration = fixture.configuration
        configuration.stagingFolder = fixture.folder.path + "/state-staging"
        let manager = SessionManager(configuration: configuration)
        manager.postsNotifications = false
        let task = try #require(manager.downloadTasks.first)
        let events = task.events
        task.resume()
        var offsets: [Int64] = []
        for await event in events { if case .resumedAtOffset(let offset, _) = event { offsets.append(offset) } }
        let completion = await task.completion()
        #expect(completion.error == nil && offsets.count == 1)
        #expect(server.requests(for: "/file").last?.header("Range") != nil)
        #expect(try Array(Data(contentsOf: #require(completion.fileURL))) == content.bytes)
        let names = try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path + "/state-staging")
        #expect(names == [completion.fileURL?.lastPathComponent])
        await manager.close()
    }

    @Test("that are gone are a restart, which is told")
    func gone() async throws {
        try runKilled("running")
        let staging = fixture.folder.path + "/state-staging"
        try FileManager.default.removeItem(atPath: staging)
        var configuration = fixture.configuration
        configuration.stagingFolder = staging
        configuration.resumesRestoredTasks = false
        let manager = SessionManager(configuration: configuration)
        manager.postsNotifications = false
        let task = try #require(manager.downloadTasks.first)
        let events = task.events
        task.resume()
        var restarts = 0
        for await event in events { if case .restarted = event { restarts += 1 } }
        let completion = await task.completion()
        #expect(completion.error == nil && restarts == 1)
        #expect(server.requests(for: "/file").last?.header("Range") == nil)
        await manager.close()
    }
}
