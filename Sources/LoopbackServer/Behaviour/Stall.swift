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
