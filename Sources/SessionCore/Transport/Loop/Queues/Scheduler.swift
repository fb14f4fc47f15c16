import CLinux
import Glibc

/// Decides which transfer runs next, in two independent lanes: short data requests, and uploads and downloads, which
/// may last for hours.
///
/// Each lane has as many slots as the limits allow. A session that does not want this sends everything through one
/// lane.
struct Scheduler: Sendable {
    typealias Lane = TransferLane

    private var requests: SlotQueue
    private var files: SlotQueue
    /// The most transfers that run at once in both lanes, whatever the limits.
    private let ceiling: Int

    init(limit: Int, limitPerHost: Int, ceiling: Int = .max) {
        self.ceiling = ceiling
        requests = SlotQueue(limit: limit, limitPerHost: limitPerHost)
        files = requests
    }

    /// The most transfers of one host that run at once in a lane.
    var limitPerHost: Int { min(files.limitPerHost, files.limit) }

    var running: Int { requests.running + files.running }

    /// Returns the free slots of a host for files, limited by the descriptors left.
    func room(for host: String) -> Int { min(files.room(for: host), ceiling - running) }

    var waitingCount: Int { requests.waitingCount + files.waitingCount }

    func isWaiting(_ id: TransferID) -> Bool { requests.isWaiting(id) || files.isWaiting(id) }

    /// Changes the limits of each lane; running transfers keep their slots.
    mutating func setLimits(_ limit: Int, perHost: Int) {
        requests.setLimits(limit, perHost: perHost)
        files.setLimits(limit, perHost: perHost)
    }

    /// Sets how many of a host's waiting transfers may be granted slots.
    mutating func setAccess(_ host: String, _ access: SlotQueue.Access) {
        requests.setAccess(host, access)
        files.setAccess(host, access)
    }

    /// Limits a host to `count` transfers at once in each lane, below the configured limits; nil for these alone.
    mutating func setAllowance(_ host: String, _ count: Int?) {
        requests.setAllowance(host, count)
        files.setAllowance(host, count)
    }

    /// Lets an origin's transfers wait before the next one begins.
    mutating func setResting(_ origin: String, _ isResting: Bool) {
        requests.setResting(origin, isResting)
        files.setResting(origin, isResting)
    }

    /// Returns the running transfers of a host, in the lane with more of them.
    func running(at host: String) -> Int { max(requests.running(at: host), files.running(at: host)) }

    /// Gives a waiting transfer the next slot, beyond the limits if need be.
    mutating func hasten(_ id: TransferID) {
        requests.hasten(id)
        files.hasten(id)
    }

    /// Adds a transfer at its rank within its priority; without effect when it waits already.
    mutating func join(
        _ id: TransferID, host: String, lane: Lane = .files, priority: Float = 0.5, position: UInt64? = nil
    ) {
        change(lane) { $0.join(id, host: host, priority: priority, position: position) }
    }

    /// Changes the priority and rank of a waiting transfer; without effect on any other.
    mutating func move(_ id: TransferID, priority: Float, position: UInt64? = nil) {
        requests.move(id, priority: priority, position: position)
        files.move(id, priority: priority, position: position)
    }

    /// Removes a transfer from the queue; without effect when it does not wait.
    mutating func leave(_ id: TransferID) {
        requests.leave(id)
        files.leave(id)
    }

    mutating func release(host: String, lane: Lane = .files) {
        change(lane) { $0.release(host: host) }
    }

    /// Removes the next transfer from the queue and counts it as running; nil when none can run.
    ///
    /// - Parameters:
    ///   - takesFiles: whether an upload or a download may be next.
    ///   - hastenedOnly: whether only a hastened transfer may be next.
    mutating func next(takesFiles: Bool = true, hastenedOnly: Bool = false) -> TransferID? {
        guard running < ceiling else { return nil }
        return requests.next(hastenedOnly: hastenedOnly) ?? (takesFiles ? files.next(hastenedOnly: hastenedOnly) : nil)
    }

    /// Counts transfers that are to run, and how many of them wait for a host in trouble.
    mutating func count(_ lane: Lane, atWork: Int = 0, away: Int = 0) {
        change(lane) { $0.count(atWork: atWork, away: away) }
    }

