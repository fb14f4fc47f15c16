import Support

extension FileNames {
    /// The name from the last component of a URL's path; the query is never used.
    static func fromURL(_ url: String) -> String {
        if let name = plainName(of: url) { return name }
        let rest = url.utf8[URLScan(url).path]
        let last = Substring(rest.lastIndex(of: 0x2F).map { rest[rest.index(after: $0)...] } ?? rest)
        return cleaned(String(decoding: ByteText.percentDecoded(last), as: UTF8.self)) ?? fallback
    }

    /// The last component where ``cleaned(_:)`` would change nothing, as for almost all URLs: told from the bytes alone.
    ///
    /// Nil does not mean that it would.
    private static func plainName(of url: String) -> String? {
        let bytes = url.utf8Span.span
        var start = bytes.count
        while start > 0, isPlain(bytes[start - 1]) { start -= 1 }
        // A slash after a slash begins an authority.
        guard start > 1, bytes[start - 1] == 0x2F, bytes[start - 2] != 0x2F, start < bytes.count,
            bytes.count - start <= byteLimit, isLetterOrDigit(bytes[start]), isLetterOrDigit(bytes[bytes.count - 1])
        else { return nil }
        for index in 0..<start where bytes[index] == 0x3F || bytes[index] == 0x23 { return nil }
        let name = String(url.utf8.suffix(bytes.count - start)) ?? ""
        return isReserved(name) || name.isEmpty ? nil : name
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        isLetterOrDigit(byte) || byte == 0x2D || byte == 0x2E || byte == 0x5F
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: false
        }
    }
}
