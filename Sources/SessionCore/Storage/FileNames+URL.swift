extension FileNames {
    /// The name from the last component of a URL's path; the query is never used.
    static func fromURL(_ url: String) -> String {
        if let name = plainName(of: url) { return name }
        var rest = url.utf8.prefix { $0 != 0x3F && $0 != 0x23 }
        if let start = afterScheme(rest) {
            guard let slash = rest[start...].firstIndex(of: 0x2F) else { return fallback }
            rest = rest[slash...]
        }
        let last = Substring(rest.lastIndex(of: 0x2F).map { rest[rest.index(after: $0)...] } ?? rest)
        return cleaned(String(decoding: ByteText.percentDecoded(last), as: UTF8.self)) ?? fallback
    }

    /// Where the authority begins.
    private static func afterScheme(_ bytes: Substring.UTF8View) -> String.Index? {
        var rest = bytes
        while let colon = rest.firstIndex(of: 0x3A) {
            rest = rest[rest.index(after: colon)...]
            if rest.starts(with: "//".utf8) { return rest.index(rest.startIndex, offsetBy: 2) }
        }
        return nil
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
