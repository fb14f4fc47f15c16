import Dashboard
import SessionCore
import SessionSupport

/// The rows that have a task of the library, and those that wait for one.
///
/// A task with its progress objects weighs kilobytes, a row without one a few hundred bytes. So only as many rows have
/// tasks at work as the scheduler can choose from sensibly, and a hundred thousand more wait here in their order. Data
/// requests have a room of their own, as they have slots of their own: none waits behind uploads and downloads.
struct WaitingRoom: Sendable {
    private var requests: Room
    private var files: Room

    /// A room for a number of transfers that run at once.
    init(maximumConcurrent: Int) {
        files = Room(limit: Self.limit(maximumConcurrent))
        requests = files
    }

    /// Rows of one host may block those behind them only when they fill the whole room.
    private static func limit(_ maximumConcurrent: Int) -> Int { max(4 * maximumConcurrent, 64) }

    /// Changes the number of transfers that run at once; rows that have tasks at work keep them.
    mutating func setLimit(maximumConcurrent: Int) {
        files.limit = Self.limit(maximumConcurrent)
        requests.limit = files.limit
    }

    /// Adds a row behind those that wait.
    mutating func append(_ id: UInt64, _ kind: Job.Kind) {
        if kind == .data { requests.append(id) } else { files.append(id) }
    }

    /// Removes the first row that still wants a task and returns it, when there is room; `candidate` is nil for one that
    /// wants none.
    mutating func admit<Row>(_ candidate: (UInt64) -> Row?) -> Row? {
        requests.admit(candidate) ?? files.admit(candidate)
    }

    /// Sorts the waiting rows by their keys; rows without a key are dropped.
    mutating func sort<Key: Comparable>(by key: (UInt64) -> Key?) {
        requests.sort(by: key)
        files.sort(by: key)
    }

    /// Counts a row's task as at work.
    mutating func enter(_ id: UInt64, _ kind: Job.Kind) {
        if kind == .data { requests.enter(id) } else { files.enter(id) }
    }

    /// Counts a row's task no longer: it has paused or ended.
    mutating func leave(_ id: UInt64) {
        requests.leave(id)
        files.leave(id)
    }

    /// Drops the rows that wait.
    mutating func close() {
        requests.close()
        files.close()
    }
}

/// The room of one kind of rows.
private struct Room: Sendable {
    /// The number of rows that may have tasks at work.
    var limit: Int
    /// Rows whose tasks were started and have neither ended nor paused.
    private var occupants: Set<NumberKey> = []
    /// Those that wait, from `head` on: an array rather than a queue, because it is sorted.
    private var queue: [UInt64] = []
    private var head = 0

    init(limit: Int) {
        self.limit = limit
    }

    mutating func append(_ id: UInt64) { queue.append(id) }

    mutating func admit<Row>(_ candidate: (UInt64) -> Row?) -> Row? {
        while occupants.count < limit, head < queue.count {
            let id = queue[head]
            head += 1
            if head == queue.count || head >= 4096 {
                queue.removeFirst(head)
                head = 0
            }
            guard let row = candidate(id), occupants.insert(NumberKey(id)).inserted else { continue }
            return row
        }
        return nil
    }

    mutating func sort<Key: Comparable>(by key: (UInt64) -> Key?) {
        let keyed = queue[head...].compactMap { id in key(id).map { (id: id, key: $0) } }
        queue = keyed.sorted { $0.key < $1.key }.map(\.id)
        head = 0
    }

    mutating func enter(_ id: UInt64) { occupants.insert(NumberKey(id)) }

    mutating func leave(_ id: UInt64) { occupants.remove(NumberKey(id)) }

    mutating func close() {
        queue = []
        head = 0
    }
}

/// The tasks whose end has not been heard of yet, so that one can wait until all of them have ended.
///
/// A set rather than a count: an end that is told twice, or of a task that never counted, changes nothing. Safe from
/// any thread.
final class RunningTasks: Sendable {
    private let tasks = Monitor<Set<TransferID>>([])

    /// Counts a task from now on.
    ///
    /// Counting it twice changes nothing.
    func enter(_ task: SessionTask) {
        tasks.withLock { _ = $0.insert(task.id) }
    }

    /// Counts a task no longer.
    func leave(_ task: SessionTask) {
        tasks.change { _ = $0.remove(task.id) }
    }

    /// Waits until no task counts, or the time is over.
    func wait(seconds: Double) {
        tasks.wait(timeoutMilliseconds: Int64(seconds * 1000)) { $0.isEmpty }
    }
}
