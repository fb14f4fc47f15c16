import SessionCore

/// How much of a download's file the entries of the history have, so that each byte counts in one of them.
///
/// It belongs to the row and outlives its runs: the entry of an end has what the file got beyond it, in however many runs.
/// A value that knows neither rows nor the history.
struct ToldBytes: Sendable, Equatable {
    /// Where the bytes begin that no entry has; nil for a row that has not received any.
    private(set) var end: Int64?
    /// The bytes of the latest end's entry.
    private(set) var latest: Int64 = 0
    /// Where they began before the file began again in this run, which may be in vain, and what has come since.
    private var earlier: Int64?
    private var arrived: Int64 = 0

    init(end: Int64? = nil) {
        self.end = end
    }

    /// Records where a run's bytes follow: the first run leaves out the ones that it found, and a file that had to begin
    /// again has none of the told ones.
    ///
    /// Returns whether a later run of the session has to be told; it takes a row that has begun for one that began at 0.
    mutating func record(_ status: TaskStatus) -> Bool {
        guard status.received > status.resumedAt || end == nil && status.resumedAt > 0 else { return false }
        if earlier != nil { arrived = max(arrived, status.received) }
        guard end.map({ $0 > status.resumedAt }) ?? true else { return false }
        let isNews = status.resumedAt > 0 || end != nil
        if let end { (earlier, arrived) = (earlier ?? end, status.received) }
        end = status.resumedAt
        return isNews
    }

    /// Records the counts at the end of a run.
    ///
    /// A partial file of which more had come than of the one that replaced it stays, and is then found once more.
    mutating func recordEnd(_ status: TaskStatus) {
        _ = record(status)
        if let earlier, status.received == status.resumedAt, status.received > arrived { end = earlier }
        (earlier, arrived) = (nil, 0)
    }

    /// Counts the bytes of an end that gets an entry.
    mutating func tell(received: Int64) {
        latest = max(received - (end ?? received), 0)
        if latest > 0 { end = received }
    }

    /// Takes the latest end's bytes back, because it has no entry any more: a later one has them.
    mutating func takeBack() {
        end = end.map { max($0 - latest, 0) }
        latest = 0
    }
}

extension TransferRow {
    /// Records where the bytes of its run follow; returns whether the saved session has to be told.
    mutating func recordBeginning(_ status: TaskStatus) -> Bool {
        run.recordBeginning(status)
        return job.kind == .download && told.record(status)
    }

    /// Records the counts at the end of a run that has begun.
    mutating func recordEnd(_ status: TaskStatus) {
        run.recordBeginning(status)
        if job.kind == .download { told.recordEnd(status) }
    }

    /// What a later run of the session has to know of the told bytes; nil where the stored counts say it.
    var toldMark: Int64? {
        guard job.kind == .download else { return nil }
        return switch run.result {
        case .completed: nil
        case .failed: told.end == run.lastStatus.received ? nil : told.end
        case .cancelled, .unfinished, nil: told.end
        }
    }

    /// The bytes of its end's entry; uploads and data requests begin anew in each run.
    var toldAtEnd: Int64 { job.kind == .download ? told.latest : moved }

    /// The milliseconds of its run; nil where its end has bytes of earlier ones, whose time is not known.
    var timeOfEnd: Int64? {
        guard !run.isRestored, job.kind != .download || toldAtEnd <= moved - max(run.beganAt, 0),
            let (start, end) = run.startedAt.flatMap({ start in run.endedAt.map { (start, $0) } })
        else { return nil }
        return end - start
    }
}

/// A row as it has ended, for the history; a reference, because it passes through many hands.
final class EndedRow: Sendable {
    let row: TransferRow

    init(_ row: TransferRow) { self.row = row }
}

extension RowSlot {
    /// Ends a row that has no task; returns it for the history.
    func end(_ result: TransferResult, at time: Int64) -> EndedRow {
        row.run.result = result
        row.run.endedAt = time
        row.told.tell(received: row.moved)
        return EndedRow(row)
    }
}

extension LocalService.State {
    /// Counts the bytes of the end of a run; returns the row, which may run again before its end is recorded, or nil
    /// where it goes on and so has no end, and without a saved session, whose history records ends.
    ///
    /// Under the lock that ends the run, so that what follows it begins behind these bytes.
    func tellEnd(of slot: RowSlot) -> EndedRow? {
        guard isSaved else { return nil }
        switch slot.row.run.result {
        case .cancelled: if case .resumes = successions[slot.id] { return nil }
        case .completed, .failed: break
        case .unfinished, nil: return nil
        }
        slot.row.told.tell(received: slot.row.moved)
        return EndedRow(slot.row)
    }
}
