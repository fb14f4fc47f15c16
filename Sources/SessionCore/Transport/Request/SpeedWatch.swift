/// Detects that an attempt is slower than it may be.
///
/// A server that sends a byte every few seconds never stands still, and would keep its place for ever. The speed is that
/// of a window which slides from look to look, so that a burst before it does not hide that nothing follows.
struct SpeedWatch: Sendable {
    private struct Sample: Sendable {
        var time: Int64
        var moved: Int64
    }

    /// Milliseconds over which the speed is looked at.
    let window: Int64
    private let bytesPerSecond: Int64
    /// What was seen in the window: the first one is where it begins.
    private var samples: [Sample] = []

    /// A watch over a window in milliseconds.
    init(least bytesPerSecond: Int64, over window: Int64) {
        self.bytesPerSecond = bytesPerSecond
        self.window = max(window, 1)
    }

    /// Judges by what has moved until now.
    ///
    /// Before bytes may move, and while they may not because of a pause, the window has not begun.
    mutating func isTooSlow(moved: Int64, mayMove: Bool, now: Int64) -> Bool {
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
