import SessionSupport

/// The number by which aria2's clients know a task: 16 hexadecimal digits, or an unambiguous beginning of them.
///
/// A task's own GID is its row's number, spread over 64 bits, so that short beginnings differ. Rows of a saved session
/// keep their numbers, and so tasks keep their GIDs.
package struct GID: Sendable, Hashable, CustomStringConvertible {
    static let digitCount = 16

    let value: UInt64

    init(value: UInt64) { self.value = value }

    /// The GID of a row for which a client has chosen none.
    package init(row: UInt64) {
        var bits = row
        bits = (bits ^ (bits >> 30)) &* Self.first
        bits = (bits ^ (bits >> 27)) &* Self.second
        value = bits ^ (bits >> 31)
    }

    /// A complete GID; nil for another text, and for zero, which aria2 has for none.
    package init?(_ text: String) {
        guard text.utf8.count == Self.digitCount, let prefix = Prefix(text), prefix.bits != 0 else { return nil }
        value = prefix.bits
    }

    /// The row that has this GID, unless a client has chosen another one for it.
    var row: UInt64 {
        var bits = value
        bits = (bits ^ (bits >> 31) ^ (bits >> 62)) &* Self.secondInverse
        bits = (bits ^ (bits >> 27) ^ (bits >> 54)) &* Self.firstInverse
        return bits ^ (bits >> 30) ^ (bits >> 60)
    }

    package var description: String { StableHash.digits(of: value, count: Self.digitCount) }

    /// The odd factors of a mixing function in which each bit depends on all; no two rows share a result.
    private static let first: UInt64 = 0xBF58_476D_1CE4_E5B9
    private static let second: UInt64 = 0x94D0_49BB_1331_11EB
    private static let firstInverse: UInt64 = 0x96DE_1B17_3F11_9089
    private static let secondInverse: UInt64 = 0x3196_42B2_D24D_8EC3

    /// The beginning of a GID.
    struct Prefix: Equatable {
        /// The digits in the upper bits.
        let bits: UInt64
        private let mask: UInt64

        init?(_ text: String) {
            guard (1...GID.digitCount).contains(text.utf8.count) else { return nil }
            var bits: UInt64 = 0
            for byte in text.utf8 {
                guard let digit = ByteText.hexadecimalValue(byte) else { return nil }
                bits = bits << 4 | UInt64(digit)
            }
            let missing = UInt64(4 * (GID.digitCount - text.utf8.count))
            self.bits = bits << missing
            mask = .max << missing
        }

        func matches(_ gid: GID) -> Bool { gid.value & mask == bits }
    }
}
