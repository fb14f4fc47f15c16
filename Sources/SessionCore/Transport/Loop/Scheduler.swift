import CLinux
import Glibc

/// Who runs next, in two lanes that do not wait for each other: data requests, which are short, and uploads and downloads,
/// which may last for hours.
///
/// Each lane has as many slots as the limits say. A session that does not want this sends everything through one.
struct Scheduler: Sendable {
    typealias Lane = TransferLane

    private var requests: SlotQueue
    private var files: SlotQueue
    /// The most transfers that run at once in both lanes, whatever the limits say.
    private let ceiling: Int

    init(limit: Int, limitPerHost: Int, ceiling: Int = .max) {
        self.ceiling = ceiling
        requests = SlotQueue(limit: limit, limitPerHost: limitPerHost)
        files = requests
    }

    /// The most transfers that one host gets at once in a lane.
    var limitPerHost: Int { min(files.limitPerHost, files.limit) }

    /// Transfers that have a slot.
    var running: Int { requests.running + files.running }

    /// The slots of a host for files that nobody has, and no more than there are descriptors for.
    func room(for host: String) -> Int { min(files.room(for: host), ceiling - running) }

    /// How many wait for a slot.
    var waitingCount: Int { requests.waitingCount + files.waitingCount }

    /// Whether a transfer waits for a slot.
    func isWaiting(_ id: TransferID) -> Bool { requests.isWaiting(id) || files.isWaiting(id) }

    /// Changes the limits of each lane; transfers that run keep their slots.
    mutating func setLimits(_ limit: Int, perHost: Int) {
        requests.setLimits(limit, perHost: perHost)
        files.setLimits(limit, perHost: perHost)
    }

    /// Sets how many that wait for a host may go.
    mutating func setAccess(_ host: String, _ access: SlotQueue.Access) {
        requests.setAccess(host, access)
        files.setAccess(host, access)
    }

    /// Lets a host have so many transfers at once in each lane, where the limits allow more; nil for what these allow.
    mutating func setAllowance(_ host: String, _ count: Int?) {
        requests.setAllowance(host, count)
        files.setAllowance(host, count)
    }

    /// The transfers that run at a host, in the lane that has more of them.
    func running(at host: String) -> Int { max(requests.running(at: host), files.running(at: host)) }

    /// Lets a transfer that waits have the next slot, beyond the limits if need be.
    mutating func hasten(_ id: TransferID) {
        requests.hasten(id)
        files.hasten(id)
    }

    /// Puts a transfer at its place within its priority.
    ///
    /// Joining twice changes nothing.
    mutating func join(
        _ id: TransferID, host: String, lane: Lane = .files, priority: Float = 0.5, place: UInt64? = nil
    ) {
        change(lane) { $0.join(id, host: host, priority: priority, place: place) }
    }

    /// Moves a transfer that waits to another priority or place; one that does not wait is left alone.
    mutating func move(_ id: TransferID, priority: Float, place: UInt64? = nil) {
        requests.move(id, priority: priority, place: place)
        files.move(id, priority: priority, place: place)
    }

    /// Removes a transfer from the queue; without effect when it does not wait.
    mutating func leave(_ id: TransferID) {
        requests.leave(id)
        files.leave(id)
    }

    /// Gives a slot back.
    mutating func release(host: String, lane: Lane = .files) {
        change(lane) { $0.release(host: host) }
    }

    /// Removes the next transfer from the queue and counts it as running; nil when none can run.
    ///
    /// - Parameter takesFiles: whether an upload or a download may be next.
    mutating func next(takesFiles: Bool = true) -> TransferID? {
        guard running < ceiling else { return nil }
        return requests.next() ?? (takesFiles ? files.next() : nil)
    }

    /// Counts transfers that are to run, and how many of them wait for a host in trouble.
    mutating func count(_ lane: Lane, atWork: Int = 0, away: Int = 0) {
        change(lane) { $0.count(atWork: atWork, away: away) }
    }

