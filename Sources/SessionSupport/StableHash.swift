/// FNV-1a with 64 bits: the same in every run and on every machine, as `Hasher` is not.
///
/// Not for secrets.
public enum StableHash {
    /// - Parameter earlier: the hash of what comes before the bytes.
    @inlinable
    public static func value(_ bytes: some Sequence<UInt8>, after earlier: UInt64 = 0xCBF2_9CE4_8422_2325) -> UInt64 {
        var hash = earlier
        for byte in bytes {
            hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
        }
        return hash
    }

    /// Sixteen digits.
    @inlinable
    public static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        let hash = value(bytes)
        return ByteText.hexadecimal((0..<8).map { UInt8(truncatingIfNeeded: hash >> (56 - 8 * $0)) })
    }
}
