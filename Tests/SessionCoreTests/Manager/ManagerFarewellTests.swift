import Dispatch
import Foundation
import Testing

@testable import SessionCore

/// What is let go at an end, and in which order ends are told.
@Suite("Ends of tasks, sessions and owners", .timeLimit(.minutes(1)))
struct ManagerFarewellTests {
    private final class Captured: Sendable {}

    private let fixture = ManagerFixture()

    @Test("C06 C08 E10: a task that has ended keeps no closure that it was created with", arguments: 0..<3)
    func closuresAreLetGo(kind: Int) async throws {
        weak var weakCaptured: Captured?
        let task: SessionTask
        do {
            let captured = Captured()
            weakCaptured = captured
            switch kind {
            case 0:
                task = try fixture.manager.downloadTask(
                    with: fixture.request,
                    destination: { _, _ in
                        withExtendedLifetime(captured) {}
                        return nil
                    }, completionHandler: nil)
            case 1:
                task = try fixture.manager.dataTask(
                    with: fixture.request,
                    options: TaskOptions(delivery: .stream { _ in withExtendedLifetime(captured) {} }),
                    completionHandler: nil)
            default:
                let url = try #require(fixture.request.urlRequest)
                task = try fixture.manager.uploadTask(
                    with: url, from: HoldingProvider(captured: captured), completionHandler: nil)
            }
        }
        #expect(weakCaptured != nil)
        task.resume()
        fixture.engine.complete(task)
        _ = await task.completion()
        await fixture.settle()
        await fixture.settle()
        #expect(weakCaptured == nil)
        withExtendedLifetime(task) {}
    }

    private struct HoldingProvider: BodyProvider {
        let captured: Captured
        func makeBody() throws(SessionError) -> BodySpecification { .bytes([1]) }
    }

