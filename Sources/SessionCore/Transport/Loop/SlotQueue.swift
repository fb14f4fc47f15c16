/// Who runs next: a bounded number of transfers at once, a bounded number to each host, the rest in order.
///
/// Higher priority goes first; within a priority the order of joining decides, except that a host whose slots are all
/// taken does not hold up the others. A transfer may also name its place, and then that decides instead. Paused
/// transfers are not in here at all. A host is named with the way to it, see ``RequestRoute/key``: each way has a queue, and
/// all queues of a host share its slots. Entries without a transfer wait in the same queues; see ``nextAdmission()``.
struct SlotQueue: Sendable {
    /// How many of a host's queue may go.
    enum Access: Sendable {
        case all
        /// One, which finds out for all others; entries beside it need no transfers.
        case one
        case none
    }

    /// The queue of one host and one way to it.
    private struct HostQueue: Sendable {
        var host: String
        /// The queue of the host's ordinary way, which counts for all; its own number where it is that.
        var home: Int
        var running = 0
        /// Transfers that run in all queues which have this one as their home.
        var total = 0
        /// Queues of other ways that have this one as their home.
        var guests: [Int] = []
        var access = Access.all
        /// The transfers that the host gets at once, whatever the limits allow beyond it.
        var allowance = Int.max
        /// Entries that were admitted and whose transfers have not come yet.
        var admitted = 0
        /// Transfers that wait, and entries admitted, where none of the queue may go: they do not count, so that others are
        /// admitted.
        var blocked = 0
    }

    /// How many times as many transfers there are at most where most of them are blocked or wait for hosts in trouble.
    private static let blockedFactor = 16

    /// As many changes are made one by one: one in the middle of a queue costs little, and all others nothing.
    private static let fewChanges = 32

    private(set) var limit: Int
    private(set) var limitPerHost: Int
    private(set) var running = 0
    /// Transfers that get a slot whatever the limits say, and stale numbers of some that do not wait any more.
    ///
    /// Never more than a user has asked for by hand.
    private var urgent: [TransferID] = []
    /// Entries that are admitted whatever the limits say, likewise.
    private var urgentEntries: [TransferID] = []
    private var queues: [HostQueue] = []
    private var numbers: [String: Int] = [:]
    /// The queue that was asked for last: most lists have one host, and comparing two names costs less than hashing one.
    private var latest = 0
    /// Queues whose host is gone.
    private var unused: [Int] = []
    /// Transfers that wait for a slot.
    private var ready = HostQueues(keepsRuns: false)
    /// Entries without a transfer.
    private var entries = HostQueues(keepsRuns: true)
    /// Entries whose transfers were asked for, with their queues.
    private var admitted: [TransferID: Int] = [:]
    /// The entry admitted last in its turn.
    private var lastAdmitted: HostQueues.Waiter?
    /// The sum of all queues.
    private var blocked = 0
    /// Transfers that are to run, with a slot or without, and how many of them wait for a host in trouble.
    private var atWork = 0
    private var away = 0
    /// The hosts that are not open to all, also where there is no queue.
    private var accesses: [String: Access] = [:]
    /// The transfers that hosts get at once which are to have fewer than the limits allow, also where there is no queue.
    private var allowances: [String: Int] = [:]
    private var sequence: UInt64 = 0

    init(limit: Int, limitPerHost: Int) {
        self.limit = max(limit, 1)
        self.limitPerHost = max(limitPerHost, 1)
    }

    // MARK: - Limits

    /// Changes the limits; with a limit of zero no transfer begins, hastened or not, and no entry is admitted.
    ///
    /// Transfers that run keep their slots where there are fewer now; the next one gets a slot when enough have ended.
    mutating func setLimits(_ limit: Int, perHost: Int) {
        self.limit = max(limit, 0)
        limitPerHost = max(perHost, 1)
        for queue in queues.indices { refresh(queue) }
    }

    /// Sets how many of a host's queue may go; transfers that run go on, and one that is hastened goes.
    mutating func setAccess(_ host: String, _ access: Access) {
        guard accesses[host] ?? .all != access else { return }
        accesses[host] = access == .all ? nil : access
        guard let queue = numbers[host] else { return }
        queues[queue].access = access
        refresh(queue)
    }

