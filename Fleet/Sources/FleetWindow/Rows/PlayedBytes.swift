/// Plays out the byte counts of running jobs, which workers report once per heartbeat, as a steady flow.
///
/// Between two heartbeats the bytes of the last one are spread over the time since the one before it: a gauge lags by
/// one heartbeat, never shows a byte that no worker has reported, and its speed is the real average.
struct PlayedBytes: Sendable, Equatable {
    private struct Flow: Sendable, Equatable {
        /// The reported count, and when it was reported.
        var reported: Int64
        var reportedAt: Int64
        /// The shown count at that moment, and the bytes per second since then.
        var shown: Double
        var rate: Double

        func bytes(at now: Int64) -> Int64 {
            min(reported, Int64(shown + rate * Double(max(0, now - reportedAt)) / 1000))
        }
    }

    private var flows: [Int64: Flow] = [:]

    /// Takes a job's reported count at a moment in milliseconds.
    mutating func report(_ bytes: Int64, of id: Int64, at now: Int64) {
        guard let flow = flows[id], bytes >= flow.reported else {
            flows[id] = Flow(reported: bytes, reportedAt: now, shown: Double(bytes), rate: 0)
            return
        }
        guard bytes > flow.reported else { return }
        let shown = flow.bytes(at: now)
        let seconds = max(Double(now - flow.reportedAt) / 1000, 0.5)
        flows[id] = Flow(
            reported: bytes, reportedAt: now, shown: Double(shown), rate: Double(bytes - shown) / seconds)
    }

    /// The count to show; nil for an unknown job.
    func bytes(of id: Int64, at now: Int64) -> Int64? { flows[id]?.bytes(at: now) }

    /// Whether the count is still moving.
    func isMoving(_ id: Int64, at now: Int64) -> Bool { flows[id].map { $0.bytes(at: now) < $0.reported } ?? false }

    /// Forgets the jobs that no longer run.
    mutating func keep(_ ids: Set<Int64>) { flows = flows.filter { ids.contains($0.key) } }

    /// Forgets when counts were reported, after a time without reports.
    mutating func restart() { flows = [:] }
}
