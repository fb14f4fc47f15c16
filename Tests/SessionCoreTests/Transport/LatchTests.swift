import Dispatch
import Foundation
import LoopbackServer
import Testing

@testable import SessionCore

/// A pause that is taken back before the loop has seen it leaves nothing behind.
@Suite("Pauses that come and go", .timeLimit(.minutes(5)))
struct LatchTests {
    /// So many tasks are stormed; NETDASH_STORM_TASKS asks for more.
    private static let storm = ProcessInfo.processInfo.environment["NETDASH_STORM_TASKS"].flatMap(Int.init) ?? 480

    private let server = LoopbackServer()
    private let folder: TemporaryFolder

    init() throws {
        try server.start()
        folder = try TemporaryFolder()
    }

    @Test("A wish that changes and changes back between two looks of the loop does not hold an attempt")
    func unseenPause() throws {
        let harness = try EngineHarness()
        server.setRoute("/old", .redirect(to: "/page"))
        server.setRoute("/page", .respond(.text("page")))
        let control = TransferControl()
        control.setIntent(.running)
        let id = TransferID.next()
        harness.engine.submit(
            .add(
                TransferDescription(
                    id: id, kind: .data, request: TransferRequest(url: server.url("/old")),
                    sink: .memory(limit: 1 << 20), control: control,
                    arrangement: TransferArrangement(questions: .redirect))))
        #expect(harness.wait(id) { $0.contains { if case .redirect = $0 { true } else { false } } })
        // The second attempt begins while the wish is another one than the loop has seen.
        control.setIntent(.suspended)
        harness.engine.submit(.redirect(id, TransferRequest(url: server.url("/page"))))
        #expect(server.waitForRequests(count: 2))
        control.setIntent(.running)
        harness.engine.submit(.reconcile(id))
        let outcome = try #require(harness.outcome(of: id, resuming: false))
        #expect(outcome.error == nil && outcome.body == Array("page".utf8))
    }

    @Test("Tasks that are paused and resumed as fast as possible all end", arguments: TransferKind.allCases)
    func storm(_ kind: TransferKind) throws {
        var configuration = SessionConfiguration()
        configuration.stagingFolder = folder.path + "/staging"
        configuration.maximumConcurrentTransfers = 16
        configuration.maximumConcurrentTransfersPerHost = 16
        let manager = SessionManager(configuration: configuration)
        defer { manager.invalidate(cancellingTasks: true) }
        manager.completionQueue = DispatchQueue(label: "LatchTests")
        manager.responseSerializer = DataResponseSerializer()
        let bytes = DeterministicContent(seed: 3, count: 30_000).bytes
        server.setRoute("/file", .file(seed: 3, count: 30_000))
        server.setRoute("/sink", .uploadSink())
        for start in stride(from: 0, to: Self.storm / TransferKind.allCases.count, by: 16) {
            let group = DispatchGroup()
            let tasks = try (start..<start + 16).map { try makeTask(kind, $0, bytes, manager, group) }
            DispatchQueue.concurrentPerform(iterations: tasks.count) { index in
                let progress =
                    kind == .upload
                    ? manager.uploadProgress(for: tasks[index]) : manager.downloadProgress(for: tasks[index])
                tasks[index].resume()
                for _ in 0..<6 {
                    progress?.pause()
                    progress?.resume()
                    usleep(500)
                }
            }
            // A task that hangs would hang a suite that awaits it too.
            let isOver = group.wait(timeout: .now() + 60) == .success
            let rest = tasks.filter { $0.status.phase != .completed }.map(\.status)
            try #require(isOver && rest.isEmpty, "\(rest)")
        }
    }

    /// Makes a task that leaves the group when it has ended.
    private func makeTask(
        _ kind: TransferKind, _ number: Int, _ bytes: [UInt8], _ manager: SessionManager, _ group: DispatchGroup
    ) throws -> SessionTask {
        group.enter()
        switch kind {
        case .data:
            return try manager.dataTask(with: TransferRequest(url: server.url("/file"))) { _, _, _ in group.leave() }
        case .upload:
            let request = TransferRequest(url: server.url("/sink"), method: "PUT", body: .bytes(bytes))
            return try manager.uploadTask(with: request, from: request.body) { _, _, _ in group.leave() }
        case .download:
            let target = DownloadTarget(folder: folder.path, name: .fixed("file\(number)"))
            return try manager.downloadTask(
                with: TransferRequest(url: server.url("/file")), options: TaskOptions(target: target)
            ) { _, _, _ in
                group.leave()
            }
        }
    }
}