    /// Lets a host have so many transfers at once, where the limits allow more; nil for what these allow.
    mutating func setAllowance(_ host: String, _ count: Int?) {
        allowances[host] = count
        guard let queue = numbers[host] else { return }
        queues[queue].allowance = count ?? .max
        refresh(queue)
    }

    /// The transfers that run at a host.
    func running(at host: String) -> Int { numbers[host].map { queues[$0].running } ?? 0 }

    /// The free slots of a host.
    func room(for host: String) -> Int {
        let queue = numbers[host] ?? numbers[RequestRoute(key: host).origin]
        let beside = limitPerHost - (queue.map { queues[queues[$0].home].total } ?? 0)
        guard !allowances.isEmpty, let allowance = allowances[host] else { return max(beside, 0) }
        return max(min(beside, allowance - running(at: host)), 0)
    }

    // MARK: - Transfers

    /// How many wait for a slot.
    var waitingCount: Int { ready.count }

    /// Whether a transfer waits for a slot.
    func isWaiting(_ id: TransferID) -> Bool { ready.queue(of: id) != nil }

    /// Puts a transfer at its place within its priority, which is the end unless it names one.
    ///
    /// Joining twice changes nothing.
    mutating func join(_ id: TransferID, host: String, priority: Float = 0.5, place: UInt64? = nil) {
        guard !isWaiting(id) else { return }
        sequence += 1
        let queue = queue(of: host)
        ready.join(HostQueues.Waiter(id: id, place: place ?? sequence, priority: priority), queue: queue)
        refresh(queue)
    }

    /// Moves a transfer that waits to another priority or place; one that does not wait is left alone.
    ///
    /// Without a place it keeps the one it has.
    mutating func move(_ id: TransferID, priority: Float, place: UInt64? = nil) {
        ready.move(id, priority: priority, place: place)
    }

    /// Removes a transfer from the queue; without effect when it does not wait.
    mutating func leave(_ id: TransferID) {
        if let queue = ready.leave(id) { tidy(queue) }
    }

    /// Lets a transfer that waits have the next slot, beyond the limits if need be; one that does not wait is left
    /// alone.
    mutating func hasten(_ id: TransferID) {
        if isWaiting(id), !urgent.contains(id) { urgent.append(id) }
    }

    /// Gives a slot back.
    mutating func release(host: String) {
        guard let queue = knownQueue(of: host) else { return running -= 1 }
        countRunning(queue, -1)
        tidy(queue)
    }

    /// Removes the next transfer from the queue and counts it as running; nil when none can run.
    mutating func next() -> TransferID? {
        guard limit > 0 else { return nil }
        while !urgent.isEmpty {
            let id = urgent.removeFirst()
            if start(id) { return id }
        }
        guard running < limit, let id = ready.first?.waiter.id, start(id) else { return nil }
        return id
    }

    private mutating func start(_ id: TransferID) -> Bool {
        guard let queue = ready.leave(id) else { return false }
        countRunning(queue, 1)
        return true
    }

    // MARK: - Entries

    /// Counts transfers that are to run, and how many of them wait for a host in trouble; entries are admitted while there are
    /// few others.
    mutating func count(atWork: Int = 0, away: Int = 0) {
        self.atWork += atWork
        self.away += away
    }

    /// Begins so many changes of entries.
    mutating func beginChanges(of count: Int) {
        if count > Self.fewChanges { entries.beginBatch() }
    }

    mutating func endChanges() { entries.endBatch() }

    /// Adds an entry, unless it is there or was admitted already.
    mutating func enter(_ entry: QueueEntry) {
        guard admitted[entry.id] == nil else { return }
        let queue = queue(of: entry.host)
        entries.join(HostQueues.Waiter(id: entry.id, place: entry.place, priority: entry.priority), queue: queue)
        tidy(queue)
    }

    /// Moves an entry to another priority or place.
    mutating func moveEntry(_ id: TransferID, priority: Float, place: UInt64) {
        entries.move(id, priority: priority, place: place)
    }

    /// Removes an entry, also one that was admitted: it waits no longer, or its transfer has come.
    mutating func leaveEntry(_ id: TransferID) {
        if let queue = admitted.removeValue(forKey: id) {
            queues[queue].admitted -= 1
            tidy(queue)
        } else if let queue = entries.leave(id) {
            tidy(queue)
        }
    }

