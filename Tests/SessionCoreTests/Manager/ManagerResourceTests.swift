import Dispatch
import Foundation
import LoopbackServer
import Testing

@testable import SessionCore

/// What is left of many tasks on the real engine.
@Suite("Resources of a session manager", .serialized, .timeLimit(.minutes(1)))
struct ManagerResourceTests {
    private let server = LoopbackServer()
    private let folder: TemporaryFolder

    init() throws {
        try server.start()
        server.setRoute("/file", .file(count: 20_000))
        server.setRoute("/large", .file(count: 100_000))
        server.setRoute("/sink", .uploadSink())
        folder = try TemporaryFolder()
    }

    private struct Weak: Sendable {
        weak let task: SessionTask?
        weak let record: TaskRecord?
        weak let upload: Progress?
        weak let download: Progress?

        var isGone: Bool { task == nil && record == nil && upload == nil && download == nil }
    }

    @Test(
        "KB01: a thousand tasks of every kind leave no object, descriptor or thread behind", arguments: Ending.allCases)
    func nothingIsLeft(ending: Ending) async throws {
        // What a process opens once and keeps: queues, name service, random numbers.
        try await run(30, ending)
        let before = Usage()
        try await run(1_000, ending)
        while Usage().isAbove(before) { await Task.yield() }
        // A cancelled download may have had bytes, and then its part stays beside its destination.
        let isLeft = { (name: String) in name.hasPrefix("out") || ending == .cancellation && name.hasPrefix(".out") }
        #expect(folder.names.allSatisfy(isLeft))
    }

    /// How a run's tasks end.
    enum Ending: CaseIterable {
        case completion, cancellation
    }

    /// Runs so many tasks, and returns when none of their objects is left, nor the manager.
    private func run(_ count: Int, _ ending: Ending) async throws {
        weak var leftManager: SessionManager?
        weak var leftSession: Session?
        var left: [Weak] = []
        do {
            let manager = SessionManager()
            manager.completionQueue = DispatchQueue(label: "ManagerResourceTests")
            manager.postsNotifications = false
            manager.responseSerializer = DataResponseSerializer()
            let failures = EventLog<String>()
            manager.onTaskEvent = { [weak manager] task, event in
                #expect(manager != nil)
                if case .completed(let completion) = event, let error = completion.error { failures.add("\(error)") }
            }
            for number in 0..<count {
                let task = try makeTask(number, manager)
                left.append(
                    Weak(
                        task: task, record: task.delegate as? TaskRecord, upload: manager.uploadProgress(for: task),
                        download: manager.downloadProgress(for: task)))
                task.resume()
                if ending == .cancellation { task.cancel() }
            }
            await manager.waitForAll()
            #expect(manager.tasks.isEmpty)
            if ending == .completion { #expect(failures.entries.isEmpty) }
            leftManager = manager
            leftSession = manager.session
        }
        while leftManager != nil || leftSession != nil { await Task.yield() }
        while !left.allSatisfy(\.isGone) { await Task.yield() }
    }

    /// Small and large downloads, uploads and data requests, each with everything that can be attached to it.
    private func makeTask(_ number: Int, _ manager: SessionManager) throws -> SessionTask {
        let path = number.isMultiple(of: 2) ? "/file" : "/large"
        let request = TransferRequest(url: server.url(path))
        switch number % 3 {
        case 0:
            return try manager.dataTask(
                with: request, uploadProgress: { _ in }, downloadProgress: { _ in }, completionHandler: { _, _, _ in })
        case 1:
            var upload = TransferRequest(url: server.url("/sink"), method: "PUT")
            upload.body = .bytes(Array(repeating: 1, count: 20_000))
            return try manager.uploadTask(
                with: upload, from: upload.body, progress: { _ in }, completionHandler: { _, _, _ in })
        default:
            let target = DownloadTarget(folder: folder.path, name: .fixed("out \(number)"), collision: .overwrite)
            return try manager.downloadTask(
                with: request, progress: { _ in }, options: TaskOptions(target: target),
                completionHandler: { _, _, _ in })
        }
    }

    /// What the process has of the system.
    private struct Usage {
        let descriptors: [String]
        let threads: Int

        init() {
            let open = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
            descriptors = open.compactMap {
                try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
            }
            let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
            threads = names.count { name in
                let path = "/proc/self/task/\(name)/comm"
                let comm = FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } ?? ""
                return comm.hasPrefix("session-") || comm.hasPrefix("storage")
            }
        }

        func isAbove(_ other: Usage) -> Bool {
            descriptors.count > other.descriptors.count || threads > other.threads
        }
    }
}
