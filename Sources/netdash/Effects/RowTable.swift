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

    /// By id, which counts from one.
    private var untouched: [Untouched?] = []
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
        while untouched.count < Int(id) { untouched.append(nil) }
        untouched[Int(id) - 1] = Untouched(url: job.url, template: Int32(truncatingIfNeeded: templates.count - 1))
    }

    /// Drops a row and returns it.
    mutating func remove(_ id: UInt64) -> TransferRow? {
        touch(id)
        return rows.removeValue(forKey: id)
    }

    /// Where a row that waits stands in the queue; nil for one that does not wait.
    func waitingKey(of id: UInt64) -> TransferRow.QueueKey? {
        if let row = rows[id] { return row.isWaiting ? row.queueKey : nil }
        guard id > 0, id <= untouched.count, let entry = untouched[Int(id) - 1] else { return nil }
        return templates[Int(entry.template)].startsPaused ? nil : TransferRow.QueueKey(priority: 0, place: id)
    }

    /// How a row's latest run ended; nil while it has not.
    func result(of id: UInt64) -> TransferResult? { rows[id]?.result }

    /// The body bytes of all rows.
    var moved: Int64 { rows.values.reduce(0) { $0 + $1.moved } }

    private func untouchedRow(_ id: UInt64) -> TransferRow? {
        guard id > 0, id <= untouched.count, let entry = untouched[Int(id) - 1] else { return nil }
        var job = templates[Int(entry.template)]
        job.url = entry.url
        return TransferRow(id: id, job: job)
    }

    private mutating func touch(_ id: UInt64) {
        guard let row = untouchedRow(id) else { return }
        untouched[Int(id) - 1] = nil
        rows[id] = row
    }
}
