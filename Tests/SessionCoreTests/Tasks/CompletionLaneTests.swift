import Dispatch
import Testing

@testable import SessionCore

@Suite("Lane of completion handlers", .timeLimit(.minutes(1))) struct CompletionLaneTests {
    @Test("On a serial queue handlers run once each, on that queue, in the order they became due")
    func order() async {
        let key = DispatchSpecificKey<Bool>()
        let queue = DispatchQueue(label: "CompletionLaneTests")
        queue.setSpecific(key: key, value: true)
        let lane = CompletionLane<Item>(queue)
        let group = DispatchGroup()
        let log = EventLog<Int>()
        for number in 0..<1_000 {
            lane.run([Item(group) { if DispatchQueue.getSpecific(key: key) == true { log.add(number) } }])
        }
        await withCheckedContinuation { continuation in group.notify(queue: .global()) { continuation.resume() } }
        #expect(log.entries == Array(0..<1_000))
    }

    @Test("On a concurrent queue no handler waits for another")
    func concurrency() async {
        let lane = CompletionLane<Item>(DispatchQueue(label: "CompletionLaneTests", attributes: .concurrent))
        let group = DispatchGroup()
        let gate = DispatchSemaphore(value: 0)
        // The first waits for the last.
        lane.run([Item(group) { gate.wait() }])
        lane.run([Item(group) {}, Item(group) { gate.signal() }])
        await withCheckedContinuation { continuation in group.notify(queue: .global()) { continuation.resume() } }
    }

    @Test("A handler that makes others due does not keep the queue from other work")
    func fairness() async {
        let queue = DispatchQueue(label: "CompletionLaneTests")
        let lane = CompletionLane<Item>(queue)
        let log = EventLog<String>()
        queue.suspend()
        lane.run([Item { Self.again(lane, log) }])
        queue.async { log.add("other") }
        queue.resume()
        _ = await log.wait { $0.contains("other") }
        log.add("stop")
    }

    private static func again(_ lane: CompletionLane<Item>, _ log: EventLog<String>) {
        guard !log.entries.contains("stop") else { return }
        lane.run([Item { again(lane, log) }])
    }

    @Test("The group is left when a handler has returned")
    func group() {
        let queue = DispatchQueue(label: "CompletionLaneTests")
        let group = DispatchGroup()
        queue.suspend()
        CompletionLane<Item>(queue).run([Item(group) {}])
        #expect(group.wait(timeout: .now()) == .timedOut)
        queue.resume()
        group.wait()
    }

    private struct Item: CompletionLaneItem {
        let group: DispatchGroup
        let work: @Sendable () -> Void

        init(_ group: DispatchGroup = DispatchGroup(), work: @escaping @Sendable () -> Void) {
            (self.group, self.work) = (group, work)
            group.enter()
        }

        func run() { work() }
    }
}
