/// Which bytes of a file are there, and which connection fetches which of the others: a value.
///
/// One connection, the lead, works at the front, behind which every byte is there. The others have a claim each, further
/// on. What belongs to nobody directly before a claim or a finished range is free; what lies between the front and the
/// first of those is the lead's. At every moment claims and finished ranges are disjoint, and everything beyond the front is
/// finished, claimed, free or the lead's.
struct SegmentPlan: Sendable, Equatable {
    /// What one connection besides the lead fetches.
    struct Claim: Sendable, Equatable {
        let id: Int
        let start: Int64
        /// The next byte; those from the start on are there.
        var position: Int64
        /// Where the claim ends; whoever helps makes it end sooner.
        var end: Int64

        /// Bytes that are still to come.
        var rest: Int64 { end - position }
    }

    /// Where claims begin and finished ranges end is a multiple of this, as far as anybody can choose.
    static let grain: Int64 = 64 << 10

    /// The length of the file.
    let length: Int64
    /// The lead's next byte.
    private(set) var front: Int64
    /// Finished ranges beyond the front, in order; no two of them touch each other.
    private(set) var finished: [Range<Int64>]
    /// The claims, in order.
    private(set) var claims: [Claim] = []
    private var lastClaim = 0

    /// A plan for a file of which the bytes before the front are there, and some ranges beyond it.
    ///
    /// Ranges that overlap are joined; what lies outside of the file is left out.
    init(length: Int64, front: Int64, finished: [Range<Int64>] = []) {
        self.length = length
        self.front = front
        self.finished = PartRanges.joined(finished, within: front..<max(length, front))
        absorb()
    }

    // MARK: - Looking

    /// Where the lead comes to bytes that are not its own.
    var leadEnd: Int64 { min(finished.first?.lowerBound ?? length, claims.first?.start ?? length) }

    /// Whether every byte is there.
    var isComplete: Bool { front == length }

    /// Bytes beyond the front that are there.
    var bytesBeyond: Int64 {
        finished.reduce(0) { $0 + Int64($1.count) } + claims.reduce(0) { $0 + $1.position - $1.start }
    }

    /// Bytes that are not there yet.
    var rest: Int64 { length - front - bytesBeyond }

    /// The ranges beyond the front that are there, the claims' own bytes among them, in order.
    var ranges: [Range<Int64>] {
        let begun = claims.filter { $0.position > $0.start }.map { $0.start..<$0.position }
        return PartRanges.joined(finished + begun, within: front..<length)
    }

    /// Whether every byte of a range is there.
    func isHeld(_ range: Range<Int64>) -> Bool {
        let rest = max(range.lowerBound, front)..<max(range.upperBound, front)
        return rest.isEmpty || ranges.contains { $0.lowerBound <= rest.lowerBound && rest.upperBound <= $0.upperBound }
    }

    /// The ranges that belong to nobody.
    var free: [Range<Int64>] {
        let taken = (finished + claims.map { $0.start..<$0.end }).sorted { $0.lowerBound < $1.lowerBound }
        var result: [Range<Int64>] = []
        var place = leadEnd
        for range in taken {
            if range.lowerBound > place { result.append(place..<range.lowerBound) }
            place = max(place, range.upperBound)
        }
        if place < length, !taken.isEmpty { result.append(place..<length) }
        return result
    }

    /// The claim that begins where the lead has come to.
    var claimAtFront: Claim? { claims.first.flatMap { $0.start == front ? $0 : nil } }

    subscript(id: Int) -> Claim? { claims.first { $0.id == id } }

    // MARK: - Moving

    /// The lead has come to a place, which is not beyond its end.
    mutating func leadMoved(to place: Int64) { front = min(max(place, front), leadEnd) }

    /// A claim's connection has come to a place, which is not beyond its end.
    mutating func moved(_ id: Int, to place: Int64) {
        guard let index = claims.firstIndex(where: { $0.id == id }) else { return }
        claims[index].position = min(max(place, claims[index].position), claims[index].end)
    }

    /// Ends a claim at an offset, but not before its position; what follows is free again.
    mutating func shorten(_ id: Int, to end: Int64) {
        guard let index = claims.firstIndex(where: { $0.id == id }) else { return }
        claims[index].end = max(min(claims[index].end, end), claims[index].position)
    }

    /// Lets the front pass finished ranges that begin there.
    mutating func absorb() {
        while let first = finished.first, first.lowerBound <= front {
            front = max(front, first.upperBound)
            finished.removeFirst()
        }
    }

