/// A piece of a block of bytes.
struct TextSpan: Sendable, Equatable {
    var start: UInt32 = 0
    var count: UInt32 = 0

    /// The piece from one position to another.
    init(_ range: Range<Int>) {
        start = UInt32(truncatingIfNeeded: range.lowerBound)
        count = UInt32(truncatingIfNeeded: range.count)
    }

    /// An empty piece.
    init() {}

    /// Its positions.
    var range: Range<Int> { Int(start)..<Int(start) + Int(count) }

    /// The same piece after its block was moved.
    func moved(by distance: Int) -> TextSpan { TextSpan(range.lowerBound + distance..<range.upperBound + distance) }
}
