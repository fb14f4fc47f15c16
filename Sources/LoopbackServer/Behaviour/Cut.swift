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
