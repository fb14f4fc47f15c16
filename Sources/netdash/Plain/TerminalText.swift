import Dashboard

/// A body on its way to a terminal: nothing in it can move the cursor, change the direction of writing or hide.
///
/// Whole lines alone come out, so that a line about another transfer never stands in the middle of one; what is longer
/// than a screenful of text comes out in pieces.
struct TerminalText: Sendable {
    /// Bytes that wait for the end of their line at most.
    private static let longestWait = SafeText.byteLimit

    /// What came behind the last line break.
    private var rest: [UInt8] = []
    /// Whether the cursor stands behind something that was written.
    private var isInLine = false

    /// Takes a piece of the body and returns what can be written; nil when the body is no text, which a terminal must
    /// not be sent.
    mutating func take(_ bytes: [UInt8]) -> [UInt8]? {
        guard !bytes.contains(0) else { return nil }
        rest += bytes
        guard let count = countOfReadyBytes else { return [] }
        let text = String(decoding: rest[..<count], as: UTF8.self)
        rest.removeFirst(count)
        return safe(text)
    }

    /// Returns what is left, with the line break that a last line may lack.
    mutating func finish() -> [UInt8] {
        let text = String(decoding: rest, as: UTF8.self)
        rest = []
        let last = safe(text)
        guard isInLine else { return last }
        isInLine = false
        return last + [UInt8(ascii: "\n")]
    }

    /// How many bytes can be written: all whole lines, or a long line up to its last whole character.
    private var countOfReadyBytes: Int? {
        if let newline = rest.lastIndex(of: UInt8(ascii: "\n")) { return newline + 1 }
        guard rest.count > Self.longestWait else { return nil }
        var end = rest.count - 1
        while end > rest.count - 4, rest[end] & 0xC0 == 0x80 { end -= 1 }
        return end
    }

    private mutating func safe(_ text: String) -> [UInt8] {
        var result: [UInt8] = []
        var piece = ""
        func flush() {
            result += SafeText(untrusted: piece).string.utf8
            piece = ""
        }
        for character in text {
            switch character {
            case "\n", "\r\n":
                flush()
                result.append(UInt8(ascii: "\n"))
            case "\t":
                flush()
                result.append(UInt8(ascii: "\t"))
            default:
                // Sanitised in pieces, because longer text would be cut.
                if piece.utf8.count + character.utf8.count > SafeText.byteLimit { flush() }
                piece.append(character)
            }
        }
        flush()
        if let last = result.last { isInLine = last != UInt8(ascii: "\n") }
        return result
    }
}
