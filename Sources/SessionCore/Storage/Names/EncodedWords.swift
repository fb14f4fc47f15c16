import SessionSupport

/// Words of the form `=?charset?B?text?=`, in which mail encodes text beyond ASCII (RFC 2047), and servers file names.
enum EncodedWords {
    /// Decodes a text's encoded words; nil if it has none, or an undecodable one.
    ///
    /// Blanks between two encoded words are dropped (RFC 2047, 6.2).
    static func decoded(_ text: String) -> String? {
        var rest = text[...]
        var result = ""
        var count = 0
        while let start = rest.firstRange(of: "=?") {
            guard let (word, end) = word(rest[start.upperBound...]) else {
                if count == 0 { return nil }
                break
            }
            let between = rest[..<start.lowerBound]
            if count == 0 || !ByteText.trimmed(between).isEmpty { result += between }
            result += word
            count += 1
            rest = rest[end...]
        }
        return count > 0 ? result + rest : nil
    }

    /// Returns the text of a word after its `=?`, and the word's end.
    private static func word(_ text: Substring) -> (text: String, end: String.Index)? {
        let parts = text.split(separator: "?", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 4, parts[3].hasPrefix("=") else { return nil }
        let bytes: [UInt8]?
        switch parts[1] {
        case "B", "b": bytes = base64(parts[2])
        case "Q", "q": bytes = quotedPrintable(parts[2])
        default: bytes = nil
        }
        // A language may follow the charset (RFC 2231, 5).
        let charset = String(parts[0].prefix { $0 != "*" })
        guard let bytes, let word = CharsetText.decoded(bytes, charset: charset) else { return nil }
        return (word, parts[3].index(after: parts[3].startIndex))
    }

    private static func quotedPrintable(_ text: Substring) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "_"): bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "="):
                let digits = rest.prefix(2).compactMap { ByteText.hexadecimalValue($0) }
                guard digits.count == 2 else { return nil }
                bytes.append(digits[0] << 4 | digits[1])
                rest = rest.dropFirst(2)
            default: bytes.append(byte)
            }
        }
        return bytes
    }

    /// Decodes Base64, whose padding some programs omit.
    private static func base64(_ text: Substring) -> [UInt8]? {
        var bytes: [UInt8] = []
        var bits: UInt32 = 0
        var count = 0
        for byte in text.utf8 where byte != UInt8(ascii: "=") {
            let value: UInt8
            switch byte {
            case 0x41...0x5A: value = byte - 0x41
            case 0x61...0x7A: value = byte - 0x61 + 26
            case 0x30...0x39: value = byte - 0x30 + 52
            case UInt8(ascii: "+"): value = 62
            case UInt8(ascii: "/"): value = 63
            default: return nil
            }
            bits = bits << 6 | UInt32(value)
            count += 6
            guard count >= 8 else { continue }
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
        }
        return bytes
    }
}
