/// The speed of one row twice: that of the last seconds to show, and a slow running average to predict with.
package struct RateMeter: Sendable, Equatable {
    /// The interval at which shown numbers change, in milliseconds.
    static let tickInterval: Int64 = 500
    /// Time constant of ``steady``, in milliseconds.
    static let slowConstant = 15_000.0
    /// The time that a row must have been moving before its end is predicted, in milliseconds.
    package static let settlingTime: Int64 = 3000
    /// The time after a change of a limit in which the speed of before still shows, in milliseconds.
    private static let learningDelay: Int64 = 2500
    /// The time without a new byte after which a row's end is predicted no more, in milliseconds.
    private static let standstillTime: Int64 = 5000

    /// Bytes per second of the last two seconds, to show.
    package var shown: Double { quick.value }
    /// Bytes per second, to predict with.
    var steady: Double { slow.value ?? quick.value }
    // The first span counts for as long as it was: many servers give away a second's worth at once, and what came in the
    // first tenth of a second says little of the next ones.
    private var quick = RecentAverage()
    private var slow = SpanAverage(constant: RateMeter.slowConstant)
    /// Whether any span has been measured.
    package private(set) var hasSample = false
    /// The count at the end of the last span: what is shown, so that numbers stand still between spans.
    package private(set) var bytes: Int64
    private var time: Int64
    /// The end of the last span that moved something.
    private var movedAt: Int64
    /// Whether the slow average stands on more than the first span.
    private var hasBase = false
    private let start: Int64
    /// When the slow average begins again after a limit was changed.
    private var learnsFrom: Int64 = 0
    /// The byte at which the measured attempt began: bytes of an earlier one do not count as speed.
    let origin: Int64

    /// Whether what the next span brings came before it: the kernel has kept it.
    private var dropsNextSpan: Bool

    /// Begins to measure; what moved before does not count.
    ///
    /// - Parameter dropsFirstSpan: whether the first span that brings something brings what has gathered before, so that it is no
    ///   speed.
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
    /// A count that went back means that the transfer began again, so the averages do too. The wait for the first
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
        // The slow average begins with the second span that moved something: the first bytes of an upload only fill
        // buffers, so they say nothing of what is to come.
        if !hasBase, hasSample, moved > 0 {
            hasBase = true
            slow = SpanAverage(constant: RateMeter.slowConstant)
        }
        if now >= learnsFrom { slow.add(moved, in: now - time) }
        hasSample = true
        if newBytes > bytes { movedAt = now }
        bytes = newBytes
        time = now
    }

    /// Forgets the slow average, because a limit was changed: what moved before says nothing of what is to come.
    ///
    /// Until it begins anew the row is predicted with the speed of the last seconds, which is the new one by then.
    mutating func forgetSteadySpeed(now: Int64) {
        slow = SpanAverage(constant: RateMeter.slowConstant)
        learnsFrom = now + RateMeter.learningDelay
    }

    /// Whole seconds since the last byte, once that is longer than a pause of the network; the wait for the first byte
    /// counts too.
    func standstill(at now: Int64) -> Int64? {
        let span = now - movedAt
        return span >= RateMeter.standstillTime ? span / 1000 : nil
    }

    /// Whether the averages can be predicted with: they are old enough, and the row does not stand still.
    ///
    /// The slow average of a row that stands still says for half a minute that it moves.
    func predicts(at now: Int64) -> Bool {
        now - start >= RateMeter.settlingTime && now - movedAt < RateMeter.standstillTime
    }
}
