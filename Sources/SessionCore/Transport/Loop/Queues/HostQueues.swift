/// A queue of waiters for each host, and the first waiter of all open queues.
///
/// Higher priority goes first, then the lower rank. Hosts are numbers here; see ``SlotQueue``. Waiters whose numbers
/// equal their ranks, as in a list, can be kept as runs: a hundred thousand rows of one host are one run.
struct HostQueues: Sendable {
    struct Waiter: Sendable, Equatable {
        var id: TransferID
        var position: UInt64
        var priority: Float

        func goesBefore(_ other: Waiter) -> Bool {
            if priority != other.priority { return priority > other.priority }
            return position == other.position ? id < other.id : position < other.position
        }
    }

    /// A waiter with a ticket, or a run of consecutive waiters.
    private struct Item: Sendable {
        var first: Waiter
        /// The waiters of a run; 0 for a waiter with a ticket, which is stale if it differs from the ticket.
        var count: UInt32 = 0

        /// The waiter that would extend a run; for a waiter with a ticket, itself.
        var end: Waiter { moved(by: UInt64(count)) }

        /// Returns the waiter that many behind the first.
        func moved(by count: UInt64) -> Waiter {
            Waiter(
                id: TransferID(rawValue: first.id.rawValue + count), position: first.position + count,
                priority: first.priority)
        }
    }

    private struct Ticket: Sendable {
        var position: UInt64
        var priority: Float
        var queue: Int32

        func isOf(_ waiter: Waiter) -> Bool { position == waiter.position && priority == waiter.priority }

        func isOf(_ waiter: Waiter, _ number: Int) -> Bool { queue == Int32(number) && isOf(waiter) }
    }

    /// Items before `head` are removed; stale ones stay until they are first, or more than half of all.
    private struct Queue: Sendable {
        var items: [Item] = []
        var head = 0
        var count = 0
        var isOpen = true
        /// Waiters with tickets that the current batch has not sorted yet.
        var late: [Waiter] = []
    }

    /// Whether waiters are kept as runs where possible.
    private let keepsRuns: Bool
    private var queues: [Queue] = []
    private var tickets: [TransferID: Ticket] = [:]
    /// The queues of runs: each step covers the waiters from its number up to the next step.
    private var steps: [(first: TransferID, queue: Int32)] = []
    /// The highest number in `steps`.
    private var latest: TransferID?
    private var heads = QueueHeads()
    private var isGathering = false
    private var unsorted: [Int] = []
    private(set) var count = 0

    init(keepsRuns: Bool) {
        self.keepsRuns = keepsRuns
    }

    var first: (queue: Int, waiter: Waiter)? { heads.first }

    func count(in queue: Int) -> Int { queue < queues.count ? queues[queue].count : 0 }

    /// Returns the queue of a waiter; nil for one that does not wait.
    func queue(of id: TransferID) -> Int? { tickets[id].map { Int($0.queue) } ?? run(of: id)?.queue }

    /// Opens a queue, whose waiters may then be granted slots, or closes it.
    mutating func setOpen(_ queue: Int, _ isOpen: Bool) {
        guard queue < queues.count, queues[queue].isOpen != isOpen else { return }
        queues[queue].isOpen = isOpen
        settle(queue)
    }

    // MARK: - Changes

    /// Adds a waiter to a queue, unless it waits already.
    mutating func join(_ waiter: Waiter, queue: Int) {
        guard self.queue(of: waiter.id) == nil else { return }
        while queues.count <= queue { queues.append(Queue()) }
        (count, queues[queue].count) = (count + 1, queues[queue].count + 1)
        if joinsRun(waiter, queue) { insert(Item(first: waiter, count: 1), queue) } else { insert(waiter, queue) }
        settle(queue)
    }

    /// Changes a waiter's priority and, if given, its rank; without effect on one that does not wait.
    mutating func move(_ id: TransferID, priority: Float, position: UInt64?) {
        guard let queue = queue(of: id) else { return }
        let ticket = tickets[id] ?? Ticket(position: id.rawValue, priority: Self.usual, queue: Int32(queue))
        let waiter = Waiter(id: id, position: position ?? ticket.position, priority: priority)
        guard !ticket.isOf(waiter) else { return }
        if tickets[id] == nil { leaveRun(id) }
        insert(waiter, queue)
        settle(queue)
    }

    /// Removes a waiter, and returns its queue; nil for one that did not wait.
    mutating func leave(_ id: TransferID) -> Int? {
        guard let queue = queue(of: id) else { return nil }
        if tickets.removeValue(forKey: id) == nil { leaveRun(id) }
        (count, queues[queue].count) = (count - 1, queues[queue].count - 1)
        if count == 0 { (steps, latest) = ([], nil) }
        settle(queue)
        return queue
    }

    /// Begins a batch of changes, during which `first` is not read.
    mutating func beginBatch() { isGathering = true }

    /// Ends a batch: sorts each queue it has changed once.
    mutating func endBatch() {
        isGathering = false
        for queue in unsorted {
            var items: [Item] = []
            let waiting = queues[queue].items[queues[queue].head...].flatMap { waiters(of: $0, queue) }
            let late = queues[queue].late.filter { isThere($0, queue) }
            for waiter in (waiting + late).sorted(by: { $0.goesBefore($1) }) where items.last?.first != waiter {
                if tickets[waiter.id] != nil {
                    items.append(Item(first: waiter))
                } else if let last = items.last, last.count > 0, last.end == waiter {
                    items[items.count - 1].count += 1
                } else {
                    items.append(Item(first: waiter, count: 1))
                }
            }
            (queues[queue].items, queues[queue].head, queues[queue].late) = (items, 0, [])
            settle(queue)
        }
        unsorted = []
    }

