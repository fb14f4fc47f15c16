import SessionCore

/// The bridge's rows by id.
///
/// A row that nothing has happened to yet is kept as its URL and the number of what it has in common with the rows
/// before it: a list of a hundred thousand URLs then takes what its text takes and little more. Whoever changes such a
/// row makes a whole one of it without noticing.
struct RowTable {
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
    private var rows: [UInt64: RowBox] = [:]

    /// The row of an id; nil when there is none.
    ///
    /// A row is large: where one fact is wanted, the functions below tell it without a copy, and calling a mutating
    /// function of the row changes it in its place.
    subscript(id: UInt64) -> TransferRow? {
        get { rows[id]?.row ?? untouchedRow(id) }
        _modify {
            touch(id)
            guard let index = rows.index(forKey: id) else {
                var absent: TransferRow?
                yield &absent
                return
            }
            yield &rows.values[index].row
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
    mutating func insert(_ row: TransferRow) { rows[row.id] = RowBox(row) }

    /// Drops a row and returns it.
    mutating func remove(_ id: UInt64) -> TransferRow? {
        touch(id)
        return rows.removeValue(forKey: id)?.row
    }

    /// Where a row that waits stands in the queue; nil for one that does not wait.
    func waitingKey(of id: UInt64) -> TransferRow.QueueKey? {
        if let box = rows[id] { return box.row.flatMap { $0.isWaiting ? $0.queueKey : nil } }
        guard let entry = entry(of: id) else { return nil }
        return templates[Int(entry.template)].startsPaused ? nil : TransferRow.QueueKey(priority: 0, place: id)
    }

    /// Whether a row waits for a task.
    func wantsTask(_ id: UInt64) -> Bool {
        if let box = rows[id] { return box.wantsTask }
        return entry(of: id).map { !templates[Int($0.template)].startsPaused } ?? false
    }

    /// Where a row stands in the queue, or would.
    func queueKey(of id: UInt64) -> TransferRow.QueueKey? {
        if let box = rows[id] { return box.queueKey }
        return entry(of: id).map { _ in TransferRow.QueueKey(priority: 0, place: id) }
    }

    /// What tells the counts of a row that has not ended: its task, else what was known last.
    func source(of id: UInt64) -> (task: SessionTask?, last: TaskStatus)? {
        guard let box = rows[id] else { return entry(of: id).map { _ in (nil, TaskStatus()) } }
        guard box.result == nil, let last = box.lastStatus else { return nil }
        return (box.task, last)
    }

    /// What the end of a row's run is judged by; nil when there was none.
    func ending(of id: UInt64) -> RowEnding? { rows[id]?.ending }

    /// How a row's latest run ended; nil while it has not.
    func result(of id: UInt64) -> TransferResult? { rows[id]?.result }

    /// Whether a row ended in an earlier run.
    func isEarlier(_ id: UInt64) -> Bool { rows[id]?.isEarlier ?? false }

    /// The body bytes of all rows.
    var moved: Int64 { rows.values.reduce(0) { $0 + ($1.row?.moved ?? 0) } }

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
        rows[id] = RowBox(row)
    }
}
