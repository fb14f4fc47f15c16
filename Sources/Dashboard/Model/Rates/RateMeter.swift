/// A row's rate as a short average to show, and as a slow running average to predict with.
package struct RateMeter: Sendable, Equatable {
    /// The interval at which shown numbers change, in milliseconds.
    static let tickInterval: Int64 = 500
    /// Time constant of ``steady``, in milliseconds.
    static let slowConstant = 15_000.0
    /// The minimum time a row must have been moving before its end is predicted, in milliseconds.
    package static let settlingTime: Int64 = 3000
    /// The time after a change of limits before the slow average restarts, in milliseconds: until then the last two
    /// seconds contain the earlier rate.
    private static let learningDelay: Int64 = 2500
    /// The time without a new byte after which a row's end is no longer predicted, in milliseconds.
    private static let standstillTime: Int64 = 5000

    /// Bytes per second of the last two seconds, to show.
    package var shown: Double { quick.value }
    /// Bytes per second, to predict with.
    var steady: Double { slow.value ?? quick.value }
    // The averages weight the first span by its length: many servers send a second's worth at once, so a first span
    // of a tenth of a second predicts little.
    private var quick = RecentAverage()
    private var slow = SpanAverage(constant: RateMeter.slowConstant)
    /// The rates of the latest seconds, newest last.
    package var recent: [Double] { recentRates.values }
    private var recentRates = RecentRates()
    /// The most rates of the latest seconds.
    package static let recentCount = RecentRates.length
    package private(set) var hasSample = false
    /// The count at the end of the last span, which is shown so that numbers are stable between spans.
    package private(set) var bytes: Int64
    private var time: Int64
    /// The end of the last span that moved a byte.
    private var movedAt: Int64
    /// Whether the slow average has more than the first span.
    private var hasBase = false
    private let start: Int64
    /// The time when the slow average restarts after a limit was changed.
    private var learnsFrom: Int64 = 0
    /// The byte at which the measured attempt began: an earlier attempt's bytes do not count as rate.
    package let origin: Int64

    /// Whether the next span's bytes arrived before it, in the kernel's buffers.
    private var dropsNextSpan: Bool

    /// Starts measuring; earlier bytes do not count.
    ///
    /// - Parameter dropsFirstSpan: whether the first non-empty span consists of buffered bytes, so that it is no rate.
    package init(bytes: Int64, now: Int64, origin: Int64 = 0, dropsFirstSpan: Bool = false) {
        self.bytes = bytes
        self.origin = origin
        dropsNextSpan = dropsFirstSpan
        time = now
        movedAt = now
        start = now
    }

    /// Measures the span since the last call.
    ///
    /// A count that decreased means that the transfer restarted, so the averages restart too. The wait for the first
    /// byte is not part of any average.
    package mutating func sample(bytes newBytes: Int64, now: Int64) {
        guard now > time else { return }
        guard newBytes >= bytes else {
            self = RateMeter(bytes: newBytes, now: now, origin: origin)
            return
        }
        guard hasSample || newBytes > bytes else {
            time = now
            return
        }
        guard !dropsNextSpan else {
            dropsNextSpan = false
            (bytes, time, movedAt) = (newBytes, now, now)
            return
        }
        let moved = Double(newBytes - bytes)
        quick.add(moved, in: now - time)
        // The slow average begins with the second span that moved a byte: the first bytes of an upload only fill
        // buffers, so they predict nothing.
        if !hasBase, hasSample, moved > 0 {
            hasBase = true
            slow = SpanAverage(constant: RateMeter.slowConstant)
        }
        if now >= learnsFrom { slow.add(moved, in: now - time) }
        hasSample = true
        recentRates.record(shown, at: now)
        if newBytes > bytes { movedAt = now }
        bytes = newBytes
        time = now
    }

    /// Resets the slow average after a limit was changed, because earlier bytes predict nothing.
    ///
    /// Until it restarts, the rate of the last seconds predicts the row; by then that is the new rate.
    mutating func forgetSteadySpeed(now: Int64) {
        slow = SpanAverage(constant: RateMeter.slowConstant)
        learnsFrom = now + RateMeter.learningDelay
    }

    /// Full seconds since the last byte, once that is longer than a network pause; the wait for the first byte counts
    /// too.
    func standstill(at now: Int64) -> Int64? {
        let span = now - movedAt
        return span >= RateMeter.standstillTime ? span / 1000 : nil
    }

    /// Whether the averages can predict: they are old enough, and the row has not stalled.
    ///
    /// The slow average of a stalled row reports movement for half a minute.
    func predicts(at now: Int64) -> Bool {
        now - start >= RateMeter.settlingTime && now - movedAt < RateMeter.standstillTime
    }
}
