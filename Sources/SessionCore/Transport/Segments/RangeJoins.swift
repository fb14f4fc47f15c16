/// The joins of a file's ranges, with the bytes before each that the later response has delivered: a value.
///
/// A response may name the requested range, have its length and a strong ETag, and still hold other bytes: of the file,
/// or of another one from a cache. So a range is requested with a few bytes before it, which are compared as soon as
/// the bytes that belong there have arrived.
struct RangeJoins: Sendable, Equatable {
    /// Bytes before a range that are compared.
    static let length = RangeOverlap.join

    /// The offset at which a response begins, and the bytes it delivered before that.
    struct Join: Sendable, Equatable {
        let offset: Int64
        let bytes: [UInt8]
        /// The source of the response; nil for a range of an earlier run.
        var source: Int?

        /// The range of its bytes in the file.
        var range: Range<Int64> { offset - Int64(bytes.count)..<offset }
    }

    /// The joins not compared yet, in order of arrival.
    private(set) var open: [Join] = []

    var offsets: [Int64] { open.map(\.offset) }

    /// Whether the join at an offset has not been compared yet.
    func isOpen(_ offset: Int64) -> Bool { open.contains { $0.offset == offset } }

    mutating func add(_ join: Join) {
        close(join.offset)
        open.append(join)
    }

    /// Removes a join that was compared, or whose range was dropped.
    mutating func close(_ offset: Int64) { open.removeAll { $0.offset == offset } }

    mutating func forget() { open = [] }

    /// Returns the ranges beyond a partial file's front without the first bytes of each: those bytes are fetched again
    /// with what comes before, and prove the rest by comparison.
    ///
    /// - Parameter read: reads bytes of the partial file; nil where it cannot.
    static func parted(
        _ ranges: [Range<Int64>], read: (Range<Int64>) -> [UInt8]?
    ) -> (ranges: [Range<Int64>], joins: RangeJoins) {
        var result: (ranges: [Range<Int64>], joins: RangeJoins) = ([], RangeJoins())
        for range in ranges where range.count > length {
            let offset = range.lowerBound + length
            guard let bytes = read(range.lowerBound..<offset) else { continue }
            result.ranges.append(offset..<range.upperBound)
            result.joins.add(Join(offset: offset, bytes: bytes))
        }
        return result
    }

    /// The same for an earlier run's partial file.
    static func parting(_ adopted: inout PartFile.Adopted?) -> RangeJoins {
        guard let found = adopted, !found.beyond.isEmpty else { return RangeJoins() }
        let (ranges, joins) = parted(found.beyond) { found.part.bytes(in: $0) }
        adopted?.beyond = ranges
        return joins
    }
}
