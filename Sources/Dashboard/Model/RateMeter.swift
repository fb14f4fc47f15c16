/// How fast one row moves: two running averages, a quick one to show and a slow one to predict with.
package struct RateMeter: Sendable, Equatable {
    /// Time constant of ``shown``, in milliseconds.
    static let quickConstant = 3000.0
    /// Time constant of ``steady``, in milliseconds.
    static let slowConstant = 15_000.0
    /// How long a row must have been moving before its end is predicted, in milliseconds.
    package static let settlingTime: Int64 = 3000
    /// How long a row may be without a new byte before its end is predicted no more, in milliseconds.
    static let standstillTime: Int64 = 5000

    /// Bytes per second, to show.
    package private(set) var shown: Double = 0
    /// Bytes per second, to predict with.
    private(set) var steady: Double = 0
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
    /// Where the measured attempt went on: bytes of an earlier one, which nobody moved just now.
    let origin: Int64

    /// Begins to measure; what moved before does not count.
    package init(bytes: Int64, now: Int64, origin: Int64 = 0) {
        self.bytes = bytes
        self.origin = origin
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
        let span = Double(now - time)
        let rate = Double(newBytes - bytes) * 1000 / span
        if hasSample {
            shown += (rate - shown) * span / (RateMeter.quickConstant + span)
            predict(rate, span: span)
        } else {
            shown = rate
            steady = rate
        }
        hasSample = true
        if newBytes > bytes { movedAt = now }
        bytes = newBytes
        time = now
    }

    /// The slow average begins with the second span that moved something: the first bytes of an upload only fill
    /// buffers, so they say nothing of what is to come.
    private mutating func predict(_ rate: Double, span: Double) {
        if !hasBase, rate > 0 {
            steady = rate
            hasBase = true
        } else {
            steady += (rate - steady) * span / (RateMeter.slowConstant + span)
        }
    }

    /// Whether the averages can be predicted with: they are old enough, and the row does not stand still.
    ///
    /// The slow average of a row that stands still says for half a minute that it moves.
    func predicts(at now: Int64) -> Bool {
        now - start >= RateMeter.settlingTime && now - movedAt < RateMeter.standstillTime
    }
}
