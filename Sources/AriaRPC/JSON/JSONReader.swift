import SessionSupport

/// Parses JSON text (RFC 8259) with limits on its nesting and its number of values.
///
/// The text itself is bounded by its caller. Beyond the grammar it takes a lone half of a surrogate pair, as a
/// replacement character, because other writers make them of broken file names.
package struct JSONReader {
    /// The text is no JSON, or exceeds a limit.
    package struct Fault: Error, Equatable {}

    /// The deepest nesting: aria2's own limit.
    package static let deepest = 50
    /// The most values of a text: a request of 2 MiB with more of them has no meaning.
    package static let mostValues = 500_000

    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0
    private var count = 0

    private init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    package static func read(_ bytes: [UInt8]) throws(Fault) -> JSONValue {
        // A function with a typed error cannot leave the closure.
        let result = bytes.withUnsafeBufferPointer { buffer -> JSONValue? in
            var reader = JSONReader(buffer)
            guard let value = try? reader.value(depth: 1) else { return nil }
            reader.skipSpace()
            return reader.position == buffer.count ? value : nil
        }
        guard let result else { throw Fault() }
        return result
    }

    // MARK: - Values

    private mutating func value(depth: Int) throws(Fault) -> JSONValue {
        guard depth <= Self.deepest, count < Self.mostValues else { throw Fault() }
        count += 1
        skipSpace()
        switch peek {
        case UInt8(ascii: "{"): return try object(depth)
        case UInt8(ascii: "["): return try array(depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return try number()
        }
    }

    private mutating func object(_ depth: Int) throws(Fault) -> JSONValue {
        var members: [JSONValue.Member] = []
        position += 1
        guard !take(UInt8(ascii: "}")) else { return .object([]) }
        while true {
            skipSpace()
            let name = try string()
            guard take(UInt8(ascii: ":")) else { throw Fault() }
            members.append(JSONValue.Member(name, try value(depth: depth + 1)))
            if take(UInt8(ascii: "}")) { return .object(members) }
            guard take(UInt8(ascii: ",")) else { throw Fault() }
        }
    }

    private mutating func array(_ depth: Int) throws(Fault) -> JSONValue {
        var list: [JSONValue] = []
        position += 1
        guard !take(UInt8(ascii: "]")) else { return .array([]) }
        while true {
            list.append(try value(depth: depth + 1))
            if take(UInt8(ascii: "]")) { return .array(list) }
            guard take(UInt8(ascii: ",")) else { throw Fault() }
        }
    }

    private mutating func word(_ word: StaticString, _ value: JSONValue) throws(Fault) -> JSONValue {
        let length = word.utf8CodeUnitCount
        guard position + length <= bytes.count,
            word.withUTF8Buffer({ $0.elementsEqual(bytes[position..<position + length]) })
        else { throw Fault() }
        position += length
        return value
    }

    private mutating func number() throws(Fault) -> JSONValue {
        let start = position
        if peek == UInt8(ascii: "-") { position += 1 }
        let first = position
        let digits = skipDigits()
        guard digits > 0, digits == 1 || bytes[first] != UInt8(ascii: "0") else { throw Fault() }
        var isWhole = true
        if peek == UInt8(ascii: ".") {
            position += 1
            isWhole = false
            guard skipDigits() > 0 else { throw Fault() }
        }
        if peek == UInt8(ascii: "e") || peek == UInt8(ascii: "E") {
            position += 1
            isWhole = false
            if peek == UInt8(ascii: "+") || peek == UInt8(ascii: "-") { position += 1 }
            guard skipDigits() > 0 else { throw Fault() }
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        return (isWhole ? Int64(text) : nil).map { .integer($0) } ?? .decimal(text)
    }

    // MARK: - Strings

    private mutating func string() throws(Fault) -> String {
        guard peek == UInt8(ascii: "\"") else { throw Fault() }
        position += 1
        let start = position
        while let byte = peek, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 { position += 1 }
        var text = Array(bytes[start..<position])
        while let byte = peek {
            position += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let result = String(validating: text, as: UTF8.self) else { throw Fault() }
                return result
            case UInt8(ascii: "\\"): try appendEscaped(to: &text)
            case 0..<0x20: throw Fault()
            default: text.append(byte)
            }
        }
        throw Fault()
    }

    private mutating func appendEscaped(to text: inout [UInt8]) throws(Fault) {
        guard let byte = peek else { throw Fault() }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"): text += Array(String(try scalar()).utf8)
        default: throw Fault()
        }
    }

    /// The character of one escape, or of two that are a pair.
    private mutating func scalar() throws(Fault) -> Character {
        let first = try unit()
        if let scalar = Unicode.Scalar(first) { return Character(scalar) }
        let saved = position
        if first < 0xDC00, peek == UInt8(ascii: "\\"), position + 1 < bytes.count,
            bytes[position + 1] == UInt8(ascii: "u")
        {
            position += 2
            let second = try unit()
            if (0xDC00...0xDFFF).contains(second),
                let scalar = Unicode.Scalar(0x1_0000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00))
            {
                return Character(scalar)
            }
            position = saved
        }
        return "\u{FFFD}"
    }

    private mutating func unit() throws(Fault) -> UInt16 {
        guard position + 4 <= bytes.count else { throw Fault() }
        var unit: UInt16 = 0
        for byte in bytes[position..<position + 4] {
            guard let digit = ByteText.hexadecimalValue(byte) else { throw Fault() }
            unit = unit << 4 | UInt16(digit)
        }
        position += 4
        return unit
    }

    // MARK: - Bytes

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    /// Skips digits and returns how many.
    private mutating func skipDigits() -> Int {
        let start = position
        while let byte = peek, ByteText.isDigit(byte) { position += 1 }
        return position - start
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        skipSpace()
        guard peek == byte else { return false }
        position += 1
        return true
    }
}
