import Dispatch
import Foundation
import FoundationNetworking
import LoopbackServer
import Testing

@testable import SessionCore

/// What a program can do wrong with a session manager: on the real engine, nothing of it crashes, hangs or succeeds.
@Suite("Trouble with session managers", .timeLimit(.minutes(1)))
struct ManagerTroubleTests {
    private let server = LoopbackServer()
    private let folder: TemporaryFolder
    private let manager: SessionManager

    init() throws {
        try server.start()
        folder = try TemporaryFolder()
        var configuration = SessionConfiguration()
        configuration.stagingFolder = folder.path + "/staging"
        configuration.maximumRetries = 0
        manager = SessionManager(configuration: configuration)
        manager.completionQueue = DispatchQueue(label: "ManagerTroubleTests")
        manager.postsNotifications = false
        manager.responseSerializer = DataResponseSerializer()
    }

    private func request(_ path: String, method: String = "GET") -> TransferRequest {
        TransferRequest(url: server.url(path), method: method)
    }

    @Test("T01: a body file that cannot be opened is refused, and one that goes afterwards is the task's error")
    func bodyFiles() async throws {
        let loop = folder.path + "/loop"
        try FileManager.default.createSymbolicLink(atPath: loop, withDestinationPath: loop)
        for path in [folder.path + "/missing", folder.path, loop, ""] {
            var upload = request("/sink", method: "PUT")
            upload.body = .file(path: path)
            let error = #expect(throws: SessionError.self) {
                try manager.uploadTask(with: upload, from: upload.body, completionHandler: nil)
            }
            #expect(error?.code == .bodyUnreadable)
        }
        #expect(manager.tasks.isEmpty)
        var upload = request("/sink", method: "PUT")
        upload.body = .file(path: try folder.write("body", to: "body").path)
        let task = try manager.uploadTask(with: upload, from: upload.body, completionHandler: nil)
        try FileManager.default.removeItem(atPath: folder.path + "/body")
        task.resume()
        #expect((await task.completion().error as? SessionError)?.code == .bodyUnreadable)
        #expect(server.requests.isEmpty)
    }

    @Test("T04: a destination that throws, or is a folder, is the handler's error and leaves nothing there")
    func destinations() async throws {
        struct Refusal: Error {}
        server.setRoute("/file", .file(count: 1_000))
        let results = EventLog<(file: URL?, error: (any Error)?)>()
        let folder = folder
        let closures: [SessionManager.DownloadDestination] = [
            { _, _ in throw Refusal() }, { _, _ in folder.url }, { _, _ in folder.file("missing/file") },
        ]
        for closure in closures {
            let count = results.entries.count
            try manager.downloadTask(with: request("/file"), destination: closure) { _, file, error in
                results.add((file, error))
            }.resume()
            _ = await results.wait(count: count + 1)
        }
        #expect(results.entries.allSatisfy { $0.file == nil })
        #expect(results.entries.first?.error is Refusal)
        let codes = results.entries.dropFirst().map { ($0.error as? SessionError)?.code }
        #expect(codes == [.destinationIsFolder, .notFound])
        #expect(folder.names.filter { $0 != "staging" } == [])
    }

    /// Where a program may do what it likes.
    enum Callback: CaseIterable {
        case event, redirect, response, data, sendBody, writeData, metrics, complete, willCache, progress
        case handler, destination, completion
    }

    /// A cache that has nothing, so that everything is offered to it.
    private struct EmptyCache: ResponseCache {
        func store(_ response: CachedResponse) {}
        func response(for request: TransferRequest) -> CachedResponse? { nil }
        func removeResponse(for request: TransferRequest) {}
    }

    @Test(
        "T05 T06 T07 KB05: every callback may read the tasks, create one and cancel its own; each task ends once",
        arguments: Callback.allCases)
    func callbacks(cancelling: Callback) async throws {
        server.setRoute("/moved", .redirect(to: "/file"))
        server.setRoute("/file", .file(count: 300_000))
        server.setRoute("/sink", .uploadSink())
        let called = EventLog<Callback>()
        let ends = EventLog<TransferID>()
        let cancelled = EventLog<TransferKind>()
        let uncreated = EventLog<Callback>()
        let manager = manager
        let request = request("/file")
        let act: @Sendable (Callback, SessionTask?) -> Void = { callback, task in
            defer { called.add(callback) }
            let created = try? manager.dataTask(with: request, completionHandler: nil)
            if created.map({ manager.tasks.contains($0) }) != true { uncreated.add(callback) }
            guard callback == cancelling else { return }
            for task in task.map({ [$0] }) ?? manager.tasks.filter(\.wasResumed) { task.cancel() }
        }
        install(act)
        let target = folder.file("target")
        let tasks = [
            try manager.downloadTask(
                with: self.request("/moved"), progress: { _ in act(.progress, nil) },
                destination: { _, _ in
                    act(.destination, nil)
                    return target
                }, completionHandler: { _, _, _ in act(.completion, nil) }),
            try manager.dataTask(with: request, completionHandler: { _, _, _ in act(.completion, nil) }),
            try manager.uploadTask(
                with: upload(), from: upload().body, completionHandler: { _, _, _ in act(.completion, nil) }),
        ]
        let handler = ActingHandler(act: act)
        for task in tasks { task.handler = handler }
        for task in tasks {
            task.resume()
            let completion = await task.completion()
            ends.add(task.id)
            #expect(completion.error == nil || (completion.error as? SessionError)?.code == .cancelled)
            if completion.error != nil { cancelled.add(task.kind) }
        }
        // The engine waits for these two answers, so that no task can have ended before it was cancelled.
        if cancelling == .redirect { #expect(cancelled.entries == [.download]) }
        if cancelling == .response { #expect(cancelled.entries == [.download, .data, .upload]) }
        _ = await called.wait { $0.count { $0 == .completion } == tasks.count }
        await ManagerFixture.settle(manager)
        #expect(called.entries.count { $0 == .completion } == tasks.count)
        #expect(called.entries.contains(cancelling))
        #expect(uncreated.entries.isEmpty)
        #expect(!manager.tasks.contains { ends.entries.contains($0.id) })
        manager.handlers = SessionHandlers()
        manager.invalidate(cancellingTasks: true)
    }

    private func upload() -> TransferRequest {
        var request = request("/sink", method: "PUT")
        request.body = .bytes(Array(repeating: 7, count: 300_000))
        return request
    }

    private func install(_ act: @escaping @Sendable (Callback, SessionTask?) -> Void) {
        manager.responseCache = EmptyCache()
        manager.onTaskEvent = { task, _ in act(.event, task) }
        manager.onRedirect = { task, _, request in
            act(.redirect, task)
            return request
        }
        manager.onResponse = { task, _ in
            act(.response, task)
            return .allow
        }
        manager.onData = { task, _ in act(.data, task) }
        manager.onSendBody = { task, _ in act(.sendBody, task) }
        manager.onWriteData = { task, _ in act(.writeData, task) }
        manager.onMetrics = { task, _ in act(.metrics, task) }
        manager.onComplete = { task, _ in act(.complete, task) }
        manager.onWillCacheResponse = { task, response in
            act(.willCache, task)
            return response
        }
    }

    /// A task's own handler that does as it likes and leaves every decision to the manager.
    private final class ActingHandler: TaskHandler {
        let act: @Sendable (Callback, SessionTask?) -> Void

        init(act: @escaping @Sendable (Callback, SessionTask?) -> Void) { self.act = act }

        func task(_ task: SessionTask, didReceive event: SessionTaskEvent) { act(.handler, task) }
    }

    @Test("T08: a manager that is let go while its tasks run lets them end, and then ends itself")
    func releasedManager() async throws {
        let gate = try server.gate(named: "end")
        server.setRoute("/slow", .file(count: 100_000).stalling(after: 50_000, until: gate))
        weak var released: SessionManager?
        let ends = EventLog<Bool>()
        do {
            let short = SessionManager()
            short.completionQueue = .global()
            short.postsNotifications = false
            short.responseSerializer = DataResponseSerializer()
            try short.dataTask(with: request("/slow")) { _, object, error in
                ends.add(error == nil && (object as? Data)?.count == 100_000)
            }.resume()
            released = short
        }
        #expect(server.waitForRequests(count: 1))
        #expect(released != nil)
        gate.release()
        #expect(await ends.wait(count: 1) == [true])
        while released != nil { await Task.yield() }
    }

    @Test("T09 T10: a session may be invalidated twice, and its tasks be used afterwards, to no effect")
    func afterTheEnd() async throws {
        let gate = try server.gate(named: "end")
        server.setRoute("/slow", .file(count: 100_000).stalling(after: 50_000, until: gate))
        let reports = EventLog<Bool>()
        manager.onInvalidate = { _, error in reports.add(error == nil) }
        let running = try manager.dataTask(with: request("/slow"), completionHandler: nil)
        let waiting = try manager.dataTask(with: request("/slow"), completionHandler: nil)
        let late = try manager.downloadTask(
            with: request("/slow"), options: TaskOptions(target: DownloadTarget(folder: folder.path)),
            completionHandler: nil)
        running.resume()
        manager.invalidate(cancellingTasks: false)
        late.resume()
        #expect((await late.completion().error as? SessionError)?.code == .sessionInvalidated)
        manager.invalidate(cancellingTasks: true)
        manager.invalidate(cancellingTasks: true)
        for task in [running, waiting] {
            #expect((await task.completion().error as? SessionError)?.code == .cancelled)
        }
        #expect(await reports.wait(count: 1) == [true])
        gate.release()
        for task in [running, waiting, late] {
            task.resume()
            task.suspend()
            task.priority = 1
            task.cancel()
            manager.discardPart(of: task)
            #expect(task.state == .completed)
            #expect(manager.downloadProgress(for: task) == nil)
        }
        await ManagerFixture.settle(manager)
        #expect(reports.entries == [true])
        let error = #expect(throws: SessionError.self) {
            try manager.dataTask(with: request("/slow"), completionHandler: nil)
        }
        #expect(error?.code == .sessionInvalidated)
    }
}
