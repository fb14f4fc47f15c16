/// Averages how fast the queue's bytes and done jobs grow, over about a heartbeat of workers.
struct QueueSpeeds: Sendable, Equatable {
    /// Milliseconds over which a speed is averaged: workers report their bytes three times per lease of a minute.
    private static let span: Int64 = 20_000

    private struct Sample: Sendable, Equatable {
        var time: Int64
        var bytes: Int64
        var done: Int
    }

    private var samples: [Sample] = []

    /// Takes the sums of a moment.
    mutating func add(bytes: Int64, done: Int, at time: Int64) {
        samples.append(Sample(time: time, bytes: bytes, done: done))
        // One sample older than the span stays, so that the average covers all of it.
        while samples.count > 2, samples[1].time <= time - Self.span { samples.removeFirst() }
    }

    /// Forgets all, after a time without sums.
    mutating func restart() { samples = [] }

    /// Bytes per second; nil before the second moment, and zero where jobs were removed.
    var bytesPerSecond: Double? { rate { Double($0.bytes) } }

    var rowsPerSecond: Double? { rate { Double($0.done) } }

    private func rate(_ value: (Sample) -> Double) -> Double? {
        guard let first = samples.first, let last = samples.last, last.time > first.time else { return nil }
        return max(0, value(last) - value(first)) * 1000 / Double(last.time - first.time)
    }
}
