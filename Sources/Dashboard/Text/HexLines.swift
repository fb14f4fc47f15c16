/// Bytes as hexadecimal, sixteen a line, with their offset before and their ASCII characters behind.
enum HexLines {
    static func lines(of bytes: some Collection<UInt8>) -> [SafeText] {
        let bytes = Array(bytes)
        return stride(from: 0, to: bytes.count, by: 16).map { offset in
            line(bytes[offset..<min(offset + 16, bytes.count)], offset: offset)
        }
    }

    private static func line(_ bytes: ArraySlice<UInt8>, offset: Int) -> SafeText {
        var text = digits(offset, count: 8) + " "
        for index in 0..<16 {
            if index == 8 { text += " " }
            let position = bytes.startIndex + index
            text += position < bytes.endIndex ? " " + digits(Int(bytes[position]), count: 2) : "   "
        }
        text += "  "
        for byte in bytes {
            text += (0x20..<0x7F).contains(byte) ? String(UnicodeScalar(byte)) : "."
        }
        return SafeText(untrusted: text)
    }

    private static func digits(_ number: Int, count: Int) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: max(count - text.count, 0)) + text
    }
}
