import Dispatch
import Foundation
import Glibc
import LoopbackServer
import Testing

@testable import SessionCore

/// What stays in the staging folder, and for whom.
@Suite("Staged parts", .timeLimit(.minutes(1)))
struct StagedPartsTests {
    private let server = LoopbackServer()
    private let folder: TemporaryFolder
    private let configuration: SessionConfiguration
    private let content = DeterministicContent(seed: 41, count: 1_000_000)
    private let gate: Gate

    init() throws {
        try server.start()
        folder = try TemporaryFolder()
        gate = try server.gate(named: "middle")
        var configuration = SessionConfiguration()
        configuration.stagingFolder = folder.path + "/staging"
        configuration.storeFolder = folder.path + "/state"
        self.configuration = configuration
        server.setRoute(
            "/file",
            .sequence([
                Behaviour.file(seed: 41, count: content.count).stalling(after: 400_000, until: gate),
                .file(seed: 41, count: content.count),
            ]))
    }

    private func manager(identifier: String? = nil) -> SessionManager {
        var configuration = configuration
        configuration.identifier = identifier
        let manager = SessionManager(configuration: configuration)
        manager.completionQueue = .global()
        manager.postsNotifications = false
        return manager
    }

    private var staged: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path + "/staging")) ?? []).sorted()
    }

    private func startDownload(_ manager: SessionManager) async throws -> SessionTask {
        let task = try manager.downloadTask(
            with: TransferRequest(url: server.url("/file")), destination: { _, _ in nil }, completionHandler: nil)
        task.resume()
        await PersistentFixture.waitForReceived(400_000, task)
        return task
    }

    // MARK: - Cancelling

    @Test("A plain cancel leaves nothing that nobody could go on with")
    func plainCancel() async throws {
        let manager = manager()
        let task = try await startDownload(manager)
        #expect(!staged.isEmpty)
        task.cancel()
        let completion = await task.completion()
        #expect((completion.error as? SessionError)?.code == .cancelled)
        #expect(completion.resumeData == nil)
        #expect(staged == [])
        gate.release()
    }

    @Test("A cancel through the progress or of the session leaves nothing either", arguments: [false, true])
    func otherCancels(ofSession: Bool) async throws {
        let manager = manager()
        let task = try await startDownload(manager)
        if ofSession {
            manager.invalidate(cancellingTasks: true)
        } else {
            manager.downloadProgress(for: task)?.cancel()
        }
        _ = await task.completion()
        #expect(staged == [])
        gate.release()
    }

    @Test("Resume data keep their part, over a new session and a cancel of the task that goes on with it")
    func resumeData() async throws {
        let first = manager()
        let task = try await startDownload(first)
        task.cancel(byProducingResumeData: { _ in })
        let resumeData = try #require(await task.completion().resumeData)
        gate.release()
        let names = staged
        #expect(names.count == 2)

        await sweep(manager())
        #expect(staged == names)
        let second = manager()
        let next = try second.downloadTask(withResumeData: resumeData, completionHandler: nil)
        next.cancel()
        _ = await next.completion()
        #expect(staged == names)
        let last = try second.downloadTask(withResumeData: resumeData, completionHandler: nil)
        last.resume()
        let completion = await last.completion()
        #expect(completion.error == nil)
        #expect(server.requests(for: "/file").last?.header("Range") == "bytes=399744-")
        #expect(completion.filePath.flatMap { FileManager.default.contents(atPath: $0) } == Data(content.bytes))
    }

    @Test("A cancelled task of a saved session can be started again from its part")
    func savedSession() async throws {
        let manager = manager(identifier: "staged")
        let task = try await startDownload(manager)
        task.cancel()
        _ = await task.completion()
        gate.release()
        #expect(staged.count == 2)
        await sweep(self.manager())
        #expect(staged.count == 2)
        let again = try manager.store.restart(task.id)
        again.resume()
        #expect(await again.completion().error == nil)
        #expect(server.requests(for: "/file").last?.header("Range") == "bytes=399744-")
        await manager.close()
    }

    // MARK: - After a crash

    /// Waits until a session's storage has done what it does first: it has several threads, so until it has ended.
    private func sweep(_ manager: SessionManager) async {
        server.setRoute("/any", .file(seed: 1, count: 200_000))
        let task = try? manager.downloadTask(
            with: TransferRequest(url: server.url("/any")), destination: { _, _ in nil }, completionHandler: nil)
        task?.resume()
        _ = await task?.completion()
        await withCheckedContinuation { continuation in
            manager.onInvalidate = { _, _ in continuation.resume() }
            manager.invalidate(cancellingTasks: false)
        }
    }

    @Test("A new session removes the parts of runs that were killed, and nothing else")
    func afterCrash() async throws {
        try FileManager.default.createDirectory(
            atPath: folder.path + "/staging/.transfer-1-9.00000000.part", withIntermediateDirectories: true)
        let staging = try Folder(path: folder.path + "/staging")
        let url = server.url("/file")
        var metadata = StoredMetadata(url: url, finalURL: url, method: "GET", status: 200)
        metadata.entityTag = "\"1\""
        func leave(_ name: String) throws -> PartFile {
            let part = try PartFile.create(
                in: staging, url: url, name: .fixed(name), finalName: name, metadata: metadata)
            try part.write("bytes", at: 0)
            return part
        }
        try leave("transfer-1-1").close()
        try leave("transfer-1-2").close()
        let second = try #require(staged.first { $0.hasPrefix(".transfer-1-2.") && $0.hasSuffix(".part") })
        unlink(folder.path + "/staging/" + second)
        let locked = try leave("transfer-1-3")
        let linked = try leave("transfer-1-4")
        #expect(link(linked.path, folder.path + "/second") == 0)
        linked.close()
        try leave("somebody's file").close()
        for name in ["transfer-1-5", "transfer-1-6.zip", ".transfer-x-7.00000000.part", ".transfer-1-8.part.bad"] {
            try folder.write(Array("whole".utf8), to: "staging/" + name)
        }
        let torn = try leave("transfer-1-10")
        torn.close()
        #expect(unlink(folder.path + "/staging/" + torn.metaName) == 0)
        try folder.write(Array("sessioncore-p".utf8), to: "staging/\(torn.name).new")
        // No part of ours, whatever its name is.
        try folder.write(Array("mine".utf8), to: "staging/.transfer-1-11.0123abcd.part")
        let kept = staged.filter { name in
            !["transfer-1-1.", "transfer-1-2.", "transfer-1-10."].contains { name.hasPrefix("." + $0) }
        }
        #expect(kept.count == 12)
        await sweep(manager())
        #expect(staged == kept)
        locked.discard()
    }

    @Test("The part of a program that was killed is removed by the next session")
    func killedProgram() async throws {
        let gate = try server.gate(named: "end")
        defer { gate.release() }
        server.setRoute("/slow", .file(seed: 41, count: 24_000_000).stalling(after: 9_000_000, until: gate))
        let run = try CrashingProgram.run(
            ["download", server.url("/slow"), folder.path, "staged"], killingFromNumber: 9_000_000)
        #expect(run.wasKilled)
        #expect(staged.count == 2)
        await sweep(manager())
        #expect(staged == [])
    }

    // MARK: - Moving

    @Test("A file that cannot be moved stays, and the error says where")
    func failedMove() async throws {
        let manager = manager()
        server.setRoute("/whole", .file(seed: 41, count: content.count))
        let missing = URL(fileURLWithPath: folder.path + "/missing/file")
        let task = try manager.downloadTask(
            with: TransferRequest(url: server.url("/whole")), destination: { _, _ in missing }, completionHandler: nil)
        task.resume()
        let error = try #require(await task.completion().error as? SessionError)
        #expect(error.code == .notFound)
        let path = try #require(error.partPath)
        #expect(error.message.contains(path))
        #expect(FileManager.default.contents(atPath: path) == Data(content.bytes))
        await sweep(self.manager())
        #expect(FileManager.default.fileExists(atPath: path))
    }
}
