import SessionCore
import SessionSupport

/// The rows that have a task of the library, and those that wait for one.
///
/// A task with its progress objects weighs kilobytes, a row without one a few hundred bytes. So only as many rows have
/// tasks at work as the scheduler can choose from sensibly, and a hundred thousand more wait here in their order. Data
/// requests have a room of their own, as they have slots of their own: none waits behind uploads and downloads. Rows
/// whose server is held take no room from others; see ``HeldRows``.
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
    /// wants none, and `origin` is asked only while servers are held.
    mutating func admit<Row>(_ candidate: (UInt64) -> Row?, origin: (UInt64) -> String?) -> Row? {
        requests.admit(candidate, origin) ?? files.admit(candidate, origin)
    }

    /// Sorts the waiting rows by their keys; rows without a key are dropped.
    mutating func sort<Key: Comparable>(by key: (UInt64) -> Key?) {
        requests.sort(by: key)
        files.sort(by: key)
    }

    /// Counts a row's task as at work.
    mutating func enter(_ id: UInt64, _ kind: Job.Kind, origin: @autoclosure () -> String?) {
        if kind == .data { requests.enter(id, origin()) } else { files.enter(id, origin()) }
    }

    /// Takes note of the servers that nobody asks now: of each, a few rows with tasks wait, and the others without.
    mutating func hold(_ origins: Set<String>, origin: (UInt64) -> String?) {
        requests.hold(origins, origin)
        files.hold(origins, origin)
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

/// The room of one kind of rows: rows with a task at work, and the queue of the others.
struct Room: Sendable {
    /// How many times its limit a room takes when servers are held: rows that wait for these do not count.
    private static let heldFactor = 16

    /// The number of rows that may have tasks at work.
    var limit: Int
    /// Rows whose tasks were started and have neither ended nor paused.
    private var occupants: Set<NumberKey> = []
    private var held = HeldRows()
    /// Rows that wait.
    private var queue = RowIDs()

    init(limit: Int) {
        self.limit = limit
    }

    private var hasRoom: Bool {
        occupants.count - held.occupantCount < limit && occupants.count < limit * Self.heldFactor
    }

    mutating func append(_ id: UInt64) { queue.append(id) }

    mutating func admit<Row>(_ candidate: (UInt64) -> Row?, _ origin: (UInt64) -> String?) -> Row? {
        while hasRoom, let id = next() {
            let place = held.isEmpty ? nil : origin(id)
            if let place, held.setAside(id, place) { continue }
            guard let row = candidate(id), occupants.insert(NumberKey(id)).inserted else { continue }
            if let place { held.enter(id, place) }
            return row
        }
        return nil
    }

    /// Takes the row whose turn it is: rows that were set aside have waited longer and come first.
    private mutating func next() -> UInt64? {
        held.popRecalled() ?? queue.popFirst()
    }

    mutating func sort<Key: Comparable>(by key: (UInt64) -> Key?) {
        let waiting = Array(queue) + held.takeAside()
        let keyed = waiting.compactMap { id in key(id).map { (id: id, key: $0) } }
        queue = RowIDs(keyed.sorted { $0.key < $1.key }.lazy.map(\.id))
    }

    mutating func enter(_ id: UInt64, _ origin: @autoclosure () -> String?) {
        occupants.insert(NumberKey(id))
        if !held.isEmpty, let place = origin() { held.enter(id, place) }
    }

    mutating func hold(_ origins: Set<String>, _ origin: (UInt64) -> String?) {
        guard held.replace(with: origins) else { return }
        for occupant in occupants {
            if let place = origin(occupant.number) { held.enter(occupant.number, place) }
        }
    }

    mutating func leave(_ id: UInt64) {
        occupants.remove(NumberKey(id))
        held.leave(id)
    }

    mutating func close() {
        queue = RowIDs()
        _ = held.takeAside()
    }
}