    /// Applies changes of entries.
    mutating func change(_ changes: [QueueChange], lane: (TransferKind) -> Lane) {
        requests.beginChanges(of: changes.count)
        files.beginChanges(of: changes.count)
        for change in changes {
            switch change {
            case .enter(let entry): self.change(lane(entry.kind)) { $0.enter(entry) }
            case .move(let id, let priority, let position):
                requests.moveEntry(id, priority: priority, position: position)
                files.moveEntry(id, priority: priority, position: position)
            case .leave(let id): leaveEntry(id)
            case .hasten(let id):
                requests.hastenEntry(id)
                files.hastenEntry(id)
            }
        }
        requests.endChanges()
        files.endChanges()
    }

    /// Removes an entry whose transfer has arrived and joins instead.
    mutating func leaveEntry(_ id: TransferID) {
        requests.leaveEntry(id)
        files.leaveEntry(id)
    }

    /// Removes the next entry to be given a transfer; nil while there are enough transfers.
    mutating func nextAdmission() -> TransferID? { requests.nextAdmission() ?? files.nextAdmission() }

    private mutating func change(_ lane: Lane, _ body: (inout SlotQueue) -> Void) {
        switch lane {
        case .requests: body(&requests)
        case .files: body(&files)
        }
    }
}

/// The number of transfers that the process's descriptors suffice for.
///
/// A session with a higher limit runs that many, instead of failing all of them.
enum DescriptorBudget {
    /// The descriptors of a transfer: its connection, its partial file and that file's meta, a small file about to be
    /// renamed, and a connection kept for the next transfer.
    private static let perTransfer = 5
    /// The descriptors for everything else: name look-ups, folders, child processes.
    private static let reserve = 12
    /// A limit above which the open descriptors need not be counted.
    private static let plenty = 16_384

    /// Returns the transfers for a descriptor limit and a number of open descriptors; at least one.
    static func transfers(limit: Int, open: Int) -> Int { max((limit - open - reserve) / perTransfer, 1) }

    /// The transfers that a session starting now may run.
    static var current: Int {
        let limit = Int(cl_descriptor_limit())
        return transfers(limit: limit, open: limit < plenty ? openCount : 0)
    }

    /// The open descriptors; 0 where the system does not report them.
    private static var openCount: Int {
        guard let folder = opendir("/proc/self/fd") else { return 0 }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        return count
    }
}

/// Limits how many uploads and downloads run while a large list starts.
///
/// Bytes that a server sends before the partial file is created stay in memory: a buffer of libcurl, and a copy of its
/// unread rest. When a thousand downloads began in one turn of the loop, 660 of them waited for storage threads at
/// once, and that moment took 13 MiB more than the rest of the run. The number therefore grows in steps, and no faster
/// than the storage threads work.
struct StartRamp: Sendable, Equatable {
    /// The transfers added per step, and the limit of waiting storage jobs for the next one.
    static let step = 64
    /// The transfers that may always start at once.
    static let few = 2 * step
    /// Milliseconds between two steps, in which most servers respond: a thousand transfers have begun after a third of
    /// a second.
    static let interval: Int64 = 25

    /// The transfers that may run.
    private(set) var ceiling = few
    private var steppedAt: Int64 = 0

    /// Whether another transfer may begin beside `running` ones.
    func lets(running: Int) -> Bool { running < ceiling }

    /// Adapts to the number of running transfers; called before slots are granted.
    ///
    /// When many have ended, the limit falls too, so that as many do not begin at once.
    ///
    /// - Parameter storageJobs: the jobs that wait for a storage thread.
    mutating func adapt(running: Int, now: Int64, storageJobs: @autoclosure () -> Int) {
        ceiling = max(min(ceiling, running + Self.step), Self.few)
        guard running >= ceiling, now - steppedAt >= Self.interval else { return }
        steppedAt = now
        if storageJobs() < Self.step { ceiling = running + Self.step }
    }

    /// Returns when more may begin; nil when the next one may begin now.
    func nextStep(running: Int) -> Int64? { lets(running: running) ? nil : steppedAt + Self.interval }
}
