/// Decides which transfer runs next: a limited number at once, a limited number per host, the rest in order.
///
/// Higher priority goes first; within a priority the order of joining decides, or the rank a transfer names, but a host
/// without free slots does not block the others. Paused transfers are not queued. A host is named together with the
/// route to it, see ``RequestRoute/key``: each route has a queue, and all queues of a host share its slots. Entries
/// without a transfer wait in the same queues; see ``nextAdmission()``.
struct SlotQueue: Sendable {
    /// How many of a host's queue may be granted slots.
    enum Access: Sendable {
        case all
        /// One, which probes for all others; entries behind it need no transfers yet.
        case one
        case none
    }

    /// The queue of one host and one route to it.
    private struct HostQueue: Sendable {
        var host: String
        /// The queue of the host's default route, which counts for all; for that queue, its own number.
        var home: Int
        var running = 0
        /// Running transfers of all queues with this one as their home.
        var total = 0
        /// Queues of other routes with this one as their home.
        var guests: [Int] = []
        var access = Access.all
        /// The most transfers of the host at once, below the configured limits.
        var allowance = Int.max
        /// Whether the next request to the host has to wait; only set where it is its own home.
        var isResting = false
        /// Entries that were admitted and whose transfers have not arrived yet.
        var admitted = 0
        /// Waiting transfers and admitted entries while the queue is closed; they do not count, so that others are
        /// admitted.
        var blocked = 0
    }

    /// The factor by which transfers may exceed the usual number when most are blocked or wait for hosts in trouble.
    private static let blockedFactor = 16

    /// Up to this many changes are applied one by one: only one in the middle of a queue costs anything, and little.
    private static let fewChanges = 32

    private(set) var limit: Int
    private(set) var limitPerHost: Int
    private(set) var running = 0
    /// Transfers that get a slot beyond the limits, including stale numbers of some that no longer wait.
    ///
    /// No more than a user has hastened by hand.
    private var urgent: [TransferID] = []
    /// Entries that are admitted beyond the limits, likewise.
    private var urgentEntries: [TransferID] = []
    private var queues: [HostQueue] = []
    private var numbers: [String: Int] = [:]
    /// The queue used last: most lists have one host, and comparing two names costs less than hashing one.
    private var latest = 0
    /// Numbers of removed queues.
    private var unused: [Int] = []
    /// Transfers that wait for a slot.
    private var ready = HostQueues(keepsRuns: false)
    private var entries = HostQueues(keepsRuns: true)
    /// Entries whose transfers were requested, with their queues.
    private var admitted: [TransferID: Int] = [:]
    /// The latest entry that was admitted in order.
    private var lastAdmitted: HostQueues.Waiter?
    /// The sum over all queues.
    private var blocked = 0
    /// Transfers that are to run, with a slot or without, and how many of them wait for a host in trouble.
    private var atWork = 0
    private var away = 0
    /// The hosts with limited access, including ones without a queue.
    private var accesses: [String: Access] = [:]
    /// The hosts with a lower limit than the configured one, including ones without a queue.
    private var allowances: [String: Int] = [:]
    /// The origins whose next request has to wait, including ones without a queue.
    private var resting: Set<String> = []
    private var sequence: UInt64 = 0

    init(limit: Int, limitPerHost: Int) {
        self.limit = max(limit, 1)
        self.limitPerHost = max(limitPerHost, 1)
    }

    // MARK: - Limits

    /// Changes the limits; at 0 no transfer begins, hastened or not, and no entry is admitted.
    ///
    /// Running transfers keep their slots when the limit falls; the next slot is granted when enough have ended.
    mutating func setLimits(_ limit: Int, perHost: Int) {
        self.limit = max(limit, 0)
        limitPerHost = max(perHost, 1)
        for queue in queues.indices { refresh(queue) }
    }