    private func waiters(of item: Item, _ queue: Int) -> [Waiter] {
        if item.count == 0 { return isThere(item.first, queue) ? [item.first] : [] }
        return (0..<UInt64(item.count)).map { item.moved(by: $0) }
    }

    private func isThere(_ waiter: Waiter, _ queue: Int) -> Bool { tickets[waiter.id]?.isOf(waiter, queue) == true }

    // MARK: - Items

    /// Returns the index of the first item behind a waiter's rank.
    private func index(behind waiter: Waiter, _ queue: Int) -> Int {
        var low = queues[queue].head
        var high = queues[queue].items.count
        if low < high, queues[queue].items[high - 1].first.goesBefore(waiter) { return high }
        while low < high {
            let middle = (low + high) / 2
            if waiter.goesBefore(queues[queue].items[middle].first) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// Gives a waiter a ticket and inserts it.
    private mutating func insert(_ waiter: Waiter, _ queue: Int) {
        tickets[waiter.id] = Ticket(position: waiter.position, priority: waiter.priority, queue: Int32(queue))
        guard isGathering else { return insert(Item(first: waiter), queue) }
        if queues[queue].late.isEmpty { unsorted.append(queue) }
        queues[queue].late.append(waiter)
    }

    private mutating func insert(_ item: Item, _ queue: Int) {
        let index = index(behind: item.first, queue)
        guard index > queues[queue].head else { return queues[queue].items.insert(item, at: index) }
        let before = queues[queue].items[index - 1]
        // The waiter's own stale item can be reused.
        if before.count == 0, before.first == item.first { return queues[queue].items[index - 1] = item }
        if item.count > 0, before.count > 0, before.end == item.first {
            return queues[queue].items[index - 1].count += 1
        }
        // Waiters of a run with higher ranks follow it.
        var rest: [Item] = []
        if before.count > 0, item.first.goesBefore(before.moved(by: UInt64(before.count) - 1)) {
            let kept = item.first.position - before.first.position + (before.first.id < item.first.id ? 1 : 0)
            rest = [Item(first: before.moved(by: kept), count: before.count - UInt32(kept))]
            queues[queue].items[index - 1].count = UInt32(kept)
        }
        queues[queue].items.insert(contentsOf: [item] + rest, at: index)
    }

    // MARK: - Runs

    private static let usual: Float = 0.5

    /// Whether a waiter can join a run of a queue, where its number alone tells its rank.
    private mutating func joinsRun(_ waiter: Waiter, _ queue: Int) -> Bool {
        guard keepsRuns, waiter.position == waiter.id.rawValue, waiter.priority == Self.usual else { return false }
        if let latest, waiter.id <= latest { return step(of: waiter.id) == queue }
        if steps.last?.queue != Int32(queue) { steps.append((waiter.id, Int32(queue))) }
        latest = waiter.id
        return true
    }

    /// Returns the queue whose run a waiter would be in.
    private func step(of id: TransferID) -> Int? {
        var (low, high) = (0, steps.count)
        while low < high {
            let middle = (low + high) / 2
            if steps[middle].first <= id { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? nil : Int(steps[low - 1].queue)
    }

    /// Returns the run of a waiter; nil for one in no run.
    private func run(of id: TransferID) -> (queue: Int, index: Int)? {
        guard let queue = step(of: id), queue < queues.count else { return nil }
        let index = index(behind: Waiter(id: id, position: id.rawValue, priority: Self.usual), queue) - 1
        guard index >= queues[queue].head else { return nil }
        let item = queues[queue].items[index]
        guard item.first.id <= id, id.rawValue - item.first.id.rawValue < UInt64(item.count) else { return nil }
        return (queue, index)
    }

    /// Removes a waiter from its run.
    private mutating func leaveRun(_ id: TransferID) {
        guard let (queue, index) = run(of: id) else { return }
        let item = queues[queue].items[index]
        let before = id.rawValue - item.first.id.rawValue
        let behind = UInt64(item.count) - before - 1
        let rest = Item(first: item.moved(by: before + 1), count: UInt32(behind))
        switch (before, behind) {
        case (0, 0) where index == queues[queue].head: queues[queue].head += 1
        case (0, 0): queues[queue].items.remove(at: index)
        case (0, _): queues[queue].items[index] = rest
        default:
            queues[queue].items[index].count = UInt32(before)
            if behind > 0 { queues[queue].items.insert(rest, at: index + 1) }
        }
    }

    // MARK: - The first items

    /// Drops stale items before the first waiter, frees the memory of removed items, and records the first waiter.
    private mutating func settle(_ queue: Int) {
        while queues[queue].head < queues[queue].items.count {
            let item = queues[queue].items[queues[queue].head]
            if item.count > 0 || isThere(item.first, queue) { break }
            queues[queue].head += 1
        }
        let (head, rest) = (queues[queue].head, queues[queue].items.count - queues[queue].head)
        if rest == 0 {
            // An empty queue that was long gives its memory back.
            if head > 0 { queues[queue].items.removeAll(keepingCapacity: head <= 1_024) }
            queues[queue].head = 0
        } else if rest > 1_024, rest > 2 * queues[queue].count {
            let items = queues[queue].items[head...].filter { $0.count > 0 || isThere($0.first, queue) }
            (queues[queue].items, queues[queue].head) = (items, 0)
        } else if head > 1_024, head > rest {
            queues[queue].items.removeFirst(head)
            queues[queue].head = 0
        }
        heads.set(queue, queues[queue].isOpen && rest > 0 ? queues[queue].items[queues[queue].head].first : nil)
    }
}
