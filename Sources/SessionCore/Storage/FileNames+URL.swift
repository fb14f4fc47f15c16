extension FileNames {
    /// The name from the last component of a URL's path; the query is never used.
    static func fromURL(_ url: String) -> String {
        var rest = url.utf8.prefix { $0 != 0x3F && $0 != 0x23 }
        if let start = afterScheme(rest) {
            guard let slash = rest[start...].firstIndex(of: 0x2F) else { return fallback }
            rest = rest[slash...]
        }
        let last = Substring(rest.lastIndex(of: 0x2F).map { rest[rest.index(after: $0)...] } ?? rest)
        if isClean(last) { return String(last) }
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

    /// Whether ``cleaned(_:)`` would change nothing, as for almost all names: told from the bytes alone.
    ///
    /// False does not mean that it would.
    private static func isClean(_ name: Substring) -> Bool {
        let bytes = name.utf8
        guard let first = bytes.first, isLetterOrDigit(first), let last = bytes.last, isLetterOrDigit(last),
            bytes.count <= byteLimit
        else { return false }
        return bytes.allSatisfy { isLetterOrDigit($0) || $0 == 0x2D || $0 == 0x2E || $0 == 0x5F }
            && !(bytes.count >= 3 && isReserved(String(name)))
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: false
        }
    }
}
