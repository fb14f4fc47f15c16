import Dispatch
import Foundation
import FoundationNetworking
import SessionSupport
import Testing

@testable import SessionCore

@Suite(.timeLimit(.minutes(1))) struct ManagerCompletionTests {
    private let fixture = ManagerFixture()
    private let order = EventLog<String>()

    @Test("C23 A16: the handler gets response, object and error once, on the completion queue")
    func theHandlerGetsEverythingOnce() async throws {
        let key = DispatchSpecificKey<Bool>()
        fixture.queue.setSpecific(key: key, value: true)
        let task = try fixture.manager.dataTask(with: fixture.request) { [order] response, object, error in
            let isOnQueue = DispatchQueue.getSpecific(key: key) == true
            let name = (object as? [String: any Sendable])?["name"] as? String
            order.add("\(response?.statusCode ?? 0) \(name ?? "none") \(error == nil) \(isOnQueue)")
        }
        task.resume()
        fixture.engine.complete(task) { $0 = .ok(#"{"name":"x"}"#, type: "application/json") }
        #expect(await order.wait(count: 1) == ["200 x true true"])
        await fixture.settle()
        #expect(order.entries.count == 1)
    }

    @Test("C22: a failure reaches the handler without an object")
    func aFailureReachesTheHandler() async throws {
        let task = try fixture.manager.dataTask(with: fixture.request) { [order] response, object, error in
            let code = (error as? SessionError)?.code
            order.add("\(response == nil) \(object == nil) \(code?.rawValue ?? "none")")
        }
        task.resume()
        fixture.engine.finish(task.id, .failed(.connectionLost))
        #expect(await order.wait(count: 1) == ["true true connectionLost"])
    }

    @Test("E07 D10 C24 KB19 H02: metrics, did-complete with the handler's error, the handler, then the notification")
    func theOrderOfAnEnd() async throws {
        let manager = fixture.manager
        manager.onMetrics = { [order] _, _ in order.add("metrics") }
        manager.onTaskEvent = { [order] _, event in
            if case .completed = event { order.add("event") }
        }
        manager.onComplete = { [order] _, error in order.add("complete \(error is ResponseSerializationError)") }
        // A queue of their own: on the handler's, notifications would come after it whenever they are posted.
        let notes = DispatchQueue(label: "notes")
        manager.notificationQueue = notes
        let task = try manager.dataTask(with: fixture.request) { [order] _, _, error in
            notes.sync {}
            order.add("handler \(error is ResponseSerializationError)")
        }
        let observer = NotificationCenter.default.addObserver(
            forName: .sessionTaskDidComplete, object: task, queue: nil
        ) { [order] _ in order.add("notification") }
        task.resume()
        fixture.engine.complete(task) { $0 = .ok("{}", type: "application/json", status: 500) }
        let entries = await order.wait(count: 5)
        #expect(entries == ["metrics", "event", "complete true", "handler true", "notification"])
        NotificationCenter.default.removeObserver(observer)
    }

    @Test("A06 D2 K21 KB15: the serializer is the one of the task's creation")
    func theSerializerIsTheOneOfTheCreation() async throws {
        let task = try fixture.manager.dataTask(with: fixture.request) { [order] _, object, error in
            order.add("\(object is [String: any Sendable]) \(error == nil)")
        }
        fixture.manager.responseSerializer = DataResponseSerializer()
        task.resume()
        fixture.engine.complete(task) { $0 = .ok("{}", type: "application/json") }
        #expect(await order.wait(count: 1) == ["true true"])
        let late = try fixture.manager.dataTask(with: fixture.request) { [order] _, object, _ in
            order.add("\(object is Data)")
        }
        late.resume()
        fixture.engine.complete(late) { $0 = .ok("{}", type: "text/html") }
        #expect(await order.wait(count: 2).last == "true")
    }

    /// Makes its own name of every body.
    private struct Named: ResponseSerializer {
        let name: String
        func serialize(head: ResponseHead?, data: Data) -> SerializedResponse {
            SerializedResponse(object: "\(name) \(data.count)")
        }
    }

    @Test("A06 KB15: a task may have a serializer of its own, set before it is first resumed", arguments: [0, 70_000])
    func aTaskHasItsOwnSerializer(size: Int) async throws {
        let manager = fixture.manager
        manager.responseSerializer = Named(name: "manager")
        let tasks = try (1...3).map { _ in try manager.dataTask(with: fixture.request, completionHandler: nil) }
        #expect(tasks.allSatisfy { $0.responseSerializer == nil })
        tasks[0].responseSerializer = Named(name: "own")
        tasks[1].responseSerializer = Named(name: "taken back")
        tasks[1].responseSerializer = nil
        manager.responseSerializer = Named(name: "later")
        for task in tasks { task.resume() }
        tasks[2].responseSerializer = Named(name: "too late")
        for task in tasks { fixture.engine.complete(task) { $0.body = Array(repeating: 0, count: size) } }
        var objects: [String?] = []
        for task in tasks { objects.append(await task.completion().object as? String) }
        #expect(objects == ["own \(size)", "manager \(size)", "manager \(size)"])
        #expect((await tasks[0].completion().serializer as? Named)?.name == "own")
        // The async forms take one too, among the options.
        let other = ManagerFixture { _ in .ok("{}") }
        let completion = try await other.manager.data(
            for: other.request, options: TaskOptions(responseSerializer: Named(name: "async")))
        #expect(completion.object as? String == "async 2")
        let upload = try await other.manager.upload(
            for: other.request, from: nil, options: TaskOptions(responseSerializer: Named(name: "upload")))
        #expect(upload.object as? String == "upload 2")
    }

    @Test("A16 D2: the completion queue and the group are those of the task's end")
    func theQueueIsTheOneOfTheEnd() async throws {
        let key = DispatchSpecificKey<String>()
        let (other, group) = (DispatchQueue(label: "other"), DispatchGroup())
        fixture.queue.setSpecific(key: key, value: "first")
        other.setSpecific(key: key, value: "other")
        let task = try fixture.manager.dataTask(with: fixture.request) { [order] _, _, _ in
            order.add("\(DispatchQueue.getSpecific(key: key) ?? "none") \(group.wait(timeout: .now()) == .timedOut)")
        }
        task.resume()
        fixture.manager.completionQueue = other
        fixture.manager.completionGroup = group
        #expect(fixture.manager.completionQueue === other && fixture.manager.completionGroup === group)
        fixture.engine.complete(task)
        #expect(await order.wait(count: 1) == ["other true"])
        fixture.manager.completionQueue = nil
        #expect(fixture.manager.state.audience.delivery.lane === CompletionDelivery.mainLane)
    }

    @Test("A17: the group spans the handler")
    func theGroupSpansTheHandler() async throws {
        let group = DispatchGroup()
        fixture.manager.completionGroup = group
        let task = try fixture.manager.dataTask(with: fixture.request) { [order] _, _, _ in order.add("handler") }
        fixture.queue.suspend()
        task.resume()
        fixture.engine.complete(task)
        await ManagerFixture.settle(fixture.manager)
        #expect(group.wait(timeout: .now()) == .timedOut)
        fixture.queue.resume()
        await withCheckedContinuation { continuation in
            group.notify(queue: .global()) { continuation.resume() }
        }
        #expect(order.entries == ["handler"])
    }

    @Test("A17: the group is entered before a task says that it is done, by whatever way it says so", arguments: 0..<6)
    func theGroupIsEnteredBefore(_ route: Int) async throws {
        let (group, manager, task) = (DispatchGroup(), fixture.manager, Locked<SessionTask?>(nil))
        manager.completionGroup = group
        let seen = EventLog<Bool>()
        let look: @Sendable () -> Void = {
            guard task.withLock({ $0?.state == .completed }) else { return }
            seen.add(group.wait(timeout: .now()) == .timedOut)
        }
        // A serializer of the test's own is called on another queue, when the task has completed already.
        let options = TaskOptions(responseSerializer: LookingSerializer(look: route == 0 ? look : nil))
        let made = try manager.dataTask(with: fixture.request, options: options) { _, _, _ in }
        task.withLock { $0 = made }
        switch route {
        case 1: manager.onMetrics = { _, _ in look() }
        case 2: manager.onComplete = { _, _ in look() }
        case 3: manager.onTaskEvent = { _, event in if case .completed = event { look() } }
        default: break
        }
        let (statuses, waiting) = (made.statuses, Task { await made.completion() })
        fixture.queue.suspend()
        made.resume()
        fixture.engine.complete(made)
        _ = await waiting.value
        if route == 4 { look() }
        if route == 5 {
            for await _ in statuses {}
            look()
        }
        #expect(await seen.wait(count: 1) == [true])
        fixture.queue.resume()
        await withCheckedContinuation { continuation in group.notify(queue: .global()) { continuation.resume() } }
        task.withLock { $0 = nil }
    }

    private struct LookingSerializer: ResponseSerializer {
        let look: (@Sendable () -> Void)?
        func serialize(head: ResponseHead?, data: Data) -> SerializedResponse {
            look?()
            return SerializedResponse()
        }
    }

    @Test("A17: a task that is not started, and one without a handler, leave the group as they found it")
    func theGroupIsLeft() async throws {
        let group = DispatchGroup()
        fixture.manager.completionGroup = group
        let unstarted = try fixture.manager.dataTask(with: fixture.request) { [order] _, _, _ in order.add("handler") }
        unstarted.cancel()
        let plain = try fixture.manager.dataTask(with: fixture.request, completionHandler: nil)
        plain.resume()
        fixture.engine.complete(plain)
        _ = await (unstarted.completion(), plain.completion())
        #expect(await order.wait(count: 1) == ["handler"])
        await withCheckedContinuation { continuation in group.notify(queue: .global()) { continuation.resume() } }
    }

    @Test("B19: progress is gone in the completion handler, and 1 of 1 for an empty body")
    func progressIsGoneInTheHandler() async throws {
        let manager = fixture.manager
        let task = try manager.dataTask(with: fixture.request) { [order, manager] _, _, _ in
            order.add("handler \(manager.tasks.isEmpty)")
        }
        let upload = try #require(manager.uploadProgress(for: task))
        let download = try #require(manager.downloadProgress(for: task))
        #expect(manager.downloadProgress(for: task) === download)
        task.resume()
        fixture.engine.complete(task)
        #expect(await order.wait(count: 1) == ["handler true"])
        #expect(manager.uploadProgress(for: task) == nil && manager.downloadProgress(for: task) == nil)
        #expect([upload.completedUnitCount, upload.totalUnitCount] == [1, 1])
        #expect([download.completedUnitCount, download.totalUnitCount] == [1, 1])
    }

    @Test("A10 KB05 KB06 B18: tasks can be read and created, and the task cancelled, inside any closure")
    func anythingMayBeCalledInsideAClosure() async throws {
        let manager = fixture.manager
        let request = fixture.request
        manager.onTaskEvent = { [order, manager] task, event in
            guard case .resumed = event, manager.tasks.count == 1 else { return }
            order.add("tasks \(manager.tasks.contains(task))")
            let second = try? manager.dataTask(with: request, completionHandler: nil)
            order.add("created \(second != nil && manager.tasks.count == 2)")
            task.cancel()
        }
        let task = try manager.dataTask(with: request) { [order] _, _, error in
            order.add((error as? SessionError)?.code.rawValue ?? "none")
        }
        task.resume()
        #expect(await order.wait(count: 3) == ["tasks true", "created true", "cancelled"])
    }

    @Test("B21 KB46: the task's own handler goes before the manager's closures and is let go at the end")
    func theTasksOwnHandlerGoesFirst() async throws {
        final class Handler: TaskHandler {
            let order: EventLog<String>
            init(order: EventLog<String>) { self.order = order }
            func task(_ task: SessionTask, didReceive event: SessionTaskEvent) {
                if case .completed = event { order.add("handler") }
            }
        }
        fixture.manager.onTaskEvent = { [order] _, event in
            if case .completed = event { order.add("manager") }
        }
        let task = try fixture.manager.dataTask(with: fixture.request, completionHandler: nil)
        weak var weakHandler: Handler?
        do {
            let handler = Handler(order: order)
            weakHandler = handler
            task.handler = handler
        }
        #expect(weakHandler != nil)
        task.resume()
        task.handler = nil
        fixture.engine.complete(task)
        #expect(await order.wait(count: 2) == ["handler", "manager"])
        while weakHandler != nil { await fixture.settle() }
        #expect(task.handler == nil)
    }

    @Test("F01 F02 F03 C21 F06 F07 F08 F09 H03: notifications carry the original's names and keys")
    func notificationsCarryNamesAndKeys() async throws {
        let events = EventLog<String>()
        fixture.manager.onTaskEvent = { _, event in
            switch event {
            case .resumed: events.add("resumed")
            case .suspended: events.add("suspended")
            case .completed(let completion): events.add("completed \(completion.error == nil)")
            default: break
            }
        }
        let task = try fixture.manager.dataTask(with: fixture.request) { _, _, _ in }
        let names: [Notification.Name] = [.sessionTaskDidResume, .sessionTaskDidSuspend, .sessionTaskDidComplete]
        let observers = names.map { name in
            NotificationCenter.default.addObserver(forName: name, object: task, queue: nil) { [order] notification in
                order.add(notification.name.rawValue)
                for key in (notification.userInfo ?? [:]).keys.map({ "\($0)" }).sorted() { order.add(key) }
            }
        }
        task.resume()
        task.suspend()
        task.resume()
        fixture.engine.complete(task) { $0 = .ok("{}", type: "application/json", status: 404) }
        let entries = await order.wait { $0.contains(SessionNotification.errorKey) && $0.count >= 9 }
        #expect(
            entries == [
                "com.alamofire.networking.task.resume", "com.alamofire.networking.task.suspend",
                "com.alamofire.networking.task.resume", "com.alamofire.networking.task.complete",
                "com.alamofire.networking.complete.finish.responsedata",
                "com.alamofire.networking.complete.sessiontaskmetrics",
                "com.alamofire.networking.task.complete.error",
                "com.alamofire.networking.task.complete.responseserializer",
                "com.alamofire.networking.task.complete.serializedresponse",
            ])
        #expect(events.entries == ["resumed", "suspended", "resumed", "completed false"])
        for observer in observers { NotificationCenter.default.removeObserver(observer) }
    }
}
