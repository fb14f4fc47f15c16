import SessionCore

/// Stores the service's rows by id.
///
/// A row with nothing but pauses is stored as its URL and a few numbers, so that a list of 100,000 URLs takes little
/// more than its text; an ended row too where rows are invisible. Changing such a row makes it complete first. The
/// table must not be copied, because a copy would share its rows.
struct RowTable {
    /// The id of the first row in ``compact``; ids grow by one or more.
    private var base: UInt64?
    private var compact = CompactRows()
    private var slots: [NumberKey: RowSlot] = [:]
    private var requests = RequestNumbers()

    /// Reads a copy of a row, or replaces it; nil when it does not exist.
    ///
    /// A row is large: the functions below read single facts without a copy, and frequent changes use the slot.
    subscript(id: UInt64) -> TransferRow? {
        get { slots[NumberKey(id)]?.row ?? compactRow(id) }
        set {
            if let newValue, let slot = slot(of: id) { slot.row = newValue }
        }
    }

    /// The slot of a row, which becomes complete; nil when it does not exist.
    mutating func slot(of id: UInt64) -> RowSlot? {
        slots[NumberKey(id)] ?? touch(id)
    }

    /// The slot of a row that waits for a task; nil for any other row.
    mutating func slotWantingTask(_ id: UInt64) -> RowSlot? {
        if let slot = slots[NumberKey(id)] { return slot.row.wantsTask ? slot : nil }
        return standing(id) == .waiting ? touch(id) : nil
    }

    /// Makes a compact row complete.
    private mutating func touch(_ id: UInt64) -> RowSlot? {
        guard let index = index(of: id), let job = compact.job(index) else { return nil }
        return expand(id, job, index)
    }

    private mutating func expand(_ id: UInt64, _ job: Job, _ index: Int) -> RowSlot {
        let slot = place(TransferRow(id: id, job: job))
        complete(&slot.row, index)
        compact.leave(index)
        return slot
    }

    /// Completes the row of a job by its state, its number and its log.
    private func complete(_ row: inout TransferRow, _ index: Int) {
        readState(&row.run, index)
        row.ordinal = requests.number(of: row.id)
        for pause in compact.pauses(index) {
            if !pause.isPause { row.run.queuedAt = pause.moment }
            row.log(TransferEvent(time: pause.time, id: row.id, what: pause.isPause ? .paused : .resumed))
        }
    }

    private func readState(_ run: inout TransferRow.Run, _ index: Int) {
        run.isPausedInQueue = compact.standing(index) == .pausedInQueue
        run.result = compact.result(index)
    }

    /// Adds a row; ids must ascend.
    mutating func insert(_ id: UInt64, _ job: Job) { insert(id, job, isPausedInQueue: job.startsPaused) }

    /// Adds a row that waits for a task, or for its user; ids must ascend.
    mutating func insert(_ id: UInt64, _ job: Job, isPausedInQueue: Bool) {
        base = base ?? id
        requests.count(id, job)
        compact.insert(job, at: Int(id - (base ?? id)), isPausedInQueue: isPausedInQueue)
    }

    /// Drops the text of ended rows, which only ids can then identify.
    mutating func forgetEnded() { compact.forgetsEnded = true }

    /// Makes an ended row compact; returns the body bytes that it counts.
    mutating func settle(_ id: UInt64) -> MovedBytes? {
        guard let slot = slots[NumberKey(id)], let result = slot.row.run.result, let index = index(of: id),
            compact.settle(index, result)
        else { return nil }
        slots[NumberKey(id)] = nil
        return TransferRow.counted(of: slot.row.job.kind, result, slot.row.run.lastStatus)
    }

    /// Makes an ended row without its text complete again.
    mutating func revive(_ id: UInt64, _ job: Job) {
        guard isForgotten(id), let index = index(of: id) else { return }
        _ = expand(id, job, index)
    }

