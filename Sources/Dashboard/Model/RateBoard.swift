/// The speeds of the rows that run, their sums, peaks and the last minutes of them.
package struct RateBoard: Sendable {
    /// How often shown numbers may change, in milliseconds.
    static let tickInterval: Int64 = 500
    /// Seconds of history kept for the curves.
    static let historyLength = 120

    private(set) var meters: [UInt64: RateMeter] = [:]
    /// Bytes per second, downloads and data requests.
    package private(set) var down: Double = 0
    /// Bytes per second, uploads.
    package private(set) var up: Double = 0
    /// Bytes per second of everything that has settled and moves, to predict with.
    private(set) var steady: Double = 0
    private(set) var peakDown: Double = 0
    private(set) var peakUp: Double = 0
    /// One element a second, newest last, while something ran.
    private(set) var downHistory: [Double] = []
    private(set) var upHistory: [Double] = []
    /// Sums over all rows as they were when last measured, so that shown numbers stand still between.
    private(set) var shownMoved: Int64 = 0
    private(set) var shownExpected: Int64 = 0
    private(set) var shownRemaining: Int64 = 0
    private var lastSecond: Int64 = 0
    private(set) var lastTick: Int64 = 0

    /// Begins or stops to measure a row, as its state asks for.
    ///
    /// A row that goes on with a part is measured from there, also when the part is found after the row has begun to run.
    package mutating func follow(_ row: RowFigures, now: Int64) {
        if row.state == .running {
            if let meter = meters[row.id] {
                guard meter.origin != row.resumedAt else { return }
                let bytes = min(max(row.resumedAt, meter.bytes), row.moved)
                meters[row.id] = RateMeter(bytes: bytes, now: now, origin: row.resumedAt)
            } else {
                meters[row.id] = RateMeter(bytes: row.moved, now: now, origin: row.resumedAt)
            }
        } else {
            meters[row.id] = nil
        }
    }

    /// Forgets a row.
    package mutating func forget(_ id: UInt64) { meters[id] = nil }

    /// Starts all averages over, as after the program was stopped.
    mutating func restart(rows: RowStore, now: Int64) {
        for id in meters.keys {
            meters[id] = rows.figures(of: id).map { RateMeter(bytes: $0.moved, now: now, origin: $0.resumedAt) }
        }
        lastTick = now
    }

    /// Measures every running row when the interval has passed; answers whether shown numbers may have changed.
    mutating func tick(rows: RowStore, now: Int64) -> Bool {
        guard now - lastTick >= RateBoard.tickInterval else { return false }
        lastTick = now
        for id in meters.keys {
            guard let row = rows.figures(of: id) else { continue }
            meters[id]?.sample(bytes: row.moved, now: now)
        }
        sum(rows: rows, now: now)
        if now - lastSecond >= 1000, !meters.isEmpty {
            lastSecond = now
            remember()
        }
        return true
    }

    /// Adds the rows' speeds up again, as when a row stops.
    mutating func sum(rows: RowStore, now: Int64) {
        shownMoved = rows.counts.moved
        shownExpected = rows.counts.expected
        shownRemaining = rows.counts.remaining
        down = 0
        up = 0
        steady = 0
        for (id, meter) in meters {
            guard let row = rows.figures(of: id) else { continue }
            switch row.kind {
            case .upload: up += meter.shown
            case .data, .download: down += meter.shown
            }
            if meter.predicts(at: now) { steady += meter.steady }
        }
        peakDown = max(peakDown, down)
        peakUp = max(peakUp, up)
    }

    private mutating func remember() {
        downHistory.append(down)
        upHistory.append(up)
        if downHistory.count > RateBoard.historyLength { downHistory.removeFirst() }
        if upHistory.count > RateBoard.historyLength { upHistory.removeFirst() }
    }

    /// Bytes of a row to show in numbers; they change when the row is measured.
    func shownBytes(of row: RowSnapshot) -> Int64 { meters[row.id]?.bytes ?? row.moved }

    /// Seconds until everything that goes on by itself is done; nil while that cannot be said.
    var totalRemainingSeconds: Double? {
        steady >= 1 && shownRemaining > 0 ? Double(shownRemaining) / steady : nil
    }

    /// Bytes per second of a row; nil while it is not running or not yet measured.
    func speed(of id: UInt64) -> Double? {
        guard let meter = meters[id], meter.hasSample else { return nil }
        return meter.shown
    }

    /// Seconds until a row is done; nil while that cannot be said.
    func remainingSeconds(of row: RowSnapshot, now: Int64) -> Double? { remainingSeconds(of: row.figures, now: now) }

    /// Seconds until a row is done; nil while that cannot be said.
    func remainingSeconds(of row: RowFigures, now: Int64) -> Double? {
        guard let meter = meters[row.id], meter.predicts(at: now), meter.steady >= 1, let expected = row.expected
        else { return nil }
        return Double(max(expected - row.moved, 0)) / meter.steady
    }
}
