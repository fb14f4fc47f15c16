/// The rates of the running rows, their sums, peaks and recent history.
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
    /// Sums over all rows at the latest measurement, so that shown numbers are stable until the next.
    package private(set) var shownMoved: Int64 = 0
    package private(set) var shownExpected: Int64 = 0
    private(set) var shownRemaining: Int64 = 0
    /// Rows that run without the user, and the ones of unknown length among them, at the latest measurement.
    private(set) var shownLive = 0
    private(set) var shownUnknown = 0
    /// Rows whose bytes are missing in ``shownExpected``, at the latest measurement.
    package private(set) var shownUnmeasured = 0
    /// Completed rows, and all but the cancelled ones, at the latest measurement.
    package private(set) var shownDone = 0
    package private(set) var shownTotal = 0
    /// Seconds until the slowest running row is done; nil if none can be predicted.
    private var longest: Double?
    /// The bytes of rows that are no longer measured.
    private var ended = EndedRates()
    /// The completed rows per second of a service that has more rows than the table; nil for any other.
    private var serviceRowRate: Double?
    /// Whether the rows are a queue's, whose workers report now and then.
    private var hasHeartbeats = false
    private(set) var lastTick: Int64 = 0

    /// Starts or stops measuring a row, according to its state.
    ///
    /// A row that resumes a partial file is measured from its end, also if the file is found after the row has started.
    ///
    /// `old` is the earlier row, evaluated if it ends without having been measured; `beginning` is the moment from
    /// which an end counts for this run.
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
            // A row that waits again before its first byte shows the kept bytes, which it had not read.
            let begins = meter.hasSample || row.state.isFinal ? meter.bytes : row.moved
            ended.add(row.moved - max(begins, row.resumedAt), of: row.kind, isCompleted: row.state == .done)
        } else if row.state == .done || row.state == .failed {
            let old = old()
            guard old.map({ row.hasEnded(since: $0) }) ?? ((row.endedAt ?? 0) > beginning) else { return }
            // An earlier run's bytes count only up to the offset from which this one resumed.
            let before = old.map { $0.state.isFinal ? 0 : $0.moved } ?? 0
            ended.add(row.moved - max(before, row.resumedAt), of: row.kind, isCompleted: row.state == .done)
        }
    }

    package mutating func forget(_ id: UInt64) {
        meters[id] = nil
        histories.forget(id)
    }

    /// The latest minutes of a row; nil if none are kept.
    package func history(of id: UInt64) -> RateHistory? { histories[id] }

    /// Restarts all averages, as after the program was stopped.
    ///
    /// The bytes of the next span may have moved long before, also the ones of rows that have ended.
    mutating func restart(rows: RowStore, now: Int64) {
        for id in meters.keys {
            meters[id] = rows.figures(of: id).map {
                RateMeter(bytes: $0.moved, now: now, origin: $0.resumedAt, dropsFirstSpan: true)
            }
        }
        ended = EndedRates(dropsFirstSpan: true)
        lastTick = now
    }

    /// Ends all measurements, because nothing is told of the rows any more; ``follow(_:before:since:now:)`` begins anew.
    mutating func stop() {
        (meters, ended) = ([:], EndedRates())
        (down, up, steady, longest, serviceRowRate) = (0, 0, 0, nil, nil)
    }

    /// Predicts rows by later bytes alone because their limit was changed; all rows unless ids are given.
    mutating func forgetSteadySpeeds(of ids: [UInt64]? = nil, now: Int64) {
        for id in ids ?? Array(meters.keys) { meters[id]?.forgetSteadySpeed(now: now) }
    }

    /// Measures every running row when the interval has passed; returns whether shown numbers may have changed.
    ///
    /// The watched row always keeps its latest minutes.
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

    /// Sums the rows' rates again, such as when a row stops.
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
        hasHeartbeats = rows.totals != nil
        serviceRowRate = nil
        if let totals = rows.totals {
            // The table has only some of the rows that move, and rows that come into it have not moved just now.
            let rate = totals.bytesPerSecond ?? 0
            (down, steady, longest, serviceRowRate) = (rate, rate, nil, totals.rowsPerSecond ?? 0)
        }
        peakDown = max(peakDown, down)
        peakUp = max(peakUp, up)
        if meters.isEmpty, down + up == 0 { wasIdle = true }
    }

    private mutating func record(at second: Int64, watching watched: UInt64?) {
        guard downHistory.isEmpty || second > downHistory.last else { return }
        // A row without a value in a measured second did not move in it.
        histories.record(
            meters, watched: watched, at: second,
            wasIdle: wasIdle || downHistory.last + 1 == second)
        downHistory.record(down, at: second, wasIdle: wasIdle)
        upHistory.record(up, at: second, wasIdle: wasIdle)
        wasIdle = false
    }

    /// The bytes of a row as displayed; they change when the row is measured.
    package func shownBytes(of row: RowFigures) -> Int64 { meters[row.id]?.bytes ?? row.moved }

    /// Seconds until every row that runs without the user is done, as far as known: at least the slowest row's time,
    /// and a prediction for rows of unknown length once many like them have ended; nil if unknown.
    package var totalRemainingSeconds: Double? {
        let rowRate = serviceRowRate.flatMap { $0 > 0 ? $0 : nil } ?? ended.steadyRowsPerSecond
        let byRows = rowRate.map { Double(shownLive) / $0 }
        // Bytes moved by the ends of few rows, such as when they are paused, predict nothing about the others.
        let isSettled = longest != nil || byRows != nil
        let byBytes = isSettled && steady >= 1 && shownRemaining > 0 ? Double(shownRemaining) / steady : nil
        return [byBytes, byRows, longest].compactMap { $0 }.max()
    }

    /// Rows of unknown length that ``totalRemainingSeconds`` leaves out.
    package var unpredicted: Int { ended.steadyRowsPerSecond == nil ? shownUnknown : 0 }

    /// Completed rows per second.
    package var rowsPerSecond: Double { serviceRowRate ?? ended.rowsPerSecond }

    /// Whether the bytes and number of ended rows are not measured yet, or still show in the averages.
    var isSettling: Bool { ended.hasNews || shownLive > 0 && ended.down + ended.up >= 1 }

    /// The number of rows from which their count says more than their bytes.
    private static let manyRows = 50

    /// Whether progress is counted in rows.
    package var countsRows: Bool { shownTotal >= Self.manyRows }

    /// The completed part of everything in thousandths: of the bytes, or of the rows if the lengths of many rows are
    /// unknown.
    package var permille: Int? {
        shownUnmeasured > 0 && countsRows
            ? PercentText.permille(Int64(shownDone), of: Int64(shownTotal))
            : PercentText.permille(shownMoved, of: shownExpected)
    }

    /// Bytes per second of a row; nil if it is not running or not yet measured.
    package func speed(of id: UInt64) -> Double? {
        guard let meter = meters[id], meter.hasSample else { return nil }
        return meter.shown
    }

    /// Full seconds without a byte of a row; nil if too short to report.
    ///
    /// Bytes of a queue's rows come with the heartbeats of workers, so a pause between two of them is none of the row.
    func standstill(of id: UInt64, now: Int64) -> Int64? { hasHeartbeats ? nil : meters[id]?.standstill(at: now) }

    /// Seconds until a row is done; nil if unknown.
    func remainingSeconds(of row: RowFigures, now: Int64) -> Double? {
        guard let meter = meters[row.id], meter.predicts(at: now), meter.steady >= 1, let expected = row.expected
        else { return nil }
        return Double(max(expected - row.moved, 0)) / meter.steady
    }
}
