/// Who runs next: a bounded number of transfers at once, a bounded number to each host, the rest in order.
///
/// Higher priority goes first; within a priority the order of joining decides, except that a host whose slots are all
/// taken does not hold up the others. Paused transfers are not in here at all.
struct Scheduler: Sendable {
    private struct Waiting: Sendable {
        var id: TransferID
        var sequence: UInt64
        var priority: Float

        func goesBefore(_ other: Waiting) -> Bool {
            priority == other.priority ? sequence < other.sequence : priority > other.priority
        }
    }

    /// The line in front of one host.
    ///
    /// Entries before `head` are gone; left ones stay until they reach the front.
    private struct Line: Sendable {
        var waiting: [Waiting] = []
        var head = 0
        var running = 0
        var isEmpty: Bool { head == waiting.count }
    }

    let limit: Int
    let limitPerHost: Int
    private(set) var running = 0
    private var lines: [String: Line] = [:]
    private var hostOfWaiting: [TransferID: String] = [:]
    private var sequence: UInt64 = 0

    init(limit: Int, limitPerHost: Int) {
        self.limit = max(limit, 1)
        self.limitPerHost = max(limitPerHost, 1)
    }

    /// How many wait for a slot.
    var waitingCount: Int { hostOfWaiting.count }

    /// Puts a transfer at the end of its priority.
    ///
    /// Joining twice changes nothing.
    mutating func join(_ id: TransferID, host: String, priority: Float = 0.5) {
        guard hostOfWaiting[id] == nil else { return }
        hostOfWaiting[id] = host
        sequence += 1
        let entry = Waiting(id: id, sequence: sequence, priority: priority)
        var line = lines.removeValue(forKey: host) ?? Line()
        if let last = line.waiting.last, !line.isEmpty, last.priority < priority {
            let place = line.waiting[line.head...].firstIndex { $0.priority < priority } ?? line.waiting.count
            line.waiting.insert(entry, at: place)
        } else {
            line.waiting.append(entry)
        }
        lines[host] = line
    }

    /// Takes a transfer out of the queue; without effect when it does not wait.
    mutating func leave(_ id: TransferID) {
        guard let host = hostOfWaiting.removeValue(forKey: id) else { return }
        tidy(host)
    }

    /// Gives a slot back.
    mutating func release(host: String) {
        running -= 1
        guard var line = lines.removeValue(forKey: host) else { return }
        line.running -= 1
        if line.running > 0 || !line.isEmpty { lines[host] = line }
    }

    /// Takes the next transfer out of the queue and counts it as running; nil when nobody can run.
    mutating func next() -> TransferID? {
        guard running < limit, !hostOfWaiting.isEmpty else { return nil }
        var best: (host: String, entry: Waiting)?
        for (host, line) in lines where line.running < limitPerHost && !line.isEmpty {
            let entry = line.waiting[line.head]
            if let current = best?.entry, current.goesBefore(entry) { continue }
            best = (host, entry)
        }
        guard let best else { return nil }
        hostOfWaiting[best.entry.id] = nil
        running += 1
        if var line = lines.removeValue(forKey: best.host) {
            line.running += 1
            line.head += 1
            lines[best.host] = line
        }
        tidy(best.host)
        return best.entry.id
    }

    /// Drops entries at the front that have left, and the memory of those long gone.
    private mutating func tidy(_ host: String) {
        guard var line = lines.removeValue(forKey: host) else { return }
        while !line.isEmpty, hostOfWaiting[line.waiting[line.head].id] == nil { line.head += 1 }
        if line.head > 1024, line.head * 2 > line.waiting.count {
            line.waiting.removeFirst(line.head)
            line.head = 0
        }
        if line.running > 0 || !line.isEmpty { lines[host] = line }
    }
}
