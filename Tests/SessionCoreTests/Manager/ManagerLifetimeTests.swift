import Foundation
import Testing

@testable import SessionCore

@Suite(.timeLimit(.minutes(1))) struct ManagerLifetimeTests {
    private let request = TransferRequest(url: "http://127.0.0.1/file")

    @Test("A12 KB01 A05: a manager without running tasks goes with its last owner and takes session and engine along")
    func anIdleManagerGoesWithItsLastOwner() throws {
        weak var manager: SessionManager?
        weak var session: Session?
        weak var task: SessionTask?
        let engine = ScriptedEngine()
        do {
            let created = SessionManager(configuration: .default) { _ in engine }
            manager = created
            session = created.session
            task = try created.dataTask(with: request, completionHandler: nil)
        }
        #expect(manager == nil)
        #expect(session == nil)
        #expect(task == nil)
        #expect(engine.commands.count == 1)
        guard case .invalidate(cancelling: true) = engine.commands.last else {
            Issue.record("The engine was not ended")
            return
        }
    }

    @Test("Who asks for the session while it is made gets the same one")
    func oneSessionForAll() {
        let engines = EventLog<ScriptedEngine>()
        for _ in 0..<50 {
            let manager = SessionManager(configuration: .default) { _ in
                let engine = ScriptedEngine()
                engines.add(engine)
                for _ in 0..<100 { sched_yield() }
                return engine
            }
            let sessions = EventLog<ObjectIdentifier>()
            DispatchQueue.concurrentPerform(iterations: 4) { _ in sessions.add(ObjectIdentifier(manager.session)) }
            #expect(Set(sessions.entries).count == 1 && sessions.entries.count == 4)
        }
        #expect(engines.entries.count == 50)
    }

    @Test("D3: running tasks keep the manager until they have completed")
    func runningTasksKeepTheManager() async throws {
        weak var manager: SessionManager?
        let engine = ScriptedEngine()
        let errors = EventLog<String>()
        let task: SessionTask
        let queue: OperationQueue
        do {
            let created = SessionManager(configuration: .default) { _ in engine }
            created.completionQueue = .global()
            created.notificationQueue = .global()
            created.onTaskEvent = { _, event in
                if case .completed(let completion) = event { errors.add("\(completion.error == nil)") }
            }
            task = try created.dataTask(with: request, completionHandler: nil)
            manager = created
            queue = created.operationQueue
        }
        // Never resumed: nothing keeps the manager.
        #expect(manager == nil)
        task.resume()
        engine.complete(task)
        #expect(await task.completion().error == nil)
        await ManagerFixture.settle(queue)
        #expect(errors.entries.isEmpty)

        let second: SessionTask
        do {
            let created = SessionManager(configuration: .default) { _ in engine }
            created.onTaskEvent = { _, event in
                if case .completed(let completion) = event { errors.add("\(completion.error == nil)") }
            }
            created.postsNotifications = false
            second = try created.dataTask(with: request, completionHandler: nil)
            second.resume()
            manager = created
        }
        #expect(manager != nil)
        engine.complete(second)
        _ = await errors.wait(count: 1)
        while manager != nil { await ManagerFixture.settle(second.session.delegateQueue) }
        #expect(errors.entries == ["true"])
    }

    @Test("D3 C02: a manager that is let go still completes a body that is serialized elsewhere, on its own queue")
    func aManagerLetGoStillCompletesOnItsOwnQueue() async throws {
        let engine = ScriptedEngine()
        let order = EventLog<String>()
        let task: SessionTask
        do {
            let manager = SessionManager(configuration: .default) { _ in engine }
            manager.completionQueue = .global()
            manager.postsNotifications = false
            manager.onComplete = { _, error in order.add("complete \(error == nil)") }
            task = try manager.dataTask(with: request) { _, object, _ in
                order.add("handler \(object is [String: any Sendable])")
            }
            task.resume()
        }
        engine.complete(task) { $0 = .ok("{}", type: "application/json") }
        #expect(await order.wait(count: 2) == ["complete true", "handler true"])
    }

    @Test("C02 KB20: without its manager a failure stays a failure")
    func withoutItsManagerAFailureStaysAFailure() async throws {
        let engine = ScriptedEngine()
        let task: SessionTask
        weak var weakManager: SessionManager?
        do {
            let manager = SessionManager(configuration: .default) { _ in engine }
            weakManager = manager
            task = try manager.dataTask(with: request, completionHandler: nil)
        }
        #expect(weakManager == nil)
        task.resume()
        engine.complete(task) { $0 = .ok("no", type: "text/plain", status: 404) }
        let error = await task.completion().error as? ResponseSerializationError
        #expect(error?.reason == .unacceptableStatusCode(404))
    }

    @Test("A manager that is invalidated again after its end goes all the same")
    func invalidatedAfterTheEnd() async throws {
        weak var manager: SessionManager?
        weak var session: Session?
        let queue: OperationQueue
        do {
            let created = SessionManager(configuration: .default) { _ in ScriptedEngine() }
            queue = created.operationQueue
            let ends = EventLog<Bool>()
            created.onInvalidate = { _, _ in ends.add(true) }
            (manager, session) = (created, created.session)
            created.invalidate(cancellingTasks: false)
            _ = await ends.wait(count: 1)
            await ManagerFixture.settle(queue)
            created.invalidate(cancellingTasks: true)
        }
        // A queue lets go of what it has called some time after that.
        while manager != nil || session != nil { await ManagerFixture.settle(queue) }
    }

    @Test("B17: a thousand tasks leave nothing behind, in the registry neither") func aThousandTasksLeaveNothingBehind()
        async throws
    {
        let fixture = ManagerFixture { _ in .ok("{}", type: "application/json") }
        let references = EventLog<WeakTask>()
        for _ in 0..<1_000 {
            let task = try fixture.manager.dataTask(with: fixture.request, completionHandler: { _, _, _ in })
            references.add(WeakTask(task: task))
            task.resume()
        }
        await fixture.manager.waitForAll()
        await fixture.settle()
        await fixture.settle()
        #expect(fixture.manager.tasks.isEmpty)
        #expect(fixture.engine.isIdle)
        #expect(references.entries.count == 1_000)
        while references.entries.contains(where: { $0.task != nil }) { await fixture.settle() }
    }

    private struct WeakTask: Sendable {
        weak let task: SessionTask?
    }
}
