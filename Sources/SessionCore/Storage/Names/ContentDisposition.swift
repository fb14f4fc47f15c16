import SessionSupport

/// The file name in a Content-Disposition field (RFC 6266), parsed leniently, because many servers violate the grammar.
enum ContentDisposition {
    /// Returns the server's name, raw: `filename*` before `filename`, the first of each; an undecodable `filename*`
    /// counts only without any other name.
    ///
    /// The name must be cleaned before use.
    ///
    /// - Parameter charset: the charset of the response's body, used for escapes that are neither UTF-8 nor in a
    ///   charset that the field names.
    static func fileName(_ field: String, charset: String? = nil) -> String? {
        var plain: String?
        var extended: String?
        var undecoded: String?
        var pieces: [Int: (value: [UInt8], isExtended: Bool)] = [:]
        for (name, value) in parameters(Array(field.utf8)) {
            switch name {
            case "filename" where plain == nil: plain = decodePlain(value, charset)
            case "filename*" where extended == nil:
                extended = decodeExtended(value, charset)
                undecoded = undecoded ?? decodePlain(value, charset)
            default:
                guard let (number, isExtended) = piece(name), pieces[number] == nil else { continue }
                pieces[number] = (value, isExtended)
            }
        }
        return [extended, joined(pieces, charset), plain, undecoded].compactMap { $0 }.first { !$0.isEmpty }
    }

    // MARK: - Values

    /// Decodes a value without a charset: encoded words (RFC 2047) and escapes are read as browsers read them.
    ///
    /// Escapes that do not decode to text stay as they are. Bytes beyond ASCII that are not UTF-8 became ISO-8859-1
    /// when the field was read.
    private static func decodePlain(_ value: [UInt8], _ charset: String?) -> String {
        let text = String(decoding: value, as: UTF8.self)
        if let words = EncodedWords.decoded(text) { return words }
        if text.utf8.contains(UInt8(ascii: "%")) {
            let bytes = ByteText.percentDecoded(text)
            let decoded = String(validating: bytes, as: UTF8.self)
            // A name that mixes text and escapes has bytes of two charsets.
            let isPure = text.utf8.allSatisfy { $0 < 0x80 }
            if let decoded = decoded ?? (isPure ? charset : nil).flatMap({ CharsetText.decoded(bytes, charset: $0) }) {
                return decoded
            }
        }
        var result = ""
        result.unicodeScalars.append(contentsOf: text.unicodeScalars.map { CharsetText.western($0) })
        return result
    }

    /// Decodes `charset'language'value` of RFC 8187; nil for another form, an unknown charset, and bytes that are
    /// invalid in it.
    private static func decodeExtended(_ value: [UInt8], _ charset: String?) -> String? {
        let parts = value.split(separator: 0x27, maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        let bytes = ByteText.percentDecoded(String(decoding: parts[2], as: UTF8.self))
        return decoded(bytes, named: String(decoding: parts[0], as: UTF8.self), charset)
    }

    /// Returns the number of a piece of a name that is too long for one parameter, `filename*0` or `filename*0*` (RFC
    /// 2231, 3).
    private static func piece(_ name: String) -> (number: Int, isExtended: Bool)? {
        guard name.hasPrefix("filename*") else { return nil }
        let isExtended = name.hasSuffix("*")
        let digits = name.dropFirst("filename*".count).dropLast(isExtended ? 1 : 0)
        guard let number = ByteText.decimal(digits), number < 100 else { return nil }
        return (Int(number), isExtended)
    }

    /// Joins the pieces of a name; the first names the charset of the escaped ones.
    private static func joined(
        _ pieces: [Int: (value: [UInt8], isExtended: Bool)], _ fallback: String?
    ) -> String? {
        guard let first = pieces[0] else { return nil }
        var charset = ""
        var bytes: [UInt8] = []
        for number in 0..<pieces.count {
            guard var piece = pieces[number] else { break }
            if number == 0, first.isExtended {
                let parts = piece.value.split(separator: 0x27, maxSplits: 2, omittingEmptySubsequences: false)
                guard parts.count == 3 else { return nil }
                charset = String(decoding: parts[0], as: UTF8.self)
                piece.value = Array(parts[2])
            }
            bytes +=
                piece.isExtended ? ByteText.percentDecoded(String(decoding: piece.value, as: UTF8.self)) : piece.value
        }
        return decoded(bytes, named: charset, fallback)
    }

    /// Decodes bytes in the charset that a field names; without one, in UTF-8 or the response's charset.
    private static func decoded(_ bytes: [UInt8], named name: String, _ fallback: String?) -> String? {
        guard name.isEmpty else { return CharsetText.decoded(bytes, charset: name) }
        return String(validating: bytes, as: UTF8.self) ?? fallback.flatMap { CharsetText.decoded(bytes, charset: $0) }
    }

    // MARK: - Parameters

    /// Parses the parameters after the type.
    ///
    /// An unclosed quote extends to the end.
    private static func parameters(_ bytes: [UInt8]) -> [(name: String, value: [UInt8])] {
        var result: [(name: String, value: [UInt8])] = []
        var index = bytes.firstIndex(of: 0x3B) ?? startWithoutType(bytes)
        while index < bytes.count {
            if bytes[index] == 0x3B { index += 1 }
            let nameEnd = bytes[index...].firstIndex { $0 == 0x3D || $0 == 0x3B } ?? bytes.count
            let name = ByteText.trimmed(String(decoding: bytes[index..<nameEnd], as: UTF8.self))
            index = nameEnd
            guard index < bytes.count, bytes[index] == 0x3D else { continue }
            index += 1
            while index < bytes.count, ByteText.isBlank(bytes[index]) { index += 1 }
            let value: [UInt8]
            if index < bytes.count, bytes[index] == 0x22 {
                (value, index) = quoted(bytes, from: index + 1)
                index = bytes[index...].firstIndex(of: 0x3B) ?? bytes.count
            } else {
                let end = bytes[index...].firstIndex(of: 0x3B) ?? bytes.count
                value = Array(ByteText.trimmed(String(decoding: bytes[index..<end], as: UTF8.self)).utf8)
                index = end
            }
            result.append((ByteText.lowercased(name), value))
        }
        return result
    }

    /// Returns the start of the first parameter in a field without a type, which some servers omit.
    private static func startWithoutType(_ bytes: [UInt8]) -> Int { bytes.contains(0x3D) ? 0 : bytes.count }

    /// A backslash escapes a quote or itself; before any other byte it is a Windows path separator and stays.
    private static func quoted(_ bytes: [UInt8], from start: Int) -> ([UInt8], Int) {
        var value: [UInt8] = []
        var index = start
        while index < bytes.count, bytes[index] != 0x22 {
            if bytes[index] == 0x5C, index + 1 < bytes.count, bytes[index + 1] == 0x22 || bytes[index + 1] == 0x5C {
                index += 1
            }
            value.append(bytes[index])
            index += 1
        }
        return (value, min(index + 1, bytes.count))
    }
}
