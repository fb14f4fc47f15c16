/// A URL's path and query with readable characters.
package enum ReadablePath {
    /// Replaces each escape by its character, as browsers show addresses.
    ///
    /// An escape stays if its byte is not UTF-8, if the character is invisible or a terminal would obey it, or if the
    /// character would change the URL's structure: two different paths never look the same.
    package static func text(_ path: some StringProtocol) -> String {
        guard path.utf8.contains(percent) else { return String(path) }
        let bytes = Array(path.utf8)
        var result = String.UnicodeScalarView()
        var index = 0
        while index < bytes.count {
            let escaped = escapedBytes(bytes[index...])
            guard escaped.isEmpty else {
                append(escaped, written: bytes[index..<index + 3 * escaped.count], to: &result)
                index += 3 * escaped.count
                continue
            }
            let end = bytes[(index + 1)...].firstIndex(of: percent) ?? bytes.count
            result.append(contentsOf: String(decoding: bytes[index..<end], as: UTF8.self).unicodeScalars)
            index = end
        }
        return String(result)
    }

    /// Returns the last name in a URL's path in readable form; nil when the path has none.
    package static func lastName(inURL url: String) -> String? {
        url[URLScan(url).path].split(separator: "/").last.map { text($0) }
    }

    private static let percent = UInt8(ascii: "%")

    /// Returns the bytes of the escapes at the start of a text.
    private static func escapedBytes(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        var rest = text
        while rest.count >= 3, rest.first == percent,
            let high = ByteText.hexadecimalValue(rest[rest.startIndex + 1]),
            let low = ByteText.hexadecimalValue(rest[rest.startIndex + 2])
        {
            result.append(high << 4 | low)
            rest = rest.dropFirst(3)
        }
        return result
    }

    /// Appends the characters of escaped bytes, or the escapes as written.
    private static func append(
        _ bytes: [UInt8], written: ArraySlice<UInt8>, to result: inout String.UnicodeScalarView
    ) {
        var parser = Unicode.UTF8.ForwardParser()
        var iterator = bytes.makeIterator()
        var index = written.startIndex
        while true {
            let length: Int
            switch parser.parseScalar(from: &iterator) {
            case .valid(let encoded):
                length = encoded.count
                let scalar = Unicode.UTF8.decode(encoded)
                if isReadable(scalar) {
                    result.append(scalar)
                    index += 3 * length
                    continue
                }
            case .error(let count): length = count
            case .emptyInput: return
            }
            let escape = written[index..<index + 3 * length]
            result.append(contentsOf: String(decoding: escape, as: UTF8.self).unicodeScalars)
            index += 3 * length
        }
    }

    /// Returns whether a character may replace its escape.
    private static func isReadable(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII {
            return scalar.value >= 0x20 && scalar.value < 0x7F && !"%/?#&=+;\\".unicodeScalars.contains(scalar)
        }
        if scalar.properties.isDefaultIgnorableCodePoint { return false }
        switch scalar.properties.generalCategory {
        case .control, .format, .privateUse, .unassigned, .surrogate, .lineSeparator, .paragraphSeparator: return false
        case .spaceSeparator: return false
        default: return true
        }
    }
}
