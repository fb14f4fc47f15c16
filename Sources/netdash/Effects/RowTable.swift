/// The bridge's rows by id.
///
/// A row that nothing has happened to yet is kept as its URL and the number of what it has in common with the rows
/// before it: a list of a hundred thousand URLs then takes what its text takes and little more. Whoever changes such a
/// row makes a whole one of it without noticing.
struct RowTable: Sendable {
    /// The id of the first row in ``untouched``; ids grow by one or more.
    private var base: UInt64?
    private var untouched = UntouchedRows()
    private var rows: [UInt64: TransferRow] = [:]

    /// The row of an id; nil when there is none.
    subscript(id: UInt64) -> TransferRow? {
        get { rows[id] ?? untouchedRow(id) }
        _modify {
            touch(id)
            yield &rows[id]
        }
    }

    /// Adds a row; ids come in their order.
    mutating func insert(_ id: UInt64, _ job: Job) {
        base = base ?? id
        untouched.insert(job, at: Int(id - (base ?? id)))
    }

    /// Adds a row that something has happened to.
    mutating func insert(_ row: TransferRow) { rows[row.id] = row }

    /// Drops a row and returns it.
    mutating func remove(_ id: UInt64) -> TransferRow? {
        touch(id)
        return rows.removeValue(forKey: id)
    }

    /// Where a row that waits stands in the queue; nil for one that does not wait.
    func waitingKey(of id: UInt64) -> TransferRow.QueueKey? {
        if let row = rows[id] { return row.isWaiting ? row.queueKey : nil }
        guard let index = index(of: id), let isHeld = untouched.startsPaused(index) else { return nil }
        return isHeld ? nil : TransferRow.QueueKey(priority: 0, place: id)
    }

    /// How a row's latest run ended; nil while it has not.
    func result(of id: UInt64) -> TransferResult? { rows[id]?.result }

    /// Whether anything has happened to a row.
    func isTouched(_ id: UInt64) -> Bool { rows[id] != nil }

    /// Whether a row ended in an earlier run.
    func isEarlier(_ id: UInt64) -> Bool { rows[id]?.isEarlier == true }

    /// The body bytes of all rows.
    var moved: Int64 { rows.values.reduce(0) { $0 + $1.moved } }

    private func untouchedRow(_ id: UInt64) -> TransferRow? {
        guard let index = index(of: id), let job = untouched.job(index) else { return nil }
        return TransferRow(id: id, job: job)
    }

    private func index(of id: UInt64) -> Int? {
        guard let base, id >= base else { return nil }
        return Int(exactly: id - base)
    }

    private mutating func touch(_ id: UInt64) {
        guard let row = untouchedRow(id), let index = index(of: id) else { return }
        untouched.remove(index)
        rows[id] = row
    }
}
