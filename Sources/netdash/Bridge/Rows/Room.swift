/// The room of one kind of rows: those that have tasks at work, and the line of those that wait for one.
struct Room: Sendable {
    /// How many times its limit a room takes when servers are held: rows that wait for these do not count.
    private static let heldFactor = 16

    /// The number of rows that may have tasks at work.
    var limit: Int
    /// Rows whose tasks were started and have neither ended nor paused.
    private var occupants: Set<NumberKey> = []
    private var held = HeldRows()
    /// Those that wait.
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

    /// Takes the row whose turn it is: first those that were set aside, who have waited longer.
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
