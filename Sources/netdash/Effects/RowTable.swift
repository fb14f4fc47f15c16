import Dashboard
import SessionCore

/// The bridge's rows by id.
///
/// A row that nothing has happened to yet is kept as its URL and the number of what it has in common with the rows
/// before it: a list of a hundred thousand URLs then takes what its text takes and little more. Whoever changes such a
/// row makes a whole one of it without noticing. There is one table and no copy of it, which would lead to the same rows.
struct RowTable {
    /// The id of the first row in ``untouched``; ids grow by one or more.
    private var base: UInt64?
    private var untouched = UntouchedRows()
    private var slots: [NumberKey: RowSlot] = [:]

    /// A copy of the row of an id, or another one for it; nil when there is none.
    ///
    /// A row is large: where one fact is wanted, the functions below tell it without a copy, and what happens often
    /// changes the row in its slot.
    subscript(id: UInt64) -> TransferRow? {
        get { slots[NumberKey(id)]?.row ?? untouchedRow(id) }
        set {
            if let newValue, let slot = slot(of: id) { slot.row = newValue }
        }
    }

    /// The place of a row, which becomes a whole one; nil when there is none.
    mutating func slot(of id: UInt64) -> RowSlot? {
        slots[NumberKey(id)] ?? touch(id)
    }

    /// The place of a row that waits for a task; nil for any other row.
    mutating func slotWantingTask(_ id: UInt64) -> RowSlot? {
        if let slot = slots[NumberKey(id)] { return slot.row.wantsTask ? slot : nil }
        return startsPaused(id) == false ? touch(id) : nil
    }

    /// Makes a whole row of one that nothing has happened to.
    private mutating func touch(_ id: UInt64) -> RowSlot? {
        guard let index = index(of: id), let job = untouched.job(index) else { return nil }
        untouched.remove(index)
        return insert(TransferRow(id: id, job: job))
    }

    /// Adds a row; ids come in their order.
    mutating func insert(_ id: UInt64, _ job: Job) {
        base = base ?? id
        untouched.insert(job, at: Int(id - (base ?? id)))
    }

    /// Adds a row that something has happened to.
    mutating func insert(_ row: consuming TransferRow) -> RowSlot {
        let slot = RowSlot(row)
        slots[NumberKey(slot.id)] = slot
        return slot
    }

    /// Drops a row and returns it.
    mutating func remove(_ id: UInt64) -> TransferRow? {
        guard let slot = slot(of: id) else { return nil }
        slots[NumberKey(id)] = nil
        return slot.row
    }

    /// Where a row that waits stands in the queue; nil for one that does not wait.
    func waitingKey(of id: UInt64) -> TransferRow.QueueKey? {
        if let slot = slots[NumberKey(id)] { return slot.row.isWaiting ? slot.row.queueKey : nil }
        return startsPaused(id) == false ? TransferRow.QueueKey(priority: 0, place: id) : nil
    }

    /// Whether a row waits for a task.
    func wantsTask(_ id: UInt64) -> Bool {
        if let slot = slots[NumberKey(id)] { return slot.row.wantsTask }
        return startsPaused(id) == false
    }

    /// Where a row stands in the queue, or would.
    func queueKey(of id: UInt64) -> TransferRow.QueueKey? {
        if let slot = slots[NumberKey(id)] { return slot.row.queueKey }
        return startsPaused(id).map { _ in TransferRow.QueueKey(priority: 0, place: id) }
    }

    /// What tells the counts of a row that has not ended: its task, else what was known last.
    func source(of id: UInt64) -> (task: SessionTask?, last: TaskStatus)? {
        guard let slot = slots[NumberKey(id)] else { return startsPaused(id).map { _ in (nil, TaskStatus()) } }
        return slot.row.isFinal ? nil : (slot.row.task, slot.row.lastStatus)
    }

    /// How a row stands; nil for one that ended in an earlier run, unless it failed and such failures count.
    func standing(of id: UInt64, countingEarlierFailures: Bool) -> TransferResult? {
        guard let slot = slots[NumberKey(id)] else { return .unfinished }
        guard slot.row.isEarlier else { return slot.row.result ?? .unfinished }
        if countingEarlierFailures, case .failed = slot.row.result { return slot.row.result }
        return nil
    }

    /// How a row's latest run ended; nil while it has not.
    func result(of id: UInt64) -> TransferResult? { slots[NumberKey(id)]?.row.result }

    /// Whether a row does not go on by itself although it could: it is paused, has failed or was cancelled.
    func hasStopped(_ id: UInt64) -> Bool {
        slots[NumberKey(id)]?.row.hasStopped ?? startsPaused(id) ?? false
    }

    /// Whether a row ended before the program was started.
    func isEarlier(_ id: UInt64) -> Bool { slots[NumberKey(id)]?.row.isEarlier ?? false }

    /// Whether anything has happened to a row.
    func isTouched(_ id: UInt64) -> Bool { slots[NumberKey(id)] != nil }

    /// The body bytes of all rows.
    var moved: Int64 { slots.values.reduce(0) { $0 + $1.moved } }

    private func untouchedRow(_ id: UInt64) -> TransferRow? {
        guard let index = index(of: id), let job = untouched.job(index) else { return nil }
        return TransferRow(id: id, job: job)
    }

    /// Whether a row that nothing has happened to is held back; nil for any other.
    private func startsPaused(_ id: UInt64) -> Bool? { index(of: id).flatMap { untouched.startsPaused($0) } }

    private func index(of id: UInt64) -> Int? {
        guard let base, id >= base else { return nil }
        return Int(exactly: id - base)
    }
}
