import SessionSupport

/// What makes the GIDs of each session its own.
///
/// A task's own GID is its row's number, mixed with the seed and spread over 64 bits, so that short beginnings differ
/// and no row needs a table. Rows of a saved session keep their numbers, and so a kept seed keeps their GIDs.
package struct GIDSeed: Sendable, Equatable, CustomStringConvertible {
    private let value: UInt64

    /// A new one, which no other session has.
    package init() { self.init(value: .random(in: .min ... .max)) }

    /// A kept one; nil for a text that is none.
    package init?(_ text: String) {
        guard let gid = GID(text) else { return nil }
        value = gid.value
    }

    /// Rows have smaller numbers than ``lowest``, and so none has zero for its GID.
    private init(value: UInt64) { self.value = value | Self.lowest }

    private static let lowest: UInt64 = 1 << 62

    /// The GID of a row for which a client has chosen none.
    func gid(of row: UInt64) -> GID {
        var bits = row ^ value
        bits = (bits ^ (bits >> 30)) &* Self.first
        bits = (bits ^ (bits >> 27)) &* Self.second
        return GID(value: bits ^ (bits >> 31))
    }

    /// The row that has a GID, unless a client has chosen another one for it.
    func row(of gid: GID) -> UInt64 {
        var bits = gid.value
        bits = (bits ^ (bits >> 31) ^ (bits >> 62)) &* Self.secondInverse
        bits = (bits ^ (bits >> 27) ^ (bits >> 54)) &* Self.firstInverse
        return bits ^ (bits >> 30) ^ (bits >> 60) ^ value
    }

    /// The seed as a file keeps it.
    package var description: String { StableHash.digits(of: value, count: GID.digitCount) }

    /// The odd factors of a mixing function in which each bit depends on all; no two rows share a result.
    private static let first: UInt64 = 0xBF58_476D_1CE4_E5B9
    private static let second: UInt64 = 0x94D0_49BB_1331_11EB
    private static let firstInverse: UInt64 = 0x96DE_1B17_3F11_9089
    private static let secondInverse: UInt64 = 0x3196_42B2_D24D_8EC3
}
