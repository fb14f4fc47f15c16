/// The bridge's rows by id.
///
/// A row that nothing has happened to yet is kept as its URL and the number of what it has in common with the rows
/// before it: a list of a hundred thousand URLs then takes what its text takes and little more. Whoever changes such a
/// row makes a whole one of it without noticing.
struct RowTable: Sendable {
    private struct Untouched: Sendable {
        var url: String
        var template: Int32
    }

    /// By id, which grows by one or more, from ``base``.
    private var untouched: [Untouched?] = []
    /// The first of those ids.
    private var base: UInt64?
    /// Jobs without their URLs.
    private var templates: [Job] = []
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
        var template = job
        template.url = ""
        if templates.last != template { templates.append(template) }
        let index = Int(id - (base ?? id))
        base = base ?? id
        while untouched.count <= index { untouched.append(nil) }
        untouched[index] = Untouched(url: job.url, template: Int32(truncatingIfNeeded: templates.count - 1))
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
        guard let entry = entry(of: id) else { return nil }
        return templates[Int(entry.template)].startsPaused ? nil : TransferRow.QueueKey(priority: 0, place: id)
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
        guard let entry = entry(of: id) else { return nil }
        var job = templates[Int(entry.template)]
        job.url = entry.url
        return TransferRow(id: id, job: job)
    }

    private func entry(of id: UInt64) -> Untouched? {
        guard let base, id >= base, id - base < untouched.count else { return nil }
        return untouched[Int(id - base)]
    }

    private mutating func touch(_ id: UInt64) {
        guard let base, let row = untouchedRow(id) else { return }
        untouched[Int(id - base)] = nil
        rows[id] = row
    }
}
