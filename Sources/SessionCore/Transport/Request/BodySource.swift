/// Where a request's body comes from while it is sent.
///
/// Confined to the transfer loop.
protocol BodySource: AnyObject {
    /// The whole length in bytes; nil when it is known only at the end.
    var length: Int64? { get }
    /// Whether the body can be sent again from its beginning.
    var canRewind: Bool { get }
    /// Fills the buffer as far as bytes are at hand. Never blocks for long.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> BodyRead
    /// Goes to an offset; false when that is impossible.
    func seek(to offset: Int64) -> Bool
}

/// What reading a body gave.
enum BodyRead: Sendable, Equatable {
    case bytes(Int)
    case end
    /// The source has no bytes yet; the loop is told when it has.
    case wait
    case failed(SessionError)
}
