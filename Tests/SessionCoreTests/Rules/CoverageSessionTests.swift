import Dispatch
import Foundation
import Testing

@testable import SessionCore

/// Rows of groups A and D that no other suite shows.
@Suite("Coverage: sessions", .timeLimit(.minutes(1)))
struct CoverageSessionTests {
    private let fixture = ManagerFixture()

    @Test("A01 A03: the configuration is a copy, and every session is made from it")
    func theConfigurationIsACopy() {
        let used = EventLog<SessionConfiguration>()
        var configuration = SessionConfiguration()
        configuration.maximumRetries = 3
        let manager = SessionManager(configuration: configuration) { configuration in
            used.add(configuration)
            return ScriptedEngine()
        }
        configuration.maximumRetries = 99
        _ = manager.session
        manager.invalidate(cancellingTasks: true, resettingSession: true)
        #expect(manager.session.configuration.maximumRetries == 3)
        #expect(used.entries.map(\.maximumRetries) == [3, 3])
    }

    @Test("A02: a manager made without a configuration has the default one")
    func withoutAConfigurationTheDefaultApplies() {
        #expect(SessionManager().configuration == .default)
    }

    @Test("A05: the session is made when it is first needed, once, also for many threads")
    func theSessionIsMadeOnce() async {
        let engines = EventLog<Int>()
        let manager = SessionManager(configuration: .default) { _ in
            engines.add(1)
            return ScriptedEngine()
        }
        #expect(engines.entries.isEmpty)
        let sessions = await withTaskGroup(of: Session.self) { group in
            for _ in 0..<8 { group.addTask { manager.session } }
            return await group.reduce(into: Set<ObjectIdentifier>()) { $0.insert(ObjectIdentifier($1)) }
        }
        #expect(sessions.count == 1)
        #expect(ObjectIdentifier(manager.session) == sessions.first)
    }

    @Test("A14: bodies of several tasks are serialized at once, and not on the delegate queue")
    func bodiesAreSerializedAtOnce() async throws {
        /// Returns only when two are at work, so that one after the other never ends.
        struct Meeting: ResponseSerializer {
            let arrived = DispatchSemaphore(value: 0)
            let mayLeave = DispatchSemaphore(value: 0)
            func serialize(head: ResponseHead?, data: Data) -> SerializedResponse {
                arrived.signal()
                mayLeave.wait()
                return SerializedResponse(object: data, error: nil)
            }
        }
        let meeting = Meeting()
        #expect(!meeting.isQuick(byteCount: 0) && !JSONResponseSerializer().isQuick(byteCount: 10 << 20))
        fixture.manager.responseSerializer = meeting
        let tasks = try (1...2).map { _ in try fixture.manager.dataTask(with: fixture.request, completionHandler: nil) }
        for task in tasks {
            task.resume()
            fixture.engine.complete(task) { $0 = .ok("x") }
        }
        // The delegate queue is free although both bodies are still being serialized.
        await ManagerFixture.settle(fixture.manager)
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                for _ in tasks { meeting.arrived.wait() }
                for _ in tasks { meeting.mayLeave.signal() }
                continuation.resume()
            }
        }
        for task in tasks { #expect(await task.completion().object as? Data == Data("x".utf8)) }
    }

    @Test("A15: managers without a group of their own share the process's")
    func theProcessHasAGroup() async throws {
        let log = EventLog<String>()
        let task = try fixture.manager.dataTask(with: fixture.request) { _, _, _ in log.add("handler") }
        fixture.queue.suspend()
        task.resume()
        fixture.engine.complete(task)
        await ManagerFixture.settle(fixture.manager)
        CompletionDelivery.defaultGroup.notify(queue: .global()) { log.add("group") }
        fixture.queue.resume()
        #expect(await log.wait { $0.contains("group") } == ["handler", "group"])
    }

    @Test("A24: what the original declares read-only cannot be set from outside")
    func readOnlyMeansReadOnly() {
        let session: AnyKeyPath = \SessionManager.session
        let queue: AnyKeyPath = \SessionManager.operationQueue
        let tasks: AnyKeyPath = \SessionManager.tasks
        let policy: AnyKeyPath = \SessionManager.securityPolicy
        #expect(!(session is ReferenceWritableKeyPath<SessionManager, Session>))
        #expect(!(queue is ReferenceWritableKeyPath<SessionManager, OperationQueue>))
        #expect(!(tasks is ReferenceWritableKeyPath<SessionManager, [SessionTask]>))
        #expect(policy is ReferenceWritableKeyPath<SessionManager, SecurityPolicy>)
    }

    @Test("D01 D04 D05 KB08: no class is changed at run time and no internal notification exists")
    func nothingIsSwizzled() throws {
        let runtime = #"class_addMethod|method_exchangeImplementations|class_replaceMethod|dlsym\("#
        let internalNames = #"nsurlsessiontask\.(resume|suspend)"#
        for pattern in [runtime, internalNames] {
            #expect(try SourceRulesTests.matches(of: pattern).isEmpty)
        }
    }

    @Test("B14 D06 D07: a manager announces its own tasks only, whatever their descriptions say")
    func onlyOwnTasksAreAnnounced() async throws {
        let other = ManagerFixture()
        let log = EventLog<String>()
        for (name, manager) in [("own", fixture.manager), ("other", other.manager)] {
            manager.onTaskEvent = { task, event in
                if case .resumed = event { log.add("\(name) \(task.taskDescription ?? "")") }
            }
        }
        let task = try fixture.manager.dataTask(with: fixture.request, completionHandler: nil)
        let foreign = try other.manager.dataTask(with: other.request, completionHandler: nil)
        let observer = NotificationCenter.default.addObserver(
            forName: .sessionTaskDidResume, object: task, queue: nil
        ) { _ in log.add("notification") }
        defer { NotificationCenter.default.removeObserver(observer) }
        task.taskDescription = "mine"
        task.resume()
        await fixture.settle()
        foreign.resume()
        await other.settle()
        #expect(log.entries == ["own mine", "notification", "other "])
    }
}
