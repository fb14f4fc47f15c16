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

/// Standing still after a number of body bytes until a gate opens.
public struct Stall: Sendable {
    /// How many bytes of the body pass first, without chunk framing; none means after the head.
    public var after: Int64
    /// What to wait for.
    public var gate: Gate

    /// A stall after `after` bytes of the body.
    public init(after: Int64, gate: Gate) {
        self.after = after
        self.gate = gate
    }
}

/// Breaking the connection off after a number of body bytes.
public struct Cut: Sendable, Equatable {
    /// How a connection ends.
    public enum Manner: Sendable, Equatable {
        /// In order, with FIN; the kernel makes it a reset when the peer sent bytes that nobody read.
        case close
        /// With RST, once the peer's kernel has what was sent before (at most a second is waited for that).
        case reset
    }

    /// How many bytes of the body pass first, without chunk framing.
    public var after: Int64
    /// How it ends.
    public var manner: Manner

    /// A cut after `after` bytes of the body.
    public init(after: Int64, manner: Manner = .close) {
        self.after = after
        self.manner = manner
    }
}