    /// Has an entry admitted, beyond the limits if need be.
    mutating func hastenEntry(_ id: TransferID) {
        if entries.queue(of: id) != nil { urgentEntries.append(id) }
    }

    /// Removes the next entry that is to get a transfer, which then joins in its stead; nil where there are enough.
    ///
    /// A transfer weighs kilobytes, an entry some tens of bytes. So transfers are asked for that are near their turn, early
    /// enough that no slot waits for one. Transfers of a host that is full or in trouble do not count, and such a host gets only
    /// so many as it needs.
    mutating func nextAdmission() -> TransferID? {
        guard limit > 0, entries.count > 0 else { return nil }
        while !urgentEntries.isEmpty {
            let id = urgentEntries.removeFirst()
            if admit(id) { return id }
        }
        guard let waiter = entries.first?.waiter, isNear(waiter), admit(waiter.id) else { return nil }
        if let last = lastAdmitted, waiter.goesBefore(last) { return waiter.id }
        lastAdmitted = waiter
        return waiter.id
    }

    private func isNear(_ waiter: HostQueues.Waiter) -> Bool {
        let ahead = max(4 * limit, 64)
        let all = atWork + admitted.count
        guard all < Self.blockedFactor * ahead else { return false }
        // One that was moved to the front finds enough transfers there, which go behind it.
        let overtakes = lastAdmitted.map { waiter.goesBefore($0) } == true
        return all - away - blocked < (overtakes ? 2 * ahead : ahead)
    }

    private mutating func admit(_ id: TransferID) -> Bool {
        guard let queue = entries.leave(id) else { return false }
        admitted[id] = queue
        queues[queue].admitted += 1
        refresh(queue)
        return true
    }

    // MARK: - Queues of hosts

    private mutating func countRunning(_ queue: Int, _ change: Int) {
        running += change
        queues[queue].running += change
        let home = queues[queue].home
        queues[home].total += change
        refresh(home)
        for guest in queues[home].guests { refresh(guest) }
    }

    /// Finds out whether a queue's transfers may go, and its entries be admitted.
    private mutating func refresh(_ number: Int) {
        let queue = queues[number]
        let near = ready.count(in: number) + queue.admitted
        let most = min(limitPerHost, queue.allowance)
        let mayGo = queue.access != .none && queue.running < queue.allowance && queues[queue.home].total < limitPerHost
        ready.setOpen(number, mayGo)
        switch queue.access {
        case .all: entries.setOpen(number, mayGo || near < 4 * min(most, max(limit, 1)) + 12)
        case .one: entries.setOpen(number, near == 0)
        case .none: entries.setOpen(number, false)
        }
        let blocked = mayGo ? 0 : near
        guard blocked != queue.blocked else { return }
        self.blocked += blocked - queue.blocked
        queues[number].blocked = blocked
    }

    /// The queue of a host, a new one at need.
    private mutating func queue(of host: String) -> Int {
        if let known = knownQueue(of: host) { return known }
        let home = host.contains(RequestRoute.separator) ? queue(of: RequestRoute(key: host).origin) : nil
        let number = unused.popLast() ?? queues.count
        numbers[host] = number
        let queue = HostQueue(
            host: host, home: home ?? number, access: accesses.isEmpty ? .all : accesses[host] ?? .all,
            allowance: allowances.isEmpty ? .max : allowances[host] ?? .max)
        if number < queues.count { queues[number] = queue } else { queues.append(queue) }
        if let home { queues[home].guests.append(number) }
        refresh(number)
        return number
    }

    /// The queue of a host that has one.
    private mutating func knownQueue(of host: String) -> Int? {
        if latest < queues.count, queues[latest].host == host, !host.isEmpty { return latest }
        guard let known = numbers[host] else { return nil }
        latest = known
        return known
    }

    /// Refreshes a queue that has become shorter, and drops one that is not used.
    private mutating func tidy(_ number: Int) {
        let queue = queues[number]
        guard ready.count(in: number) + entries.count(in: number) + queue.admitted + queue.running == 0,
            queue.guests.isEmpty, numbers[queue.host] == number
        else { return refresh(number) }
        refresh(number)
        numbers[queue.host] = nil
        queues[number] = HostQueue(host: "", home: number)
        unused.append(number)
        guard queue.home != number else { return }
        queues[queue.home].guests.removeAll { $0 == number }
        tidy(queue.home)
    }
}
