import TransferValues

/// The speeds of tasks, measured between the questions of clients: without a question nothing is measured.
struct SpeedBook: Sendable {
    private struct Sample {
        var bytes: Int64
        var time: Int64
    }

    /// The bytes of a task at the last two moments that lie far enough apart.
    private struct Track {
        var older: Sample
        var newer: Sample
    }

    /// The least milliseconds between two samples.
    private static let interval: Int64 = 500
    /// The most milliseconds that a measurement covers: after a longer silence of all clients it begins anew.
    private static let memory: Int64 = 15_000
    /// Beyond this many tasks the ones that were not asked about are forgotten.
    private static let limit = 4_096

    private var tracks: [UInt64: Track] = [:]

    /// Bytes per second of a task that moves; 0 for any other.
    mutating func speed(of row: RowFigures, at now: Int64) -> Int64 {
        guard row.phase == .active, row.state == .running else {
            tracks[row.id] = nil
            return 0
        }
        let sample = Sample(bytes: row.moved, time: now)
        guard var track = tracks[row.id], track.older.bytes <= sample.bytes, now - track.newer.time < Self.memory else {
            return begin(row, sample)
        }
        if now - track.newer.time >= Self.interval {
            track.older = track.newer
            track.newer = sample
            tracks[row.id] = track
        }
        return Self.rate(from: track.older, to: sample)
    }

    /// Before a second question the whole attempt is measured.
    private mutating func begin(_ row: RowFigures, _ sample: Sample) -> Int64 {
        if tracks.count >= Self.limit {
            tracks = tracks.filter { sample.time - $0.value.newer.time < Self.memory }
            if tracks.count >= Self.limit { tracks = [:] }
        }
        let start = Sample(bytes: min(row.resumedAt, sample.bytes), time: row.startedAt ?? sample.time)
        tracks[row.id] = Track(older: start, newer: sample)
        return Self.rate(from: start, to: sample)
    }

    private static func rate(from first: Sample, to last: Sample) -> Int64 {
        let time = last.time - first.time
        guard time > 0 else { return 0 }
        return Int64(clamping: Int128(last.bytes - first.bytes) * 1_000 / Int128(time))
    }
}
