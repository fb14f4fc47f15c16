/// Writes JSON text without blanks.
package struct JSONWriter {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package static func bytes(of value: JSONValue) -> [UInt8] {
        var writer = JSONWriter()
        writer.write(value)
        return writer.bytes
    }

    /// A value whose text is written at once, without a tree of values.
    static func value(_ body: (inout JSONWriter) -> Void) -> JSONValue {
        var writer = JSONWriter()
        body(&writer)
        return .written(writer.bytes)
    }

    package mutating func write(_ value: JSONValue) {
        switch value {
        case .null: append("null")
        case .bool(let isTrue): append(isTrue ? "true" : "false")
        case .integer(let number): write(number)
        case .decimal(let text): bytes += Array(text.utf8)
        case .written(let text): append(raw: text)
        case .string(let text): write(text)
        case .array(let list): write(list, in: "[]") { $0.write($1) }
        case .object(let members):
            write(members, in: "{}") { writer, member in
                writer.write(member.name)
                writer.append(":")
                writer.write(member.value)
            }
        }
    }

    /// Writes text that is JSON already.
    package mutating func append(raw text: [UInt8]) { bytes += text }

    package mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    /// Writes a comma, unless a list or an object has just begun.
    mutating func separate() {
        if let last = bytes.last, last != UInt8(ascii: "["), last != UInt8(ascii: "{") { append(",") }
    }

    /// Writes a number as aria2 writes every number of an answer: as text.
    mutating func writeDigits(_ number: some BinaryInteger) {
        append("\"")
        write(Int64(clamping: number))
        append("\"")
    }

    private mutating func write(_ number: Int64) {
        let start = bytes.count
        var rest = number.magnitude
        repeat {
            bytes.append(0x30 + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        if bytes.count > start + 1 { bytes[start...].reverse() }
    }

    mutating func write<Element>(
        _ list: [Element], in brackets: StaticString, _ body: (inout JSONWriter, Element) -> Void
    ) {
        brackets.withUTF8Buffer { bytes.append($0[0]) }
        for element in list {
            separate()
            body(&self, element)
        }
        brackets.withUTF8Buffer { bytes.append($0[1]) }
    }

    mutating func write(_ text: String) {
        var text = text
        append("\"")
        text.withUTF8 { buffer in
            guard buffer.contains(where: { Self.needsEscape($0) }) else { return bytes.append(contentsOf: buffer) }
            for byte in buffer { writeEscaped(byte) }
        }
        append("\"")
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7F
    }

    private mutating func writeEscaped(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): append("\\\"")
        case UInt8(ascii: "\\"): append("\\\\")
        case 0x0A: append("\\n")
        case 0x0D: append("\\r")
        case 0x09: append("\\t")
        case 0..<0x20, 0x7F:
            append("\\u00")
            bytes.append(Self.digits[Int(byte >> 4)])
            bytes.append(Self.digits[Int(byte & 15)])
        default: bytes.append(byte)
        }
    }

    private static let digits = Array("0123456789abcdef".utf8)
}
