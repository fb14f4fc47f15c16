/// The speeds of the rows that run, their sums, peaks and the last minutes of them.
package struct RateBoard: Sendable {
    package private(set) var meters: [UInt64: RateMeter] = [:]
    /// Bytes per second, downloads and data requests.
    package private(set) var down: Double = 0
    /// Bytes per second, uploads.
    package private(set) var up: Double = 0
    /// Bytes per second of all rows that move steadily, to predict with.
    private(set) var steady: Double = 0
    package private(set) var peakDown: Double = 0
    package private(set) var peakUp: Double = 0
    /// The latest minutes of both sums.
    package private(set) var downHistory = RateHistory()
    package private(set) var upHistory = RateHistory()
    private var histories = RowHistories()
    /// Whether nothing has moved for some time since the histories were written.
    private var wasIdle = false
    /// Sums over all rows as they were when last measured, so that shown numbers stand still between.
    package private(set) var shownMoved: Int64 = 0
    package private(set) var shownExpected: Int64 = 0
    private(set) var shownRemaining: Int64 = 0
    /// Rows that go on by themselves, and those of them whose length nobody knows, when last measured.
    private(set) var shownLive = 0
    private(set) var shownUnknown = 0
    /// Rows whose bytes are missing in ``shownExpected``, when last measured.
    package private(set) var shownUnmeasured = 0
    /// Rows that are done, and all but the cancelled ones, when last measured.
    package private(set) var shownDone = 0
    package private(set) var shownTotal = 0
    /// Seconds until the row is done that takes longest of those that run; nil while nothing can be said of any.
    private var longest: Double?
    /// What rows moved that are no longer measured.
    private var ended = EndedRates()
    private(set) var lastTick: Int64 = 0

    /// Begins or stops to measure a row, as its state asks for.
    ///
    /// A row that goes on with a part is measured from there, also when the part is found after the row has begun to
    /// run.
    ///
    /// `old` is the row as it was, asked for when it ends without having been measured; `beginning` is the moment from
    /// which on an end is one of this run.
    package mutating func follow(
        _ row: RowFigures, before old: @autoclosure () -> RowFigures? = nil, since beginning: Int64 = 0, now: Int64
    ) {
        if row.state == .running {
            if let meter = meters[row.id] {
                guard meter.origin != row.resumedAt else { return }
                let bytes = min(max(row.resumedAt, meter.bytes), row.moved)
                meters[row.id] = RateMeter(bytes: bytes, now: now, origin: row.resumedAt)
            } else {
                meters[row.id] = RateMeter(bytes: row.moved, now: now, origin: row.resumedAt)
            }
        } else if let meter = meters.removeValue(forKey: row.id) {
            ended.add(row.moved - meter.bytes, of: row.kind, isCompleted: row.state == .done)
        } else if row.state == .done || row.state == .failed {
            let old = old()
            guard old.map({ row.hasEnded(since: $0) }) ?? ((row.endedAt ?? 0) > beginning) else { return }
            // What an earlier run has moved counts for this one only as far as it went on from there.
            let before = old.map { $0.state.isFinal ? 0 : $0.moved } ?? 0
            ended.add(row.moved - max(before, row.resumedAt), of: row.kind, isCompleted: row.state == .done)
        }
    }

    /// Forgets a row.
    package mutating func forget(_ id: UInt64) {
        meters[id] = nil
        histories.forget(id)
    }

    /// The latest minutes of a row; nil when none of them is kept.
    package func history(of id: UInt64) -> RateHistory? { histories[id] }

    /// Starts all averages over, as after the program was stopped.
    mutating func restart(rows: RowStore, now: Int64) {
        for id in meters.keys {
            meters[id] = rows.figures(of: id).map {
                RateMeter(bytes: $0.moved, now: now, origin: $0.resumedAt, dropsFirstSpan: true)
            }
        }
        lastTick = now
    }

    /// Predicts rows, all of them unless ids are given, by what moves from now on, because a limit of theirs was changed.
    mutating func forgetSteadySpeeds(of ids: [UInt64]? = nil, now: Int64) {
        for id in ids ?? Array(meters.keys) { meters[id]?.forgetSteadySpeed(now: now) }
    }

    /// Measures every running row when the interval has passed; answers whether shown numbers may have changed.
    ///
    /// The row that is looked at keeps its latest minutes in any case.
    mutating func tick(rows: RowStore, watching watched: UInt64? = nil, now: Int64) -> Bool {
        guard now - lastTick >= RateMeter.tickInterval else { return false }
        ended.measure(span: now - lastTick)
        lastTick = now
        for id in meters.keys {
            guard let row = rows.figures(of: id) else { continue }
            meters[id]?.sample(bytes: row.moved, now: now)
        }
        sum(rows: rows, now: now)
        if !meters.isEmpty || down + up > 0 { record(at: now / 1000, watching: watched) }
        return true
    }

    /// Adds the rows' speeds up again, as when a row stops.
    mutating func sum(rows: RowStore, now: Int64) {
        shownMoved = rows.counts.moved
        shownExpected = rows.counts.expected
        shownRemaining = rows.counts.remaining
        shownLive = rows.counts.live
        shownUnknown = rows.counts.unknown
        shownUnmeasured = rows.counts.unmeasured
        shownDone = rows.counts[nil, .done]
        shownTotal = rows.count - rows.counts[nil, .cancelled]
        if shownLive == 0 { ended = EndedRates() }
        down = ended.down
        up = ended.up
        steady = ended.steady
        longest = nil
        for (id, meter) in meters {
            guard let row = rows.figures(of: id) else { continue }
            switch row.kind {
            case .upload: up += meter.shown
            case .data, .download: down += meter.shown
            }
            guard meter.predicts(at: now) else { continue }
            steady += meter.steady
            if let seconds = remainingSeconds(of: row, now: now) { longest = max(longest ?? 0, seconds) }
        }
        peakDown = max(peakDown, down)
        peakUp = max(peakUp, up)
        if meters.isEmpty, down + up == 0 { wasIdle = true }
    }

    private mutating func record(at second: Int64, watching watched: UInt64?) {
        guard downHistory.isEmpty || second > downHistory.last else { return }
        // A row that has no value in a second that was measured did not move in it.
        histories.record(
            meters, watched: watched, at: second,
            wasIdle: wasIdle || downHistory.last + 1 == second)
        downHistory.record(down, at: second, wasIdle: wasIdle)
        upHistory.record(up, at: second, wasIdle: wasIdle)
        wasIdle = false
    }

    /// Bytes of a row to show in numbers; they change when the row is measured.
    package func shownBytes(of row: RowFigures) -> Int64 { meters[row.id]?.bytes ?? row.moved }

    /// Seconds until everything that goes on by itself is done, as far as it is known: no less than the longest row
    /// takes, and as long as rows of unknown length will take when many like them have ended; nil while nothing can be
    /// said.
    package var totalRemainingSeconds: Double? {
        let byRows = ended.steadyRowsPerSecond.map { Double(shownLive) / $0 }
        // What few rows moved by their ends, as by being paused, says nothing of the others.
        let isSettled = longest != nil || byRows != nil
        let byBytes = isSettled && steady >= 1 && shownRemaining > 0 ? Double(shownRemaining) / steady : nil
        return [byBytes, byRows, longest].compactMap { $0 }.max()
    }

    /// Rows of unknown length that ``totalRemainingSeconds`` leaves out.
    package var unpredicted: Int { ended.steadyRowsPerSecond == nil ? shownUnknown : 0 }

    /// Rows per second that were completed.
    package var rowsPerSecond: Double { ended.rowsPerSecond }

    /// Whether rows have ended whose bytes and number are not measured yet, or still show in the averages.
    var isSettling: Bool { ended.hasNews || shownLive > 0 && ended.down + ended.up >= 1 }

    /// Rows from which on their number says more than their bytes.
    private static let manyRows = 50

    /// Whether progress is counted in rows.
    package var countsRows: Bool { shownTotal >= Self.manyRows }

    /// Thousandths of everything that are done: of the bytes, unless nobody knows how many there are of many rows.
    package var permille: Int? {
        shownUnmeasured > 0 && countsRows
            ? PercentText.permille(Int64(shownDone), of: Int64(shownTotal))
            : PercentText.permille(shownMoved, of: shownExpected)
    }

    /// Bytes per second of a row; nil while it is not running or not yet measured.
    package func speed(of id: UInt64) -> Double? {
        guard let meter = meters[id], meter.hasSample else { return nil }
        return meter.shown
    }

    /// Whole seconds for which no byte of a row has moved; nil while that is not worth a word.
    func standstill(of id: UInt64, now: Int64) -> Int64? { meters[id]?.standstill(at: now) }

    /// Seconds until a row is done; nil while that cannot be said.
    func remainingSeconds(of row: RowFigures, now: Int64) -> Double? {
        guard let meter = meters[row.id], meter.predicts(at: now), meter.steady >= 1, let expected = row.expected
        else { return nil }
        return Double(max(expected - row.moved, 0)) / meter.steady
    }
}
