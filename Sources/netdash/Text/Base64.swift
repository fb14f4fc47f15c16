/// Bytes in letters, as header fields and the clipboard of a terminal take them.
enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// Encodes bytes, with padding.
    static func encode(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let padded = Array(group) + [0, 0]
            let value = Int(padded[0]) << 16 | Int(padded[1]) << 8 | Int(padded[2])
            for index in 0..<4 {
                let isPadding = index > group.count
                result.append(isPadding ? UInt8(ascii: "=") : alphabet[value >> (18 - 6 * index) & 63])
            }
        }
        return result
    }
}