    /// Returns whether a row has ended and its text was dropped.
    func isForgotten(_ id: UInt64) -> Bool {
        index(of: id).map { compact.standing($0).hasEnded && compact.job($0) == nil } ?? false
    }

    /// Pauses a row that waits for a task; returns false for any other.
    mutating func hold(_ id: UInt64) -> Bool {
        guard let slot = slots[NumberKey(id)] else { return index(of: id).map { compact.hold($0, true) } ?? false }
        guard slot.row.mayBeHeld else { return false }
        slot.row.run.isPausedInQueue = true
        return true
    }

    /// Lets a paused row without a task wait for one; returns false for any other.
    mutating func release(_ id: UInt64, at time: Int64) -> Bool {
        guard let slot = slots[NumberKey(id)] else { return index(of: id).map { compact.hold($0, false) } ?? false }
        guard slot.row.run.isPausedInQueue, slot.row.run.task == nil, slot.row.run.result == nil else { return false }
        slot.row.run.release(at: time)
        return true
    }

    mutating func log(_ event: TransferEvent, at moment: @autoclosure () -> Int64) {
        switch (event.what, standing(event.id)) {
        case (.paused, .pausedInQueue), (.resumed, .waiting):
            guard let index = index(of: event.id) else { return }
            compact.record(.init(isPause: event.what == .paused, time: event.time, moment: moment()), of: index)
        default: slot(of: event.id)?.row.log(event)
        }
    }

    /// Adds a complete row.
    mutating func insert(_ row: consuming TransferRow) -> RowSlot {
        requests.count(row.id, row.job)
        row.ordinal = requests.number(of: row.id)
        return place(row)
    }

    /// Adds a row again that was removed, with its number.
    mutating func bringBack(_ row: consuming TransferRow) { _ = place(row) }

    /// Numbers the changed request of a row.
    mutating func renumber(_ slot: RowSlot) {
        requests.count(slot.id, slot.row.job)
        slot.row.ordinal = requests.number(of: slot.id)
    }

    /// The slot of a repeated request; nil for any other row.
    func slotOfRepeated(_ id: UInt64) -> RowSlot? {
        slots[NumberKey(id)].flatMap { $0.row.repeatInterval == nil ? nil : $0 }
    }

    private mutating func place(_ row: consuming TransferRow) -> RowSlot {
        let slot = RowSlot(row)
        slots[NumberKey(slot.id)] = slot
        return slot
    }

    /// Removes a row and returns it.
    mutating func remove(_ id: UInt64) -> TransferRow? {
        guard let slot = slot(of: id) else { return nil }
        slots[NumberKey(id)] = nil
        if let index = index(of: id) { compact.remove(index) }
        requests.forget(id)
        return slot.row
    }

    /// The queue key of a waiting row; nil for any other row.
    func waitingKey(of id: UInt64) -> TransferRow.QueueKey? {
        if let slot = slots[NumberKey(id)] { return slot.row.isWaiting ? slot.row.queueKey : nil }
        return standing(id) == .waiting ? compactKey(of: id) : nil
    }

    func wantsTask(_ id: UInt64) -> Bool {
        if let slot = slots[NumberKey(id)] { return slot.row.wantsTask }
        return standing(id) == .waiting
    }

    /// The queue key of a row, whether or not it is queued.
    func queueKey(of id: UInt64) -> TransferRow.QueueKey? {
        if let slot = slots[NumberKey(id)] { return slot.row.queueKey }
        return hasNotEnded(id) ? compactKey(of: id) : nil
    }

    /// The source of an unfinished row's counts: its task, else the last known counts.
    func source(of id: UInt64) -> (task: SessionTask?, last: TaskStatus)? {
        guard let slot = slots[NumberKey(id)] else { return hasNotEnded(id) ? (nil, TaskStatus()) : nil }
        return slot.row.isFinal ? nil : (slot.row.run.task, slot.row.run.lastStatus)
    }

