/// How a body flows: how fast, where it stands still, and where it breaks off.
public struct Delivery: Sendable {
    /// Bytes a second; nil for as fast as can be.
    ///
    /// At no time has more than a twentieth of it passed too early.
    public var bytesPerSecond: Int64?
    /// Where it stands still, in any order.
    public var stalls: [Stall]
    /// Where it breaks off.
    ///
    /// A cut at the same byte as a stall comes after it.
    public var cut: Cut?

    /// Describes a delivery: as fast as can be and to the end, unless said otherwise.
    public init(bytesPerSecond: Int64? = nil, stalls: [Stall] = [], cut: Cut? = nil) {
        self.bytesPerSecond = bytesPerSecond
        self.stalls = stalls
        self.cut = cut
    }
}
