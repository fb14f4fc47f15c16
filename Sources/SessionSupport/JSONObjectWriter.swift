/// Writes one JSON object, member by member, as UTF-8.
///
/// Strings keep their characters except what JSON must escape and what a terminal could obey, which becomes `\u`
/// escapes: the reader gets the exact text and a screen stays unharmed.
package struct JSONObjectWriter {
    private var bytes: [UInt8] = [UInt8(ascii: "{")]

    package init() {}

    package mutating func add(_ key: String, _ value: String?) {
        begin(key)
        if let value { append(quoted: value) } else { append("null") }
    }

    package mutating func add(_ key: String, _ value: (some BinaryInteger)?) {
        begin(key)
        append(value.map { String($0) } ?? "null")
    }

    /// Adds a number with at most three decimals, or null; NaN, infinities and values from 1e15 on become null.
    package mutating func add(_ key: String, _ value: Double?) {
        begin(key)
        guard let value, value.isFinite, abs(value) < 1e15 else {
            append("null")
            return
        }
        append(String((value * 1000).rounded() / 1000))
    }

    package mutating func add(_ key: String, _ value: Bool) {
        begin(key)
        append(value ? "true" : "false")
    }

    package mutating func add(_ key: String, object build: (inout JSONObjectWriter) -> Void) {
        begin(key)
        var inner = JSONObjectWriter()
        build(&inner)
        bytes += inner.closed()
    }

    /// Adds a list of pairs of strings, which keeps order and repetitions.
    package mutating func add(_ key: String, pairs: [(String, String)]) {
        begin(key)
        append("[")
        for (index, pair) in pairs.enumerated() {
            append(index == 0 ? "[" : ",[")
            append(quoted: pair.0)
            append(",")
            append(quoted: pair.1)
            append("]")
        }
        append("]")
    }

    /// Adds a list of objects.
    package mutating func add<Value>(
        _ key: String, objects values: [Value], _ build: (Value, inout JSONObjectWriter) -> Void
    ) {
        begin(key)
        append("[")
        for (index, value) in values.enumerated() {
            if index > 0 { append(",") }
            var inner = JSONObjectWriter()
            build(value, &inner)
            bytes += inner.closed()
        }
        append("]")
    }

    package func closed() -> [UInt8] { bytes + [UInt8(ascii: "}")] }

    // MARK: - Helpers

    private mutating func begin(_ key: String) {
        if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
        append(quoted: key)
        bytes.append(UInt8(ascii: ":"))
    }

    private mutating func append(_ text: String) { bytes += text.utf8 }

    private mutating func append(quoted text: String) {
        bytes.append(UInt8(ascii: "\""))
        if text.utf8.allSatisfy(Self.isPlain) {
            bytes += text.utf8
        } else {
            text.unicodeScalars.forEach { append(escaped: $0) }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x20..<0x7F).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    private mutating func append(escaped scalar: Unicode.Scalar) {
        switch scalar {
        case "\"": append("\\\"")
        case "\\": append("\\\\")
        case "\n": append("\\n")
        case "\r": append("\\r")
        case "\t": append("\\t")
        default: append(scalar)
        }
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        if scalar.value >= 0x20, scalar.value < 0x7F {
            bytes.append(UInt8(scalar.value))
        } else if Self.mustBeEscaped(scalar) {
            for unit in String(scalar).utf16 {
                let digits = String(unit, radix: 16)
                append("\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
            }
        } else {
            bytes += String(scalar).utf8
        }
    }

    /// Controls, and characters that hide or reverse the text around them.
    private static func mustBeEscaped(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value) { return true }
        if scalar.properties.isDefaultIgnorableCodePoint { return true }
        switch scalar.properties.generalCategory {
        case .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: return true
        default: return false
        }
    }
}
