import FuzzTestSupport
import Testing

@testable import SessionCore

@Suite("Queues of hosts")
struct HostQueuesTests {
    private typealias Model = [TransferID: (queue: Int, waiter: HostQueues.Waiter)]

    private static func waiter(_ number: UInt64, position: UInt64? = nil, priority: Float = 0.5) -> HostQueues.Waiter {
        HostQueues.Waiter(id: TransferID(rawValue: number), position: position ?? number, priority: priority)
    }

    /// One random change of queues and of what they have to be.
    private static func change(_ queues: inout HostQueues, _ model: inout Model, _ generator: inout SeededGenerator) {
        let number = UInt64.random(in: 0..<60, using: &generator)
        let id = TransferID(rawValue: number)
        let position = UInt64.random(in: 0..<60, using: &generator)
        let priority = Float(Int.random(in: 0...2, using: &generator)) / 2
        switch Int.random(in: 0..<8, using: &generator) {
        case 0...3:
            let queue = Int.random(in: 0..<5, using: &generator) == 0 ? 3 : Int(number / 20)
            let isOdd = Int.random(in: 0..<4, using: &generator) == 0
            for number in number..<(isOdd ? number + 1 : min(number + 5, 60)) {
                let waiter = waiter(number, position: isOdd ? position : nil, priority: isOdd ? priority : 0.5)
                queues.join(waiter, queue: queue)
                model[waiter.id] = model[waiter.id] ?? (queue, waiter)
            }
        case 4...5:
            let left = queues.leave(id)
            #expect(left == model.removeValue(forKey: id)?.queue)
        case 6:
            queues.move(id, priority: priority, position: position)
            model[id]?.waiter = waiter(number, position: position, priority: priority)
        default:
            queues.move(id, priority: priority, position: nil)
            model[id]?.waiter.priority = priority
        }
    }

    @Test(
        "Whatever joins, moves and leaves, singly or at once, the first of the open queues is known", arguments: 0..<60)
    func random(_ seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        var queues = HostQueues(keepsRuns: seed % 3 != 0)
        var model: Model = [:]
        for queue in 0..<4 { queues.join(Self.waiter(UInt64(1_000 + queue)), queue: queue) }
        for queue in 0..<4 {
            model[TransferID(rawValue: UInt64(1_000 + queue))] = (queue, Self.waiter(UInt64(1_000 + queue)))
        }
        for step in 0..<150 {
            let isBatch = Int.random(in: 0..<3, using: &generator) == 0
            if isBatch { queues.beginBatch() }
            for _ in 0..<(isBatch ? Int.random(in: 1..<60, using: &generator) : 1) {
                Self.change(&queues, &model, &generator)
            }
            if isBatch { queues.endBatch() }
            let shut = step % 5
            if shut < 4 { queues.setOpen(shut, false) }
            let first = model.values.filter { $0.queue != shut }.map(\.waiter).min { $0.goesBefore($1) }
            #expect(queues.first?.waiter == first && queues.count == model.count)
            if shut < 4 { queues.setOpen(shut, true) }
        }
        var order: [HostQueues.Waiter] = []
        while let first = queues.first?.waiter, queues.leave(first.id) != nil { order.append(first) }
        #expect(order == model.values.map(\.waiter).sorted { $0.goesBefore($1) })
    }

    @Test("A long list is changed at once in the time that sorting takes, forwards and backwards")
    func many() {
        var queues = HostQueues(keepsRuns: true)
        let numbers = UInt64(1)...100_000
        for number in numbers { queues.join(Self.waiter(number), queue: 0) }
        queues.beginBatch()
        for number in numbers.reversed() { queues.move(TransferID(rawValue: number), priority: 0.75, position: nil) }
        queues.endBatch()
        #expect(queues.first?.waiter == Self.waiter(1, priority: 0.75))
        for number in numbers.reversed() where number % 2 == 0 { _ = queues.leave(TransferID(rawValue: number)) }
        for number in numbers where number % 2 == 0 { queues.join(Self.waiter(number), queue: 0) }
        #expect(queues.count == 100_000 && queues.count(in: 0) == 100_000)
        for number in numbers { _ = queues.leave(TransferID(rawValue: number)) }
        #expect(queues.first == nil && queues.count == 0)
    }
}
