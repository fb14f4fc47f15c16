/// The open queues, by the first waiter of each: a heap, because a list may name ten thousand hosts.
struct QueueHeads: Sendable {
    private var heap: [(queue: Int, waiter: HostQueues.Waiter)] = []
    /// The position of each queue in the heap; -1 for one outside it.
    private var positions: [Int32] = []

    var first: (queue: Int, waiter: HostQueues.Waiter)? { heap.first }

    /// Sets the first waiter of a queue; nil for one that is empty or closed.
    mutating func set(_ queue: Int, _ waiter: HostQueues.Waiter?) {
        while positions.count <= queue { positions.append(-1) }
        let position = Int(positions[queue])
        guard let waiter else { return position < 0 ? () : remove(position) }
        if position < 0 {
            heap.append((queue, waiter))
            sift(heap.count - 1)
        } else if heap[position].waiter != waiter {
            heap[position].waiter = waiter
            sift(position)
        }
    }

    private mutating func remove(_ position: Int) {
        positions[heap[position].queue] = -1
        let last = heap.removeLast()
        guard position < heap.count else { return }
        heap[position] = last
        sift(position)
    }

    /// Moves an element up or down to its position.
    private mutating func sift(_ start: Int) {
        let element = heap[start]
        var position = start
        while position > 0, element.waiter.goesBefore(heap[(position - 1) / 2].waiter) {
            put(heap[(position - 1) / 2], at: position)
            position = (position - 1) / 2
        }
        while 2 * position + 1 < heap.count {
            var child = 2 * position + 1
            if child + 1 < heap.count, heap[child + 1].waiter.goesBefore(heap[child].waiter) { child += 1 }
            guard heap[child].waiter.goesBefore(element.waiter) else { break }
            put(heap[child], at: position)
            position = child
        }
        put(element, at: position)
    }

    private mutating func put(_ element: (queue: Int, waiter: HostQueues.Waiter), at position: Int) {
        heap[position] = element
        positions[element.queue] = Int32(position)
    }
}
