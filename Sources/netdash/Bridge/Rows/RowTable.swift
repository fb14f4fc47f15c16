import Dashboard
import SessionCore

/// The bridge's rows by id.
///
/// A row that nothing has happened to yet is kept as its URL and the number of the terms that it shares with the
/// rows before it: a list of a hundred thousand URLs then takes what its text takes and little more. Whoever changes such a
/// row makes a whole one of it without noticing. There is one table and no copy of it, which would lead to the same rows.
struct RowTable {
    /// The id of the first row in ``untouched``; ids grow by one or more.
    private var base: UInt64?
    private var untouched = UntouchedRows()
    private var slots: [NumberKey: RowSlot] = [:]
    private var requests = RequestNumbers()

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
        return place(wholeRow(id, job))
    }

    private func wholeRow(_ id: UInt64, _ job: Job) -> TransferRow {
        var row = TransferRow(id: id, job: job)
        row.ordinal = requests.number(of: id)
        return row
    }

    /// Adds a row; ids come in their order.
    mutating func insert(_ id: UInt64, _ job: Job) {
        base = base ?? id
        requests.count(id, job)
        untouched.insert(job, at: Int(id - (base ?? id)))
    }

    /// Adds a row that something has happened to.
    mutating func insert(_ row: consuming TransferRow) -> RowSlot {
        requests.count(row.id, row.job)
        row.ordinal = requests.number(of: row.id)
        return place(row)
    }

    /// Counts the request anew that a row has become.
    mutating func renumber(_ slot: RowSlot) {
        requests.count(slot.id, slot.row.job)
        slot.row.ordinal = requests.number(of: slot.id)
    }

    /// The place of a request that is repeated; nil for any other row.
    func slotOfRepeated(_ id: UInt64) -> RowSlot? {
        slots[NumberKey(id)].flatMap { $0.row.repeatInterval == nil ? nil : $0 }
    }

    private mutating func place(_ row: consuming TransferRow) -> RowSlot {
        let slot = RowSlot(row)
        slots[NumberKey(slot.id)] = slot
        return slot
    }

    /// Drops a row and returns it.
    mutating func remove(_ id: UInt64) -> TransferRow? {
        guard let slot = slot(of: id) else { return nil }
        slots[NumberKey(id)] = nil
        requests.forget(id)
        return slot.row
    }

    /// The place in the queue of a row that waits; nil for any other row.
    func waitingKey(of id: UInt64) -> TransferRow.QueueKey? {
        if let slot = slots[NumberKey(id)] { return slot.row.isWaiting ? slot.row.queueKey : nil }
        return startsPaused(id) == false ? TransferRow.QueueKey(priority: 0, place: id) : nil
    }

    /// Whether a row waits for a task.
    func wantsTask(_ id: UInt64) -> Bool {
        if let slot = slots[NumberKey(id)] { return slot.row.wantsTask }
        return startsPaused(id) == false
    }

    /// The place in the queue that a row has, or would have.
    func queueKey(of id: UInt64) -> TransferRow.QueueKey? {
        if let slot = slots[NumberKey(id)] { return slot.row.queueKey }
        return startsPaused(id).map { _ in TransferRow.QueueKey(priority: 0, place: id) }
    }

    /// The source of the counts of a row that has not ended: its task, else the counts known last.
    func source(of id: UInt64) -> (task: SessionTask?, last: TaskStatus)? {
        guard let slot = slots[NumberKey(id)] else { return startsPaused(id).map { _ in (nil, TaskStatus()) } }
        return slot.row.isFinal ? nil : (slot.row.run.task, slot.row.run.lastStatus)
    }

    /// The numbers of a row, read in its place: a row is too large to be copied for them.
    func figures(of id: UInt64, retryLimit: Int) -> RowFigures? {
        guard let slot = slots[NumberKey(id)] else { return untouchedRow(id)?.figures(retryLimit: retryLimit) }
        return slot.row.figures(retryLimit: retryLimit)
    }

    /// The standing of a row; nil for one that ended in an earlier run, unless it failed and such failures count.
    func standing(of id: UInt64, countingEarlierFailures: Bool) -> TransferResult? {
        guard let slot = slots[NumberKey(id)] else { return .unfinished }
        guard slot.row.run.isEarlier else { return slot.row.run.result ?? .unfinished }
        if countingEarlierFailures, case .failed = slot.row.run.result { return slot.row.run.result }
        return nil
    }

    /// The outcome of a row's latest run; nil while it has not ended.
    func result(of id: UInt64) -> TransferResult? { slots[NumberKey(id)]?.row.run.result }

    /// Whether a row does not go on by itself although it could: it is paused, has failed or was cancelled.
    func hasStopped(_ id: UInt64) -> Bool {
        slots[NumberKey(id)]?.row.hasStopped ?? startsPaused(id) ?? false
    }

    /// Whether a row ended before the program was started.
    func isEarlier(_ id: UInt64) -> Bool { slots[NumberKey(id)]?.row.run.isEarlier ?? false }

    /// Whether anything has happened to a row.
    func isTouched(_ id: UInt64) -> Bool { slots[NumberKey(id)] != nil }

    /// The URL of a row, read in its place; nil when there is no such row.
    func url(of id: UInt64) -> String? { slots[NumberKey(id)]?.row.job.url ?? untouchedRow(id)?.job.url }

    /// The server of a row, by the name that the library has for it.
    func origin(of id: UInt64) -> String? { url(of: id).flatMap(HeldRows.origin) }

    /// The body bytes of all rows.
    var moved: Int64 { slots.values.reduce(0) { $0 + $1.moved } }

    private func untouchedRow(_ id: UInt64) -> TransferRow? {
        guard let index = index(of: id), let job = untouched.job(index) else { return nil }
        return wholeRow(id, job)
    }

    /// Whether a row that nothing has happened to is held back; nil for any other.
    private func startsPaused(_ id: UInt64) -> Bool? { index(of: id).flatMap { untouched.startsPaused($0) } }

    private func index(of id: UInt64) -> Int? {
        guard let base, id >= base else { return nil }
        return Int(exactly: id - base)
    }
}

