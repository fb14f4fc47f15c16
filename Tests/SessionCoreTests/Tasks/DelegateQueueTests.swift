import Foundation
import Glibc
import SessionSupport
import Testing

@testable import SessionCore

/// The delegate queue is public: whatever a program does with it, nothing that happened to a task is lost.
@Suite("Delegate queue", .timeLimit(.minutes(1)))
struct DelegateQueueTests {
    private let fixture = ManagerFixture()

    /// Suspends the queue, lets a task end, does something to the queue, and goes on.
    private func endOfTask(after act: (OperationQueue) -> Void) async throws -> [String] {
        let log = EventLog<String>()
        let queue = fixture.manager.operationQueue
        let task = try fixture.manager.dataTask(with: fixture.request) { _, _, error in
            log.add("handler \(error == nil)")
        }
        queue.isSuspended = true
        task.resume()
        fixture.engine.complete(task)
        act(queue)
        queue.isSuspended = false
        return await log.wait(count: 1)
    }

    @Test("A04: cancelling the queue's operations loses no event, now or later")
    func cancellingOperationsLosesNothing() async throws {
        #expect(try await endOfTask { $0.cancelAllOperations() } == ["handler true"])
        #expect(try await endOfTask { for operation in $0.operations { operation.cancel() } } == ["handler true"])
        #expect(try await endOfTask { _ in } == ["handler true"])
    }

    @Test("A04: the user's own operations can be cancelled as before")
    func othersAreCancelled() async throws {
        let log = EventLog<String>()
        let ends = try await endOfTask { queue in
            queue.addOperation { log.add("the user's") }
            queue.cancelAllOperations()
        }
        #expect(ends == ["handler true"])
        await fixture.settle()
        #expect(log.entries.isEmpty)
    }

    @Test("A04: closures that cancel every operation of their queue go on being called")
    func closuresMayCancel() async throws {
        let manager = fixture.manager
        let log = EventLog<Int64>()
        manager.onWriteData = { [queue = manager.operationQueue] _, counts in
            queue.cancelAllOperations()
            log.add(counts.total)
        }
        let task = try manager.downloadTask(with: fixture.request, destination: nil, completionHandler: nil)
        task.resume()
        for total in 1...50 {
            var status = TaskStatus()
            status.received = Int64(total)
            fixture.engine.publish(status, of: task)
            manager.operationQueue.cancelAllOperations()
        }
        #expect(await log.wait { $0.last == 50 }.isEmpty == false)
    }

    @Test("A04: whoever waits for the queue is answered although its operations are cancelled")
    func waitingIsAnswered() async throws {
        let (manager, queue) = (fixture.manager, fixture.manager.operationQueue)
        let task = try manager.downloadTask(with: fixture.request, destination: nil, completionHandler: nil)
        task.resume()
        fixture.engine.complete(task)
        _ = await task.completion()
        await fixture.settle()
        let log = EventLog<String>()
        queue.isSuspended = true
        task.cancel { _ in log.add("resume data") }
        manager.close { log.add("closed") }
        queue.cancelAllOperations()
        queue.isSuspended = false
        _ = await log.wait { Set($0) == ["resume data", "closed"] }
        #expect(manager.session.isInvalidated)
    }

    @Test("A04: the queue stays serial and open, whatever width it is given", arguments: [0, 1, 8])
    func theQueueStaysSerial(width: Int) async throws {
        let (manager, queue) = (fixture.manager, fixture.manager.operationQueue)
        queue.maxConcurrentOperationCount = width
        #expect(queue.maxConcurrentOperationCount == 1)
        let inside = Locked((now: 0, most: 0))
        let log = EventLog<Int64>()
        manager.onWriteData = { _, counts in
            inside.withLock { ($0.now, $0.most) = ($0.now + 1, max($0.most, $0.now + 1)) }
            sched_yield()
            inside.withLock { $0.now -= 1 }
            log.add(counts.total)
        }
        let task = try manager.downloadTask(with: fixture.request, destination: nil, completionHandler: nil)
        task.resume()
        let totals = await publishedTotals(of: task, log)
        #expect(totals == totals.sorted())
        #expect(inside.withLock { $0.most } == 1)
    }

    @Test("A04: an underlying queue of the user's own that is concurrent changes nothing about the order")
    func anUnderlyingQueueOfTheUsersOwn() async throws {
        let (manager, queue) = (fixture.manager, fixture.manager.operationQueue)
        // The operation queue does not keep it.
        let theirs = DispatchQueue(label: "theirs", attributes: .concurrent)
        queue.underlyingQueue = theirs
        let log = EventLog<Int64>()
        manager.onWriteData = { _, counts in log.add(counts.total) }
        let task = try manager.downloadTask(with: fixture.request, destination: nil, completionHandler: nil)
        task.resume()
        let totals = await publishedTotals(of: task, log)
        #expect(totals == totals.sorted())
        withExtendedLifetime(theirs) {}
    }

    /// Publishes two hundred counts of a task, and returns the totals that were told until the last one was.
    private func publishedTotals(of task: SessionTask, _ log: EventLog<Int64>) async -> [Int64] {
        for total in 1...200 {
            var status = TaskStatus()
            status.received = Int64(total)
            fixture.engine.publish(status, of: task)
        }
        return await log.wait { $0.last == 200 }
    }
}
