/// The times at which the loop has to act: a binary heap with lazy removal.
struct Deadlines: Sendable {
    /// The subject of a deadline.
    enum Purpose: Sendable, Hashable {
        case hold(TransferID)
        case retry(TransferID)
        case stall(TransferID)
        case arrival(TransferID)
        case window(TransferID)
        case limit(TransferID)
        case segments(TransferID)
        case hosts

        /// The transfer of the deadline; nil for one that concerns all.
        var transferID: TransferID? {
            switch self {
            case .hold(let id), .retry(let id), .stall(let id), .arrival(let id), .window(let id), .limit(let id),
                .segments(let id):
                id
            case .hosts: nil
            }
        }

        /// Hashes the transfer's number together with the case, in one step.
        func _rawHashValue(seed: Int) -> Int {
            switch self {
            case .hold(let id): id._rawHashValue(seed: seed)
            case .retry(let id): ~id._rawHashValue(seed: seed)
            case .stall(let id): id._rawHashValue(seed: seed) &+ 1
            case .arrival(let id): ~id._rawHashValue(seed: seed) &+ 1
            case .window(let id): id._rawHashValue(seed: seed) &+ 2
            case .limit(let id): ~id._rawHashValue(seed: seed) &+ 2
            case .segments(let id): id._rawHashValue(seed: seed) &+ 3
            case .hosts: seed
            }
        }
    }

    /// Converts seconds to milliseconds.
    ///
    /// NaN and longer times become 24 days, the most libcurl can count, which for a transfer is forever.
    static func milliseconds(_ seconds: Double) -> Int64 {
        seconds.isNaN ? Int64(Int32.max) : Int64(min(max(seconds * 1000, 0), Double(Int32.max)))
    }

    private struct Entry: Sendable {
        var time: Int64
        var purpose: Purpose
        var generation: UInt64
    }

    private var heap: [Entry] = []
    private var current: [Purpose: UInt64] = [:]
    private var generation: UInt64 = 0

    /// Sets a deadline in milliseconds of the monotonic clock, replacing an earlier one for the same purpose.
    mutating func set(_ purpose: Purpose, at time: Int64) {
        generation += 1
        current[purpose] = generation
        heap.append(Entry(time: time, purpose: purpose, generation: generation))
        siftUp(heap.count - 1)
    }

    /// Clears a deadline; without effect if none is set.
    mutating func clear(_ purpose: Purpose) {
        current[purpose] = nil
        if current.isEmpty { heap.removeAll(keepingCapacity: true) }
    }

    mutating func earliest() -> Int64? {
        dropStale()
        return heap.first?.time
    }

    /// Removes and returns the next purpose that is due.
    mutating func next(dueAt now: Int64) -> Purpose? {
        dropStale()
        guard let first = heap.first, first.time <= now else { return nil }
        current[first.purpose] = nil
        removeFirst()
        return first.purpose
    }

    private mutating func dropStale() {
        while let first = heap.first, current[first.purpose] != first.generation { removeFirst() }
    }

    private mutating func removeFirst() {
        guard let last = heap.popLast() else { return }
        guard !heap.isEmpty else { return }
        heap[0] = last
        siftDown(0)
    }

    private mutating func siftUp(_ start: Int) {
        var index = start
        while index > 0 {
            let parent = (index - 1) / 2
            guard heap[index].time < heap[parent].time else { return }
            heap.swapAt(index, parent)
            index = parent
        }
    }

    private mutating func siftDown(_ start: Int) {
        var index = start
        while true {
            var smallest = index
            let left = 2 * index + 1
            if left < heap.count, heap[left].time < heap[smallest].time { smallest = left }
            if left + 1 < heap.count, heap[left + 1].time < heap[smallest].time { smallest = left + 1 }
            guard smallest != index else { return }
            heap.swapAt(index, smallest)
            index = smallest
        }
    }
}