    /// Sets how many of a host's queue may be granted slots; running and hastened transfers are unaffected.
    mutating func setAccess(_ host: String, _ access: Access) {
        guard accesses[host] ?? .all != access else { return }
        accesses[host] = access == .all ? nil : access
        guard let queue = numbers[host] else { return }
        queues[queue].access = access
        refresh(queue)
    }

    /// Limits a host to `count` transfers at once, below the configured limits; nil for these alone.
    mutating func setAllowance(_ host: String, _ count: Int?) {
        allowances[host] = count
        guard let queue = numbers[host] else { return }
        queues[queue].allowance = count ?? .max
        refresh(queue)
    }

    /// Lets an origin's transfers wait before the next one begins, on every route; hastened ones are unaffected.
    mutating func setResting(_ origin: String, _ isResting: Bool) {
        if isResting { resting.insert(origin) } else { resting.remove(origin) }
        guard let queue = numbers[origin] else { return }
        queues[queue].isResting = isResting
        refresh(queue)
        for guest in queues[queue].guests { refresh(guest) }
    }

    func running(at host: String) -> Int { numbers[host].map { queues[$0].running } ?? 0 }

    func room(for host: String) -> Int {
        let queue = numbers[host] ?? numbers[RequestRoute(key: host).origin]
        let beside = limitPerHost - (queue.map { queues[queues[$0].home].total } ?? 0)
        guard !allowances.isEmpty, let allowance = allowances[host] else { return max(beside, 0) }
        return max(min(beside, allowance - running(at: host)), 0)
    }

    // MARK: - Transfers

    var waitingCount: Int { ready.count }

    func isWaiting(_ id: TransferID) -> Bool { ready.queue(of: id) != nil }

    /// Adds a transfer at its rank within its priority, which is the end unless it names one.
    ///
    /// Without effect when it waits already.
    mutating func join(_ id: TransferID, host: String, priority: Float = 0.5, position: UInt64? = nil) {
        guard !isWaiting(id) else { return }
        sequence += 1
        let queue = queue(of: host)
        ready.join(HostQueues.Waiter(id: id, position: position ?? sequence, priority: priority), queue: queue)
        refresh(queue)
    }

    /// Changes the priority and, if given, the rank of a waiting transfer; without effect on any other.
    mutating func move(_ id: TransferID, priority: Float, position: UInt64? = nil) {
        ready.move(id, priority: priority, position: position)
    }

    /// Removes a transfer from the queue; without effect when it does not wait.
    mutating func leave(_ id: TransferID) {
        if let queue = ready.leave(id) { tidy(queue) }
    }

    /// Gives a waiting transfer the next slot, beyond the limits if need be; without effect on any other.
    mutating func hasten(_ id: TransferID) {
        if isWaiting(id), !urgent.contains(id) { urgent.append(id) }
    }

    mutating func release(host: String) {
        guard let queue = knownQueue(of: host) else { return running -= 1 }
        countRunning(queue, -1)
        removeIfUnused(queue)
    }

    /// Removes the next transfer from the queue and counts it as running; nil when none can run.
    ///
    /// - Parameter hastenedOnly: whether the others have to wait.
    mutating func next(hastenedOnly: Bool = false) -> TransferID? {
        guard limit > 0 else { return nil }
        while !urgent.isEmpty {
            let id = urgent.removeFirst()
            if start(id) { return id }
        }
        guard !hastenedOnly, running < limit, let id = ready.first?.waiter.id, start(id) else { return nil }
        return id
    }

    private mutating func start(_ id: TransferID) -> Bool {
        guard let queue = ready.leave(id) else { return false }
        countRunning(queue, 1)
        return true
    }

    // MARK: - Entries

    /// Counts transfers that are to run, and how many of them wait for a host in trouble; entries are admitted while
    /// few others are left.
    mutating func count(atWork: Int = 0, away: Int = 0) {
        self.atWork += atWork
        self.away += away
    }

