/// Averages how fast the queue's bytes and done jobs grow, over about a heartbeat of workers.
struct QueueSpeeds: Sendable, Equatable {
    /// Milliseconds over which a speed is averaged: workers report their bytes three times per lease of a minute.
    private static let span: Int64 = 20_000

    /// The least milliseconds between two moments that make a speed.
    private static let least: Int64 = 500

    private struct Sample: Sendable, Equatable {
        var time: Int64
        var bytes: Int64
        var done: Int
        /// Whether an average may begin here: workers have reported all that came before.
        var isSettled: Bool
    }

    private var samples: [Sample] = []
    /// Before this moment, workers may still report what has happened in a time without sums.
    private var settledAt = Int64.min

    /// Takes the sums of a moment.
    mutating func add(bytes: Int64, done: Int, at time: Int64) {
        samples.append(Sample(time: time, bytes: bytes, done: done, isSettled: time >= settledAt))
        // One sample older than the span stays, so that the average covers all of it.
        let first = samples.lastIndex { $0.isSettled && $0.time <= time - Self.span } ?? 0
        samples.removeFirst(first)
    }

    /// Begins again after a time without sums, over which what came meanwhile is spread.
    mutating func resume(at time: Int64) { settledAt = time + Self.span }

    /// Bytes per second; nil before the second moment, and zero where jobs were removed.
    var bytesPerSecond: Double? { rate { Double($0.bytes) } }

    var rowsPerSecond: Double? { rate { Double($0.done) } }

    private func rate(_ value: (Sample) -> Double) -> Double? {
        guard let first = samples.first, let last = samples.last, last.time - first.time >= Self.least
        else { return nil }
        return max(0, value(last) - value(first)) * 1000 / Double(last.time - first.time)
    }
}
