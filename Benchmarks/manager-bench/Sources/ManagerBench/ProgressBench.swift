import Foundation
import Glibc
import LoopbackServer
import SessionCore
import Synchronization

/// How often the delegate queue is entered for a transfer of 1 GiB that has a progress block.
///
/// Every operation of the queue delivers at least one event of the only task, so there are no more operations than
/// events; the block itself is counted too.
enum ProgressBench {
    private static let length: Int64 = 1 << 30
    private static let limit: Double = 5_000

    static func run() async throws -> [Figure] {
        let server = LoopbackServer()
        try server.start()
        defer { server.stop() }
        server.setRoute("/file", .file(count: length))
        server.setRoute("/upload", .uploadSink())
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("manager-bench-\(getpid())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { _ = try? FileManager.default.removeItem(atPath: folder) }
        return try await download(from: server, into: folder) + upload(to: server, of: folder + "/body")
    }

    private static func download(from server: LoopbackServer, into folder: String) async throws -> [Figure] {
        try await counted("1 GiB download") { manager, block in
            try manager.downloadTask(
                with: TransferRequest(url: server.url("/file")), progress: block,
                options: TaskOptions(target: DownloadTarget(folder: folder)), completionHandler: nil)
        }
    }

    private static func upload(to server: LoopbackServer, of path: String) async throws -> [Figure] {
        guard FileManager.default.createFile(atPath: path, contents: nil), truncate(path, off_t(length)) == 0 else {
            throw POSIXError(.EIO)
        }
        return try await counted("1 GiB upload") { manager, block in
            let request = TransferRequest(url: server.url("/upload"), method: "PUT", body: .file(path: path))
            return try manager.uploadTask(with: request, from: request.body, progress: block, completionHandler: nil)
        }
    }

    private static func counted(
        _ name: String, _ makeTask: (SessionManager, @escaping SessionManager.ProgressBlock) throws -> SessionTask
    ) async throws -> [Figure] {
        let manager = SessionManager()
        manager.postsNotifications = false
        manager.responseSerializer = DataResponseSerializer()
        let events = Counter()
        let calls = Counter()
        manager.onTaskEvent = { _, _ in events.count() }
        let task = try makeTask(manager) { _ in calls.count() }
        task.resume()
        let completion = await task.completion()
        if let error = completion.error { throw error }
        guard max(completion.status.received, completion.status.sent) == length else { throw POSIXError(.EIO) }
        return [
            Figure("\(name): hops to the delegate queue, at most", Double(events.value), limit: limit, unit: ""),
            Figure("\(name): calls of the progress block", Double(calls.value), limit: limit, unit: ""),
        ]
    }

    /// Counts on any thread; a class because closures share it.
    private final class Counter: Sendable {
        private let total = Atomic(0)

        var value: Int { total.load(ordering: .relaxed) }

        func count() { total.add(1, ordering: .relaxed) }
    }
}
