import Foundation
import LoopbackServer
import SessionCore
import Testing

@testable import Dashboard
@testable import TransferService
@testable import netdash

/// What commands do to rows that wait without tasks: more rows than get tasks, behind one that stalls.
@Suite("Commands for rows without tasks", .timeLimit(.minutes(1)))
struct WaitingOrderTests {
    private static let count = 200
    private let fixture: BridgeFixture
    private let gate: Gate
    private var server: LoopbackServer { fixture.server }
    private var observer: EffectsObserver { fixture.observer }
    private var bridge: LocalService { fixture.bridge }

    init() throws {
        fixture = try BridgeFixture { $0.maximumConcurrent = 1 }
        gate = try fixture.server.gate(named: "first")
        server.setRoute("/1", .file(seed: 1, count: 400_000).stalling(after: 200_000, until: gate))
        for number in 2...Self.count { server.setRoute("/\(number)", .file(seed: 2, count: 10)) }
    }

    /// Adds the rows, of which the first one runs and stalls.
    private func fill() throws {
        bridge.add((1...Self.count).map { fixture.job(.download, "/\($0)") })
        try #require(gate.waitForArrivals())
        try #require(waitForTasks(64))
        #expect(bridge.row(100)?.run.task == nil, "a row without a task")
    }

    /// Waits until so many tasks are made; false when that takes longer than twenty seconds.
    private func waitForTasks(_ count: Int) -> Bool { waitForTasks { taskCount >= count } && taskCount == count }

    private func waitForTasks(_ areMade: () -> Bool) -> Bool {
        let deadline = ContinuousClock.now + .seconds(20)
        while !areMade(), ContinuousClock.now < deadline {
            // They are made on this queue.
            bridge.waitForDelivery()
        }
        return areMade()
    }

    private var taskCount: Int { bridge.manager.tasks.count }

    /// The rows that were asked for, in order.
    private var asked: [Int] { server.requests.compactMap { Int($0.path.dropFirst()) } }

    @Test("Rows without tasks that get another priority or place start in their new order, before those with tasks")
    func order() throws {
        defer { fixture.end() }
        try fill()
        bridge.send(.prioritise([110, 111], by: 1))
        bridge.send(.moveInQueue([111], by: -1))
        bridge.send(.prioritise([3], by: -1))
        bridge.send(.moveInQueue([100], by: -97))
        // No slot waits for a task that is being made.
        try #require(waitForTasks { [100, 110, 111].allSatisfy { bridge.row($0)?.run.task != nil } })
        gate.release()
        try #require(observer.waitForEnds(Self.count))
        #expect(Array(asked.prefix(5)) == [1, 111, 110, 100, 2])
        // Behind all that had tasks, and not quite the last: no slot waits for tasks that are being made.
        #expect(try #require(asked.firstIndex(of: 3)) > 60)
        #expect(asked.count == Self.count)
    }

    @Test("Rows whose jobs have a priority start in its order, and a command changes it from there")
    func priorities() throws {
        defer { fixture.end() }
        var jobs = (1...Self.count).map { fixture.job(.download, "/\($0)") }
        (jobs[1].priority, jobs[109].priority, jobs[110].priority) = (.lowest, .high, .highest)
        bridge.add(jobs)
        try #require(gate.waitForArrivals())
        bridge.send(.prioritise([112, 110, 2], by: 1))
        #expect(bridge.figures(of: [2, 110, 111, 112]).map(\.priority) == [-1, 2, 2, 1])
        // No slot waits for a task that is being made.
        try #require(waitForTasks { bridge.row(112)?.run.task != nil })
        gate.release()
        try #require(observer.waitForEnds(Self.count))
        #expect(Array(asked.prefix(5)) == [111, 110, 1, 112, 3])
        #expect(try #require(asked.firstIndex(of: 2)) > 60)
    }

    @Test("A row is placed among those that wait or are paused, and the rows between move by one")
    func placing() throws {
        defer { fixture.end() }
        try fill()
        bridge.send(.pause([120]))
        let first = try #require(bridge.figures(of: [2]).first)
        bridge.send(.placeInQueue(120, at: 0))
        #expect(bridge.figures(of: [120]).first?.position == first.position)
        #expect(bridge.figures(of: [2]).first?.position != first.position)
        bridge.send(.placeInQueue(150, at: .max))
        bridge.send(.resume([120]))
        // No slot waits for a task that is being made.
        try #require(waitForTasks { bridge.row(120)?.run.task != nil })
        gate.release()
        try #require(observer.waitForEnds(Self.count))
        #expect(Array(asked.prefix(2)) == [1, 120])
        #expect(asked.firstIndex(of: 150) ?? 0 > 60)
    }

    @Test("A priority is saved with its row")
    func savedPriority() throws {
        defer { fixture.end() }
        var job = fixture.job(.download, "/2")
        job.priority = .low
        let row = TransferRow(restoring: TransferRow(id: 7, job: job).stored(by: bridge.factory))
        #expect(row.priority == -1 && row.job.priority == .low && row.isUntouched)
    }

