/// A piece of a block of bytes.
struct TextSpan: Sendable, Equatable {
    var start: UInt32 = 0
    var count: UInt32 = 0

    init(_ range: Range<Int>) {
        start = UInt32(truncatingIfNeeded: range.lowerBound)
        count = UInt32(truncatingIfNeeded: range.count)
    }

    init() {}

    /// The positions of its bytes in the block.
    var range: Range<Int> { Int(start)..<Int(start) + Int(count) }

    /// The same piece after its block was moved.
    func moved(by distance: Int) -> TextSpan { TextSpan(range.lowerBound + distance..<range.upperBound + distance) }
}

/// Texts shared by many rows, each kept once and identified by a number.
struct TextTable: Sendable {
    private var texts: [SafeText] = []
    private var numbers: [SafeText: Int32] = [:]

    /// The text of a number that ``number(of:)`` returned.
    subscript(number: Int32) -> SafeText { texts[Int(number)] }

    /// The number of a text; a new text gets the next one.
    mutating func number(of text: SafeText) -> Int32 {
        if let number = numbers[text] { return number }
        let number = Int32(truncatingIfNeeded: texts.count)
        texts.append(text)
        numbers[text] = number
        return number
    }
}

/// Compares pieces of memory word by word: comparing two texts letter by letter costs ten times as much.
enum ByteComparison {
    /// Whether two pieces of the same length have equal bytes.
    static func isSame(
        _ left: borrowing RawSpan, from leftStart: Int, _ right: borrowing RawSpan, from rightStart: Int, count: Int
    ) -> Bool {
        guard leftStart + count <= left.byteCount, rightStart + count <= right.byteCount else { return false }
        let stride = MemoryLayout<UInt64>.size
        var offset = 0
        while offset + stride <= count {
            let isSame =
                left.unsafeLoadUnaligned(fromByteOffset: leftStart + offset, as: UInt64.self)
                == right.unsafeLoadUnaligned(fromByteOffset: rightStart + offset, as: UInt64.self)
            guard isSame else { return false }
            offset += stride
        }
        while offset < count {
            let isSame =
                left.unsafeLoadUnaligned(fromByteOffset: leftStart + offset, as: UInt8.self)
                == right.unsafeLoadUnaligned(fromByteOffset: rightStart + offset, as: UInt8.self)
            guard isSame else { return false }
            offset += 1
        }
        return true
    }
}
