/// The ranges of a file that are finished, claimed by connections, or free.
///
/// One connection, the lead, works at the front, before which every byte is received. The others have a claim each,
/// further on. Unclaimed bytes directly before a claim or a finished range are free, except those between the front and
/// the first of these, which are the lead's. Claims and finished ranges are always disjoint, and everything beyond the
/// front is finished, claimed, free or the lead's.
struct SegmentPlan: Sendable, Equatable {
    /// The range that one branch fetches.
    struct Claim: Sendable, Equatable {
        let id: Int
        let start: Int64
        /// The offset of the next byte; the bytes before it, from the start, are received.
        var position: Int64
        /// The end of the claim, which a helping connection moves forward.
        var end: Int64

        /// Bytes still missing.
        var rest: Int64 { end - position }
    }

    /// The alignment of claims' beginnings and finished ranges' ends, where they can be chosen.
    static let grain: Int64 = 64 << 10

    /// The length of the file.
    let length: Int64
    /// The offset of the lead's next byte.
    private(set) var contiguousEnd: Int64
    /// Finished ranges beyond the front, in order and not adjacent.
    private(set) var finished: [Range<Int64>]
    /// The claims, in order.
    private(set) var claims: [Claim] = []
    private var lastClaim = 0

    /// Makes a plan for a file with the bytes before the front and some ranges beyond it.
    ///
    /// Overlapping ranges are joined, and clipped to the file.
    init(length: Int64, contiguousEnd: Int64, finished: [Range<Int64>] = []) {
        self.length = length
        self.contiguousEnd = contiguousEnd
        self.finished = PartRanges.joined(finished, within: contiguousEnd..<max(length, contiguousEnd))
        absorb()
    }

    // MARK: - Reading

    /// The offset at which the lead meets bytes that are not its own.
    var leadEnd: Int64 { min(finished.first?.lowerBound ?? length, claims.first?.start ?? length) }

    /// Whether every byte is received.
    var isComplete: Bool { contiguousEnd == length }

    /// Received bytes beyond the front.
    var bytesBeyond: Int64 {
        finished.reduce(0) { $0 + Int64($1.count) } + claims.reduce(0) { $0 + $1.position - $1.start }
    }

    /// Bytes still missing.
    var rest: Int64 { length - contiguousEnd - bytesBeyond }

    /// The received ranges beyond the front, including the claims' own, in order.
    var ranges: [Range<Int64>] {
        let begun = claims.filter { $0.position > $0.start }.map { $0.start..<$0.position }
        return PartRanges.joined(finished + begun, within: contiguousEnd..<length)
    }

    /// Whether every byte of a range is received.
    func hasReceived(_ range: Range<Int64>) -> Bool {
        let rest = max(range.lowerBound, contiguousEnd)..<max(range.upperBound, contiguousEnd)
        return rest.isEmpty || ranges.contains { $0.lowerBound <= rest.lowerBound && rest.upperBound <= $0.upperBound }
    }

    /// The ranges that are neither finished nor claimed.
    var free: [Range<Int64>] {
        let taken = (finished + claims.map { $0.start..<$0.end }).sorted { $0.lowerBound < $1.lowerBound }
        var result: [Range<Int64>] = []
        var offset = leadEnd
        for range in taken {
            if range.lowerBound > offset { result.append(offset..<range.lowerBound) }
            offset = max(offset, range.upperBound)
        }
        if offset < length, !taken.isEmpty { result.append(offset..<length) }
        return result
    }

    /// The claim that begins at the front.
    var claimAtContiguousEnd: Claim? { claims.first.flatMap { $0.start == contiguousEnd ? $0 : nil } }

    subscript(id: Int) -> Claim? { claims.first { $0.id == id } }

    // MARK: - Moving

    /// Moves the front, but not beyond the lead's end.
    mutating func leadMoved(to offset: Int64) { contiguousEnd = min(max(offset, contiguousEnd), leadEnd) }

    /// Moves a claim's position, but not beyond its end.
    mutating func moved(_ id: Int, to offset: Int64) {
        guard let index = claims.firstIndex(where: { $0.id == id }) else { return }
        claims[index].position = min(max(offset, claims[index].position), claims[index].end)
    }

    /// Ends a claim at an offset, but not before its position; the rest is free again.
    mutating func shorten(_ id: Int, to end: Int64) {
        guard let index = claims.firstIndex(where: { $0.id == id }) else { return }
        claims[index].end = max(min(claims[index].end, end), claims[index].position)
    }

    /// Moves the front past finished ranges that begin there.
    mutating func absorb() {
        while let first = finished.first, first.lowerBound <= contiguousEnd {
            contiguousEnd = max(contiguousEnd, first.upperBound)
            finished.removeFirst()
        }
    }

    /// Drops the finished ranges beyond the front.
    mutating func forgetFinished() { finished = [] }

    /// Ends a claim: its bytes stay, and its rest is free again.
    ///
    /// - Parameter stored: the offset up to which its bytes are in the file; nil for all of them.
    mutating func end(_ id: Int, storedUpTo stored: Int64? = nil) {
        guard let index = claims.firstIndex(where: { $0.id == id }) else { return }
        let claim = claims.remove(at: index)
        let end = min(stored ?? claim.position, claim.end)
        guard end > claim.start else { return }
        finished = PartRanges.joined(finished + [claim.start..<end], within: contiguousEnd..<length)
    }

    /// Turns the claim at the front into the work of the lead, whose previous work is over.
    mutating func promote() -> Claim? {
        guard let claim = claimAtContiguousEnd else { return nil }
        claims.removeFirst()
        contiguousEnd = claim.position
        absorb()
        return claim
    }

    // MARK: - Claiming