    /// Begins `count` changes of entries.
    mutating func beginChanges(of count: Int) {
        if count > Self.fewChanges { entries.beginBatch() }
    }

    mutating func endChanges() { entries.endBatch() }

    /// Adds an entry, unless it is queued or was admitted already.
    mutating func enter(_ entry: QueueEntry) {
        guard admitted[entry.id] == nil else { return }
        let queue = queue(of: entry.host)
        entries.join(HostQueues.Waiter(id: entry.id, position: entry.position, priority: entry.priority), queue: queue)
        tidy(queue)
    }

    mutating func moveEntry(_ id: TransferID, priority: Float, position: UInt64) {
        entries.move(id, priority: priority, position: position)
    }

    /// Removes an entry, admitted or not: it no longer waits, or its transfer has arrived.
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

    /// Removes the next entry to be given a transfer, which then joins instead; nil while there are enough transfers.
    ///
    /// A transfer takes kilobytes, an entry some tens of bytes. Transfers are therefore requested shortly before their
    /// turn, early enough that no slot waits for one. Transfers of a host that is full or in trouble do not count, and
    /// such a host gets only as many as it needs.
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
        // An entry moved to the front finds enough transfers waiting, which it overtakes.
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

    /// Opens or closes a queue for its transfers and for its entries.
    private mutating func refresh(_ number: Int) {
        // Read by their index, because a copy of a queue retains its texts.
        let near = ready.count(in: number) + queues[number].admitted
        let (home, access, allowance) = (queues[number].home, queues[number].access, queues[number].allowance)
        let most = min(limitPerHost, allowance)
        let mayGo =
            access != .none && queues[number].running < allowance && queues[home].total < limitPerHost
            && !queues[home].isResting
        ready.setOpen(number, mayGo)
        switch access {
        case .all: entries.setOpen(number, mayGo || near < 4 * min(most, max(limit, 1)) + 12)
        case .one: entries.setOpen(number, near == 0)
        case .none: entries.setOpen(number, false)
        }
        let blocked = mayGo ? 0 : near
        guard blocked != queues[number].blocked else { return }
        self.blocked += blocked - queues[number].blocked
        queues[number].blocked = blocked
    }

    /// Returns the queue of a host, after creating it if need be.
    private mutating func queue(of host: String) -> Int {
        if let known = knownQueue(of: host) { return known }
        let home = host.contains(RequestRoute.separator) ? queue(of: RequestRoute(key: host).origin) : nil
        let number = unused.popLast() ?? queues.count
        numbers[host] = number
        let queue = HostQueue(
            host: host, home: home ?? number, access: accesses.isEmpty ? .all : accesses[host] ?? .all,
            allowance: allowances.isEmpty ? .max : allowances[host] ?? .max,
            isResting: !resting.isEmpty && resting.contains(host))
        if number < queues.count { queues[number] = queue } else { queues.append(queue) }
        if let home { queues[home].guests.append(number) }
        refresh(number)
        return number
    }

    /// Returns the queue of a host; nil if it has none.
    private mutating func knownQueue(of host: String) -> Int? {
        if latest < queues.count, queues[latest].host == host, !host.isEmpty { return latest }
        guard let known = numbers[host] else { return nil }
        latest = known
        return known
    }

    /// Refreshes a queue that has become shorter, and removes an unused one.
    private mutating func tidy(_ number: Int) {
        refresh(number)
        removeIfUnused(number)
    }

    private mutating func removeIfUnused(_ number: Int) {
        let count = ready.count(in: number) + entries.count(in: number)
        guard count + queues[number].admitted + queues[number].running == 0, queues[number].guests.isEmpty,
            numbers[queues[number].host] == number
        else { return }
        let queue = queues[number]
        numbers[queue.host] = nil
        queues[number] = HostQueue(host: "", home: number)
        unused.append(number)
        guard queue.home != number else { return }
        queues[queue.home].guests.removeAll { $0 == number }
        tidy(queue.home)
    }
}
