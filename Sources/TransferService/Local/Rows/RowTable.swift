import SessionCore

/// The bridge's rows by id.
///
/// A row that nothing but pauses has happened to is kept as its URL and a few numbers: a list of a hundred thousand URLs then
/// takes what its text takes and little more; so is one that has ended where nobody sees rows. Whoever changes such a row
/// makes a whole one of it without noticing. There is one table and no copy of it, which would lead to the same rows.
struct RowTable {
    /// The id of the first row in ``compact``; ids grow by one or more.
    private var base: UInt64?
    private var compact = CompactRows()
    private var slots: [NumberKey: RowSlot] = [:]
    private var requests = RequestNumbers()

    /// A copy of the row of an id, or another one for it; nil when there is none.
    ///
    /// A row is large: where one fact is wanted, the functions below tell it without a copy, and what happens often
    /// changes the row in its slot.
    subscript(id: UInt64) -> TransferRow? {
        get { slots[NumberKey(id)]?.row ?? compactRow(id) }
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
        return standing(id) == .waiting ? touch(id) : nil
    }

    /// Makes a whole row of a compact one.
    private mutating func touch(_ id: UInt64) -> RowSlot? {
        guard let row = compactRow(id), let index = index(of: id) else { return nil }
        compact.leave(index)
        return place(row)
    }

    private func fullRow(_ id: UInt64, _ job: Job, _ index: Int) -> TransferRow {
        var row = TransferRow(id: id, job: job)
        row.ordinal = requests.number(of: id)
        row.run.isHeld = compact.standing(index) == .held
        row.run.result = compact.result(index)
        for pause in compact.pauses(index) {
            if !pause.isPause { row.run.queuedAt = pause.moment }
            row.log(TransferEvent(time: pause.time, id: id, what: pause.isPause ? .paused : .resumed))
        }
        return row
    }

    /// Adds a row; ids come in their order.
    mutating func insert(_ id: UInt64, _ job: Job) { insert(id, job, isHeld: job.startsPaused) }

    /// Adds a row that waits for a task, or for its user; ids come in their order.
    mutating func insert(_ id: UInt64, _ job: Job, isHeld: Bool) {
        base = base ?? id
        requests.count(id, job)
        compact.insert(job, at: Int(id - (base ?? id)), isHeld: isHeld)
    }

    /// Has the text of rows given up that have ended: the next question for one of them is answered by its number alone.
    mutating func forgetEnded() { compact.forgetsEnded = true }

    /// A row that has ended is kept as little more than its URL from now on; answers the body bytes that it counts.
    mutating func settle(_ id: UInt64) -> Int64? {
        guard let slot = slots[NumberKey(id)], let result = slot.row.run.result, let index = index(of: id),
            compact.settle(index, result)
        else { return nil }
        slots[NumberKey(id)] = nil
        return slot.counted
    }

    /// Makes a whole row again of one that has ended and whose text was given up; one that was completed stays as it is.
    mutating func revive(_ id: UInt64, _ job: Job) {
        guard let index = index(of: id), compact.job(index) == nil else { return }
        switch compact.standing(index) {
        case .cancelled, .failed:
            let row = fullRow(id, job, index)
            compact.leave(index)
            _ = place(row)
        case .absent, .whole, .waiting, .held, .completed: break
        }
    }

    /// Whether a row has ended and its text was given up.
    func isForgotten(_ id: UInt64) -> Bool {
        index(of: id).map { compact.standing($0).hasEnded && compact.job($0) == nil } ?? false
    }

    /// Pauses a row that waits for a task; false for any other.
    mutating func hold(_ id: UInt64) -> Bool {
        guard let slot = slots[NumberKey(id)] else { return index(of: id).map { compact.hold($0, true) } ?? false }
        guard slot.row.wantsTask else { return false }
        slot.row.run.isHeld = true
        return true
    }

    /// Lets a paused row without a task wait for one again; false for any other.
    mutating func release(_ id: UInt64, at time: Int64) -> Bool {
        guard let slot = slots[NumberKey(id)] else { return index(of: id).map { compact.hold($0, false) } ?? false }
        guard slot.row.run.isHeld, slot.row.run.task == nil, slot.row.run.result == nil else { return false }
        slot.row.run.release(at: time)
        return true
    }

    /// Adds an event to the row's own log.
    mutating func log(_ event: TransferEvent, at moment: @autoclosure () -> Int64) {
        switch (event.what, standing(event.id)) {
        case (.paused, .held), (.resumed, .waiting):
            guard let index = index(of: event.id) else { return }
            compact.record(.init(isPause: event.what == .paused, time: event.time, moment: moment()), of: index)
        default: slot(of: event.id)?.row.log(event)
        }
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
        if let index = index(of: id) { compact.remove(index) }
        requests.forget(id)
        return slot.row
    }

    /// The place in the queue of a row that waits; nil for any other row.
    func waitingKey(of id: UInt64) -> TransferRow.QueueKey? {
        if let slot = slots[NumberKey(id)] { return slot.row.isWaiting ? slot.row.queueKey : nil }
        return standing(id) == .waiting ? TransferRow.QueueKey(priority: 0, place: id) : nil
    }

