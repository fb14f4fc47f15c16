/// Bytes as base64 text (RFC 4648, 4), with padding.
package enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// The text of bytes.
    package static func encode(_ bytes: some Collection<UInt8>) -> String {
        var result: [UInt8] = []
        result.reserveCapacity((bytes.count + 2) / 3 * 4)
        var group: UInt32 = 0
        var held = 0
        for byte in bytes {
            group = group << 8 | UInt32(byte)
            held += 1
            guard held == 3 else { continue }
            append(group, digits: 4, to: &result)
            (group, held) = (0, 0)
        }
        if held > 0 {
            append(group << UInt32(8 * (3 - held)), digits: held + 1, to: &result)
            result.append(contentsOf: repeatElement(UInt8(ascii: "="), count: 3 - held))
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func append(_ group: UInt32, digits: Int, to result: inout [UInt8]) {
        for position in 0..<digits { result.append(alphabet[Int(group >> UInt32(18 - 6 * position) & 63)]) }
    }
}
