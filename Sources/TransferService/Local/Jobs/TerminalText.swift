import SessionSupport

/// Filters a body for a terminal: nothing in it can move the cursor, change the direction of writing or hide.
///
/// Only complete lines come out, so that a line about another transfer never splits one; a line longer than a screenful
/// comes out in pieces.
struct TerminalText: Sendable {
    /// The most bytes that may wait for the end of their line.
    private static let longestWait = SafeText.byteLimit

    /// The bytes after the last line break.
    private var rest: [UInt8] = []
    /// Whether the cursor follows written text.
    private var isInLine = false

    /// Adds a chunk and returns what can be written; nil when the body is not text, which a terminal must not receive.
    mutating func add(_ bytes: [UInt8]) -> [UInt8]? {
        guard !bytes.contains(0) else { return nil }
        rest += bytes
        guard let count = countOfReadyBytes else { return [] }
        let text = String(decoding: rest[..<count], as: UTF8.self)
        rest.removeFirst(count)
        return safe(text)
    }

    /// Ends the body and returns the rest, with a line break if the last line lacks one.
    mutating func end() -> [UInt8] {
        let text = String(decoding: rest, as: UTF8.self)
        rest = []
        let last = safe(text)
        guard isInLine else { return last }
        isInLine = false
        return last + [UInt8(ascii: "\n")]
    }

    /// The number of bytes that can be written: all complete lines, or a long line up to its last complete character.
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
                // Sanitise in pieces, because longer text would be cut.
                if piece.utf8.count + character.utf8.count > SafeText.byteLimit { flush() }
                piece.append(character)
            }
        }
        flush()
        if let last = result.last { isInLine = last != UInt8(ascii: "\n") }
        return result
    }
}

/// Formats a response's head as `curl -i` writes it: the status line and the fields.
enum HeadText {
    /// The bytes, with the empty line at the end; `hidingSecrets` masks the values of secret fields.
    static func bytes(of head: ResponseHead, hidingSecrets: Bool) -> [UInt8] {
        var text =
            ([head.version.rawValue, String(head.statusCode)] + (head.reasonPhrase.isEmpty ? [] : [head.reasonPhrase]))
            .joined(separator: " ")
        text += "\r\n"
        for field in head.headers {
            let value = hidingSecrets ? Redaction.header(name: field.name, value: field.value) : field.value
            text += field.name + ": " + value + "\r\n"
        }
        return Array((text + "\r\n").utf8)
    }
}
