/// The bytes that several connections received together, and their speed.
package struct ServerSample: Sendable, Equatable {
    package var connections: Int
    package var bytes: Int64 = 0
    /// Bytes per second between the first piece and the last; nil where that was too short to tell.
    package var rate: Double?
    /// The connections that the server refused or broke.
    package var failures = 0

    package init(connections: Int) { self.connections = connections }
}

/// Measures connections that run at the same time, by the times it is given.
struct ServerMeter: Sendable {
    /// Below this many nanoseconds a rate says more about this machine than about the server.
    private static let leastDuration: Int64 = 1_000_000

    private(set) var running: Int
    private let limit: Int64
    private var first: (bytes: Int64, time: Int64)?
    private var last: Int64 = 0
    private var isStopped = false
    private var result: ServerSample

    init(connections: Int, limit: Int64) {
        (running, self.limit) = (connections, limit)
        result = ServerSample(connections: connections)
    }

    var hasBegun: Bool { first != nil }

    var isOver: Bool { isStopped || running == 0 }

    mutating func receive(_ bytes: Int, at time: Int64) {
        guard !isStopped else { return }
        result.bytes += Int64(bytes)
        if first == nil { first = (Int64(bytes), time) }
        last = time
        if result.bytes >= limit { isStopped = true }
    }

    /// Counts the end of a connection; one that ends after the stop was ended by it.
    mutating func end(_ isComplete: Bool) {
        running -= 1
        if !isStopped, !isComplete { result.failures += 1 }
    }

    /// Ends the measurement when its time is over; silence since the last piece counts.
    mutating func stop(at time: Int64) {
        guard !isOver else { return }
        isStopped = true
        last = time
    }

    /// The first piece has no time of its own: it was on its way before the clock began.
    var sample: ServerSample {
        var sample = result
        guard let first, last - first.time >= Self.leastDuration, result.bytes > first.bytes else { return sample }
        sample.rate = Double(result.bytes - first.bytes) * 1e9 / Double(last - first.time)
        return sample
    }
}