    /// Carries out changes of entries.
    mutating func change(_ changes: [QueueChange], lane: (TransferKind) -> Lane) {
        requests.beginChanges(of: changes.count)
        files.beginChanges(of: changes.count)
        for change in changes {
            switch change {
            case .enter(let entry): self.change(lane(entry.kind)) { $0.enter(entry) }
            case .move(let id, let priority, let place):
                requests.moveEntry(id, priority: priority, place: place)
                files.moveEntry(id, priority: priority, place: place)
            case .leave(let id): leaveEntry(id)
            case .hasten(let id):
                requests.hastenEntry(id)
                files.hastenEntry(id)
            }
        }
        requests.endChanges()
        files.endChanges()
    }

    /// The transfer of an entry has come, which joins in its stead.
    mutating func leaveEntry(_ id: TransferID) {
        requests.leaveEntry(id)
        files.leaveEntry(id)
    }

    /// The next entry that is to get a transfer; nil where there are enough.
    mutating func nextAdmission() -> TransferID? { requests.nextAdmission() ?? files.nextAdmission() }

    private mutating func change(_ lane: Lane, _ body: (inout SlotQueue) -> Void) {
        switch lane {
        case .requests: body(&requests)
        case .files: body(&files)
        }
    }
}

/// The number of transfers that the descriptors of the process are enough for.
///
/// A session that is allowed more transfers than that works with what there is, instead of failing all of them.
enum DescriptorBudget {
    /// The descriptors of a transfer: its connection, its part and the part's meta, a small file that is about to get its
    /// name, and a connection that is kept for the next one.
    private static let perTransfer = 5
    /// The descriptors that come and go besides: looking names up, folders, a program that is started.
    private static let reserve = 12
    /// With more than that nobody has to count what is open.
    private static let plenty = 16_384

    /// The transfers for a limit, with so many descriptors open already; at least one.
    static func transfers(limit: Int, open: Int) -> Int { max((limit - open - reserve) / perTransfer, 1) }

    /// The transfers that a session may run which begins now.
    static var current: Int {
        let limit = Int(cl_descriptor_limit())
        return transfers(limit: limit, open: limit < plenty ? openCount : 0)
    }

    /// The descriptors that are open; none where the system does not say.
    private static var openCount: Int {
        guard let folder = opendir("/proc/self/fd") else { return 0 }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        return count
    }
}

/// How many uploads and downloads may run while a crowd begins: a value.
///
/// What a server sends before its part is made stays in memory: a buffer of libcurl, and a copy of what is left in it. When a thousand
/// downloads began in one turn of the loop, 660 of them waited for storage threads at once, and that moment took 13 MiB
/// more than the rest of the run. A crowd grows in steps instead, and no faster than storage threads work.
struct StartRamp: Sendable, Equatable {
    /// The transfers of a step, and the storage jobs that may wait when the next one begins.
    static let step = 64
    /// As many begin at any time.
    static let few = 2 * step
    /// Milliseconds between two steps, in which most servers have answered: a thousand have begun after a third of a second.
    static let interval: Int64 = 25

    /// The transfers that may run.
    private(set) var ceiling = few
    private var steppedAt: Int64 = 0

    /// Whether another transfer may begin beside so many.
    func lets(running: Int) -> Bool { running < ceiling }

    /// Adapts to the number of running transfers; called before slots are given away.
    ///
    /// Where many have ended, as many do not begin at once again.
    /// - Parameter storageJobs: the jobs that wait for a storage thread.
    mutating func adapt(running: Int, now: Int64, storageJobs: @autoclosure () -> Int) {
        ceiling = max(min(ceiling, running + Self.step), Self.few)
        guard running >= ceiling, now - steppedAt >= Self.interval else { return }
        steppedAt = now
        if storageJobs() < Self.step { ceiling = running + Self.step }
    }

    /// When more may begin; nil where nothing here keeps the next one waiting.
    func nextStep(running: Int) -> Int64? { lets(running: running) ? nil : steppedAt + Self.interval }
}
