import SessionSupport

/// The file name in a Content-Disposition field (RFC 6266), read leniently, since servers write much that no grammar
/// has.
enum ContentDisposition {
    /// The name the server offers, raw: `filename*` before `filename`, the first of each.
    ///
    /// Not safe to use as it is.
    static func fileName(_ field: String) -> String? {
        var plain: String?
        var extended: String?
        for (name, value) in parameters(Array(field.utf8)) {
            switch name {
            case "filename" where plain == nil: plain = String(decoding: value, as: UTF8.self)
            case "filename*" where extended == nil: extended = decodeExtended(value)
            default: break
            }
        }
        return [extended, plain].compactMap { $0 }.first { !$0.isEmpty }
    }

    /// The parameters after the type.
    ///
    /// Quotes that never close reach to the end.
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

    /// The place of the first parameter in a field without a type: some servers leave it away.
    private static func startWithoutType(_ bytes: [UInt8]) -> Int { bytes.contains(0x3D) ? 0 : bytes.count }

    /// A backslash escapes a quote or itself; before anything else it is a Windows path's separator and stays.
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

    /// `charset'language'value` of RFC 8187; nil for a charset that is neither UTF-8 nor Latin-1.
    private static func decodeExtended(_ value: [UInt8]) -> String? {
        let parts = value.split(separator: 0x27, maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        let decoded = ByteText.percentDecoded(String(decoding: parts[2], as: UTF8.self))
        switch ByteText.lowercased(String(decoding: parts[0], as: UTF8.self)) {
        case "utf-8": return String(decoding: decoded, as: UTF8.self)
        case "iso-8859-1":
            var text = ""
            text.unicodeScalars.append(contentsOf: decoded.map { Unicode.Scalar($0) })
            return text
        default: return nil
        }
    }
}