    /// How much a connection takes at once, and when it may take part of another's range.
    struct Measure: Sendable, Equatable {
        /// The smallest piece in bytes.
        var minimum: Int64
        /// The largest piece in bytes; the bytes behind it go to the first connection that is free.
        var maximum = Int64.max
        /// Bytes per second of the claims by number, and of the lead under 0; connections that have only begun are
        /// missing.
        var speeds: [Int: Int64] = [:]
        /// Bytes per second expected of the next connection, by which it gets more or less than half of another's rest;
        /// nil if unknown.
        var own: Int64?
        /// Where the lead began, if that was only just now, so that its bytes count towards its share; nil if its share
        /// begins at the front.
        var leadBegan: Int64?

        /// The least time, in milliseconds, that a rest must take for another connection to take half of it: in less,
        /// the server has sent the rest already, and the bytes in transit would be discarded.
        static let leastTime: Int64 = 500

        /// Returns the milliseconds a rest takes its connection; nil if unknown.
        func time(of rest: Int64, for id: Int) -> Int64? {
            // A server may announce any length, and a stalled connection would take forever.
            speeds[id].map { Int64(exactly: (Double(rest) * 1000 / Double(max($0, 1))).rounded()) ?? .max }
        }
    }

    /// Lets several connections begin at once, by dividing the largest range to fetch evenly.
    ///
    /// No piece is smaller than the minimum, so there may be fewer pieces.
    mutating func divide(among count: Int, _ measure: Measure) -> [Claim] {
        var made: [Claim] = []
        let leadRest = leadEnd - contiguousEnd
        if free.isEmpty, claims.isEmpty, count > 1 {
            let pieces = min(Int64(count) + 1, leadRest / max(measure.minimum, Self.grain))
            guard pieces > 1 else { return [] }
            let (start, end) = (firstStart(pieces, measure), leadEnd)
            for piece in 1..<pieces {
                let bounds = [piece, piece + 1].map { Self.aligned(start + (end - start) / pieces * $0) }
                made.append(add(bounds[0]..<(piece + 1 == pieces ? end : bounds[1]), measure))
            }
            return made
        }
        while made.count < count, let claim = claim(measure) { made.append(claim) }
        return made
    }

    /// Returns where the lead's piece begins, the first of several even ones; a part of it may be received already.
    private func firstStart(_ pieces: Int64, _ measure: Measure) -> Int64 {
        guard let began = measure.leadBegan, began < contiguousEnd,
            contiguousEnd + Self.grain < began + (leadEnd - began) / pieces
        else { return contiguousEnd }
        return began
    }

    /// Gives a connection a range to fetch: a free one, otherwise the later part of the one that would take longest;
    /// nil when no range is worth it.
    mutating func claim(_ measure: Measure) -> Claim? {
        if let largest = free.max(by: { $0.count < $1.count }) { return add(largest, measure) }
        let least = 2 * max(measure.minimum, Self.grain)
        var slowest: (id: Int, from: Int64, end: Int64, time: Int64)?
        func look(_ id: Int, _ from: Int64, _ end: Int64) {
            guard end - from >= least, let time = measure.time(of: end - from, for: id), time >= Measure.leastTime
            else { return }
            if let slowest, slowest.time >= time { return }
            slowest = (id, from, end, time)
        }
        look(0, contiguousEnd, leadEnd)
        for claim in claims { look(claim.id, claim.position, claim.end) }
        guard let slowest else { return nil }
        let share = Self.share(left: measure.speeds[slowest.id] ?? 0, against: measure.own)
        let middle = Self.aligned(slowest.from + Int64(Double(slowest.end - slowest.from) * share))
        guard middle > slowest.from, middle < slowest.end else { return nil }
        if let index = claims.firstIndex(where: { $0.id == slowest.id }) { claims[index].end = middle }
        return add(middle..<slowest.end, measure)
    }

    /// Claims the beginning of a range, or all of one little longer than the largest piece.
    private mutating func add(_ range: Range<Int64>, _ measure: Measure) -> Claim {
        let most = max(measure.maximum, Self.grain)
        guard Int64(range.count) / 3 * 2 > most else { return add(range) }
        return add(range.lowerBound..<max(Self.aligned(range.lowerBound + most), range.lowerBound + Self.grain))
    }

    /// Gives a connection the next free piece that ends before a limit; nil without any.
    ///
    /// - Parameters:
    ///   - length: its greatest length; the lead has as much before the first claim.
    ///   - limit: the offset at which it has to end.
    mutating func claimNext(_ length: Int64, before limit: Int64) -> Claim? {
        let open = free.first ?? (leadEnd < self.length || !claims.isEmpty ? nil : contiguousEnd..<self.length)
        guard let open else { return nil }
        let start = open.lowerBound == contiguousEnd ? Self.aligned(contiguousEnd + length) : open.lowerBound
        let end = min(start + length, open.upperBound)
        guard start < end, end <= limit else { return nil }
        return add(start..<end)
    }

    /// Returns the share of a rest that stays with its connection when another one helps, so that both take the same
    /// time; between a tenth and nine tenths.
    private static func share(left speed: Int64, against own: Int64?) -> Double {
        guard let own, own > 0, speed > 0 else { return 0.5 }
        return min(max(Double(speed) / Double(speed + own), 0.1), 0.9)
    }

    private mutating func add(_ range: Range<Int64>) -> Claim {
        lastClaim += 1
        let claim = Claim(id: lastClaim, start: range.lowerBound, position: range.lowerBound, end: range.upperBound)
        let index = claims.firstIndex { $0.start > claim.start } ?? claims.count
        claims.insert(claim, at: index)
        return claim
    }

    private static func aligned(_ offset: Int64) -> Int64 { offset / grain * grain }
}