    /// What stands beyond the front is not counted on any more.
    mutating func forgetFinished() { finished = [] }

    /// A claim's connection has ended: its bytes stay, and its rest is free again.
    mutating func end(_ id: Int) {
        guard let index = claims.firstIndex(where: { $0.id == id }) else { return }
        let claim = claims.remove(at: index)
        guard claim.position > claim.start else { return }
        finished = PartRanges.joined(finished + [claim.start..<claim.position], within: front..<length)
    }

    /// The claim that begins at the front becomes the lead's work; the earlier lead has none any more.
    mutating func promote() -> Claim? {
        guard let claim = claimAtFront else { return nil }
        claims.removeFirst()
        front = claim.position
        absorb()
        return claim
    }

    // MARK: - Claiming

    /// How much a connection takes at once, and when it may take something from another.
    struct Measure: Sendable, Equatable {
        /// The smallest piece in bytes.
        var minimum: Int64
        /// The largest piece in bytes; what is behind it is left for whoever comes first.
        var maximum = Int64.max
        /// Bytes per second of the claims by their numbers, and of the lead under 0; whoever has only begun is not in it.
        var speeds: [Int: Int64] = [:]
        /// Bytes per second that the next connection will bring, by which it gets more or less than half of another's rest;
        /// nil where nobody knows.
        var own: Int64?
        /// Where the lead has begun, where that was only just now, so that what it has counts to its share; nil where its
        /// share begins at the front.
        var leadBegan: Int64?

        /// Milliseconds that a rest has to take at least for another connection to take its half: who is faster than that
        /// has sent it already, and what is under way would be thrown away.
        static let leastTime: Int64 = 500

        /// Milliseconds that a rest takes whoever has it; nil while nobody can tell.
        func time(of rest: Int64, for id: Int) -> Int64? {
            // A server may announce any length, and whoever stands takes for ever.
            speeds[id].map { Int64(exactly: (Double(rest) * 1000 / Double(max($0, 1))).rounded()) ?? .max }
        }
    }

    /// Lets several connections begin at once: the largest range that anybody has to fetch is divided evenly.
    ///
    /// No piece is smaller than the minimum, so there may be fewer of them.
    mutating func divide(among count: Int, _ measure: Measure) -> [Claim] {
        var made: [Claim] = []
        let leadRest = leadEnd - front
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

    /// Where the first of several even pieces begins: the lead's, of which a part may be here.
    private func firstStart(_ pieces: Int64, _ measure: Measure) -> Int64 {
        guard let began = measure.leadBegan, began < front,
            front + Self.grain < began + (leadEnd - began) / pieces
        else { return front }
        return began
    }

    /// Gives a connection something to fetch: what is free, else the later part of what would take longest; nil when
    /// nothing is worth it.
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
        look(0, front, leadEnd)
        for claim in claims { look(claim.id, claim.position, claim.end) }
        guard let slowest else { return nil }
        let share = Self.share(left: measure.speeds[slowest.id] ?? 0, against: measure.own)
        let middle = Self.aligned(slowest.from + Int64(Double(slowest.end - slowest.from) * share))
        guard middle > slowest.from, middle < slowest.end else { return nil }
        if let index = claims.firstIndex(where: { $0.id == slowest.id }) { claims[index].end = middle }
        return add(middle..<slowest.end, measure)
    }

    /// Claims the beginning of a range; of one that is little longer than the largest piece, all.
    private mutating func add(_ range: Range<Int64>, _ measure: Measure) -> Claim {
        let most = max(measure.maximum, Self.grain)
        guard Int64(range.count) / 3 * 2 > most else { return add(range) }
        return add(range.lowerBound..<max(Self.aligned(range.lowerBound + most), range.lowerBound + Self.grain))
    }

    /// Gives a connection the next piece that nobody has; nil where none ends before a place.
    ///
    /// - Parameters:
    ///   - length: its length at most; the lead has as much before the first claim.
    ///   - limit: where it has to end.
    mutating func claimNext(_ length: Int64, before limit: Int64) -> Claim? {
        let open = free.first ?? (leadEnd < self.length || !claims.isEmpty ? nil : front..<self.length)
        guard let open else { return nil }
        let start = open.lowerBound == front ? Self.aligned(front + length) : open.lowerBound
        let end = min(start + length, open.upperBound)
        guard start < end, end <= limit else { return nil }
        return add(start..<end)
    }

    /// What of a rest stays with its connection when another one helps: as much as both then take the same time for, a tenth
    /// at least.
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

    private static func aligned(_ place: Int64) -> Int64 { place / grain * grain }
}
