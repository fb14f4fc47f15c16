import Testing

@testable import Dashboard
@testable import netdash

@Suite("The order of the queue")
struct QueueOrderTests {
    private func queue(_ ids: UInt64...) -> QueueOrder {
        QueueOrder(ids.enumerated().map { ($1, .init(priority: 0, place: UInt64($0))) })
    }

    /// The order that the changed keys make of rows numbered from one.
    private func order(_ queue: QueueOrder, count: Int) -> [UInt64] {
        var places = (1...count).map { (id: UInt64($0), place: UInt64($0 - 1)) }
        for (id, key) in queue.changes { places[Int(id) - 1].place = key.place }
        return places.sorted { $0.place < $1.place }.map(\.id)
    }

    @Test("Rows change places with their neighbours, and stop one behind the other at the end")
    func moves() {
        var queue = queue(1, 2, 3, 4, 5)
        #expect(queue.changes.isEmpty)
        queue.move([2, 4], towardsFront: true)
        #expect(order(queue, count: 5) == [2, 1, 4, 3, 5])
        queue.move([2, 4], towardsFront: true)
        #expect(order(queue, count: 5) == [2, 4, 1, 3, 5])
        queue.move([2, 4], towardsFront: true)
        #expect(order(queue, count: 5) == [2, 4, 1, 3, 5])
        queue.move([2, 4], towardsFront: false)
        #expect(order(queue, count: 5) == [1, 2, 4, 3, 5])
        queue.move([1, 2, 3, 4, 5], towardsFront: false)
        #expect(order(queue, count: 5) == [1, 2, 4, 3, 5])
    }

    @Test("A row that passes another one takes over its priority too")
    func priorities() {
        var queue = QueueOrder([(1, .init(priority: 0, place: 1)), (2, .init(priority: 2, place: 2))])
        queue.move([1], towardsFront: true)
        #expect(queue.changes.map(\.id) == [1, 2])
        #expect(queue.changes.map(\.key.priority) == [2, 0])
    }

    @Test("An empty queue and one of one row stay as they are")
    func small() {
        var none = QueueOrder([])
        none.move([1], towardsFront: true)
        var one = queue(1)
        one.move([1], towardsFront: false)
        #expect(none.changes.isEmpty && one.changes.isEmpty)
    }
}
