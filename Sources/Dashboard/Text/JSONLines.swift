/// JSON in indented lines, members in their own order and numbers as they were written.
struct JSONLines {
    private static let depthLimit = 64

    private let bytes: [UInt8]
    private let limit: Int
    private var position = 0
    private var lines: [SafeText] = []
    private var line: [UInt8] = []

    /// The lines of a text that is one JSON object or array; nil when it is anything else.
    ///
    /// Lines beyond the limit are left out, but the text is checked to its end.
    static func lines(of bytes: [UInt8], limit: Int) -> [SafeText]? {
        var reader = JSONLines(bytes: bytes, limit: limit)
        reader.skipBlanks()
        guard reader.next == UInt8(ascii: "{") || reader.next == UInt8(ascii: "[") else { return nil }
        guard reader.readValue(depth: 0) else { return nil }
        reader.skipBlanks()
        guard reader.position == bytes.count else { return nil }
        reader.endLine(depth: 0)
        return reader.lines
    }

    private init(bytes: [UInt8], limit: Int) {
        self.bytes = bytes
        self.limit = limit
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipBlanks() {
        while let byte = next, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { position += 1 }
    }

    private mutating func endLine(depth: Int) {
        if lines.count < limit { lines.append(SafeText(untrusted: line)) }
        line = Array(repeating: 0x20, count: depth * 2)
    }

    private mutating func readValue(depth: Int) -> Bool {
        guard depth < Self.depthLimit, let byte = next else { return false }
        switch byte {
        case UInt8(ascii: "{"): return readGroup(closing: UInt8(ascii: "}"), depth: depth)
        case UInt8(ascii: "["): return readGroup(closing: UInt8(ascii: "]"), depth: depth)
        case UInt8(ascii: "\""): return readString()
        default: return readWord()
        }
    }

    /// An object or an array, each member on a line of its own.
    private mutating func readGroup(closing: UInt8, depth: Int) -> Bool {
        line.append(bytes[position])
        position += 1
        skipBlanks()
        if next == closing {
            line.append(closing)
            position += 1
            return true
        }
        while true {
            endLine(depth: depth + 1)
            skipBlanks()
            if closing == UInt8(ascii: "}"), !readName() { return false }
            guard readValue(depth: depth + 1) else { return false }
            skipBlanks()
            guard let byte = next, byte == closing || byte == UInt8(ascii: ",") else { return false }
            position += 1
            if byte == closing { endLine(depth: depth) }
            line.append(byte)
            if byte == closing { return true }
        }
    }

    private mutating func readName() -> Bool {
        guard next == UInt8(ascii: "\""), readString() else { return false }
        skipBlanks()
        guard next == UInt8(ascii: ":") else { return false }
        position += 1
        skipBlanks()
        line += Array(": ".utf8)
        return true
    }

    private mutating func readString() -> Bool {
        let start = position
        position += 1
        while let byte = next {
            position += 1
            if byte == UInt8(ascii: "\"") {
                line += bytes[start..<position]
                return true
            }
            if byte < 0x20 { return false }
            if byte == UInt8(ascii: "\\") { position += 1 }
        }
        return false
    }

    /// A number, `true`, `false` or `null`.
    private mutating func readWord() -> Bool {
        let start = position
        while let byte = next, byte > 0x20, !Array(",]}:\"[{".utf8).contains(byte) { position += 1 }
        let word = String(decoding: bytes[start..<position], as: UTF8.self)
        guard ["true", "false", "null"].contains(word) || isNumber(word) else { return false }
        line += bytes[start..<position]
        return true
    }

    private func isNumber(_ word: String) -> Bool {
        word.utf8.allSatisfy { Array("0123456789+-.eE".utf8).contains($0) } && Double(word) != nil
    }
}
