/// Who runs next: a bounded number of transfers at once, a bounded number to each host, the rest in order.
///
/// Higher priority goes first; within a priority the order of joining decides, except that a host whose slots are all
/// taken does not hold up the others. A transfer may also name its place, and then that decides instead. Paused
/// transfers are not in here at all. A host is named with the way to it, see ``RequestWay/key``: each way has a line, and
/// all lines of a host share its slots.
struct SlotQueue: Sendable {
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
        /// The number of its host's line.
        var line: Int
        var entry: Waiting
    }

    /// The line in front of one host, for those who go the same way.
    ///
    /// Entries before `head` are gone; left ones stay until they reach the front.
    private struct Line: Sendable {
        var host: String
        var waiting: [Waiting] = []
        var head = 0
        var running = 0
        /// The line of the host's ordinary way, which counts for all; its own number where it is that.
        var home = 0
        /// Transfers that run in all lines which have this one as their home.
        var total = 0
        /// Lines of other ways that have this one as their home.
        var guests = 0
        /// Whether nobody of the line may go.
        var isShut = false
        /// The transfers that the host gets at once, whatever the limits allow beyond it.
        var allowance = Int.max
        var isEmpty: Bool { head == waiting.count }
    }

    private(set) var limit: Int
    private(set) var limitPerHost: Int
    private(set) var running = 0
    /// Transfers that get a slot whatever the limits say, and left-overs of some that do not wait any more.
    ///
    /// Never more than a user has asked for by hand.
    private var urgent: [TransferID] = []
    private var lines: [Line] = []
    private var numbers: [String: Int] = [:]
    /// The line that was asked for last: most lists have one host, and comparing two names costs less than hashing one.
    private var latest = 0
    /// Lines whose host is gone.
    private var unused: [Int] = []
    private var tickets: [TransferID: Ticket] = [:]
    /// Hosts whose lines are shut, also where there is no line.
    private var shut: Set<String> = []
    /// The transfers that hosts get at once which are to have fewer than the limits allow, also where there is no line.
    private var allowances: [String: Int] = [:]
    private var sequence: UInt64 = 0

    init(limit: Int, limitPerHost: Int) {
        self.limit = max(limit, 1)
        self.limitPerHost = max(limitPerHost, 1)
    }

    /// Changes the limits; with a limit of zero no transfer begins, hastened or not.
    ///
    /// Transfers that run keep their slots where there are fewer now; the next one gets a slot when enough have ended.
    mutating func setLimits(_ limit: Int, perHost: Int) {
        self.limit = max(limit, 0)
        limitPerHost = max(perHost, 1)
    }

    /// Lets nobody of a host's line go any more, or everybody again; those that run go on, and who is hastened goes.
    mutating func setShut(_ host: String, _ isShut: Bool) {
        guard shut.contains(host) != isShut else { return }
        if isShut { shut.insert(host) } else { shut.remove(host) }
        if let line = numbers[host] { lines[line].isShut = isShut }
    }

    /// Lets a host have so many transfers at once, where the limits allow more; nil for what these allow.
    mutating func setAllowance(_ host: String, _ count: Int?) {
        allowances[host] = count
        if let line = numbers[host] { lines[line].allowance = count ?? .max }
    }

    /// The transfers that run at a host.
    func running(at host: String) -> Int { numbers[host].map { lines[$0].running } ?? 0 }

    /// The transfers that run at a host, whatever way they go.
    private func total(at host: String) -> Int {
        let line = numbers[host] ?? numbers[RequestWay(key: host).origin]
        return line.map { lines[lines[$0].home].total } ?? 0
    }

    /// Lets a transfer that waits have the next slot, beyond the limits if need be; one that does not wait is left
    /// alone.
    mutating func hasten(_ id: TransferID) {
        guard tickets[id] != nil, !urgent.contains(id) else { return }
        urgent.append(id)
    }

    /// How many wait for a slot.
    var waitingCount: Int { tickets.count }

    /// Whether a transfer waits for a slot.
    func isWaiting(_ id: TransferID) -> Bool { tickets[id] != nil }

    /// Puts a transfer at its place within its priority, which is the end unless it names one.
    ///
    /// Joining twice changes nothing.
    mutating func join(_ id: TransferID, host: String, priority: Float = 0.5, place: UInt64? = nil) {
        guard tickets[id] == nil else { return }
        sequence += 1
        let entry = Waiting(id: id, place: place ?? sequence, sequence: sequence, priority: priority)
        insert(entry, line: line(of: host))
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
        insert(entry, line: ticket.line)
        tidy(ticket.line)
    }

    /// Removes a transfer from the queue; without effect when it does not wait.
    mutating func leave(_ id: TransferID) {
        guard let line = tickets.removeValue(forKey: id)?.line else { return }
        tidy(line)
    }

    /// The slots of a host that nobody has.
    func room(for host: String) -> Int {
        let beside = limitPerHost - total(at: host)
        guard !allowances.isEmpty, let allowance = allowances[host] else { return max(beside, 0) }
        return max(min(beside, allowance - running(at: host)), 0)
    }

    /// Gives a slot back.
    mutating func release(host: String) {
        running -= 1
        guard let line = knownLine(of: host) else { return }
        lines[line].running -= 1
        lines[lines[line].home].total -= 1
        tidy(line)
    }

    /// Removes the next transfer from the queue and counts it as running; nil when none can run.
    mutating func next() -> TransferID? {
        guard limit > 0 else { return nil }
        if let id = nextUrgent() { return id }
        guard running < limit, !tickets.isEmpty else { return nil }
        var best: (line: Int, entry: Waiting)?
        for line in lines.indices
        where !lines[line].isEmpty && !lines[line].isShut && lines[line].running < lines[line].allowance
            && lines[lines[line].home].total < limitPerHost
        {
            let entry = lines[line].waiting[lines[line].head]
            if let current = best?.entry, current.goesBefore(entry) { continue }
            best = (line, entry)
        }
        guard let best else { return nil }
        tickets[best.entry.id] = nil
        countRunning(best.line)
        lines[best.line].head += 1
        tidy(best.line)
        return best.entry.id
    }

    /// Removes the first transfer that waits and need not heed the limits; it counts as running like every other.
    private mutating func nextUrgent() -> TransferID? {
        while !urgent.isEmpty {
            let id = urgent.removeFirst()
            guard let line = tickets.removeValue(forKey: id)?.line else { continue }
            countRunning(line)
            tidy(line)
            return id
        }
        return nil
    }

    private mutating func countRunning(_ line: Int) {
        running += 1
        lines[line].running += 1
        lines[lines[line].home].total += 1
    }

    /// The line of a host, a new one at need.
    private mutating func line(of host: String) -> Int {
        if let known = knownLine(of: host) { return known }
        let home = host.contains(RequestWay.separator) ? line(of: RequestWay(key: host).origin) : nil
        let number = unused.popLast() ?? lines.count
        numbers[host] = number
        let line = Line(
            host: host, home: home ?? number, isShut: !shut.isEmpty && shut.contains(host),
            allowance: allowances.isEmpty ? .max : allowances[host] ?? .max)
        if number < lines.count { lines[number] = line } else { lines.append(line) }
        if let home { lines[home].guests += 1 }
        return number
    }

    /// The line of a host that has one.
    private mutating func knownLine(of host: String) -> Int? {
        if latest < lines.count, lines[latest].host == host, !host.isEmpty { return latest }
        guard let known = numbers[host] else { return nil }
        latest = known
        return known
    }

    private mutating func insert(_ entry: Waiting, line: Int) {
        tickets[entry.id] = Ticket(line: line, entry: entry)
        var low = lines[line].head
        var high = lines[line].waiting.count
        if let last = lines[line].waiting.last, !lines[line].isEmpty, last.goesBefore(entry) { low = high }
        while low < high {
            let middle = (low + high) / 2
            if lines[line].waiting[middle].goesBefore(entry) { low = middle + 1 } else { high = middle }
        }
        lines[line].waiting.insert(entry, at: low)
    }

    /// Drops entries at the front that have left, the memory of those long gone, and a line that nobody uses.
    private mutating func tidy(_ line: Int) {
        while !lines[line].isEmpty {
            let first = lines[line].waiting[lines[line].head]
            if tickets[first.id]?.entry == first { break }
            lines[line].head += 1
        }
        if lines[line].head > 1024, lines[line].head * 2 > lines[line].waiting.count {
            lines[line].waiting.removeFirst(lines[line].head)
            lines[line].head = 0
        }
        guard lines[line].isEmpty, lines[line].running == 0, lines[line].guests == 0, numbers[lines[line].host] == line
        else { return }
        let home = lines[line].home
        numbers[lines[line].host] = nil
        lines[line] = Line(host: "")
        unused.append(line)
        guard home != line else { return }
        lines[home].guests -= 1
        tidy(home)
    }
}
