/// 64-bit FNV-1a: unlike `Hasher`, the same in every run and on every machine.
///
/// Not for secrets.
public enum StableHash {
    /// - Parameter earlier: the hash of the preceding bytes.
    @inlinable
    public static func value(_ bytes: some Sequence<UInt8>, after earlier: UInt64 = 0xCBF2_9CE4_8422_2325) -> UInt64 {
        var hash = earlier
        for byte in bytes {
            hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
        }
        return hash
    }

    /// Hashes a text's UTF-8 bytes.
    public static func value(_ text: String, after earlier: UInt64 = 0xCBF2_9CE4_8422_2325) -> UInt64 {
        let bytes = text.utf8Span.span
        var hash = earlier
        for index in bytes.indices {
            hash = (hash ^ UInt64(bytes[index])) &* 0x0000_0100_0000_01B3
        }
        return hash
    }

    /// Hashes a number's bytes, lowest first.
    public static func value(_ number: Int64, after earlier: UInt64) -> UInt64 {
        (0..<8).reduce(earlier) { hash, index in
            (hash ^ UInt64(UInt8(truncatingIfNeeded: number >> (8 * index)))) &* 0x0000_0100_0000_01B3
        }
    }

    /// Returns the hash of bytes as sixteen digits.
    public static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String { digits(of: value(bytes), count: 16) }

    /// Returns the hash of a text as sixteen digits.
    public static func hexadecimal(_ text: String) -> String { digits(of: value(text), count: 16) }

    /// Appends the first digits of a hash to bytes.
    public static func append(_ hash: UInt64, digits count: Int, to bytes: inout [UInt8]) {
        for index in 0..<count { bytes.append(digit(index, of: hash)) }
    }

    private static func digit(_ index: Int, of hash: UInt64) -> UInt8 {
        let digit = UInt8(truncatingIfNeeded: hash >> (60 - 4 * UInt64(index))) & 15
        return digit < 10 ? 0x30 + digit : 0x57 + digit
    }

    /// Returns the first digits of a hash.
    public static func digits(of hash: UInt64, count: Int) -> String {
        String(unsafeUninitializedCapacity: count) { bytes in
            for index in 0..<count {
                bytes.initializeElement(at: index, to: digit(index, of: hash))
            }
            return count
        }
    }
}
