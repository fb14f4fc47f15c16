/// A well-formed entity tag, kept octet for octet (RFC 9110, 8.8.3).
struct EntityTag: Sendable, Equatable {
    /// The tag as it was sent, quotes included.
    let text: String
    /// Whether the tag promises only that two answers mean the same, not that they are the same bytes.
    let isWeak: Bool

    /// Reads a tag; nil for text that is not one, such as a tag without quotes.
    init?(_ text: String) {
        var bytes = text.utf8[...]
        isWeak = bytes.starts(with: "W/".utf8)
        if isWeak { bytes = bytes.dropFirst(2) }
        guard bytes.count >= 2, bytes.first == 0x22, bytes.last == 0x22 else { return nil }
        let inner = bytes.dropFirst().dropLast()
        guard inner.allSatisfy({ $0 == 0x21 || ($0 >= 0x23 && $0 != 0x7F) }) else { return nil }
        // What was not UTF-8 was lost when the field became text, and with it what tells two tags apart.
        guard !text.unicodeScalars.contains("\u{FFFD}") else { return nil }
        self.text = text
    }

    /// Compares octets.
    ///
    /// `String` would call canonically equivalent texts equal.
    static func == (left: EntityTag, right: EntityTag) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }
}
