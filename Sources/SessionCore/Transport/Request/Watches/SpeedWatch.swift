/// Detects that an attempt is slower than a minimum speed.
///
/// A server that sends a byte every few seconds never stalls, and would keep its slot forever. The speed is measured
/// over a sliding window, so that a burst before it does not hide that nothing follows.
struct SpeedWatch: Sendable {
    private struct Sample: Sendable {
        var time: Int64
        var moved: Int64
    }

    /// Milliseconds over which the speed is measured.
    let window: Int64
    private let bytesPerSecond: Int64
    /// The samples in the window; the first one is its start.
    private var samples: [Sample] = []

    init(least bytesPerSecond: Int64, over window: Int64) {
        self.bytesPerSecond = bytesPerSecond
        self.window = max(window, 1)
    }

    /// Whether the window goes on in an attempt that takes the place of another one now: bytes could move until just now.
    func goesOn(now: Int64) -> Bool { samples.last.map { now - $0.time <= window / 4 } ?? false }

    /// Begins the window in an attempt that bytes move in already.
    mutating func begin(moved: Int64, now: Int64) {
        if samples.isEmpty { samples.append(Sample(time: now, moved: moved)) }
    }

    /// Milliseconds until the next look, however often the attempt changes; nil before the window has begun.
    func rest(of interval: Int64, now: Int64) -> Int64? { samples.last.map { max($0.time + interval - now, 1) } }

    /// Judges the bytes moved until now.
    ///
    /// The window has not begun before bytes may move, or while a pause prevents it. It begins again when the count
    /// falls, because bytes were given up.
    mutating func isTooSlow(moved: Int64, mayMove: Bool, now: Int64) -> Bool {
        if let last = samples.last, moved < last.moved { samples.removeAll(keepingCapacity: true) }
        guard mayMove else {
            samples.removeAll(keepingCapacity: true)
            return false
        }
        samples.append(Sample(time: now, moved: moved))
        while samples.count > 1, now - samples[1].time >= window { samples.removeFirst() }
        let (start, elapsed) = (samples[0], now - samples[0].time)
        guard elapsed >= window else { return false }
        let wanted = bytesPerSecond.multipliedReportingOverflow(by: elapsed)
        return wanted.overflow
            || (moved - start.moved).multipliedReportingOverflow(by: 1000).partialValue < wanted.partialValue
    }
}
