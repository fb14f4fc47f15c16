/// ASCII rules of HTTP text, independent of locales: Foundation's counterparts cost more and give other results.
public enum ByteText {
    /// Removes spaces and tabs at both ends (RFC 9110, 5.6.3).
    @inlinable
    public static func trimmed(_ text: some StringProtocol) -> String {
        // Nearly every field has none.
        let isTrimmed = text.utf8.withContiguousStorageIfAvailable { bytes in
            bytes.first.map { !isBlank($0) } == true && bytes.last.map { !isBlank($0) } == true
        }
        if isTrimmed == true { return String(text) }
        let bytes = Array(text.utf8)
        guard let first = bytes.firstIndex(where: { !isBlank($0) }),
            let last = bytes.lastIndex(where: { !isBlank($0) })
        else { return "" }
        return String(decoding: bytes[first...last], as: UTF8.self)
    }

    /// Removes the byte order mark that some editors write before UTF-8.
    public static func withoutByteOrderMark(_ text: String) -> String {
        text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
    }

    /// Lower-cases A to Z and keeps every other character.
    @inlinable
    public static func lowercased(_ text: some StringProtocol) -> String {
        guard text.utf8.contains(where: { $0 != lowercased($0) }) else { return String(text) }
        return String(decoding: text.utf8.map(lowercased), as: UTF8.self)
    }

    /// Lower-cases a letter from A to Z and returns any other byte unchanged.
    @inlinable
    public static func lowercased(_ byte: UInt8) -> UInt8 { byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte }

    /// Returns whether a byte is a space or a tab.
    @inlinable
    public static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    /// Returns whether a byte is a digit from 0 to 9.
    @inlinable
    public static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

    /// Returns whether a byte is a letter from A to Z, of either case.
    @inlinable
    public static func isLetter(_ byte: UInt8) -> Bool { byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A }

    /// Returns whether a byte may be part of a token, such as a field name (RFC 9110, 5.6.2).
    @inlinable
    public static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }

    /// Compares two texts without regard to the case of A to Z, as names of fields and codings are compared.
    @inlinable
    public static func isSame(_ left: String, _ right: String) -> Bool {
        let leftBytes = left.utf8Span.span
        let rightBytes = right.utf8Span.span
        guard leftBytes.count == rightBytes.count else { return false }
        for index in leftBytes.indices {
            let leftByte = leftBytes[index]
            let rightByte = rightBytes[index]
            guard leftByte == rightByte || lowercased(leftByte) == lowercased(rightByte) else { return false }
        }
        return true
    }

    /// Parses a number of digits only; nil for other text and on overflow.
    @inlinable
    public static func decimal(_ text: some StringProtocol) -> Int64? { decimal(bytes: text.utf8) }

    /// Parses a number of digits only; nil for other text and on overflow.
    @inlinable
    public static func decimal(bytes: some Collection<UInt8>) -> Int64? {
        var value: Int64 = 0
        guard !bytes.isEmpty else { return nil }
        for byte in bytes {
            guard isDigit(byte) else { return nil }
            let (product, overflowed) = value.multipliedReportingOverflow(by: 10)
            let (sum, carried) = product.addingReportingOverflow(Int64(byte - 0x30))
            guard !overflowed, !carried else { return nil }
            value = sum
        }
        return value
    }

    /// Parses the port of a URL or of an address, from 1 to 65535; nil for other text.
    @inlinable
    package static func port(_ text: some StringProtocol) -> Int? { port(bytes: text.utf8) }

    /// Parses the port of a URL or of an address, from 1 to 65535; nil for other text.
    @inlinable
    package static func port(bytes: some Collection<UInt8>) -> Int? {
        decimal(bytes: bytes).flatMap { (1...65_535).contains($0) ? Int($0) : nil }
    }

    /// Returns the value of a hexadecimal digit; nil for any other byte.
    @inlinable
    public static func hexadecimalValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }

    /// Returns bytes as lower-case hexadecimal digits.
    @inlinable
    public static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        var result: [UInt8] = []
        for byte in bytes {
            result.append(digits[Int(byte >> 4)])
            result.append(digits[Int(byte & 15)])
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Decodes `%XX` once.
    ///
    /// A percent sign without two hexadecimal digits stays.
    @inlinable
    public static func percentDecoded(_ text: some StringProtocol) -> [UInt8] {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            if bytes[index] == 0x25, index + 2 < bytes.count, let high = hexadecimalValue(bytes[index + 1]),
                let low = hexadecimalValue(bytes[index + 2])
            {
                result.append(high << 4 | low)
                index += 3
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return result
    }

    /// Encodes every byte outside printable ASCII, and the percent sign itself, as `%XX`.
    @inlinable
    public static func percentEncoded(_ text: some StringProtocol) -> String {
        var result: [UInt8] = []
        for byte in text.utf8 {
            if byte > 0x20, byte < 0x7F, byte != 0x25 {
                result.append(byte)
            } else {
                result.append(0x25)
                result.append(contentsOf: hexadecimal(CollectionOfOne(byte)).utf8)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
