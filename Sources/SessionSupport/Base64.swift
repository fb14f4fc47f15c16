/// Base64 text (RFC 4648, 4), with padding.
package enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    package static func encode(_ bytes: some Collection<UInt8>) -> String {
        var result: [UInt8] = []
        result.reserveCapacity((bytes.count + 2) / 3 * 4)
        var group: UInt32 = 0
        var buffered = 0
        for byte in bytes {
            group = group << 8 | UInt32(byte)
            buffered += 1
            guard buffered == 3 else { continue }
            append(group, digits: 4, to: &result)
            (group, buffered) = (0, 0)
        }
        if buffered > 0 {
            append(group << UInt32(8 * (3 - buffered)), digits: buffered + 1, to: &result)
            result.append(contentsOf: repeatElement(UInt8(ascii: "="), count: 3 - buffered))
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Decodes a text; nil if it is not Base64 with its padding.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count % 4 == 0 else { return nil }
        let padding = digits.reversed().prefix { $0 == UInt8(ascii: "=") }.count
        guard padding <= 2 else { return nil }
        var result: [UInt8] = []
        result.reserveCapacity(digits.count / 4 * 3)
        var group: UInt32 = 0
        for (index, digit) in digits.enumerated() {
            let isPadding = index >= digits.count - padding
            guard let value = isPadding ? 0 : alphabet.firstIndex(of: digit) else { return nil }
            group = group << 6 | UInt32(value)
            guard index % 4 == 3 else { continue }
            for shift in [16, 8, 0] as [UInt32] { result.append(UInt8(truncatingIfNeeded: group >> shift)) }
            group = 0
        }
        return result.dropLast(padding) + []
    }

    private static func append(_ group: UInt32, digits: Int, to result: inout [UInt8]) {
        for position in 0..<digits { result.append(alphabet[Int(group >> UInt32(18 - 6 * position) & 63)]) }
    }
}
