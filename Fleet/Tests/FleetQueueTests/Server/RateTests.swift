import Foundation
import Synchronization
import Testing

@testable import FleetQueue

/// A worker of this process, whose jobs run until they are stopped.
@Suite("Rates of hosts", needsServer, .timeLimit(.minutes(10)))
struct RateTests {
    private final class Runner: TransferRunner, Sendable {
        private let state = Mutex((limits: [Int64?](), reports: [JobReport]()))
        private let bell: Bell

        init(_ bell: Bell) { self.bell = bell }

        var limits: [Int64?] { state.withLock(\.limits) }
        func start(_ job: ClaimedJob) {}
        func limit(_ id: Int64, to rate: Int64?) { state.withLock { $0.limits.append(rate) } }
        func stop(_ id: Int64) {
            state.withLock { $0.reports.append(.stopped(id, received: nil)) }
            bell.ring()
        }
        func takeReports() -> [JobReport] {
            state.withLock { state in
                defer { state.reports = [] }
                return state.reports
            }
        }
    }

    /// What a worker on another thread is told, and whether it has ended.
    private final class Orders: Sendable {
        private let state = Mutex((order: FleetWorker.Order.work, isEnded: false))

        var order: FleetWorker.Order { state.withLock(\.order) }
        var isEnded: Bool { state.withLock(\.isEnded) }
        func park() { state.withLock { $0.order = .park } }
        func end() { state.withLock { $0.isEnded = true } }
    }

    @Test("A rate that a host gets while its jobs run limits them, and its end frees them")
    func later() throws {
        let test = try TestQueue()
        let queue = try test.open()
        try queue.add(text: "http://h/a")
        let (bell, address, orders) = (try Bell(), try test.address, Orders())
        let runner = Runner(bell)
        Thread {
            let one = FleetWorker(address, as: worker("w"), runner: runner, bell: bell) { _ in }
            try? one.run { orders.order }
            orders.end()
        }.start()
        try eventually("the job runs") { try queue.count(.running) == 1 }
        try queue.connection.run("UPDATE netdash.host SET rate = 5000")
        eventually("it is limited") { runner.limits == [5_000] }
        try queue.connection.run("UPDATE netdash.host SET rate = NULL")
        eventually("it is free") { runner.limits == [5_000, nil] }
        orders.park()
        bell.ring()
        eventually("the worker ends") { orders.isEnded }
        #expect(try queue.count(.waiting) == 1)
    }
}
