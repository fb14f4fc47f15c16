import SessionSupport

/// A decimal number with all of its digits, such as an identifier of 64 bits, which `Double` would round.
struct DecimalNumber: Sendable, Equatable, Comparable {
    /// More than a number in a response of any length can have.
    private static let exponentLimit = 1 << 40

    private let isNegative: Bool
    /// The digits from the first to the last one that is not zero; empty for zero.
    private let digits: [UInt8]
    /// The power of ten of the first digit.
    private let exponent: Int

    /// Parses a number; nil for any other text, such as one without digits or with two points.
    init?(_ text: String) {
        var rest = text.utf8[...]
        isNegative = rest.first == UInt8(ascii: "-")
        if isNegative || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
        let whole = rest.prefix(while: ByteText.isDigit)
        rest = rest.dropFirst(whole.count)
        var fraction = rest.prefix(0)
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            fraction = rest.prefix(while: ByteText.isDigit)
            rest = rest.dropFirst(fraction.count)
        }
        guard !whole.isEmpty || !fraction.isEmpty, let power = Self.power(rest) else { return nil }
        let all = Array(whole) + Array(fraction)
        let significant = all.drop { $0 == UInt8(ascii: "0") }
        let zeros = significant.reversed().prefix { $0 == UInt8(ascii: "0") }.count
        digits = Array(significant.dropLast(zeros))
        exponent = digits.isEmpty ? 0 : whole.count - 1 - (all.count - significant.count) + power
    }

    /// The power of ten in a text such as `e-3`: 0 for an empty one, nil for anything else.
    private static func power(_ text: Substring.UTF8View) -> Int? {
        guard let mark = text.first else { return 0 }
        guard mark | 0x20 == UInt8(ascii: "e") else { return nil }
        var rest = text.dropFirst()
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
        guard !rest.isEmpty, rest.allSatisfy(ByteText.isDigit) else { return nil }
        let size = rest.reduce(0) { min($0 * 10 + Int($1 - UInt8(ascii: "0")), exponentLimit) }
        return isNegative ? -size : size
    }

    static func == (left: Self, right: Self) -> Bool {
        left.digits == right.digits && left.exponent == right.exponent
            && (left.isNegative == right.isNegative || left.digits.isEmpty)
    }

    static func < (left: Self, right: Self) -> Bool {
        let (leftSign, rightSign) = (left.sign, right.sign)
        guard leftSign == rightSign else { return leftSign < rightSign }
        return leftSign < 0 ? right.isSmaller(than: left) : left.isSmaller(than: right)
    }

    private var sign: Int { digits.isEmpty ? 0 : isNegative ? -1 : 1 }

    /// Whether it is smaller without the signs.
    private func isSmaller(than other: Self) -> Bool {
        if digits.isEmpty || other.digits.isEmpty { return digits.isEmpty && !other.digits.isEmpty }
        return exponent == other.exponent
            ? digits.lexicographicallyPrecedes(other.digits) : exponent < other.exponent
    }
}
