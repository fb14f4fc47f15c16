/// Where ranges meet that no strong tag vouches for, and what the later answer has brought of the bytes before its own: a
/// value.
///
/// An answer may name the range that was asked for, be as long as that, and hold other bytes of the file. So a range is
/// asked for with a few bytes before it, which are compared as soon as what belongs there has come.
struct RangeJoins: Sendable, Equatable {
    /// Bytes before a range that are compared.
    static let length = RangeOverlap.short

    /// A place where an answer begins, and what it brought of the bytes before.
    struct Join: Sendable, Equatable {
        let place: Int64
        let bytes: [UInt8]
        /// The source of the answer; nil for a range of an earlier run.
        var source: Int?

        /// Where its bytes belong.
        var range: Range<Int64> { place - Int64(bytes.count)..<place }
    }

    /// What was not compared yet, in the order in which it came.
    private(set) var open: [Join] = []

    var places: [Int64] { open.map(\.place) }

    /// Whether a place still has to be compared.
    func isOpen(_ place: Int64) -> Bool { open.contains { $0.place == place } }

    mutating func add(_ join: Join) {
        close(join.place)
        open.append(join)
    }

    /// A place was compared, or nothing of the range behind it is kept.
    mutating func close(_ place: Int64) { open.removeAll { $0.place == place } }

    mutating func forget() { open = [] }

    /// The ranges beyond a part's front without the first bytes of each, which prove the others: those are brought once more
    /// by what comes before, and compared.
    ///
    /// - Parameter read: reads bytes of the part; nil where it cannot.
    static func parted(
        _ ranges: [Range<Int64>], read: (Range<Int64>) -> [UInt8]?
    ) -> (ranges: [Range<Int64>], joins: RangeJoins) {
        var result: (ranges: [Range<Int64>], joins: RangeJoins) = ([], RangeJoins())
        for range in ranges where range.count > length {
            let place = range.lowerBound + length
            guard let bytes = read(range.lowerBound..<place) else { continue }
            result.ranges.append(place..<range.upperBound)
            result.joins.add(Join(place: place, bytes: bytes))
        }
        return result
    }

    /// The same for a part of an earlier run whose server has shown no strong tag, or has been false before.
    static func parting(_ adopted: inout PartFile.Adopted?, isFalse: Bool) -> RangeJoins {
        guard let found = adopted, !found.beyond.isEmpty else { return RangeJoins() }
        if case .entityTag? = found.facts.strongValidator, !isFalse { return RangeJoins() }
        let (ranges, joins) = parted(found.beyond) { found.part.bytes(in: $0) }
        adopted?.beyond = ranges
        return joins
    }
}
