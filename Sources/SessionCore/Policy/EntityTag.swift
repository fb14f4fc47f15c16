/// A well-formed entity tag, kept octet for octet (RFC 9110, 8.8.3).
struct EntityTag: Sendable, Equatable {
    /// The tag as it was sent, quotes included.
    let text: String
    /// Whether the tag promises only that two answers mean the same, not that they are the same bytes.
    let isWeak: Bool

    /// Reads a tag; nil for text that is not one, such as a tag without quotes.
    init?(_ text: String) {
        let bytes = text.utf8Span.span
        isWeak = bytes.count >= 2 && bytes[0] == 0x57 && bytes[1] == 0x2F
        let start = isWeak ? 2 : 0
        guard bytes.count >= start + 2, bytes[start] == 0x22, bytes[bytes.count - 1] == 0x22 else { return nil }
        var isASCII = true
        for index in start + 1..<bytes.count - 1 {
            let byte = bytes[index]
            guard byte == 0x21 || (byte >= 0x23 && byte != 0x7F) else { return nil }
            if byte >= 0x80 { isASCII = false }
        }
        // What was not UTF-8 was lost when the field became text, and with it what tells two tags apart.
        guard isASCII || !text.unicodeScalars.contains("\u{FFFD}") else { return nil }
        self.text = text
    }

    /// Compares octets.
    ///
    /// `String` would call canonically equivalent texts equal.
    static func == (left: EntityTag, right: EntityTag) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }
}
