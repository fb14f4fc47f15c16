/// A history of rates as columns of a graph, with the numbers of its axes.
///
/// The scale is the least round number that no second exceeds, and a column always stands for the same seconds of the
/// clock: drawn columns move left and keep their height unless the scale changes.
package struct RateGraph: Sendable, Equatable {
    /// A moment on the time axis.
    package struct Tick: Sendable, Equatable {
        package var column: Int
        /// The time of day, or the time since the program began, in minutes.
        package var text: SafeText
    }

    /// The possible seconds per column.
    private static let steps: [Int64] = [1, 2, 3, 5, 10, 15, 20, 30, 60]
    /// The possible minutes between two ticks.
    private static let tickMinutes: [Int64] = [1, 2, 5, 10, 15, 30, 60]
    /// The cells of a tick and its text.
    private static let tickWidth: Int64 = 9
    /// The minimum span in seconds, so that the time scale does not change at once.
    private static let leastSpan = 60

    /// Bytes per second, from left to right; nil if unknown.
    package private(set) var columns: [Double?]
    package private(set) var secondsPerColumn: Int64
    /// Bytes per second at the top of the graph.
    package private(set) var top: Double
    /// Bytes per second of the highest second, which a column of several levels out.
    package private(set) var highest: Double
    package private(set) var ticks: [Tick] = []

    /// Divides a history into columns; the newest is on the right.
    ///
    /// `dayOffset` is the time of day when the clock is zero, in milliseconds.
    package init(_ history: RateHistory, width: Int, units: Units, dayOffset: Int64?) {
        let width = max(width, 1)
        let span = max(history.values.count, Self.leastSpan)
        let step = Self.steps.first { Int($0) * width >= span } ?? 60
        secondsPerColumn = step
        let newest = history.last / step
        var sums = [(sum: Double, count: Int)](repeating: (0, 0), count: width)
        var second = history.last - Int64(history.values.count)
        var peak = 0.0
        for value in history.values {
            second += 1
            let column = width - 1 - Int(newest - second / step)
            guard column >= 0, !value.isNaN else { continue }
            sums[column].sum += Double(value)
            sums[column].count += 1
            peak = max(peak, Double(value))
        }
        columns = sums.map { $0.count == 0 ? nil : $0.sum / Double($0.count) }
        highest = peak
        top = Self.roundNumber(atLeast: highest, step: units.step)
        guard !history.isEmpty else { return }
        ticks = Self.ticks(newest: newest, step: step, width: width, offset: (dayOffset ?? 0) / 1000)
    }

    private static let roundFactors = [1.0, 2, 3, 5, 8, 10, 15, 20, 30, 50, 80, 100, 150, 200, 300, 500, 800]

    /// The smallest of 1, 2, 3, 5, 8, 10, … with any prefix that is at least the value.
    static func roundNumber(atLeast value: Double, step: Double) -> Double {
        var unit = 1.0
        while true {
            for factor in roundFactors where factor * unit >= value { return factor * unit }
            guard unit < 1e18 else { return value }
            unit *= step
        }
    }

    /// Full minutes of the day, as many as fit.
    private static func ticks(newest: Int64, step: Int64, width: Int, offset: Int64) -> [Tick] {
        let minutes = tickMinutes.first { $0 * 60 >= tickWidth * step } ?? 60
        let spacing = minutes * 60
        let oldest = (newest - Int64(width) + 1) * step + offset
        let end = (newest + 1) * step + offset
        var ticks: [Tick] = []
        var moment = (oldest + spacing - 1) / spacing * spacing
        while moment < end {
            let column = Int((moment - offset) / step - newest) + width - 1
            ticks.append(Tick(column: column, text: DurationText.timeOfDay(milliseconds: moment * 1000)))
            moment += spacing
        }
        return ticks
    }

    /// The height of a column in an area of `rows` cells, in units of which a full cell has `parts`.
    ///
    /// Any movement is at least one unit.
    package func height(of column: Int, rows: Int, parts: Int) -> Int {
        guard columns.indices.contains(column), let value = columns[column], value > 0, top > 0 else { return 0 }
        return min(max(Int(value / top * Double(rows * parts)), 1), rows * parts)
    }
}