    @Test("A row that is paused without a task gets none, and starts when it is resumed, at its place")
    func pausing() throws {
        defer { fixture.end() }
        try fill()
        bridge.send(.pause([90, 100]))
        #expect(bridge.figures(of: [90, 100]).map(\.state) == [.paused, .paused])
        bridge.send(.resume([90]))
        #expect(bridge.figures(of: [90]).map(\.state) == [.queued])
        gate.release()
        try #require(observer.waitForEnds(Self.count - 1))
        #expect(asked == Array(1...Self.count).filter { $0 != 100 })
        #expect(bridge.counts.live == 1)
        bridge.send(.resume([100]))
        try #require(observer.waitForEnds(Self.count))
        #expect(asked.last == 100)
    }

    @Test("A row that is cancelled without a task has ended at once and is never asked for; tried again it starts")
    func cancelling() throws {
        defer { fixture.end() }
        try fill()
        // As many as would take all tasks if the queue still had them.
        let cancelled = 90...180
        bridge.send(.cancel(cancelled.map(UInt64.init), deletingParts: false))
        #expect(bridge.figures(of: [90, 180]).map(\.state) == [.cancelled, .cancelled])
        let left = Self.count - cancelled.count
        #expect(bridge.counts.live == left && bridge.counts.pending == left)
        bridge.send(.resume([101]))
        #expect(bridge.counts.pending == left + 1)
        gate.release()
        try #require(observer.waitForEnds(Self.count + 1))
        let expected: [Int] = (1...Self.count).filter { $0 == 101 || !cancelled.contains($0) }
        #expect(asked == expected)
    }

    @Test("A row without a task starts now, beyond the limit")
    func startingNow() throws {
        defer { fixture.end() }
        try fill()
        bridge.send(.pause([105]))
        bridge.send(.startNow([100, 105]))
        try #require(observer.waitForEnds(2))
        #expect(bridge.figures(of: [1, 2, 100, 105]).map(\.state) == [.running, .queued, .done, .done])
        gate.release()
        try #require(observer.waitForEnds(Self.count))
    }

    @Test("Limits that are changed while rows wait hold for those without tasks, in all and for each server")
    func limits() throws {
        let gates = try (1...3).map { try server.gate(named: "g\($0)") }
        defer { fixture.end() }
        for number in 2...Self.count {
            let gate = number <= 40 ? gates[0] : number <= 60 ? gates[1] : gates[2]
            server.setRoute("/\(number)", .file(seed: 2, count: 1_000).stalling(after: 500, until: gate))
        }
        try fill()
        bridge.send(.setLimits(TransferLimits(all: 50, perHost: 40)))
        try #require(gates[0].waitForArrivals(39))
        #expect(waitForTasks(Self.count))
        #expect(gates[1].arrivals == 0)
        bridge.send(.setLimits(TransferLimits(all: 100, perHost: 60)))
        try #require(gates[1].waitForArrivals(20))
        #expect(gates[2].arrivals == 0)
        for gate in gates + [self.gate] { gate.release() }
        try #require(observer.waitForEnds(Self.count))
    }

    @Test("Rows whose tasks cannot be made fail, and keep none of those behind them waiting")
    func unmade() throws {
        defer { fixture.end() }
        let uploads = (0..<100).map { number in
            var job = fixture.job(.upload, "/up\(number)")
            job.body = .file(path: fixture.folder.path + "/none\(number)")
            return job
        }
        bridge.add(uploads + [fixture.job(.download, "/2")])
        try #require(observer.waitForEnds(101))
        #expect(bridge.results.count { $0 == .completed } == 1)
        #expect(asked == [2])
    }

    @Test("Ten thousand rows that wait are paused, resumed and cancelled without a task for each, and keep their order")
    func many() throws {
        defer { fixture.end() }
        let jobs = (1...10_000).map { fixture.job(.download, $0 <= Self.count ? "/\($0)" : "/none\($0)") }
        bridge.add(jobs)
        try #require(gate.waitForArrivals())
        let ids = (2...10_000).map(UInt64.init)
        let last = [UInt64(9_999), 10_000]
        for _ in 1...3 {
            bridge.send(.pause(ids))
            try #require(observer.wait { _ in bridge.figures(of: last).map(\.state) == [.paused, .paused] })
            bridge.send(.resume(ids))
            #expect(bridge.figures(of: last).map(\.state) == [.queued, .queued])
        }
        #expect(bridge.counts.pending == 10_000)
        #expect(taskCount <= 4 * 64, "\(taskCount)")
        bridge.send(.cancel(Array(ids.dropFirst(3)), deletingParts: true))
        gate.release()
        try #require(observer.waitForEnds(10_000))
        #expect(asked == [1, 2, 3, 4])
        #expect(bridge.isIdle && bridge.counts.live == 0)
    }
}