/// The numbers of data requests among those of the same method and URL, by which equal ones are told apart.
private struct RequestNumbers: Sendable {
    /// The requests so far, by the hash of method and URL; two with one hash are told apart without need.
    private var counts: [NumberKey: Int32] = [:]
    /// The numbers of rows that are not the first of their kind.
    private var numbers: [NumberKey: Int32] = [:]

    /// Counts the request of a new row; other kinds have names of their own.
    mutating func count(_ id: UInt64, _ job: Job) {
        numbers[NumberKey(id)] = nil
        guard job.kind == .data else { return }
        var hasher = Hasher()
        hasher.combine(job.sentMethod)
        hasher.combine(job.url)
        let key = NumberKey(UInt64(bitPattern: Int64(hasher.finalize())))
        let number = (counts[key] ?? 0) &+ 1
        counts[key] = number
        if number > 1 { numbers[NumberKey(id)] = number }
    }

    /// Forgets a row; its number is not given to another.
    mutating func forget(_ id: UInt64) { numbers[NumberKey(id)] = nil }

    /// The number of a row's request.
    func number(of id: UInt64) -> Int32 { numbers.isEmpty ? 1 : numbers[NumberKey(id)] ?? 1 }
}

/// The place of one row: looked up once, after which the row is read and changed where it is.
///
/// A class because the table of rows and that of tasks lead to the same one, and because a table of thousands moves
/// pointers when it grows. Only the holder of the bridge's lock touches it, so it is not sendable.
final class RowSlot {
    var row: TransferRow

    init(_ row: consuming TransferRow) {
        self.row = row
    }

    var id: UInt64 { row.id }

    /// The body bytes that moved.
    var moved: Int64 {
        let status = row.status
        return row.job.kind == .upload ? status.sent : status.received
    }

    /// The facts that its task is made of.
    var admission: RowAdmission {
        var admission = RowAdmission(
            id: row.id, job: row.job, queueKey: row.queueKey, lacksSecrets: row.lacksSecrets)
        // The kept part is wanted by a retry, whatever the command line said about older ones.
        if row.run.isRetry { admission.job.continues = true }
        return admission
    }

    /// The facts that the end of its run asks for.
    var ending: RowEnding {
        RowEnding(
            id: row.id, kind: row.job.kind,
            findsChecksum: row.job.options.contains(.findChecksum) && row.run.output == nil,
            output: row.run.output, startedAt: row.run.startedAt, wasResumed: row.run.wasResumed,
            discardsPart: row.run.discardsPart)
    }
}

@available(*, unavailable) extension RowSlot: Sendable {}

/// Jobs that nothing has happened to yet, by an index that grows: their URLs in one block of memory, and the number of
/// the terms that each shares with the jobs before it.
private struct UntouchedRows: Sendable {
    /// The number that stands for a job that is not there.
    private static let gap: Int32 = -1

    private var bytes: [UInt8] = []
    /// The end of each URL; it begins where the one before it ends.
    private var ends: [Int] = []
    /// The number of each job's terms; ``gap`` where there is no job.
    private var templateNumbers: [Int32] = []
    /// The terms that jobs share, as jobs without URLs.
    private var templates: [Job] = []

    /// Adds a job behind all others.
    mutating func insert(_ job: Job, at index: Int) {
        if templates.last?.differsOnlyInURL(from: job) != true { templates.append(template(of: job)) }
        while ends.count < index { append("", Self.gap) }
        append(job.url, Int32(truncatingIfNeeded: templates.count - 1))
    }

    /// The job of an index; nil when there is none.
    func job(_ index: Int) -> Job? {
        guard let template = template(index) else { return nil }
        var job = template
        let range = (index == 0 ? 0 : ends[index - 1])..<ends[index]
        job.url = bytes.withUnsafeBufferPointer { bytes in
            String(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self)
        }
        return job
    }

    /// Whether a job waits for its user; nil when there is none.
    func startsPaused(_ index: Int) -> Bool? { template(index)?.startsPaused }

    /// Forgets a job; its text stays, because a row that something happens to takes ten times as much.
    mutating func remove(_ index: Int) { templateNumbers[index] = Self.gap }

    private func template(of job: Job) -> Job {
        var template = job
        template.url = ""
        return template
    }

    private func template(_ index: Int) -> Job? {
        guard templateNumbers.indices.contains(index), templateNumbers[index] != Self.gap else { return nil }
        return templates[Int(templateNumbers[index])]
    }

    private mutating func append(_ url: String, _ number: Int32) {
        bytes.append(contentsOf: url.utf8)
        ends.append(bytes.count)
        templateNumbers.append(number)
    }
}

/// The key of a table that is asked at every event: an id that is counted up, or a number that is a hash already.
///
/// Nobody can choose such numbers to collide, so one multiplication by an odd number is enough: numbers that follow each
/// other get places of their own, and these lie apart, so that taking one out does not move a long row of others.
struct NumberKey: Hashable, Sendable {
    let number: UInt64

    init(_ number: UInt64) {
        self.number = number
    }

    func _rawHashValue(seed: Int) -> Int {
        seed ^ Int(truncatingIfNeeded: (number ^ number >> 16) &* 0x9E37_79B9_7F4A_7C15)
    }
}

extension JobDestination {
    /// The key of the destination in a table; two destinations hardly ever have the same one.
    var key: NumberKey { NumberKey(UInt64(bitPattern: Int64(hashValue))) }
}
