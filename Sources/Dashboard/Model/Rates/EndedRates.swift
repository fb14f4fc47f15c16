/// The rates of bytes that rows report only at their ends.
///
/// Thousands of small rows begin and end between two measurements, so none of them has a measured rate.
package struct EndedRates: Sendable {
    /// The number of ended rows from which their rate predicts the others.
    private static let predictionCount = 10
    /// The minimum measuring time for that prediction, in milliseconds.
    private static let predictionSpan: Int64 = 3000
    /// An idle span in milliseconds after which averages start again.
    private static let idleSpan: Int64 = 2000

    /// Bytes and rows since the last measurement.
    private var newDown: Int64 = 0
    private var newUp: Int64 = 0
    private var newRows = 0
    private var quickDown = RecentAverage()
    private var quickUp = RecentAverage()
    private var quickRows = RecentAverage()
    private var slowBytes = SpanAverage(constant: RateMeter.slowConstant)
    private var slowRows = SpanAverage(constant: RateMeter.slowConstant)
    /// The measured rows and their total span.
    private var rows = 0
    private var span: Int64 = 0
    /// Whether the amounts of the next span came about before it.
    private var dropsNextSpan = false

    init(dropsFirstSpan: Bool = false) { dropsNextSpan = dropsFirstSpan }

    /// Bytes per second to show.
    var down: Double { quickDown.value }
    var up: Double { quickUp.value }
    /// Bytes per second of both directions, to predict with.
    var steady: Double { slowBytes.value ?? 0 }
    /// Completed rows per second, to show.
    var rowsPerSecond: Double { quickRows.value }
    /// Rows per second to predict with; nil while too few have ended.
    var steadyRowsPerSecond: Double? {
        guard rows >= Self.predictionCount, span >= Self.predictionSpan, let speed = slowRows.value else { return nil }
        return speed > 0.5 ? speed : nil
    }

    var hasNews: Bool { newDown > 0 || newUp > 0 || newRows > 0 }

    /// Adds bytes that no row's own rate covers, and the row if it was completed with them.
    mutating func add(_ bytes: Int64, of kind: Job.Kind, isCompleted: Bool) {
        switch kind {
        case .upload: newUp += max(bytes, 0)
        case .data, .download: newDown += max(bytes, 0)
        }
        if isCompleted { newRows += 1 }
    }

    /// Measures the amounts added in the milliseconds since the last measurement.
    mutating func measure(span newSpan: Int64) {
        guard !dropsNextSpan else {
            self = EndedRates()
            return
        }
        let (down, up, count) = (Double(newDown), Double(newUp), newRows)
        if newSpan >= Self.idleSpan { self = EndedRates() }
        let span = newSpan >= Self.idleSpan ? RateMeter.tickInterval : newSpan
        quickDown.add(down, in: span)
        quickUp.add(up, in: span)
        quickRows.add(Double(count), in: span)
        slowBytes.add(down + up, in: span)
        slowRows.add(Double(count), in: span)
        rows += count
        self.span += span
        (newDown, newUp, newRows) = (0, 0, 0)
    }
}

/// The exact average over the last seconds: earlier amounts have no effect.
///
/// A running average still shows a third of a rate three seconds after it has ended, and ten times a limit for as long.
struct RecentAverage: Sendable, Equatable {
    /// The averaged span in milliseconds.
    private static let window = 2000.0
    /// The minimum milliseconds of a measurement; shorter ones are combined until they are as long.
    private static let shortestSpan = 400.0

    /// The latest spans and their amounts, in a ring: as many as measurements fill the window.
    private var spans = SIMD4<Double>()
    private var amounts = SIMD4<Double>()
    private var current = 0

    /// The amount per second.
    var value: Double {
        let span = spans.sum()
        return span > 0 ? amounts.sum() * 1000 / span : 0
    }

    /// Adds the amount of a span in milliseconds.
    mutating func add(_ amount: Double, in span: Int64) {
        guard span > 0 else { return }
        if Double(span) >= Self.window { (spans, amounts) = (SIMD4(), SIMD4()) }
        if spans[current] >= Self.shortestSpan {
            current = (current + 1) % 4
            (spans[current], amounts[current]) = (0, 0)
        }
        spans[current] += Double(span)
        amounts[current] += amount
    }
}

/// A running average of amounts over time, exact from the first span on.
struct SpanAverage: Sendable, Equatable {
    /// The time constant in milliseconds.
    let constant: Double
    private var sum = 0.0
    private var weight = 0.0

    init(constant: Double) {
        self.constant = constant
    }

    /// The amount per second; nil before the first span.
    var value: Double? { weight > 0 ? sum / weight : nil }

    /// Adds the amount of a span in milliseconds.
    mutating func add(_ amount: Double, in span: Int64) {
        guard span > 0 else { return }
        let share = Double(span) / (constant + Double(span))
        sum += (amount * 1000 / Double(span) - sum) * share
        weight += (1 - weight) * share
    }
}
