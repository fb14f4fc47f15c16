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
        /// What limits the rate after a stall; nil elsewhere.
        var catchUp: CatchUp?

        func bytes(at now: Int64) -> Int64 {
            min(reported, Int64(shown + rate * Double(max(0, now - reportedAt)) / 1000))
        }
    }

    /// A count that was reported before a stall, from which on the average counts.
    private struct CatchUp: Sendable, Equatable {
        let bytes: Int64
        let time: Int64
        /// The bytes per second between the latest two reports.
        var latest = 0.0

        /// A rate that is at most a quarter above the real one, so that the count catches up: what came in a stall is
        /// reported at once, and only two fast reports in a row are a fast download.
        mutating func limit(_ rate: Double, _ bytes: Int64, at now: Int64, latest: Double) -> Double {
            defer { self.latest = latest }
            let average = Double(bytes - self.bytes) * 1000 / Double(max(now - time, 1000))
            return min(rate, max(average, min(latest, self.latest)) * 1.25)
        }
    }

    /// Milliseconds after a stall in which workers may still report what came in it.
    private static let settling: Int64 = 20_000

    private var flows: [Int64: Flow] = [:]
    /// When the last stall began, and when all workers have reported after it.
    private var stall: Stall?

    private struct Stall: Sendable, Equatable {
        let began: Int64
        let settledAt: Int64
    }

    /// Takes a job's reported count at a moment in milliseconds.
    mutating func report(_ bytes: Int64, of id: Int64, at now: Int64) {
        guard let flow = flows[id], bytes >= flow.reported else {
            let catchUp = stall.flatMap { now < $0.settledAt ? CatchUp(bytes: bytes, time: $0.began) : nil }
            flows[id] = Flow(reported: bytes, reportedAt: now, shown: Double(bytes), rate: 0, catchUp: catchUp)
            return
        }
        guard bytes > flow.reported else { return }
        let shown = flow.bytes(at: now)
        let seconds = max(Double(now - flow.reportedAt) / 1000, 0.5)
        let rate = Double(bytes - shown) / seconds
        var new = Flow(reported: bytes, reportedAt: now, shown: Double(shown), rate: rate, catchUp: flow.catchUp)
        if let limited = new.catchUp?.limit(rate, bytes, at: now, latest: Double(bytes - flow.reported) / seconds) {
            new.rate = limited
            if limited == rate, now >= stall?.settledAt ?? now { new.catchUp = nil }
        }
        flows[id] = new
    }

    /// The count to show; nil for an unknown job.
    func bytes(of id: Int64, at now: Int64) -> Int64? { flows[id]?.bytes(at: now) }

    /// Whether the count is still moving.
    func isMoving(_ id: Int64, at now: Int64) -> Bool { flows[id].map { $0.bytes(at: now) < $0.reported } ?? false }

    /// Forgets the jobs that no longer run.
    mutating func keep(_ ids: Set<Int64>) { flows = flows.filter { ids.contains($0.key) } }

    /// Goes on after a time without reports, which began at `began`: what came meanwhile is spread over it.
    mutating func resume(at now: Int64, began: Int64) {
        stall = Stall(began: began, settledAt: now + Self.settling)
        for (id, flow) in flows where flow.catchUp == nil {
            flows[id]?.catchUp = CatchUp(bytes: flow.reported, time: min(flow.reportedAt, began))
        }
    }
}
