import SessionSupport

/// The number by which aria2's clients know a task: 16 hexadecimal digits, or an unambiguous beginning of them.
package struct GID: Sendable, Hashable, CustomStringConvertible {
    static let digitCount = 16

    let value: UInt64

    init(value: UInt64) { self.value = value }

    /// A complete GID; nil for another text, and for zero, which aria2 has for none.
    package init?(_ text: String) {
        guard text.utf8.count == Self.digitCount, let prefix = Prefix(text), prefix.bits != 0 else { return nil }
        value = prefix.bits
    }

    package var description: String { StableHash.digits(of: value, count: Self.digitCount) }

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