    @Test(
        "E01: a session that ends lets no task begin in the slot of one that it cancels", arguments: [true, false])
    func noneBeginsAtTheEnd(ofTheSessionAlone: Bool) async throws {
        let tasks = try (1...3).map { _ in try fixture.manager.dataTask(with: fixture.request) { _, _, _ in } }
        for task in tasks { task.resume() }
        let begun = fixture.engine.commands.count
        if ofTheSessionAlone {
            fixture.manager.session.invalidate(cancellingTasks: true)
        } else {
            fixture.manager.invalidate(cancellingTasks: true)
        }
        guard case .setLimits(0, _) = fixture.engine.commands[begun] else {
            Issue.record("the queue was open when the first task was cancelled")
            return
        }
        for task in tasks { #expect((await task.completion().error as? SessionError)?.code == .cancelled) }
    }

    @Test("E01 F04: the session's end is told when the last completion handler has returned", arguments: [true, false])
    func theInvalidationIsLast(cancelling: Bool) async throws {
        let log = EventLog<String>()
        let manager = fixture.manager
        manager.onInvalidate = { _, _ in log.add("invalid") }
        let tasks = try (1...3).map { _ in
            try manager.dataTask(with: fixture.request) { _, _, _ in log.add("handler") }
        }
        for task in tasks { task.resume() }
        fixture.queue.suspend()
        manager.invalidate(cancellingTasks: cancelling)
        for task in tasks { fixture.engine.complete(task) }
        for task in tasks { _ = await task.completion() }
        for _ in 1...3 { await ManagerFixture.settle(manager) }
        #expect(log.entries.isEmpty)
        fixture.queue.resume()
        #expect(await log.wait(count: 4) == ["handler", "handler", "handler", "invalid"])
    }

    /// What is left of a manager that was let go with a task that was resumed and then suspended.
    private struct Left {
        weak var manager: SessionManager?
        weak var session: Session?
        weak var task: SessionTask?
        let engine: ScriptedEngine
        let delegateQueue: OperationQueue

        func settle() async {
            for _ in 1...3 { await ManagerFixture.settle(delegateQueue) }
        }

        var isEnded: Bool {
            engine.commands.contains { if case .invalidate(cancelling: true) = $0 { true } else { false } }
        }
    }

    private func suspendedTask(
        _ log: EventLog<String>, _ queue: DispatchQueue
    ) throws -> (left: Left, manager: SessionManager, task: SessionTask) {
        let engine = ScriptedEngine()
        let manager = SessionManager(configuration: .default) { _ in engine }
        manager.completionQueue = queue
        manager.postsNotifications = false
        manager.onComplete = { _, _ in log.add("onComplete") }
        let task = try manager.dataTask(with: fixture.request) { _, _, error in
            log.add("handler \((error as? SessionError)?.code.rawValue ?? "ok")")
        }
        task.resume()
        task.suspend()
        let left = Left(
            manager: manager, session: manager.session, task: task, engine: engine,
            delegateQueue: manager.operationQueue)
        return (left, manager, task)
    }

    @Test("D3: a suspended task that nobody has any more ends, and its thread and connection with it")
    func aForsakenTaskEnds() async throws {
        let log = EventLog<String>()
        let left = try suspendedTask(log, fixture.queue).left
        // A queue lets go of what it has called some time after that.
        while left.manager != nil || left.session != nil || left.task != nil { await left.settle() }
        #expect(left.isEnded)
        // Nobody can resume it, but whoever waits for its end hears of it, once, on the manager's queue.
        #expect(await log.wait(count: 1) == ["handler cancelled"])
    }

    @Test("D3: a suspended task belongs to whoever has its manager")
    func theManagerKeepsIt() async throws {
        let log = EventLog<String>()
        var (left, manager, task): (Left, SessionManager?, SessionTask?) = try suspendedTask(log, fixture.queue)
        task = nil
        await left.settle()
        #expect(left.task != nil && !left.isEnded && manager?.tasks.count == 1)
        manager?.tasks.first?.resume()
        manager = nil
        await left.settle()
        // It runs again, so it keeps the manager until it has ended.
        let again = try #require(left.task)
        #expect(left.manager != nil && again.state == .running)
        left.engine.complete(again)
        #expect(await log.wait(count: 2) == ["onComplete", "handler ok"])
        _ = task
    }

    @Test("D3: a suspended task belongs to whoever has it, and goes on without its manager")
    func itsOwnerKeepsIt() async throws {
        let log = EventLog<String>()
        let key = DispatchSpecificKey<Bool>()
        fixture.queue.setSpecific(key: key, value: true)
        var (left, manager, task): (Left, SessionManager?, SessionTask) = try suspendedTask(log, fixture.queue)
        manager = nil
        _ = manager
        await left.settle()
        #expect(left.manager == nil && left.session != nil && !left.isEnded)
        task.resume()
        left.engine.complete(task)
        #expect(await log.wait(count: 1) == ["handler ok"])
        #expect(await task.completion().error == nil)
    }

    @Test("D3: a forsaken task beside one that is kept is cancelled in the engine, and its events find nobody")
    func oneOfTwoIsForsaken() async throws {
        let log = EventLog<String>()
        let (left, manager, kept) = try suspendedTask(log, fixture.queue)
        weak var weakForsaken: SessionTask?
        let id: TransferID
        let ends = EventLog<String>()
        do {
            // A task of the same session that no manager lists.
            let record = TaskRecord(
                manager: manager.state, session: manager.session, route: .memory,
                serializer: DataResponseSerializer(), closures: TaskRecord.Closures())
            let forsaken = SessionTask(
                kind: .data, request: fixture.request, session: manager.session, delegate: record)
            id = forsaken.id
            let events = forsaken.events
            Task {
                for await event in events { if case .completed = event { ends.add("end") } }
                ends.add("over")
            }
            forsaken.resume()
            forsaken.suspend()
            weakForsaken = forsaken
        }
        while weakForsaken != nil { await left.settle() }
        let intent = left.engine.commands.compactMap { command -> TransferControl.Intent? in
            if case .add(let description) = command, description.id == id { description.control.intent } else { nil }
        }
        #expect(intent == [.cancelled(keepsPart: true)])
        #expect(await ends.wait { $0.contains("over") } == ["end", "over"])
        kept.resume()
        left.engine.complete(kept)
        #expect(await log.wait(count: 2) == ["onComplete", "handler ok"])
    }
}
