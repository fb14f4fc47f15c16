import SessionSupport
import TransferValues

/// A file in aria2's pieces.
struct Pieces {
    /// aria2's usual length of a piece.
    static let usualLength: Int64 = 1 << 20
    /// Beyond this many pieces a longer one is told, so that a bitfield stays small.
    private static let most: Int64 = 1 << 20

    let length: Int64
    let total: Int64

    /// - Parameter total: the length of the file; 0 while unknown.
    init(total: Int64) {
        var length = Self.usualLength
        while total / length >= Self.most { length *= 2 }
        (self.length, self.total) = (length, total)
    }

    var count: Int64 { total == 0 ? 0 : (total - 1) / length + 1 }

    /// The bytes of complete pieces.
    func completeBytes(_ ranges: [Range<Int64>]) -> Int64 {
        complete(ranges).reduce(0) { $0 + min(($1 + 1) * length, total) - $1 * length }
    }

    /// The complete pieces as hexadecimal digits, the first piece in the highest bit.
    func bitfield(_ ranges: [Range<Int64>]) -> String {
        var bytes = [UInt8](repeating: 0, count: Int(count + 7) / 8)
        for piece in complete(ranges) { bytes[Int(piece / 8)] |= 0x80 >> UInt8(piece % 8) }
        return ByteText.hexadecimal(bytes)
    }

    /// The numbers of the pieces whose bytes are all there.
    private func complete(_ ranges: [Range<Int64>]) -> [Int64] {
        Self.joined(ranges).flatMap { range in
            let first = (range.lowerBound + length - 1) / length
            let end = range.upperBound >= total ? count : range.upperBound / length
            return first < end ? Array(first..<end) : []
        }
    }

    /// Ranges in order, with neighbours as one: a piece may lie in two segments.
    private static func joined(_ ranges: [Range<Int64>]) -> [Range<Int64>] {
        var result: [Range<Int64>] = []
        for range in ranges.filter({ !$0.isEmpty }).sorted(by: { $0.lowerBound < $1.lowerBound }) {
            guard let last = result.last, last.upperBound >= range.lowerBound else {
                result.append(range)
                continue
            }
            result[result.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
        }
        return result
    }
}
