import Foundation
import Testing

@testable import SessionCore

@Suite(.timeLimit(.minutes(1))) struct SessionTests {
    private let fixture = ManagerFixture()

    @Test("C12 D9 C07: many statuses before one drain make one progress call with the last counts")
    func manyStatusesMakeOneCall() async throws {
        let counts = EventLog<Int64>()
        let task = try fixture.manager.dataTask(
            with: fixture.request, downloadProgress: { counts.add($0.completedUnitCount) }, completionHandler: nil)
        task.resume()
        await fixture.settle()
        // What ran last is counted until the queue has put it away.
        while fixture.manager.operationQueue.operationCount > 0 { await Task.yield() }
        fixture.manager.operationQueue.isSuspended = true
        for received in 1...1_000 {
            var status = TaskStatus()
            status.received = Int64(received)
            status.expectedToReceive = 2_000
            fixture.engine.publish(status, of: task)
        }
        #expect(fixture.manager.operationQueue.operationCount == 1)
        fixture.manager.operationQueue.isSuspended = false
        await fixture.settle()
        #expect(counts.entries == [1_000])
    }

    @Test("KB14 C13: progress is called with bytes also while the total is unknown")
    func progressIsCalledWithoutATotal() async throws {
        let counts = EventLog<[Int64]>()
        let task = try fixture.manager.dataTask(
            with: fixture.request, downloadProgress: { counts.add([$0.completedUnitCount, $0.totalUnitCount]) },
            completionHandler: nil)
        task.resume()
        var status = TaskStatus()
        status.received = 7
        fixture.engine.publish(status, of: task)
        await fixture.settle()
        fixture.engine.complete(task) { $0.status.received = 9 }
        await fixture.settle()
        #expect(counts.entries == [[7, -1], [9, 9]])
    }

    @Test("C17 E06 KB14: a body of unknown length takes the length its header promises")
    func theHeaderPromisesTheLength() async throws {
        let totals = EventLog<Int64>()
        let expected = EventLog<[Int64]>()
        fixture.manager.onSendBody = { _, counts in
            expected.add([counts.sinceLast, counts.total, counts.expected ?? -1])
        }
        var request = TransferRequest(url: "http://127.0.0.1/in", method: "PUT", headers: ["Content-Length": "50"])
        request.body = .descriptor(0)
        let task = try fixture.manager.uploadTask(
            with: request, from: request.body, progress: { totals.add($0.totalUnitCount) }, completionHandler: nil)
        task.resume()
        var status = TaskStatus()
        status.sent = 20
        fixture.engine.publish(status, of: task)
        await fixture.settle()
        status.sent = 30
        fixture.engine.publish(status, of: task)
        await fixture.settle()
        #expect(totals.entries == [50, 50])
        #expect(expected.entries == [[20, 20, 50], [10, 30, 50]])
    }

    @Test("A20 KB02: after an invalidation creating a task throws")
    func creatingATaskAfterwardsThrows() throws {
        fixture.manager.invalidate(cancellingTasks: true)
        fixture.manager.invalidate(cancellingTasks: false)
        #expect(throws: SessionError.self) {
            try fixture.manager.dataTask(with: fixture.request, completionHandler: nil)
        }
    }

    @Test("A20 H01 KB03 A05: a reset gives the next task a new session and identifiers never repeat")
    func aResetMakesANewSession() throws {
        let engines = EventLog<ScriptedEngine>()
        let manager = SessionManager(configuration: .default) { _ in
            let engine = ScriptedEngine()
            engines.add(engine)
            return engine
        }
        let old = try manager.dataTask(with: fixture.request, completionHandler: nil)
        let oldSession = manager.session
        old.resume()
        manager.invalidate(cancellingTasks: false, resettingSession: true)
        let new = try manager.dataTask(with: fixture.request, completionHandler: nil)
        #expect(manager.session !== oldSession)
        #expect(engines.entries.count == 2)
        #expect(new.id != old.id)
        #expect(manager.dataTasks == [old, new])
        old.cancel()
    }

    @Test("A20: finishing lets running tasks end and then reports the invalidation once")
    func finishingLetsTasksEnd() async throws {
        let reports = EventLog<String>()
        fixture.manager.onInvalidate = { _, error in reports.add("invalid \(error == nil)") }
        fixture.manager.onTaskEvent = { _, event in
            if case .completed(let completion) = event { reports.add("completed \(completion.error == nil)") }
        }
        let task = try fixture.manager.dataTask(with: fixture.request, completionHandler: nil)
        task.resume()
        fixture.manager.invalidate(cancellingTasks: false)
        fixture.manager.invalidate(cancellingTasks: false)
        fixture.engine.complete(task)
        #expect(await reports.wait(count: 2) == ["completed true", "invalid true"])
        await fixture.settle()
        #expect(reports.entries.count == 2)
    }

    @Test("A20: cancelling ends running and never resumed tasks")
    func cancellingEndsEveryTask() async throws {
        let running = try fixture.manager.dataTask(with: fixture.request, completionHandler: nil)
        let waiting = try fixture.manager.dataTask(with: fixture.request, completionHandler: nil)
        running.resume()
        fixture.manager.invalidate(cancellingTasks: true)
        for task in [running, waiting] {
            let error = await task.completion().error as? SessionError
            #expect(error?.code == .cancelled)
        }
        #expect(fixture.manager.tasks.isEmpty)
    }

    @Test func aTaskResumedAfterItsSessionIsGoneEndsWithAnError() async throws {
        let task = try fixture.manager.dataTask(with: fixture.request, completionHandler: nil)
        fixture.manager.invalidate(cancellingTasks: false)
        task.resume()
        let error = await task.completion().error as? SessionError
        #expect(error?.code == .sessionInvalidated)
        #expect(task.state == .completed)
    }

    @Test("A04: the delegate queue is public and serial; suspending it delays every closure")
    func theDelegateQueueIsPublicAndSerial() async throws {
        let manager = fixture.manager
        #expect(manager.operationQueue.maxConcurrentOperationCount == 1)
        #expect(manager.session.delegateQueue === manager.operationQueue)
        let events = EventLog<Int>()
        manager.onTaskEvent = { _, _ in events.add(1) }
        manager.operationQueue.isSuspended = true
        try manager.dataTask(with: fixture.request, completionHandler: nil).resume()
        #expect(events.entries.isEmpty)
        manager.operationQueue.isSuspended = false
        await fixture.settle()
        #expect(events.entries.count == 1)
    }

    @Test("E16: events of an unknown task are ignored")
    func eventsOfAnUnknownTaskAreIgnored() async throws {
        let task = try fixture.manager.dataTask(with: fixture.request, completionHandler: nil)
        task.resume()
        fixture.engine.publish(
            .status(TransferID(rawValue: 0), TaskStatus()), .data(TransferID(rawValue: 0), [1]),
            TransferEnd.ok().event(of: TransferID(rawValue: 0)))
        await fixture.settle()
        #expect(task.state == .running)
    }
}
