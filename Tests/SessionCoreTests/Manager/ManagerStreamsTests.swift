import Foundation
import Glibc
import SessionSupport
import Synchronization
import Testing

@testable import SessionCore

@Suite(.timeLimit(.minutes(1))) struct ManagerStreamsTests {
    private let fixture = ManagerFixture()

    private func name(_ event: SessionTaskEvent) -> String {
        switch event {
        case .resumed: "resumed"
        case .suspended: "suspended"
        case .status(let status): "status \(status.received)"
        case .completed(let completion): "completed \(completion.error == nil)"
        case .response, .restarted, .retrying, .source, .resumedAtOffset, .data, .moved, .moveFailed: "other"
        }
    }

    @Test("D07: the events of a task end with its completion") func theEventsOfATaskEndWithItsCompletion() async throws
    {
        let task = try fixture.manager.dataTask(with: fixture.request, completionHandler: nil)
        let stream = task.events
        task.resume()
        var status = TaskStatus()
        status.received = 5
        fixture.engine.publish(status, of: task)
        await fixture.settle()
        fixture.engine.complete(task)
        var names: [String] = []
        for await event in stream { names.append(name(event)) }
        #expect(names == ["status 0", "resumed", "status 5", "completed true"])
    }

    @Test func aLateReaderGetsTheEnd() async throws {
        let task = try fixture.manager.dataTask(with: fixture.request, completionHandler: nil)
        task.cancel()
        _ = await task.completion()
        var names: [String] = []
        for await event in task.events { names.append(name(event)) }
        #expect(names == ["completed false"])
        var phases: [Phase] = []
        for await status in task.statuses { phases.append(status.phase) }
        #expect(phases == [.cancelled])
    }

    @Test func aSlowReaderOfStatusesGetsTheNewest() async throws {
        let task = try fixture.manager.dataTask(with: fixture.request, completionHandler: nil)
        let stream = task.statuses
        task.resume()
        for received in 1...3 {
            var status = TaskStatus()
            status.received = Int64(received)
            fixture.engine.publish(status, of: task)
            await fixture.settle()
        }
        var iterator = stream.makeAsyncIterator()
        #expect(await iterator.next()?.received == 3)
    }

    @Test("A stream that is opened while a status is announced holds that status")
    func openedMeanwhile() async throws {
        let task = try fixture.manager.dataTask(with: fixture.request, completionHandler: nil)
        let rounds = 20_000
        let turns = Turns()
        // A thread that announces one status in each turn, a little later each time.
        try SystemThread.startDetached(name: "announcer") {
            for number in 1...rounds {
                guard turns.wait(for: number) else { return }
                for _ in 0..<number % 64 { turns.spin() }
                var status = TaskStatus()
                status.received = Int64(number)
                task.control.publish(status)
                task.broadcast(.status(status))
                turns.finish(number)
            }
        }
        defer { turns.stop() }
        // A busy machine lets both threads wait for their turns: what it gets through in ten seconds is enough.
        let end = ContinuousClock.now + .seconds(10)
        for number in 1...rounds where ContinuousClock.now < end {
            turns.begin(number)
            let stream = task.statuses
            turns.waitForEnd(of: number)
            var iterator = stream.makeAsyncIterator()
            let received = await iterator.next()?.received
            try #require(received == Int64(number))
        }
    }

    @Test func aReaderWhoLetsGoIsForgotten() async throws {
        let task = try fixture.manager.dataTask(with: fixture.request, completionHandler: nil)
        var stream: AsyncStream<SessionTaskEvent>? = task.events
        #expect(task.mutable.withLock { $0.observers.count } == 1)
        #expect(stream != nil)
        stream = nil
        while task.mutable.withLock({ !$0.observers.isEmpty }) { await fixture.settle() }
    }

    @Test("G01 KB43: many may read and write the header store, and a task gets what its request lacks")
    func theHeaderStoreIsSharedSafely() async throws {
        let headers = fixture.manager.requestHeaders
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<4 {
                group.addTask {
                    for round in 0..<200 {
                        headers.setValue("\(round)", forHTTPHeaderField: "X-\(worker)")
                        _ = headers.snapshot
                    }
                }
            }
        }
        #expect((0..<4).allSatisfy { headers.value(forHTTPHeaderField: "x-\($0)") == "199" })
        headers.setValue(nil, forHTTPHeaderField: "X-0")
        var request = fixture.request
        request.headers["x-1"] = "own"
        let task = try fixture.manager.dataTask(with: request, completionHandler: nil)
        #expect(task.request.headers["X-0"] == nil)
        #expect(task.request.headers["X-1"] == "own")
        #expect(task.request.headers["X-2"] == "199")
    }

    @Test("E11: a good answer is offered to the cache; the closure may change or refuse it")
    func aGoodAnswerIsOfferedToTheCache() async throws {
        struct Cache: ResponseCache {
            let stored: EventLog<CachedResponse>
            func store(_ response: CachedResponse) { stored.add(response) }
            func response(for request: TransferRequest) -> CachedResponse? { nil }
            func removeResponse(for request: TransferRequest) {}
        }
        let stored = EventLog<CachedResponse>()
        fixture.manager.responseCache = Cache(stored: stored)
        for refuses in [false, true] {
            if refuses { fixture.manager.onWillCacheResponse = { _, _ in nil } }
            let task = try fixture.manager.dataTask(with: fixture.request, completionHandler: nil)
            task.resume()
            fixture.engine.complete(task) { $0 = .ok("{}", type: "application/json") }
            #expect(await task.completion().error == nil)
            await fixture.settle()
        }
        let failed = try fixture.manager.dataTask(with: fixture.request, completionHandler: nil)
        failed.resume()
        fixture.engine.complete(failed) { $0 = .ok("{}", type: "application/json", status: 404) }
        _ = await failed.completion()
        await fixture.settle()
        fixture.manager.onWillCacheResponse = { _, response in
            var changed = response
            changed.data = Data("changed".utf8)
            return changed
        }
        let changed = try fixture.manager.dataTask(with: fixture.request, completionHandler: nil)
        changed.resume()
        fixture.engine.complete(changed) { $0 = .ok("{}", type: "application/json") }
        #expect(await changed.completion().body == Array("{}".utf8))
        await fixture.settle()
        #expect(stored.entries.map(\.data) == [Data("{}".utf8), Data("changed".utf8)])
    }
}

/// Lets two threads begin something at the same moment, again and again.
private final class Turns: Sendable {
    private let begun = Atomic(0)
    private let ended = Atomic(0)
    private let waste = Atomic(0)

    func begin(_ number: Int) { begun.store(number, ordering: .sequentiallyConsistent) }
    func finish(_ number: Int) { ended.store(number, ordering: .sequentiallyConsistent) }
    func stop() { begin(-1) }
    func spin() { waste.add(1, ordering: .relaxed) }

    /// Answers whether the turn has come, and not the end.
    func wait(for number: Int) -> Bool {
        while true {
            let latest = begun.load(ordering: .sequentiallyConsistent)
            if latest == number { return true }
            if latest < 0 { return false }
            sched_yield()
        }
    }

    func waitForEnd(of number: Int) {
        while ended.load(ordering: .sequentiallyConsistent) != number { sched_yield() }
    }
}