    /// The numbers of a row, read without copying it.
    func figures(of id: UInt64, retryLimit: Int) -> RowFigures? {
        if let slot = slots[NumberKey(id)] { return slot.row.figures(retryLimit: retryLimit) }
        // No number depends on the URL or on the log.
        guard let index = index(of: id), let terms = compact.terms(index) else { return nil }
        var row = TransferRow(id: id, job: terms)
        readState(&row.run, index)
        return row.figures(retryLimit: retryLimit)
    }

    /// Where rows stand, read without copying them; missing ids are left out.
    func standings(of ids: RowIDs) -> [RowStanding] {
        var standings: [RowStanding] = []
        standings.reserveCapacity(ids.count)
        func read(_ id: UInt64) {
            if let slot = slots[NumberKey(id)] { standings.append(slot.row.standing) }
        }
        for run in ids.ranges {
            guard let base, run.upperBound >= base else {
                run.forEach(read)
                continue
            }
            let first = Swift.max(run.lowerBound, base)
            (run.lowerBound..<first).forEach(read)
            compact.readPlaces(Int(first - base)..<Int(run.upperBound - base) + 1) { index, place in
                let id = base + UInt64(index)
                guard let place else { return read(id) }
                standings.append(
                    RowStanding(id: id, position: id, state: place.state, priority: place.priority.rawValue))
            }
        }
        return standings
    }

    /// The result of a row; nil for one that ended in an earlier run, unless it failed and such failures count.
    func standing(of id: UInt64, countingEarlierFailures: Bool) -> TransferResult? {
        guard let slot = slots[NumberKey(id)] else {
            return index(of: id).flatMap { compact.result($0) } ?? .unfinished
        }
        guard slot.row.run.isEarlier else { return slot.row.run.result ?? .unfinished }
        if countingEarlierFailures, case .failed = slot.row.run.result { return slot.row.run.result }
        return nil
    }

    /// The result of a row's latest run; nil while it has not ended.
    func result(of id: UInt64) -> TransferResult? {
        if let slot = slots[NumberKey(id)] { return slot.row.run.result }
        return index(of: id).flatMap { compact.result($0) }
    }

    /// Returns whether a row is paused, failed or cancelled, and waits for the user.
    func hasStopped(_ id: UInt64) -> Bool {
        if let slot = slots[NumberKey(id)] { return slot.row.hasStopped }
        switch standing(id) {
        case .pausedInQueue, .cancelled, .failed: return true
        case .absent, .expanded, .waiting, .completed: return false
        }
    }

    /// Returns whether a row ended in an earlier run.
    func isEarlier(_ id: UInt64) -> Bool { slots[NumberKey(id)]?.row.run.isEarlier ?? false }

    func has(_ id: UInt64) -> Bool { slots[NumberKey(id)] != nil || standing(id) != .absent }

    /// Returns whether a row is there and has not ended.
    func isLive(_ id: UInt64) -> Bool { has(id) && result(of: id) == nil }

    /// Returns whether anything but pauses has happened to a row.
    func isTouched(_ id: UInt64) -> Bool { slots[NumberKey(id)] != nil }

    func url(of id: UInt64) -> String? {
        slots[NumberKey(id)]?.row.job.url ?? index(of: id).flatMap { compact.job($0)?.url }
    }

    func job(of id: UInt64) -> Job? {
        slots[NumberKey(id)]?.row.job ?? index(of: id).flatMap { compact.job($0) }
    }

    /// The hours of a row; nil for one that may always run.
    func hours(of id: UInt64) -> TransferHours? {
        if let slot = slots[NumberKey(id)] { return slot.row.hours }
        return index(of: id).flatMap { compact.terms($0)?.hours }
    }

    /// The name and the predecessors of a row; nil for neither.
    func precedence(of id: UInt64) -> Precedence? {
        if let slot = slots[NumberKey(id)] { return slot.row.job.precedence }
        return index(of: id).flatMap { compact.terms($0)?.precedence }
    }

    var counted: MovedBytes { slots.values.reduce(into: MovedBytes()) { $0 += $1.counted } }