    /// Whether a row waits for a task.
    func wantsTask(_ id: UInt64) -> Bool {
        if let slot = slots[NumberKey(id)] { return slot.row.wantsTask }
        return standing(id) == .waiting
    }

    /// The place in the queue that a row has, or would have.
    func queueKey(of id: UInt64) -> TransferRow.QueueKey? {
        if let slot = slots[NumberKey(id)] { return slot.row.queueKey }
        return hasNotEnded(id) ? TransferRow.QueueKey(priority: 0, place: id) : nil
    }

    /// The source of the counts of a row that has not ended: its task, else the counts known last.
    func source(of id: UInt64) -> (task: SessionTask?, last: TaskStatus)? {
        guard let slot = slots[NumberKey(id)] else { return hasNotEnded(id) ? (nil, TaskStatus()) : nil }
        return slot.row.isFinal ? nil : (slot.row.run.task, slot.row.run.lastStatus)
    }

    /// The numbers of a row, read in its place: a row is too large to be copied for them.
    func figures(of id: UInt64, retryLimit: Int) -> RowFigures? {
        if let slot = slots[NumberKey(id)] { return slot.row.figures(retryLimit: retryLimit) }
        // No number depends on the URL.
        guard let index = index(of: id), let terms = compact.terms(index) else { return nil }
        return fullRow(id, terms, index).figures(retryLimit: retryLimit)
    }

    /// The standing of a row; nil for one that ended in an earlier run, unless it failed and such failures count.
    func standing(of id: UInt64, countingEarlierFailures: Bool) -> TransferResult? {
        guard let slot = slots[NumberKey(id)] else {
            return index(of: id).flatMap { compact.result($0) } ?? .unfinished
        }
        guard slot.row.run.isEarlier else { return slot.row.run.result ?? .unfinished }
        if countingEarlierFailures, case .failed = slot.row.run.result { return slot.row.run.result }
        return nil
    }

    /// The outcome of a row's latest run; nil while it has not ended.
    func result(of id: UInt64) -> TransferResult? {
        if let slot = slots[NumberKey(id)] { return slot.row.run.result }
        return index(of: id).flatMap { compact.result($0) }
    }

    /// Whether a row does not go on by itself although it could: it is paused, has failed or was cancelled.
    func hasStopped(_ id: UInt64) -> Bool {
        if let slot = slots[NumberKey(id)] { return slot.row.hasStopped }
        switch standing(id) {
        case .held, .cancelled, .failed: return true
        case .absent, .whole, .waiting, .completed: return false
        }
    }

    /// Whether a row ended before the program was started.
    func isEarlier(_ id: UInt64) -> Bool { slots[NumberKey(id)]?.row.run.isEarlier ?? false }

    /// Whether there is a row of an id.
    func has(_ id: UInt64) -> Bool { slots[NumberKey(id)] != nil || standing(id) != .absent }

    /// Whether anything but pauses has happened to a row.
    func isTouched(_ id: UInt64) -> Bool { slots[NumberKey(id)] != nil }

    /// The URL of a row, read in its place; nil when there is no such row.
    func url(of id: UInt64) -> String? {
        slots[NumberKey(id)]?.row.job.url ?? index(of: id).flatMap { compact.job($0)?.url }
    }

    /// What a row that waits for a task stands in the queue with; nil for any other row.
    func waiting(_ id: UInt64) -> (job: Job, key: TransferRow.QueueKey)? {
        guard wantsTask(id), let key = queueKey(of: id),
            let job = slots[NumberKey(id)]?.row.job ?? index(of: id).flatMap({ compact.job($0) })
        else { return nil }
        return (job, key)
    }

    /// The body bytes of all rows.
    var counted: Int64 { slots.values.reduce(0) { $0 + $1.counted } }

    private func compactRow(_ id: UInt64) -> TransferRow? {
        guard let index = index(of: id), let job = compact.job(index) else { return nil }
        return fullRow(id, job, index)
    }

    /// How a row stands that is no whole one.
    private func standing(_ id: UInt64) -> CompactRows.Status {
        index(of: id).map { compact.standing($0) } ?? .absent
    }

    private func hasNotEnded(_ id: UInt64) -> Bool {
        switch standing(id) {
        case .waiting, .held: true
        case .absent, .whole, .completed, .cancelled, .failed: false
        }
    }

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

    /// The body bytes that count in the figures of the run.
    var counted: Int64 { row.counted }

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

/// The key of a table that is asked at every event: an id that is counted up, or a number that is a hash already.
///
/// Nobody can choose such numbers to collide, so one multiplication by an odd number is enough: numbers that follow each
/// other get places of their own, and these lie apart, so that taking one out does not move a long row of others.
package struct NumberKey: Hashable, Sendable {
    let number: UInt64

    package init(_ number: UInt64) {
        self.number = number
    }

    package func _rawHashValue(seed: Int) -> Int {
        seed ^ Int(truncatingIfNeeded: (number ^ number >> 16) &* 0x9E37_79B9_7F4A_7C15)
    }
}

extension JobDestination {
    /// The key of the destination in a table; two destinations hardly ever have the same one.
    var tableKey: NumberKey { NumberKey(UInt64(bitPattern: Int64(hashValue))) }
}
