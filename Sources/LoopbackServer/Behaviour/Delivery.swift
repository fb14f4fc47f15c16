/// The flow of a body: its speed, its stalls, and its cut.
public struct Delivery: Sendable {
    /// Bytes per second; nil for no limit.
    ///
    /// At no time is more than a twentieth of it ahead of schedule.
    public var bytesPerSecond: Int64?
    /// The stalls, in any order.
    public var stalls: [Stall]
    /// The cut; nil for a complete body.
    ///
    /// A cut at the same byte as a stall comes after it.
    public var cut: Cut?

    /// Creates a delivery, by default unlimited and complete.
    public init(bytesPerSecond: Int64? = nil, stalls: [Stall] = [], cut: Cut? = nil) {
        self.bytesPerSecond = bytesPerSecond
        self.stalls = stalls
        self.cut = cut
    }
}

/// A stall after a number of body bytes until a gate opens.
public struct Stall: Sendable {
    /// The body bytes before the stall, without chunk framing; 0 stalls after the head.
    public var after: Int64
    /// The gate that ends the stall.
    public var gate: Gate

    /// Creates a stall after `after` bytes of the body.
    public init(after: Int64, gate: Gate) {
        self.after = after
        self.gate = gate
    }
}

/// The end of the connection after a number of body bytes.
public struct Cut: Sendable, Equatable {
    /// How a connection ends.
    public enum Manner: Sendable, Equatable {
        /// Closes in order, with FIN; the kernel turns it into a reset when the peer sent unread bytes.
        case close
        /// With RST, once the peer's kernel has the earlier bytes (after at most a second).
        case reset
    }

    /// The body bytes before the cut, without chunk framing.
    public var after: Int64
    /// How the connection ends.
    public var manner: Manner

    /// Creates a cut after `after` bytes of the body.
    public init(after: Int64, manner: Manner = .close) {
        self.after = after
        self.manner = manner
    }
}
