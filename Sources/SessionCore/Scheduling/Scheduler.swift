/// Who runs next: a bounded number of transfers at once, a bounded number to each host, the rest in order.
///
/// Higher priority goes first; within a priority the order of joining decides, except that a host whose slots are all
/// taken does not hold up the others. A transfer may also name its place, and then that decides instead. Paused
/// transfers are not in here at all.
struct Scheduler: Sendable {
    private struct Waiting: Sendable, Equatable {
        var id: TransferID
        /// The place that the transfer named, or the number of its joining.
        var place: UInt64
        var sequence: UInt64
        var priority: Float

        func goesBefore(_ other: Waiting) -> Bool {
            if priority != other.priority { return priority > other.priority }
            return place == other.place ? sequence < other.sequence : place < other.place
        }
    }

    /// What a waiting transfer stands in line with; entries that differ from it are left-overs.
    private struct Ticket: Sendable {
        var host: String
        var entry: Waiting
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
    private var tickets: [TransferID: Ticket] = [:]
    private var sequence: UInt64 = 0

    init(limit: Int, limitPerHost: Int) {
        self.limit = max(limit, 1)
        self.limitPerHost = max(limitPerHost, 1)
    }

    /// How many wait for a slot.
    var waitingCount: Int { tickets.count }

    /// Puts a transfer at its place within its priority, which is the end unless it names one.
    ///
    /// Joining twice changes nothing.
    mutating func join(_ id: TransferID, host: String, priority: Float = 0.5, place: UInt64? = nil) {
        guard tickets[id] == nil else { return }
        sequence += 1
        insert(Waiting(id: id, place: place ?? sequence, sequence: sequence, priority: priority), host: host)
    }

    /// Moves a transfer that waits to another priority or place; one that does not wait is left alone.
    ///
    /// Without a place it keeps the one it has.
    mutating func move(_ id: TransferID, priority: Float, place: UInt64? = nil) {
        guard let ticket = tickets[id] else { return }
        var entry = ticket.entry
        entry.priority = priority
        entry.place = place ?? entry.place
        guard entry != ticket.entry else { return }
        tickets[id] = nil
        insert(entry, host: ticket.host)
        tidy(ticket.host)
    }

    /// Takes a transfer out of the queue; without effect when it does not wait.
    mutating func leave(_ id: TransferID) {
        guard let host = tickets.removeValue(forKey: id)?.host else { return }
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
        guard running < limit, !tickets.isEmpty else { return nil }
        var best: (host: String, entry: Waiting)?
        for (host, line) in lines where line.running < limitPerHost && !line.isEmpty {
            let entry = line.waiting[line.head]
            if let current = best?.entry, current.goesBefore(entry) { continue }
            best = (host, entry)
        }
        guard let best else { return nil }
        tickets[best.entry.id] = nil
        running += 1
        if var line = lines.removeValue(forKey: best.host) {
            line.running += 1
            line.head += 1
            lines[best.host] = line
        }
        tidy(best.host)
        return best.entry.id
    }

    private mutating func insert(_ entry: Waiting, host: String) {
        tickets[entry.id] = Ticket(host: host, entry: entry)
        var line = lines.removeValue(forKey: host) ?? Line()
        var low = line.head
        var high = line.waiting.count
        if let last = line.waiting.last, !line.isEmpty, last.goesBefore(entry) { low = high }
        while low < high {
            let middle = (low + high) / 2
            if line.waiting[middle].goesBefore(entry) { low = middle + 1 } else { high = middle }
        }
        line.waiting.insert(entry, at: low)
        lines[host] = line
    }

    /// Drops entries at the front that have left, and the memory of those long gone.
    private mutating func tidy(_ host: String) {
        guard var line = lines.removeValue(forKey: host) else { return }
        while !line.isEmpty, tickets[line.waiting[line.head].id]?.entry != line.waiting[line.head] { line.head += 1 }
        if line.head > 1024, line.head * 2 > line.waiting.count {
            line.waiting.removeFirst(line.head)
            line.head = 0
        }
        if line.running > 0 || !line.isEmpty { lines[host] = line }
    }
}