    private func compactRow(_ id: UInt64) -> TransferRow? {
        guard let index = index(of: id), let job = compact.job(index) else { return nil }
        var row = TransferRow(id: id, job: job)
        complete(&row, index)
        return row
    }

    /// The state of a compact row.
    private func standing(_ id: UInt64) -> CompactRows.Status {
        index(of: id).map { compact.standing($0) } ?? .absent
    }

    private func compactKey(of id: UInt64) -> TransferRow.QueueKey {
        let terms = index(of: id).flatMap { compact.terms($0) }
        return TransferRow.QueueKey(priority: (terms?.priority ?? .normal).rawValue, position: id)
    }

    private func hasNotEnded(_ id: UInt64) -> Bool {
        switch standing(id) {
        case .waiting, .pausedInQueue: true
        case .absent, .expanded, .completed, .cancelled, .failed: false
        }
    }

    private func index(of id: UInt64) -> Int? {
        guard let base, id >= base else { return nil }
        return Int(exactly: id - base)
    }
}

/// Numbers data requests of the same method and URL, to tell equal ones apart.
private struct RequestNumbers: Sendable {
    /// Counts by the hash of method and URL; a collision only adds a needless number.
    private var counts: [NumberKey: Int32] = [:]
    /// The numbers of rows that are not the first of their kind.
    private var numbers: [NumberKey: Int32] = [:]

    /// Counts the request of a new row; other kinds have their own names.
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

    /// Forgets a row; its number is not reused.
    mutating func forget(_ id: UInt64) { numbers[NumberKey(id)] = nil }

    func number(of id: UInt64) -> Int32 { numbers.isEmpty ? 1 : numbers[NumberKey(id)] ?? 1 }
}

/// Refers to one row, which is looked up once and then read and changed without a copy.
///
/// A class because the row table and the task table share it, and because a growing table of thousands then moves only
/// pointers. Only code under the service's lock touches it, so it is not sendable.
final class RowSlot {
    var row: TransferRow

    init(_ row: consuming TransferRow) {
        self.row = row
    }

    var id: UInt64 { row.id }

    /// The body bytes that count in the run's figures.
    var counted: MovedBytes { row.counted }

    /// Its position in the queue; a property of the row would be read from a copy of it.
    var queueKey: TransferRow.QueueKey {
        TransferRow.QueueKey(priority: row.job.priority.rawValue, position: row.position)
    }

    /// The facts for making its task.
    var admission: RowAdmission {
        var admission = RowAdmission(
            id: row.id, job: row.job, queueKey: queueKey, missingSecrets: row.lacksSecrets ? row.secretsNotSaved : nil,
            revision: row.revision)
        // A retry wants the kept partial file, whatever the command line said about older ones.
        admission.isRetry = row.run.isRetry
        if row.run.isRetry { admission.job.continues = true }
        if let decision = row.run.decision { admission.job.ifExists = decision }
        return admission
    }

    /// The facts for ending its run.
    var ending: RowEnding {
        RowEnding(
            id: row.id, kind: row.job.kind,
            findsChecksum: row.job.options.contains(.findChecksum) && row.run.output == nil,
            terms: row.job.options.answerTerms,
            keepsRedirects: row.job.kind == .data && row.job.options.contains(.keepsRedirects), output: row.run.output,
            startedAt: row.run.startedAt,
            beganAt: row.run.beganAt, wasResumed: row.run.wasResumed,
            discardsPart: row.run.discardsPart, keepsWish: row.run.keepsWish)
    }
}

@available(*, unavailable) extension RowSlot: Sendable {}

/// The key of a table that every event reads: an ascending id, or a number that is already a hash.
///
/// An attacker cannot choose such numbers, so one multiplication by an odd number suffices: consecutive numbers get
/// distinct, distant slots, so that a removal does not move a long run of others.
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
    /// The key of the destination in a table; collisions are rare.
    var tableKey: NumberKey { NumberKey(UInt64(bitPattern: Int64(hashValue))) }
}
