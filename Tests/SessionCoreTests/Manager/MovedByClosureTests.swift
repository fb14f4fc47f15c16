import Foundation
import LoopbackServer
import Testing

@testable import SessionCore

/// Destination closures that touch the temporary file themselves.
@Suite("Downloads whose closure moves the file", .timeLimit(.minutes(1)))
struct MovedByClosureTests {
    private let server = LoopbackServer()
    private let manager = SessionManager()
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try server.start()
        manager.postsNotifications = false
        server.setRoute("/file", .file(seed: 1, count: 1_000))
    }

    private func download(_ destination: @escaping SessionManager.DownloadDestination) async throws -> TaskCompletion {
        let task = try manager.downloadTask(
            with: TransferRequest(url: server.url("/file")), destination: destination, completionHandler: nil)
        task.resume()
        return await task.completion()
    }

    @Test("A file that the closure has moved to the place it returns is a success", arguments: [false, true])
    func moved(toOtherFileSystem: Bool) async throws {
        let name = "netdash-moved-\(UUID().uuidString)"
        let target = toOtherFileSystem ? URL(fileURLWithPath: "/dev/shm/\(name)") : folder.file(name)
        defer { try? FileManager.default.removeItem(at: target) }
        let completion = try await download { file, _ in
            try FileManager.default.moveItem(at: file, to: target)
            return target
        }
        #expect(completion.error == nil && completion.fileURL == target)
        #expect(try Data(contentsOf: target).count == 1_000)
    }

    @Test("A file that is gone is named, and no place is", arguments: ["elsewhere", "deleted", "other file"])
    func gone(_ manner: String) async throws {
        let (target, other) = (folder.file("target"), folder.file("other"))
        if manner == "other file" { try Data("x".utf8).write(to: target) }
        let completion = try await download { file, _ in
            if manner == "elsewhere" {
                try FileManager.default.moveItem(at: file, to: other)
            } else {
                try FileManager.default.removeItem(at: file)
            }
            return target
        }
        let error = try #require(completion.error as? SessionError)
        #expect(error.code == .notFound && error.partPath == nil && error.message.contains("is gone"))
        #expect(completion.fileURL == nil)
    }

    @Test("A closure that returns the temporary file keeps it there, by any of its paths", arguments: [false, true])
    func kept(byOtherPath: Bool) async throws {
        let completion = try await download { file, _ in
            guard byOtherPath else { return file }
            let folder = file.deletingLastPathComponent()
            return URL(fileURLWithPath: "\(folder.path)/../\(folder.lastPathComponent)/\(file.lastPathComponent)")
        }
        let file = try #require(completion.fileURL)
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(completion.error == nil)
        #expect(try Data(contentsOf: file).count == 1_000)
        OrphanedParts.remove(from: file.deletingLastPathComponent().path)
        #expect(FileManager.default.fileExists(atPath: file.path))
    }

    @Test("A second name that the closure has given to the file is no move: the file is not lost")
    func linked() async throws {
        let target = folder.file("link")
        let completion = try await download { file, _ in
            try FileManager.default.linkItem(at: file, to: target)
            return target
        }
        #expect((completion.error as? SessionError)?.code == .destinationExists)
        #expect(try Data(contentsOf: target).count == 1_000)
    }

    @Test("A file of the same size on another file system is not the download")
    func sameSize() async throws {
        let target = URL(fileURLWithPath: "/dev/shm/netdash-moved-\(UUID().uuidString)")
        try Data(repeating: 7, count: 1_000).write(to: target)
        defer { try? FileManager.default.removeItem(at: target) }
        let completion = try await download { file, _ in
            try FileManager.default.removeItem(at: file)
            return target
        }
        #expect((completion.error as? SessionError)?.code == .notFound && completion.fileURL == nil)
    }

    @Test("Another file at the destination still refuses a download that was not moved")
    func taken() async throws {
        let target = folder.file("target")
        try Data("x".utf8).write(to: target)
        let error = try await download { _, _ in target }.error as? SessionError
        let kept = try #require(error?.partPath)
        #expect(error?.code == .destinationExists && FileManager.default.fileExists(atPath: kept))
        try FileManager.default.removeItem(atPath: kept)
    }

    @Test("The manager's closure may move the file and return nothing")
    func movedByTheManager() async throws {
        let target = folder.file("target")
        manager.onDownloadFinished = { _, file in
            try? FileManager.default.moveItem(at: file, to: target)
            return nil
        }
        let task = try manager.downloadTask(
            with: TransferRequest(url: server.url("/file")), completionHandler: nil)
        task.resume()
        let completion = await task.completion()
        #expect(completion.error == nil && completion.fileURL == nil && folder.bytes(of: "target")?.count == 1_000)
    }
}
